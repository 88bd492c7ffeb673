"""Events: marks in a stream that others can wait for and that can be timed."""

from __future__ import annotations

import time
from itertools import count
from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu import errors
from mindtorch_npu.devices import TYPE
from mindtorch_npu.runtime import current_queue, is_available, lazy_init, tls

__all__ = ["Event"]

_handles = count(0x5600_0000_0000, 0x40)


def _flag(name: str, value: Any) -> bool:
    """An unsigned byte read as truth, as torch's argument parser has it."""
    if not isinstance(value, int):
        raise TypeError(f"an integer is required (got type {type(value).__name__})")
    if not 0 <= value <= 255:
        what = "greater than maximum" if value > 255 else "less than minimum"
        raise OverflowError(f"unsigned byte integer is {what}")
    return bool(value)


class Event:
    """A mark in a stream.

    :param enable_timing: whether :meth:`elapsed_time` may be asked.
    :param blocking: accepted; every wait sleeps.
    :param interprocess: accepted; the simulator's devices exist in one process only.
    :param external: accepted; matters for graphs only.
    """

    __module__ = "torch.npu"  # what users' reprs and pickles show

    __slots__ = ("__weakref__", "_device", "_handle", "_mark", "_ticket", "_timing")

    _device: int | None
    _handle: int
    _mark: Any
    _ticket: list[Any] | None
    _timing: bool

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Event:
        if not is_available():
            raise errors.dummy_base_class("Event")
        self = object.__new__(cls)
        self._timing = _flag("enable_timing", enable_timing)
        for name, value in (
            ("blocking", blocking),
            ("interprocess", interprocess),
            ("external", external),
        ):
            _flag(name, value)
        self._device = None
        self._handle = 0
        self._mark = None
        self._ticket = None
        return self

    @property
    def device(self) -> Device | None:
        """Where it was first recorded; None before."""
        return None if self._device is None else Device(TYPE, self._device)

    @property
    def npu_event(self) -> int:
        """A number for the event; 0 before the first record."""
        return self._handle

    event_id = npu_event

    @property
    def _as_parameter_(self) -> Any:
        import ctypes

        return ctypes.c_void_p(self._handle)

    def record(self, stream: Any = None) -> None:
        """Mark what *stream* (default: the current one) has been given so far."""
        lazy_init()
        queue = current_queue(tls.device) if stream is None else stream._queue
        if self._device is None:
            self._device = queue.device_index
            self._handle = next(_handles)
        elif self._device != queue.device_index:
            raise errors.event_device_mismatch(self._device, queue.device_index)
        if self._timing:
            self._mark, self._ticket = queue.mark()
        else:
            self._ticket = queue.last()

    def _is_done(self) -> bool:
        return self._ticket is None or self._ticket[0] is None

    def query(self) -> bool:
        """Whether everything before the mark has finished."""
        if self._is_done():
            return True
        time.sleep(0)  # somebody who polls must let the stream's worker have the GIL
        return self._is_done()

    def wait(self, stream: Any = None) -> None:
        """Work given to *stream* (default: the current one) from now on starts after the mark."""
        if self._device is None:
            return
        queue = current_queue(tls.device) if stream is None else stream._queue
        queue.wait_for(self._ticket)

    def synchronize(self) -> None:
        """Wait until everything before the mark has finished."""
        ticket = self._ticket
        if ticket is not None:
            queue = ticket[4]
            if ticket[0] is not None:
                queue.finish(ticket)
            if queue.error is not None:
                queue.raise_error()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this mark to that of *end_event*."""
        if not (self._timing and end_event._timing):
            raise errors.event_without_timing()
        if self._device is None or end_event._device is None:
            raise errors.event_not_recorded()
        if not (self._is_done() and end_event._is_done()):
            raise errors.event_not_completed()
        if self._device != end_event._device:
            raise errors.events_of_two_devices()
        return float(end_event._mark.end - self._mark.end) / 1e6

    def __repr__(self) -> str:
        if not self._handle:
            return "<torch.npu.Event uninitialized>"
        return f"<torch.npu.Event {self._handle:#x}>"
