"""Statistics, summary, snapshot and history as a user of ``torch.npu`` sees them."""

import gc
import pickle

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend, memory, summary

from packages.npu.tests.gates import own_books

MIB = 1024 * 1024
DEVICE = 1


@pytest.fixture(autouse=True)
def clean():
    npu.init()
    gc.collect()  # what others left behind in circles holds memory
    npu.empty_cache()
    npu.reset_accumulated_memory_stats(DEVICE)
    npu.reset_peak_memory_stats(DEVICE)
    yield
    memory._record_memory_history(None)
    npu.set_per_process_memory_fraction(1.0, DEVICE)


def test_statistics_have_123_sorted_keys_of_ints():
    """The keys of torch 2.13."""
    stats = npu.memory_stats(DEVICE)
    assert len(stats) == 123
    assert list(stats) == sorted(stats)
    assert all(type(value) is int for value in stats.values())
    assert "reserved_bytes_by_private_pools" in npu.memory_stats_as_nested_dict(DEVICE)


@own_books
def test_shortcuts_read_the_statistics():
    """memory_allocated & co. are four of the keys."""
    block = backend.allocate(3 * MIB, DEVICE)
    assert npu.memory_allocated(DEVICE) == npu.max_memory_allocated(DEVICE) == 3 * MIB
    block.free()
    assert npu.memory_allocated(DEVICE) == 0
    assert npu.max_memory_allocated(DEVICE) == 3 * MIB
    assert npu.memory_reserved(DEVICE) == npu.max_memory_reserved(DEVICE) == 20 * MIB
    npu.reset_peak_memory_stats(DEVICE)
    assert npu.max_memory_allocated(DEVICE) == 0
    npu.empty_cache()
    assert npu.memory_reserved(DEVICE) == 0


@own_books
def test_deprecated_names_warn():
    """FutureWarning, then the new function."""
    with pytest.warns(FutureWarning, match=r"^`torch\.npu\.memory_cached` has been renamed to `t"):
        assert npu.memory_cached(DEVICE) == 0
    with pytest.warns(FutureWarning, match="^`torch.npu.max_memory_cached` has been renamed to"):
        npu.max_memory_cached(DEVICE)
    with pytest.warns(FutureWarning, match="which resets /all/ peak memory stats.$"):
        npu.reset_max_memory_allocated(DEVICE)
    with pytest.warns(FutureWarning, match=r"^torch\.npu\.reset_max_memory_cached now calls"):
        npu.reset_max_memory_cached(DEVICE)


@own_books
def test_raw_allocations():
    """An address comes back; 0 bytes are address 0; unknown addresses are refused."""
    address = npu.caching_allocator_alloc(1000, DEVICE)
    assert npu.memory_allocated(DEVICE) == 1024
    npu.caching_allocator_delete(address)
    assert npu.memory_allocated(DEVICE) == 0
    assert npu.caching_allocator_alloc(0) == 0
    npu.caching_allocator_delete(0)
    with pytest.raises(RuntimeError, match="^invalid device pointer: 0x1234$"):
        npu.caching_allocator_delete(0x1234)
    with pytest.raises(TypeError, match="^Invalid type for stream argument, must be `torch.npu.S"):
        npu.caching_allocator_alloc(10, DEVICE, "stream")
    stream = npu.Stream(DEVICE)
    address = npu.caching_allocator_alloc(10, DEVICE, stream)
    assert npu.memory_snapshot()[-1]["stream"] == stream.npu_stream
    npu.caching_allocator_delete(address)


def test_the_cache_is_switched_by_a_bool():
    """Anything else is refused, and changes nothing."""
    npu.init()
    for value in (0, 1.5, None, "yes"):
        text = f"npuCachingAllocator_enable expects a bool, but got {type(value).__name__}"
        with pytest.raises(RuntimeError, match=f"^{text}$"):
            npu.caching_allocator_enable(value)
        assert [each.enabled for each in backend.allocators()] == [True, True]


@pytest.mark.parametrize(
    ("fraction", "error", "text"),
    [
        (1, TypeError, "Invalid type for fraction argument, must be `float`"),
        (1.5, ValueError, "Invalid fraction value: 1.5. Allowed range: 0~1"),
        (-0.5, ValueError, "Invalid fraction value: -0.5. Allowed range: 0~1"),
    ],
)
def test_bad_fractions(fraction, error, text):
    """The int 1 is no float."""
    with pytest.raises(error) as caught:
        npu.set_per_process_memory_fraction(fraction, DEVICE)
    assert str(caught.value) == text


@own_books
def test_fraction_is_per_device():
    """What is set on one device does not limit the other."""
    assert npu.get_per_process_memory_fraction(DEVICE) == 1.0
    npu.set_per_process_memory_fraction(0.25, DEVICE)
    assert npu.get_per_process_memory_fraction(DEVICE) == 0.25
    assert npu.get_per_process_memory_fraction(0) == 1.0
    with pytest.raises(npu.OutOfMemoryError, match=r"8\.00 GiB allowed; "):
        backend.allocate(9 * 1024 * MIB, DEVICE)


@own_books
def test_snapshot_shows_segments_and_blocks():
    """Blocks cover their segment; states and sizes are those of the allocator."""
    held = [backend.allocate(1000, DEVICE), backend.allocate(100, DEVICE)]
    (segment,) = (s for s in npu.memory_snapshot() if s["device"] == DEVICE)
    address = held[0].data_ptr
    assert segment == {
        "device": DEVICE,
        "address": address,
        "total_size": 2 * MIB,
        "allocated_size": 1536,
        "active_size": 1536,
        "requested_size": 1100,
        "stream": 0,
        "segment_type": "small",
        "segment_pool_id": (0, 0),
        "is_expandable": False,
        "frames": [],
        "blocks": [
            {
                "address": address + offset,
                "size": size,
                "requested_size": requested,
                "state": state,
                "frames": [],
            }
            for offset, size, requested, state in (
                (0, 1024, 1000, "active_allocated"),
                (1024, 512, 100, "active_allocated"),
                (1536, 2 * MIB - 1536, 0, "inactive"),
            )
        ],
    }


@own_books
def test_history_traces_every_action():
    """A fresh allocation, its free and the flush, in order, with stacks."""
    memory._record_memory_history()
    block = backend.allocate(1000, DEVICE)
    address = block.data_ptr
    block.free()
    npu.empty_cache()
    npu.memory_snapshot()
    trace = memory._snapshot()["device_traces"][DEVICE]
    assert [(e["action"], e["addr"], e["size"]) for e in trace] == [
        ("segment_alloc", address, 2 * MIB),
        ("alloc", address, 1000),
        ("free_requested", address, 1000),
        ("free_completed", address, 1000),
        ("segment_free", address, 2 * MIB),
        ("snapshot", 0, 0),
    ]
    top = trace[1]["frames"][0]
    assert (top["filename"], top["name"]) == (__file__, "test_history_traces_every_action")
    assert trace[0]["stream"] == 0
    assert isinstance(trace[0]["time_us"], int)


@own_books
def test_history_is_a_ring_and_may_skip():
    """max_entries bounds the trace; None stops and forgets."""
    memory._record_memory_history(max_entries=2, skip_actions=["free_requested"], context=None)
    backend.allocate(1000, DEVICE).free()
    trace = memory._snapshot()["device_traces"][DEVICE]
    assert [e["action"] for e in trace] == ["alloc", "free_completed"]
    assert "frames" not in trace[0]
    memory._record_memory_history(None)
    assert memory._snapshot()["device_traces"][DEVICE] == []


@own_books
def test_out_of_memory_is_traced_with_free_memory():
    """The entry of an OOM has device_free in place of the address."""
    memory._record_memory_history(stacks="python")
    with pytest.raises(npu.OutOfMemoryError):
        backend.allocate(64 * 1024 * MIB, DEVICE)
    trace = memory._snapshot()["device_traces"][DEVICE]
    assert trace[-1]["action"] == "oom"
    assert trace[-1]["device_free"] == npu.mem_get_info(DEVICE)[0]
    assert "addr" not in trace[-1]


@own_books
def test_older_history_arguments():
    """A bool selects the older form."""
    memory._record_memory_history(True, trace_alloc_max_entries=5, trace_alloc_record_context=True)
    block = backend.allocate(1000, DEVICE)
    assert len(memory._snapshot()["device_traces"][DEVICE]) == 2
    memory._record_memory_history(False)
    block.free()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"enabled": "some"}, "expected state to be 'state', 'all', or None"),
        ({"context": "some"}, "expected context to be 'state', 'alloc', 'all', or None"),
        ({"stacks": "some"}, "expected stacks to be 'python', or 'all'"),
    ],
)
def test_bad_history_arguments(arguments, text):
    """RuntimeError with torch's text."""
    with pytest.raises(RuntimeError) as caught:
        memory._record_memory_history(**arguments)
    assert str(caught.value) == text


def test_dump_is_a_pickle_of_the_snapshot(tmp_path):
    """The viewer of torch reads plain dicts and lists."""
    path = tmp_path / "snapshot.pickle"
    memory._dump_snapshot(str(path))
    found = pickle.loads(path.read_bytes())
    assert set(found) == {
        *("segments", "device_traces", "allocator_settings", "external_annotations"),
    }
    assert found["allocator_settings"]["max_split_size"] == -1
    assert len(found["allocator_settings"]["roundup_power2_divisions"]) == 16


def test_summary_of_the_current_device():
    """memory_summary renders memory_stats; it follows the index that is given."""
    held = backend.allocate(1000, DEVICE)
    text = npu.memory_summary(DEVICE)
    assert text == summary.render(npu.memory_stats(DEVICE), DEVICE)
    assert "device ID 1 " in text
    assert len(text.splitlines()) == 47
    assert len(npu.memory_summary(DEVICE, abbreviated=True).splitlines()) == 29
    held.free()


@own_books
def test_processes():
    """The simulator knows one process: this one."""
    assert npu.list_gpu_processes(DEVICE) == f"NPU:{DEVICE}\nno processes are running"
    held = backend.allocate(1000, DEVICE)
    assert npu.list_gpu_processes(DEVICE).endswith(" uses        2.000 MB NPU memory")
    held.free()
