"""An accelerator module over torch's CPU tensors that records what is asked of it.

It has the shape of ``torch.cuda`` as far as the driver for real hardware needs it, so that driver
can be tested where no accelerator is to be had: ``MINDTORCH_NPU_DRIVER`` names this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

#: What was asked for, in order: (what, which).
calls: list[tuple[str, Any]] = []
_numbers = count(1)
_current = 0


def mindtorch_device(index: int) -> str:
    """torch's name of the device: all of them are the host."""
    return "cpu"


class Event:
    """Complete as soon as it is recorded."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.at = 0.0

    def record(self, stream: Any = None) -> None:
        calls.append(("record", stream.native_handle))
        self.at = float(len(calls))

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        calls.append(("event.synchronize", self.at))

    def elapsed_time(self, other: Any) -> float:
        return float(other.at - self.at)


class Stream:
    """A number; its work is done at once."""

    def __init__(self, device: int = 0, priority: int = 0) -> None:
        self.device, self.priority = device, priority
        self.native_handle = next(_numbers) * 64

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        calls.append(("synchronize", self.native_handle))

    def wait_event(self, event: Event) -> None:
        calls.append(("wait_event", self.native_handle))


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
    yield


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


def set_per_process_memory_fraction(fraction: float, index: int) -> None:
    calls.append(("fraction", (fraction, index)))
