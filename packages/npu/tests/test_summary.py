"""The layout of memory_summary, to the character."""

from mindtorch_npu.statistics import Statistics
from mindtorch_npu.summary import render


def zeros():
    flat = {}

    def walk(prefix, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{prefix}.{key}" if prefix else key, inner)
        else:
            flat[prefix] = value

    walk("", Statistics(-1).as_nested_dict())
    return flat


def test_abbreviated_table():
    """One row for each metric; units follow each column's own value."""
    stats = zeros() | {
        "num_ooms": 3,
        "num_alloc_retries": 12,
        "allocated_bytes.all.current": 768 * 1024 - 1,
        "allocated_bytes.all.peak": 768 * 1024,
        "allocated_bytes.all.allocated": 5 * 1024**3,
        "allocated_bytes.all.freed": 3 * 1024**5,
        "allocation.all.current": 749_999,
        "allocation.all.peak": 750_000,
        "allocation.all.allocated": 1_234_567_890,
        "oversize_segments.peak": 800_000,
    }
    rows = {
        "Active memory        ": ("     0 B  ",) * 4,
        "Requested memory     ": ("     0 B  ",) * 4,
        "NPU reserved memory  ": ("     0 B  ",) * 4,
        "Non-releasable memory": ("     0 B  ",) * 4,
        "Allocations          ": ("749999   ", "   750 K ", "  1234 M ", "     0   "),
        "Active allocs        ": ("     0   ",) * 4,
        "NPU reserved segments": ("     0   ",) * 4,
        "Non-releasable allocs": ("     0   ",) * 4,
        "Oversize allocations ": ("     0   ",) * 4,
        "Oversize NPU segments": ("     0   ", "   800 K ", "     0   ", "     0   "),
    }
    thin = "|" + "-" * 75 + "|\n"
    thick = "|" + "=" * 75 + "|\n"
    expected = (
        thick
        + "|                  PyTorch NPU memory summary, device ID 1                  |\n"
        + thin
        + "|            NPU OOMs: 3             |        npuMalloc retries: 12         |\n"
        + thick
        + "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n"
        + thin
        + "| Allocated memory      | 786431 B   |    768 KiB |   5120 MiB |   3072 TiB |\n"
    )
    for name, cells in rows.items():
        width = 10
        line = " | ".join(cell.rjust(width) for cell in cells)
        expected += thin + f"| {name} | {line} |\n"
    assert render(stats, 1, abbreviated=True) == expected + thick


def test_pool_rows_use_the_unit_of_the_sum():
    """A pool's small value is shown in the unit of the row above it."""
    stats = zeros() | {
        "allocated_bytes.all.current": 100 * 1024**2,
        "allocated_bytes.large_pool.current": 99 * 1024**2,
        "allocated_bytes.small_pool.current": 1024**2 - 1,
    }
    lines = render(stats, 0).splitlines()
    assert [line[:38] for line in lines[7:10]] == [
        "| Allocated memory      | 102400 KiB |",
        "|       from large pool | 101376 KiB |",
        "|       from small pool |   1023 KiB |",
    ]
    assert {len(line) for line in lines} == {77}
    assert len(lines) == 47
