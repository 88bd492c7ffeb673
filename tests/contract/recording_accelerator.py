"""An accelerator module over torch's CPU tensors that records what is asked of it.

It has the shape of ``torch.cuda`` as far as the driver for real hardware needs it, so that driver
can be tested where no accelerator is to be had: ``MINDTORCH_NPU_DRIVER`` names this module. Ops run
at once; a stream that sleeps is busy until its time has come, which events and waits tell.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

#: What was asked for, in order: (what, which).
calls: list[tuple[str, Any]] = []
_numbers = count(1)
_current: list[Stream] = []


def mindtorch_device(index: int) -> str:
    """torch's name of the device: all of them are the host."""
    return "cpu"


def mindtorch_record_stream(tensor: Any, stream: Stream) -> None:
    """torch's own takes streams of torch's only."""
    calls.append(("record_stream", stream.native_handle))


def _sleep_until(end: float) -> None:
    while (left := end - time.perf_counter()) > 0:
        time.sleep(left)


class Event:
    """Complete when its stream's work before the record is."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.end = 0.0

    def record(self, stream: Any = None) -> None:
        calls.append(("record", stream.native_handle))
        self.end = max(stream.end, time.perf_counter())

    def query(self) -> bool:
        return time.perf_counter() >= self.end

    def synchronize(self) -> None:
        calls.append(("event.synchronize", self.end))
        _sleep_until(self.end)

    def elapsed_time(self, other: Any) -> float:
        return float(other.end - self.end) * 1e3


class Stream:
    """A number and the time at which it is done."""

    def __init__(self, device: int = 0, priority: int = 0) -> None:
        self.device, self.priority = device, priority
        self.native_handle = next(_numbers) * 64
        self.end = 0.0

    @staticmethod
    def priority_range() -> tuple[int, int]:
        return 0, -3

    def query(self) -> bool:
        return time.perf_counter() >= self.end

    def synchronize(self) -> None:
        calls.append(("synchronize", self.native_handle))
        _sleep_until(self.end)

    def wait_event(self, event: Event) -> None:
        calls.append(("wait_event", self.native_handle))
        self.end = max(self.end, event.end)


class ExternalStream(Stream):
    """A stream of somebody else's."""

    def __init__(self, pointer: int, device: int = 0) -> None:
        super().__init__(device)
        self.native_handle = pointer


def _sleep(cycles: int) -> None:
    stream = _current[-1]
    stream.end = max(stream.end, time.perf_counter()) + cycles / 1e9


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
    _current.append(which)
    try:
        yield
    finally:
        _current.pop()


@contextmanager
def device(index: int) -> Iterator[None]:
    calls.append(("device", index))
    yield


def memory_stats_as_nested_dict(index: int) -> dict[str, Any]:
    return {"allocated_bytes": {"all": {"current": 5 + index, "peak": 9}}}


def memory_snapshot() -> list[dict[str, Any]]:
    return [{"device": 1, "address": 64}]


def empty_cache() -> None:
    calls.append(("empty_cache", None))


def reset_peak_memory_stats(index: int) -> None:
    calls.append(("reset_peak", index))


def reset_accumulated_memory_stats(index: int) -> None:
    calls.append(("reset_accumulated", index))


def set_per_process_memory_fraction(fraction: float, index: int) -> None:
    calls.append(("fraction", (fraction, index)))
