"""Events that several processes see, and misuse of their handles."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from typing import Any

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend
from mindtorch_npu.events import reduce_event

MS = 1_000_000
SPAWN = multiprocessing.get_context("spawn")


def importer(handle: bytes, ours: Any, theirs: Any) -> None:
    """The child waits for what the parent recorded."""
    event = npu.Event.from_ipc_handle(0, handle)
    theirs.put("ready")
    ours.get()
    event.synchronize()
    theirs.put(event.query())
    ours.get()
    gate = threading.Event()
    with npu.stream(npu.Stream()):
        backend.launch(0, "gate", gate.wait)
        event.record()
    theirs.put(event.query())
    ours.get()
    gate.set()
    event.synchronize()


def test_either_process_may_record_and_the_other_waits() -> None:
    """As CUDA's own tests of importing and exporting have it."""
    event = npu.Event(interprocess=True)
    assert event.query()
    ours, theirs = SPAWN.SimpleQueue(), SPAWN.SimpleQueue()
    child = SPAWN.Process(target=importer, args=(event.ipc_handle(), ours, theirs))
    child.start()
    assert theirs.get() == "ready"
    gate = threading.Event()
    with npu.stream(npu.Stream()):
        backend.launch(0, "gate", gate.wait)
        event.record()
    assert not event.query()
    ours.put(0)
    gate.set()
    assert theirs.get() is True
    assert event.query()
    ours.put(0)
    assert theirs.get() is False
    waiting = npu.Stream(1)
    event.wait(waiting)
    ours.put(0)
    event.synchronize()
    assert event.query()
    waiting.synchronize()
    child.join(30)
    assert child.exitcode == 0


def dies(handle: bytes, theirs: Any) -> None:
    event = npu.Event.from_ipc_handle("npu:0", handle)
    npu._sleep(60_000 * MS)
    event.record()
    theirs.put(0)
    time.sleep(60)


def test_nobody_waits_for_a_process_that_died() -> None:
    """What it had queued is never over; and nothing of it is left."""
    event = npu.Event(interprocess=True)
    theirs = SPAWN.SimpleQueue()
    child = SPAWN.Process(target=dies, args=(event.ipc_handle(), theirs))
    child.start()
    theirs.get()
    assert not event.query()
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join(30)
    event.synchronize()
    assert event.query()


def test_in_one_process() -> None:
    """A handle taken while work is queued; pickles; a record after the handle."""
    event = npu.Event(interprocess=True)
    npu._sleep(20 * MS)
    event.record()
    handle = event.ipc_handle()
    assert (type(handle), len(handle)) == (bytes, 64)
    assert event.ipc_handle() == handle
    with pytest.raises(TypeError, match="^cannot pickle 'Event' object$"):
        pickle.dumps(event)
    call, args = reduce_event(event)  # as multiprocessing sends it
    for twin in (npu.Event.from_ipc_handle(0, handle), call(*args)):
        assert isinstance(twin, npu.Event)
        assert twin.device == event.device
        twin.synchronize()
        assert twin.query()
    before = len(os.listdir("/proc/self/fd"))
    many = [npu.Event.from_ipc_handle(0, handle) for _ in range(50)]
    assert len(os.listdir("/proc/self/fd")) > before
    many.clear()
    assert len(os.listdir("/proc/self/fd")) == before
    unrecorded = npu.Event(interprocess=True)
    unrecorded.ipc_handle()
    assert unrecorded.npu_event
    assert unrecorded.query()
    unrecorded.synchronize()
    unrecorded.wait()


HANDLE = bytes(64)
MISUSE = {
    "not for others": (lambda: npu.Event().ipc_handle(), "NPU error: invalid argument"),
    "with timing": (
        lambda: npu.Event(enable_timing=True, interprocess=True).record(),
        "NPU error: invalid argument",
    ),
    "handle with timing": (
        lambda: npu.Event(enable_timing=True, interprocess=True).ipc_handle(),
        "NPU error: invalid argument",
    ),
    "too short": (
        lambda: npu.Event.from_ipc_handle(0, b"x"),
        "npuIpcEventHandle_t expects byte-like object of size 64, but got 1",
    ),
    "of the host": (
        lambda: npu.Event.from_ipc_handle("cpu", HANDLE),
        "Event can only be created on NPU devices, but got device type cpu",
    ),
    "of no device": (
        lambda: npu.Event.from_ipc_handle(9, HANDLE),
        "NPU error: invalid device ordinal",
    ),
    "of no event": (
        lambda: npu.Event.from_ipc_handle(0, HANDLE),
        "NPU error: invalid resource handle",
    ),
    "of another file": (
        lambda: npu.Event.from_ipc_handle(
            0, b"mtnpuevt" + os.getpid().to_bytes(8, "little") + bytes(48)
        ),
        "NPU error: invalid resource handle",
    ),
}


@pytest.mark.parametrize("name", MISUSE)
def test_misuse(name: str) -> None:
    """A RuntimeError with CUDA's text."""
    call, text = MISUSE[name]
    with pytest.raises(RuntimeError) as raised:
        call()
    assert str(raised.value) == text
