"""SIGINT in whatever blocks: the program goes on at once and ends, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

import mindtorch_npu as npu
import pytest
from mindtorch_npu import accelerator, thread_state
from mindtorch_npu.generic_streams import Stream

HEAD = """
import mindtorch_npu as npu, os
from mindtorch_npu import accelerator, backend
def forever(stream): npu.stream(stream).__enter__(); npu._sleep(60_000_000_000)
here, side = npu.current_stream(), npu.Stream()
other = npu.default_stream(1)
forever(side); npu.set_stream(here); forever(here)
event = npu.Event(interprocess=True)
handle = event.ipc_handle()
event.record()
def pending():
    block = backend.allocate(1000, 0)
    backend.record_stream(block, side)
    block.free()
    npu.empty_cache()
def crossing():
    other.wait_stream(here)
    other.synchronize()
def flood():
    while True:
        backend.launch(0, "x", len, ((),))
calls = [
    here.synchronize, here.record_event().synchronize, npu.synchronize, accelerator.synchronize,
    lambda: backend.wait_current(0), event.synchronize, pending, crossing, flood,
    npu.Event.from_ipc_handle(0, handle).synchronize,
]
for call in calls:
    try:
        print("go", flush=True)
        call()
        print("returned", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
print(len(calls), flush=True)
"""


def test_every_blocking_call_can_be_interrupted() -> None:
    """And the process ends at once though a minute of work is queued on three streams."""
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    try:
        said = []
        while (line := process.stdout.readline().strip()) == "go":
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            said.append(process.stdout.readline().strip())
        count = int(line)
        began = time.perf_counter()
        _, stderr = process.communicate(timeout=30)
    finally:
        process.kill()
    assert said == ["interrupted"] * count
    assert (process.returncode, stderr) == (0, "")
    assert time.perf_counter() - began < 20
    shared = os.listdir("/dev/shm") if os.path.isdir("/dev/shm") else []
    assert not [name for name in shared if f"_{process.pid}" in name]


TWO_THREADS = """
import mindtorch_npu as npu, threading
from mindtorch_npu import backend
ready, seen, errors = threading.Barrier(2), {}, []
def work(mine, theirs):
    try:
        assert npu.current_device() == 0
        npu.set_device(mine)
        stream = npu.Stream(priority=-mine)
        npu.set_stream(stream)
        npu.manual_seed(mine)
        ready.wait(20)
        held = [backend.allocate(1024 * (mine + 1), mine) for _ in range(300)]
        assert npu.memory_allocated() == 300 * 1024 * (mine + 1)
        ready.wait(20)
        gate = threading.Event()
        if mine:
            backend.launch(1, "gate", gate.wait)
        ready.wait(20)
        assert stream.query() == (not mine)
        gate.set()
        assert (npu.current_device(), npu.current_stream()) == (mine, stream)
        assert npu.current_stream(theirs) == npu.default_stream(theirs)
        npu.set_per_process_memory_fraction(0.5 + mine / 4)
        ready.wait(20)
        assert npu.get_per_process_memory_fraction() == 0.5 + mine / 4
        npu.reset_peak_memory_stats()
        del held
        ready.wait(20)
        assert npu.memory_stats()["allocated_bytes.all.peak"] == 300 * 1024 * (mine + 1)
        seen[mine] = stream.device
    except BaseException as error:
        errors.append(error)
        ready.abort()
        raise
threads = [threading.Thread(target=work, args=(i, 1 - i)) for i in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not errors and len(seen) == 2 and npu.current_device() == 0
"""


def test_two_threads_on_two_devices_do_not_see_each_other() -> None:
    """Current device and stream, memory, limits, pending work."""
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.returncode, done.stderr) == (0, "")


def _contexts() -> None:
    """Each way in which a thread leaves its default streams and comes back."""
    side, other = npu.Stream(), npu.Stream(1)
    with npu.stream(side), npu.stream(other):
        pass
    with side, other, npu.device(0):
        pass
    with accelerator.device_index(1), Stream("npu:0"):
        pass


def _interrupted(point: int) -> bool:
    """Run it with Ctrl-C at this point; whether there is such a point.

    Signals come in where a function begins and where one of C has returned. What begins to leave a
    context is left out: Python has no way to leave it then.
    """
    left = point

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        ours = "mindtorch" in frame.f_code.co_filename
        leaves = event == "call" and frame.f_code.co_name in ("__exit__", "restore")
        if event in ("call", "c_return") and ours and not leaves:
            left -= 1
            if not left:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        _contexts()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.fixture
def default_streams_are_current() -> Iterator[None]:
    """The default streams are current, before and after."""
    npu.init()
    assert not thread_state.tls.left
    yield
    gone = not thread_state.tls.left
    npu.set_stream(npu.default_stream(1))
    npu.set_stream(npu.default_stream(0))
    assert gone


@pytest.mark.usefixtures("default_streams_are_current")
def test_contexts_leave_device_and_streams_as_they_were() -> None:
    """Wherever Ctrl-C comes; who need not ask for the current stream is told before all."""
    _contexts()
    point = 0
    while _interrupted(point := point + 1):
        assert npu.current_device() == 0, point
        assert [npu.current_stream(i).stream_id for i in range(2)] == [0, 0], point
        assert not thread_state.tls.left, point
    assert point > 100


@pytest.mark.usefixtures("default_streams_are_current")
def test_a_thread_that_ends_on_another_stream_leaves_nothing() -> None:
    """Nor does a process: it says nothing."""
    thread = threading.Thread(target=lambda: npu.set_stream(npu.Stream()))
    thread.start()
    thread.join()
    assert not thread_state.tls.left
    program = "import mindtorch_npu as npu; npu.set_stream(npu.Stream())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def _handled(point: int, handler: Callable[[], None]) -> bool:
    """Run it with a signal's handler at this point; whether there is such a point."""
    left = point

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        code = frame.f_code
        ours = "mindtorch" in code.co_filename or code.co_name == "<lambda>"
        if event in ("call", "c_return") and ours:
            left -= 1
            if not left:
                sys.setprofile(None)
                handler()

    sys.setprofile(look)
    try:
        _contexts()
    finally:
        sys.setprofile(None)
    return left <= 0


@pytest.mark.usefixtures("default_streams_are_current")
@pytest.mark.parametrize("for_good", [False, True])
def test_a_signals_handler_may_change_streams_in_the_middle(
    for_good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What this thread takes back is its own; and others still hear that it is on a side stream."""
    side = npu.Stream()

    def handler() -> None:
        if for_good:
            npu.set_stream(side)
        else:
            with npu.stream(side):
                pass

    # The framework's listener would be another place for handlers; it has tests of its own.
    monkeypatch.setattr(thread_state, "on_stream_change", lambda left: None)
    point = 0
    while _handled(point := point + 1, handler):
        away = any([npu.current_stream(i).stream_id for i in range(2)])
        assert bool(thread_state.tls.left) == away, point
        npu.set_stream(npu.default_stream(1))
        npu.set_stream(npu.default_stream(0))
        assert not thread_state.tls.left, point
    assert point > 100
