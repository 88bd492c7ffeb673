"""The NPU's events: ``torch.npu.Event``.

Source: torch/cuda/streams.py; torch/csrc/cuda/Event.cpp; aten/src/ATen/cuda/CUDAEvent.h.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from typing import Any, Self

from mindtorch_storage.device import Device

from mindtorch_npu import errors, generic_streams
from mindtorch_npu.devices import device_index
from mindtorch_npu.ipc_events import HANDLE_SIZE, SharedMark
from mindtorch_npu.naming import TYPE, named_by_type
from mindtorch_npu.runtime import check_ordinal, driver, is_available, lazy_init
from mindtorch_npu.thread_state import tls

__all__ = ["Event", "rebuild_event", "reduce_event"]


def _flag(value: Any) -> bool:
    """An unsigned byte read as truth, as torch's argument parser has it."""
    value = operator.index(value)
    if not 0 <= value <= 255:
        what = "greater than maximum" if value > 255 else "less than minimum"
        raise OverflowError(f"unsigned byte integer is {what}")
    return bool(value)


@named_by_type
class Event(generic_streams.Event):
    """A mark in a stream.

    :param enable_timing: whether :meth:`elapsed_time` may be asked.
    :param blocking: accepted; every wait sleeps.
    :param interprocess: whether :meth:`ipc_handle` may be asked; not together with timing.
    :param external: while a stream is captured, a record or a wait is done at each replay.

    Raises RuntimeError where there is no device.
    """

    __module__ = f"torch.{TYPE}"  # what users' reprs and pickles show

    _external: bool
    _interprocess: bool
    _shared: SharedMark | None  # what other processes see

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Self:
        if not is_available():
            raise errors.dummy_base_class("Event")
        timing = _flag(enable_timing)
        _flag(blocking)
        made = cls._blank(TYPE, timing)
        made._external = _flag(external)
        made._interprocess = _flag(interprocess)
        made._shared = None
        return made

    @property
    def device(self) -> Device | None:
        """Where it was first recorded; None before."""
        return None if self._index is None else Device(TYPE, self._index)

    @property
    def npu_event(self) -> int:
        """A number for the event; 0 before the first record."""
        return self._handle

    @property
    def _as_parameter_(self) -> Any:
        return ctypes.c_void_p(self._handle)

    def record(self, stream: Any = None) -> None:
        """Mark what *stream* (default: the current one) has been given so far.

        Raises RuntimeError for a stream of another device than that of the first record, and
        AcceleratorError for an event with both ``enable_timing`` and ``interprocess``.
        """
        if self._interprocess and self._timing:
            raise errors.invalid_argument()
        if self._external and self._put_into_graph(stream, super().record, "event"):
            return
        super().record(stream)
        if self._shared is not None:
            queue = generic_streams.queue_of(stream)
            number = self._shared.begin()
            self._ticket = queue.enqueue(self._shared.end, (number,), "event")

    def _put_into_graph(self, stream: Any, done: Callable[[Any], object], name: str) -> bool:
        """Let *done* be called with the stream of each replay, if *stream* is captured."""
        queue = generic_streams.queue_of(stream)
        capture = None if queue is None else queue.captured_by
        if capture is None:
            return False
        capture.add_event(queue, lambda replaying: done(generic_streams.named(replaying)), name)
        return True

    def query(self) -> bool:
        """Whether everything before the mark has finished, whichever process made it."""
        return super().query() if self._shared is None else self._shared.is_done()

    def synchronize(self) -> None:
        """Wait until everything before the mark has finished."""
        super().synchronize()
        if self._shared is not None:
            self._shared.wait()

    def wait(self, stream: Any = None) -> None:
        """Work given to *stream* (default: the current one) from now on starts after the mark."""
        if self._external and self._put_into_graph(stream, super().wait, "wait_event"):
            return
        super().wait(stream)
        if self._shared is not None:
            queue = generic_streams.queue_of(stream)
            queue.enqueue(self._shared.wait_for, (self._shared.recorded,), "wait_event")

    def ipc_handle(self) -> bytes:
        """64 bytes by which another process finds the event.

        Raises AcceleratorError for one that was not made with ``interprocess=True``.
        """
        if not self._interprocess or self._timing:
            raise errors.invalid_argument()
        if self._shared is None:
            lazy_init()
            if not driver().shares_events:
                raise errors.no_ipc()
            self._shared = SharedMark.make()
            if self._index is None:
                self._begin(tls.device)
            elif self._ticket is not None and self._ticket[0] is not None:
                queue = self._ticket[4]
                queue.enqueue(self._shared.end, (self._shared.begin(),), "event")
        return self._shared.handle

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: Any) -> Event:
        """The event of another process that :meth:`ipc_handle` named.

        Raises RuntimeError for a handle of another size and for a device of another kind,
        AcceleratorError for a handle that names no event.
        """
        size = len(handle)
        if size != HANDLE_SIZE:
            raise errors.ipc_handle_size(size)
        place = Device(device) if isinstance(device, (str, int)) else device
        if isinstance(place, Device) and place.type != TYPE:
            raise errors.event_device_type(place.type)
        index = device_index(place, optional=True)
        check_ordinal(index)
        made = cls(interprocess=True)
        made._shared = SharedMark.open(bytes(handle))
        made._begin(index)
        return made

    def __repr__(self) -> str:
        if not self._handle:
            return f"<torch.{TYPE}.Event uninitialized>"
        return f"<torch.{TYPE}.Event {self._handle:#x}>"


def reduce_event(event: Event) -> Any:
    """How multiprocessing sends an event: by its handle. Plain pickles refuse, as torch's do."""
    handle = event.ipc_handle()
    return rebuild_event, (str(event.device), handle)


def rebuild_event(device: str, handle: bytes) -> Event:
    """What :func:`reduce_event` names."""
    return Event.from_ipc_handle(device, handle)
