"""Faults on demand, so that a program's recovery can be tried.

``MINDTORCH_NPU_FAULTS`` or :func:`inject` takes a list of faults, separated by commas:

=================  ==============================================================================
``oom@5``          the 5th allocation from now on raises OutOfMemoryError
``kernel@7``       the 7th kernel fails when its turn comes
``kernel=mm@2``    the 2nd kernel whose name contains ``mm``; ``@1`` may be left out
``lost@9``         with the 9th kernel its device is lost: it and every later one there fail
``slow=5ms``       every copy to, from or between devices takes 5 ms longer (``us``, ``ms``, ``s``)
``npu:1/oom@5``    the same on one device only; counts are those of that device
=================  ==============================================================================

Real hardware has faults of its own: with a driver other than the simulator both raise RuntimeError.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_npu import errors, runtime

__all__ = ["Fault", "inject", "parse_faults"]

_COUNTED = ("oom", "kernel", "lost")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


class Fault:
    """One fault, and how often what it waits for has happened.

    :ivar kind: ``oom``, ``kernel``, ``lost`` or ``slow``.
    :ivar device: index of the device; -1 is any.
    :ivar at: the count at which it happens.
    :ivar name: part of the kernel's name.
    :ivar seconds: delay of a copy.
    """

    def __init__(
        self, kind: str, *, device: int = -1, at: int = 1, name: str = "", seconds: float = 0.0
    ) -> None:
        self.kind = kind
        self.device = device
        self.at = at
        self.name = name
        self.seconds = seconds
        self._seen = 0

    def counts(self, device: int, name: str = "") -> bool:
        """Something happened; whether this is the time. A lost device stays lost."""
        if self.device not in (-1, device) or self.name not in name:
            return False
        self._seen += 1
        if self.kind == "lost" and self._seen == self.at:
            self.device = device  # others work on
        return self._seen == self.at or (self.kind == "lost" and self._seen > self.at)


def parse_faults(text: str) -> list[Fault]:
    """The faults that *text* lists. Raises ValueError for what is not a fault."""
    return [_parse(part.strip()) for part in text.split(",") if part.strip()]


def _parse(text: str) -> Fault:
    where, slash, what = text.partition("/")
    device = -1
    if slash:
        kind, _, number = where.partition(":")
        if kind not in ("npu", "cuda") or not number.isdigit():
            raise _bad(text)
        device = int(number)
    else:
        what = text
    head, at_sign, number = what.partition("@")
    kind, equals, value = head.partition("=")
    if kind == "slow" and not at_sign:
        digits = value.rstrip("mus")
        try:
            seconds = float(digits) * _SECONDS[value[len(digits) :]]
        except (ValueError, KeyError):
            raise _bad(text) from None
        if not 0 <= seconds < math.inf:
            raise _bad(text)
        return Fault(kind, device=device, seconds=seconds)
    if kind not in _COUNTED or (equals and kind != "kernel") or (equals and not value):
        raise _bad(text)
    if (at_sign or not equals) and (not number.isdigit() or int(number) < 1):
        raise _bad(text)
    return Fault(kind, device=device, at=int(number or 1), name=value)


def _bad(text: str) -> ValueError:
    return ValueError(
        f"not a fault: {text!r} (write oom@5, kernel@7, kernel=mm@2, lost@9 or slow=5ms; "
        "npu:1/ in front for one device)"
    )


_active: list[Fault] = []
_lock = threading.Lock()
#: What the hot paths ask: whether there are faults of allocations, of kernels, of copies.
allocations = kernels = copies = False
#: Called when these change: allocators and streams prepare what they ask.
listeners: list[Callable[[], object]] = []


def _changed() -> None:
    global allocations, kernels, copies
    kinds = {fault.kind for fault in _active}
    allocations = "oom" in kinds
    kernels = bool(kinds & {"kernel", "lost"})
    copies = "slow" in kinds
    for listener in listeners:
        listener()


@contextmanager
def inject(text: str) -> Iterator[list[Fault]]:
    """Let the faults that *text* lists happen inside the context; counts start with it.

    Raises ValueError for what is not a fault, RuntimeError on real hardware.
    """
    faults = _possible(text)
    with _lock:
        _active.extend(faults)
        _changed()
    try:
        yield faults
    finally:
        with _lock:
            for fault in faults:
                _active.remove(fault)
            _changed()


def read_environment() -> None:
    """Take the faults of ``MINDTORCH_NPU_FAULTS``, for the whole process."""
    text = os.environ.get("MINDTORCH_NPU_FAULTS", "")
    if text:
        _active.extend(_possible(text))
        _changed()


def _possible(text: str) -> list[Fault]:
    faults = parse_faults(text)
    if runtime.HARDWARE and faults:
        raise RuntimeError(
            "faults are injected into the simulator only; unset MINDTORCH_NPU_DRIVER"
        )
    return faults


def next_allocation_fails(device: int) -> bool:
    """An allocation is asked for on *device*."""
    with _lock:
        return any([f.counts(device) for f in _active if f.kind == "oom"])


def failing(device: int, name: str, function: Callable[..., object]) -> Callable[..., Any]:
    """*function*, or in its place what fails as the faults ask."""
    with _lock:
        hit = [f.kind for f in _active if f.kind in ("kernel", "lost") and f.counts(device, name)]
    if "lost" in hit:
        return _device_lost
    return _kernel_fails if hit else function


def _device_lost(*args: Any) -> None:
    raise errors.device_lost()


def _kernel_fails(*args: Any) -> None:
    raise errors.kernel_failed()


def delay_copy(device: int) -> None:
    """A copy to or from *device* begins."""
    for fault in tuple(_active):
        if fault.kind == "slow" and fault.device in (-1, device):
            time.sleep(fault.seconds)
