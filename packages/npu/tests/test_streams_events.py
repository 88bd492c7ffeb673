"""Streams and events as a user of ``torch.npu`` sees them."""

import threading

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend
from mindtorch_npu.errors import AcceleratorError
from mindtorch_storage.device import Device

from packages.npu.tests.gates import Gate, own_books, python_work

MILLISECOND = 1_000_000  # cycles


@pytest.fixture(autouse=True)
def as_before():
    npu.set_device(0)
    npu.set_stream(npu.default_stream(0))
    yield
    npu.set_stream(npu.default_stream(1))
    npu.set_stream(npu.default_stream(0))
    for index in range(npu.device_count()):
        npu.synchronize(index)


def test_default_stream_has_id_and_handle_0():
    """The current stream of a fresh thread is the default stream of each device."""
    stream = npu.current_stream()
    assert (stream.stream_id, stream.npu_stream, stream.device_index) == (0, 0, 0)
    assert (stream.device_type, stream.priority) == (20, 0)
    assert stream.device == Device("npu", 0)
    assert repr(stream) == "<torch.npu.Stream device=npu:0 npu_stream=0x0>"
    assert stream == npu.default_stream() != npu.default_stream(1)
    assert stream != "stream"
    assert hash(stream) == hash(npu.default_stream(0))


def test_streams_come_from_a_pool_of_32():
    """The 33rd stream is the first again; ids count in steps of 32 per class."""
    streams = [npu.Stream(1) for _ in range(33)]
    assert streams[0] == streams[32]
    assert len(set(streams)) == 32
    steps = {(b.stream_id - a.stream_id) % 1024 for a, b in zip(streams, streams[1:])}
    assert steps == {32}
    assert len({s.npu_stream for s in streams}) == 32
    assert all(s.npu_stream for s in streams)
    assert streams[0].stream_id % 32 == 3
    assert streams[0].device_index == 1


@pytest.mark.parametrize(("asked", "given"), [(0, 0), (5, 0), (-1, -1), (-3, -3), (-9, -3)])
def test_priorities_are_clamped(asked, given):
    """Positive priorities mean 0, too negative ones the greatest."""
    assert npu.Stream(priority=asked).priority == given
    assert npu.Stream.priority_range() == (0, -3)


def test_stream_is_rebuilt_from_its_ids():
    """(stream_id, device_index, device_type) name the same stream again."""
    stream = npu.Stream(1)
    again = npu.Stream(stream_id=stream.stream_id, device_index=1, device_type=20)
    assert again == stream


def test_external_stream_is_named_by_its_pointer():
    """Equal pointers are equal streams; a priority makes no sense; 0 means not given."""
    assert npu.ExternalStream(0x1230) == npu.get_stream_from_external(0x1230)
    assert npu.ExternalStream(0x1230).npu_stream == 0x1230
    with pytest.raises(RuntimeError, match="^Priority was explicitly set for a external stream$"):
        npu.ExternalStream(0x1230, priority=-1)
    assert npu.ExternalStream(0).stream_id & 1
    assert npu.ExternalStream(-64) == npu.get_stream_from_external(-64)
    assert npu.ExternalStream(-64).npu_stream == 2**64 - 64


def test_stream_context_restores_stream_and_device():
    """A stream of another device switches the device; leaving restores both devices' streams."""
    here, there = npu.Stream(0), npu.Stream(1)
    with npu.stream(here):
        assert npu.current_stream() == here
        with npu.stream(there):
            assert npu.current_device() == 1
            assert npu.current_stream() == there
            assert npu.current_stream(0) == here
        assert npu.current_device() == 0
        assert npu.current_stream(1) == npu.default_stream(1)
        assert npu.current_stream() == here
    with npu.stream(None):
        assert npu.current_stream() == npu.default_stream()
    with here as entered, there:
        assert entered is here
        assert npu.current_stream() == there
    assert npu.current_stream() == npu.default_stream()


def test_context_does_not_swallow_errors():
    """The exception passes, the stream is restored."""
    with pytest.raises(ZeroDivisionError):
        with npu.stream(npu.Stream()):
            1 / 0
    assert npu.current_stream() == npu.default_stream()


def test_current_stream_and_device_are_per_thread():
    """A new thread starts on device 0 and default streams, and is not seen by others."""
    seen = []

    def other():
        seen.append((npu.current_device(), npu.current_stream().stream_id))
        npu.set_device(1)
        npu.set_stream(npu.Stream(1))

    npu.set_stream(npu.Stream(1))
    mine = npu.current_stream()
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [(0, 0)]
    assert npu.current_device() == 1
    assert npu.current_stream() == mine


def test_event_before_its_first_record():
    """Without a record an event has no device, is done, and nobody waits for it."""
    event = npu.Event()
    assert repr(event) == "<torch.npu.Event uninitialized>"
    assert (event.device, event.npu_event, event.query()) == (None, 0, True)
    event.wait()
    event.synchronize()


def test_event_follows_the_work_before_it():
    """query is False while earlier work runs; an idle stream's event is complete at once."""
    stream = npu.Stream()
    event = stream.record_event()
    assert event.query()
    assert repr(event).startswith("<torch.npu.Event 0x")
    with npu.stream(stream):
        gate = Gate()
        event.record()
    assert not event.query()
    assert not stream.query()
    gate.set()
    event.synchronize()
    assert event.query()
    assert event.device == Device("npu", 0)


def test_elapsed_time():
    """Milliseconds between two events; the same event: 0."""
    start, end = npu.Event(enable_timing=True), npu.Event(enable_timing=True)
    gate = Gate()  # without it the host may pause behind the first record
    start.record()
    npu._sleep(20 * MILLISECOND)
    end.record()
    with pytest.raises(RuntimeError, match="^Both events must be completed before calculating"):
        start.elapsed_time(end)
    gate.set()
    npu.synchronize()
    assert start.elapsed_time(end) == pytest.approx(20)
    assert end.elapsed_time(start) == -start.elapsed_time(end)
    assert start.elapsed_time(start) == 0.0


def test_elapsed_time_errors():
    """Timing is asked for first, then the records, then the device."""
    timed, plain = npu.Event(enable_timing=True), npu.Event()
    with pytest.raises(ValueError, match="^Both events must be created with argument 'enable_tim"):
        timed.elapsed_time(plain)
    with pytest.raises(ValueError, match="^Both events must be recorded before calculating elaps"):
        timed.elapsed_time(npu.Event(enable_timing=True))
    timed.record()
    other = npu.Event(enable_timing=True)
    with npu.device(1):
        other.record()
    with pytest.raises(AcceleratorError, match="^NPU error: invalid resource handle"):
        timed.elapsed_time(other)
    with pytest.raises(RuntimeError, match=r"^Event device 1 does not match recording stream's de"):
        other.record()


def test_event_takes_bytes_as_truth():
    """Any small int is a truth value; other types are refused."""
    assert npu.Event(enable_timing=7)._timing
    with pytest.raises(TypeError):
        npu.Event(enable_timing="yes")


@python_work
def test_wait_stream_orders_work_across_devices():
    """wait_stream returns at once and holds back later work only."""
    seen, gate = [], threading.Event()
    one, two = npu.Stream(0), npu.Stream(1)
    with npu.stream(one):
        backend.launch(0, "gate", gate.wait)
        backend.launch(0, "first", seen.append, (1,))
    two.wait_stream(one)
    with npu.stream(two):
        backend.launch(1, "second", seen.append, (2,))
    assert seen == []
    gate.set()
    two.synchronize()
    assert seen == [1, 2]


def test_sleep_wants_an_int():
    """Source: torch csrc/cuda/Module.cpp."""
    with pytest.raises(RuntimeError, match=r"^torch\.npu\._sleep\(\): expected 'int'$"):
        npu._sleep(1.5)


@python_work
def test_two_threads_wait_on_two_devices_at_once():
    """Waits let other threads run: here each device's work needs the other's."""
    both = threading.Barrier(2, timeout=20)
    seen = []

    def run(index):
        with npu.device(index):
            backend.launch(index, "meet", lambda: seen.append(both.wait()))
            npu.synchronize()

    threads = [threading.Thread(target=run, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [0, 1]


@python_work
def test_launch_runs_on_the_current_stream_and_reports_errors():
    """The error of a kernel carries the op and the line of the launch."""
    with npu.stream(npu.Stream()) as _:
        backend.launch(0, "aten::index", int, ("nothing",))
        with pytest.raises(ValueError) as caught:
            backend.wait_current(0)
    note = caught.value.__notes__[0]
    assert note.startswith("raised by aten::index on npu:0 stream ")
    assert note.endswith("in test_launch_runs_on_the_current_stream_and_reports_errors")
    assert __file__ in note


@own_books
def test_record_stream_keeps_memory_from_reuse():
    """Real streams: a block in use elsewhere is not handed out until that work is done."""
    side = npu.Stream()
    block = backend.allocate(700_000, 0)
    address = block.data_ptr
    gate = threading.Event()
    with npu.stream(side):
        backend.launch(0, "gate", gate.wait)
    backend.record_stream(block, side)
    block.free()
    other = backend.allocate(700_000, 0)
    assert other.data_ptr != address
    gate.set()
    side.synchronize()
    again = backend.allocate(700_000, 0)
    assert again.data_ptr == address


@python_work
def test_order_after_makes_one_device_wait_for_another():
    """Copies between devices are ordered on both."""
    seen = []
    with npu.device(1):
        npu._sleep(20 * MILLISECOND)
    backend.launch(1, "source", seen.append, ("source",))
    backend.order_after(0, 1)
    backend.wait(backend.launch(0, "target", seen.append, ("target",)))
    assert seen == ["source", "target"]
