"""An accelerator module over torch's CPU tensors that records what is asked of it.

It has the shape of ``torch.cuda`` as far as the driver for real hardware needs it, so that driver
can be tested where no accelerator is to be had: ``MINDTORCH_NPU_DRIVER`` names this module. Ops run
at once; a stream that sleeps is busy until its time has come, and one that is held until it is let
go, which events and waits tell. What torch's ops allocate it cannot see: its numbers are made up.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import SimpleNamespace
from typing import Any

import torch
from mindtorch_npu.statistics import Statistics

#: What was asked for, in order: (what, which).
calls: list[tuple[str, Any]] = []
_numbers = count(1)
_tls = threading.local()
_streams: set[Stream] = set()


def mindtorch_device(index: int) -> str:
    """torch's name of the device: all of them are the host."""
    return "cpu"


def mindtorch_record_stream(tensor: Any, stream: Stream) -> None:
    """torch's own takes streams of torch's only."""
    calls.append(("record_stream", stream.native_handle))


class Busy:
    """Work of a stream: over at a time, or when it is let go, and not before what it waits for."""

    def __init__(self, end: float, *after: Busy) -> None:
        self.end = end  # infinite until it is let go
        self.after = [each for each in after if not each.is_over()]

    def is_over(self) -> bool:
        return time.perf_counter() >= self.over_at()

    def over_at(self) -> float:
        return max([self.end, *(each.over_at() for each in self.after)])

    def wait(self) -> None:
        while not self.is_over():
            time.sleep(0.001)


class Event:
    """Complete when its stream's work before the record is."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.work = Busy(0.0)

    def record(self, stream: Any = None) -> None:
        calls.append(("record", stream.native_handle))
        self.work = Busy(time.perf_counter(), stream.work)

    def query(self) -> bool:
        return self.work.is_over()

    def synchronize(self) -> None:
        calls.append(("event.synchronize", self.work.end))
        self.work.wait()

    def elapsed_time(self, other: Any) -> float:
        return float(other.work.over_at() - self.work.over_at()) * 1e3


class Stream:
    """A number and what it was given last."""

    def __init__(self, device: int = 0, priority: int = 0) -> None:
        self.device, self.priority = device, priority
        self.native_handle = next(_numbers) * 64
        self.work = Busy(0.0)
        _streams.add(self)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        return 0, -3

    def query(self) -> bool:
        return self.work.is_over()

    def synchronize(self) -> None:
        calls.append(("synchronize", self.native_handle))
        self.work.wait()

    def wait_event(self, event: Event) -> None:
        calls.append(("wait_event", self.native_handle))
        self.work = Busy(0.0, self.work, event.work)


def synchronize(index: int) -> None:
    calls.append(("device.synchronize", index))
    if _refusal:
        raise _refusal[0]
    for each in tuple(_streams):
        if each.device == index:
            each.work.wait()


_refusal: list[Exception] = []


@contextmanager
def refusing() -> Iterator[None]:
    """Waits for a device fail, as after a kernel that failed."""
    error = torch.AcceleratorError("CUDA error: gone")
    error.error_code = 719
    _refusal.append(error)
    try:
        yield
    finally:
        _refusal.clear()


def attach_out_of_memory_observer(observer: Callable[..., object]) -> None:
    """As the function of that end among torch's bindings."""
    calls.append(("observer", observer.__name__))


def mindtorch_hold(stream: Stream) -> Callable[[], None]:
    """Keep *stream* busy until what comes back is called."""
    held = stream.work = Busy(math.inf, stream.work)

    def let_go() -> None:
        held.end = time.perf_counter()

    return let_go


class ExternalStream(Stream):
    """A stream of somebody else's."""

    def __init__(self, pointer: int, device: int = 0) -> None:
        super().__init__(device)
        self.native_handle = pointer


class _Sleep(Busy):
    """So many nanoseconds, from when what was before is over."""

    def __init__(self, nanoseconds: int, before: Busy) -> None:
        super().__init__(time.perf_counter(), before)
        self.seconds = nanoseconds / 1e9

    def over_at(self) -> float:
        return super().over_at() + self.seconds


def _sleep(cycles: int) -> None:
    stream = _stack()[-1]
    stream.work = _Sleep(cycles, stream.work)


def _stack() -> list[Stream]:
    """The streams that this thread made current."""
    found: list[Stream] = _tls.__dict__.setdefault("streams", [])
    return found


class _Properties:
    name = "Recorder"
    total_memory = 1 << 30


_default: dict[int, Stream] = {}


def device_count() -> int:
    return 2


def default_stream(index: int) -> Stream:
    return _default.setdefault(index, Stream(index))


def get_device_properties(index: int) -> type[_Properties]:
    return _Properties


def mem_get_info(index: int) -> tuple[int, int]:
    return 1 << 29, 1 << 30


@contextmanager
def stream(which: Stream) -> Iterator[None]:
    calls.append(("stream", which.native_handle))
    _stack().append(which)
    try:
        yield
    finally:
        _stack().pop()


@contextmanager
def device(index: int) -> Iterator[None]:
    calls.append(("device", index))
    yield


def memory_stats_as_nested_dict(index: int) -> dict[str, Any]:
    found = Statistics(-1).as_nested_dict()
    found["allocated_bytes"]["all"] |= {"current": 5 + index, "peak": 9}
    return found


def memory_snapshot() -> list[dict[str, Any]]:
    return [{"device": 1, "address": 64}]


def _record_memory_history(enabled: Any = "all", **how: Any) -> None:
    calls.append(("history", [enabled, how]))


def _snapshot(index: int) -> dict[str, Any]:
    traces = [[{"action": "alloc", "addr": 64 * i, "size": i}] for i in range(2)]
    return {"segments": memory_snapshot(), "device_traces": traces}


#: As ``torch.cuda.memory``.
memory = SimpleNamespace(_record_memory_history=_record_memory_history, _snapshot=_snapshot)


def set_sync_debug_mode(mode: int) -> None:
    calls.append(("debug_mode", mode))


def empty_cache() -> None:
    calls.append(("empty_cache", None))


def reset_peak_memory_stats(index: int) -> None:
    calls.append(("reset_peak", index))


def reset_accumulated_memory_stats(index: int) -> None:
    calls.append(("reset_accumulated", index))


def set_per_process_memory_fraction(fraction: float, index: int) -> None:
    calls.append(("fraction", (fraction, index)))
