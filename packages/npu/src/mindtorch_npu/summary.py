"""The table of ``memory_summary``, in torch's layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mindtorch_npu.naming import CHIP, NAME, TYPE

__all__ = ["render"]

_WIDTH = 75
_SIZE_UNITS = ("B  ", "KiB", "MiB", "GiB", "TiB", "PiB")
_COUNT_UNITS = (" ", "K", "M")
_COLUMNS = ("current", "peak", "allocated", "freed")
_POOLS = (("large_pool", "      from large pool"), ("small_pool", "      from small pool"))

Cell = Callable[[int, int], str]


def _size(value: int, reference: float) -> str:
    """*value* in the unit that suits *reference* (a pool's row uses the unit of the sum)."""
    unit = 0
    while unit < len(_SIZE_UNITS) - 1 and reference >= 768 * 1024:
        unit += 1
        value //= 1024
        reference /= 1024
    return f"{value:6d} {_SIZE_UNITS[unit]}"


def _count(value: int, reference: float) -> str:
    unit = 0
    while unit < len(_COUNT_UNITS) - 1 and reference >= 750 * 1000:
        unit += 1
        value //= 1000
        reference /= 1000
    return f"{value:7d} {_COUNT_UNITS[unit]} "


_METRICS: tuple[tuple[str, str, Cell], ...] = (
    ("allocated_bytes", "Allocated memory", _size),
    ("active_bytes", "Active memory", _size),
    ("requested_bytes", "Requested memory", _size),
    ("reserved_bytes", f"{CHIP} reserved memory", _size),
    ("inactive_split_bytes", "Non-releasable memory", _size),
    ("allocation", "Allocations", _count),
    ("active", "Active allocs", _count),
    ("segment", f"{CHIP} reserved segments", _count),
    ("inactive_split", "Non-releasable allocs", _count),
)
_OVERSIZE = (
    ("oversize_allocations", "Oversize allocations"),
    ("oversize_segments", f"Oversize {CHIP} segments"),
)


def _row(
    stats: Mapping[str, int], prefix: str, name: str, cell: Cell, references: list[int]
) -> str:
    cells = (
        cell(stats[f"{prefix}.{column}"], reference)
        for column, reference in zip(_COLUMNS, references, strict=True)
    )
    return f" {name:<21} | " + " | ".join(cells) + " "


def render(stats: Mapping[str, int], device: int, abbreviated: bool = False) -> str:
    """The table for the flat *stats* of a device, whose lines have 77 characters."""
    thick, thin = "=" * _WIDTH, "-" * _WIDTH
    # Widths are CUDA's; shorter names leave room for longer numbers.
    room = 12 + len("CUDA") - len(NAME)
    ooms, retries = stats["num_ooms"], stats["num_alloc_retries"]
    lines = [
        thick,
        f" {'':16} PyTorch {NAME} memory summary, device ID {device:<{room + 5}d} ",
        thin,
        f"  {'':9} {NAME} OOMs: {ooms:<{room}d} | "
        f"{'':6} {TYPE}Malloc retries: {retries:<{room - 4}d}  ",
        thick,
        "        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ",
    ]
    for metric, name, cell in _METRICS:
        lines.append(thin)
        references = [stats[f"{metric}.all.{column}"] for column in _COLUMNS]
        lines.append(_row(stats, f"{metric}.all", name, cell, references))
        for pool, title in () if abbreviated else _POOLS:
            lines.append(_row(stats, f"{metric}.{pool}", title, cell, references))
    for metric, name in _OVERSIZE:
        lines.append(thin)
        references = [stats[f"{metric}.{column}"] for column in _COLUMNS]
        lines.append(_row(stats, metric, name, _count, references))
    lines.append(thick)
    return "".join(f"|{line}|\n" for line in lines)
