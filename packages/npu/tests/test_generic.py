"""``torch.Stream``, ``torch.Event`` and ``torch.accelerator`` on the NPU."""

import gc
import threading

import mindtorch_npu as npu
import pytest
from mindtorch_npu import accelerator, backend
from mindtorch_npu.generic_streams import Event, Stream

from packages.npu.tests.gates import Gate, python_work


def test_default_device_is_the_accelerator():
    """A stream of the pool, on the current device."""
    with npu.device(1):
        stream = Stream()
    assert (stream.device_type, stream.device_index) == (20, 1)
    assert stream.stream_id & 1
    assert (
        repr(stream)
        == f"torch.Stream device_type=npu, device_index=1, stream_id={stream.stream_id}"
    )
    assert Stream(0).device_index == 0
    assert Stream("npu:1").device_index == 1


def test_stream_is_not_equal_to_the_npus_own_of_the_same_number():
    """torch.cuda.Stream equals only its own kind, whichever side it stands on."""
    mine = npu.Stream()
    same = Stream(stream_id=mine.stream_id, device_index=0, device_type=20)
    assert mine != same
    assert same != mine
    assert same == Stream(stream_id=mine.stream_id, device_index=0, device_type=20)
    assert (mine.stream_id, mine.native_handle) == (same.stream_id, same.native_handle)
    assert isinstance(mine, Stream)
    assert not isinstance(same, npu.Stream)


def test_context_switches_and_restores():
    """Stream and device, nested too."""
    other = Stream("npu:1")
    with other:
        assert npu.current_device() == 1
        assert accelerator.current_stream() == other
        with Stream("npu:0") as inner:
            assert accelerator.current_stream() == inner
        assert accelerator.current_stream() == other
    assert npu.current_device() == 0
    assert npu.current_stream(1) == npu.default_stream(1)


@python_work
def test_events_order_generic_and_own_streams():
    """Either kind of event is recorded on and waited for by either kind of stream."""
    slow, quick = Stream(), npu.Stream()
    done, gate = [], threading.Event()
    with slow:
        backend.launch(0, "gate", gate.wait)
        backend.launch(0, "slow", done.append, ("slow",))
    event = slow.record_event()
    assert type(event) is Event
    assert not event.query()
    quick.wait_event(event)
    with npu.stream(quick):
        backend.launch(0, "quick", done.append, ("quick",))
    gate.set()
    quick.synchronize()
    assert done == ["slow", "quick"]
    own = npu.Event()
    own.record(slow)
    own.wait(quick)
    slow.wait_stream(quick)
    slow.synchronize()


def test_timing():
    """A sleep of 20 ms lies between two events."""
    start, end = Event(enable_timing=True), Event(enable_timing=True)
    gate = Gate()  # without it the host may pause behind the first record
    start.record()
    npu._sleep(20_000_000)
    end.record()
    gate.set()
    end.synchronize()
    assert start.elapsed_time(end) == pytest.approx(20)


def test_accelerator_is_the_npu():
    """Device, index and memory are those of the NPU's own functions."""
    assert str(accelerator.current_accelerator()) == "npu"
    assert accelerator.device_count() == npu.device_count()
    with accelerator.device_index(1):
        assert npu.current_device() == accelerator.current_device_index() == 1
        with accelerator.device_index(None):
            assert npu.current_device() == 1
    gc.collect()  # not between two of the numbers
    held = backend.allocate(1000, 0)
    assert accelerator.memory_allocated() == npu.memory_allocated()
    assert accelerator.memory_allocated("npu:0") == npu.memory_allocated(0)
    assert accelerator.get_memory_info(0) == npu.mem_get_info(0)
    accelerator.set_device_index(1)
    assert npu.current_device() == 1
    accelerator.set_device_index(0)
    accelerator.synchronize()
    held.free()


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: accelerator.set_device_index("cpu"), ValueError, "cpu doesn't match the current"),
        (lambda: accelerator.set_device_index("npu"), ValueError, "Expected a torch.device with"),
        (lambda: accelerator.set_device_index(9), npu.AcceleratorError, "invalid device ordinal"),
        (lambda: accelerator.set_stream(3), TypeError, "incompatible function arguments"),
        (lambda: Stream(9), RuntimeError, r"Device index value 9 is out of index range \[0, 2\)"),
        (lambda: Stream("cuda"), RuntimeError, "not linked with support for cuda devices"),
        (lambda: Event().elapsed_time(Event()), ValueError, "enable_timing=True"),
        (lambda: Event().ipc_handle(), NotImplementedError, "ipc is not supported yet"),
        (lambda: npu.Event.from_ipc_handle("npu:0", b""), RuntimeError, "size 64, but got 0"),
        (lambda: Event("cpu").record(), RuntimeError, "cpu backend doesn't support events"),
    ],
)
def test_misuse(call, kind, text):
    """torch's types and texts."""
    with pytest.raises(kind, match=text):
        call()
