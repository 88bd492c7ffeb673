"""The NPU's events: ``torch.npu.Event``."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu import errors, generic
from mindtorch_npu.devices import TYPE
from mindtorch_npu.runtime import is_available

__all__ = ["Event"]


def _flag(value: Any) -> bool:
    """An unsigned byte read as truth, as torch's argument parser has it."""
    if not isinstance(value, int):
        raise TypeError(f"an integer is required (got type {type(value).__name__})")
    if not 0 <= value <= 255:
        what = "greater than maximum" if value > 255 else "less than minimum"
        raise OverflowError(f"unsigned byte integer is {what}")
    return bool(value)


class Event(generic.Event):
    """A mark in a stream.

    :param enable_timing: whether :meth:`elapsed_time` may be asked.
    :param blocking: accepted; every wait sleeps.
    :param interprocess: accepted; the simulator's devices exist in one process only.
    :param external: accepted; matters for graphs only.
    """

    __module__ = "torch.npu"  # what users' reprs and pickles show

    __slots__ = ()

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Event:
        if not is_available():
            raise errors.dummy_base_class("Event")
        timing = _flag(enable_timing)
        for value in (blocking, interprocess, external):
            _flag(value)
        made = cls._blank(TYPE, timing)
        assert isinstance(made, Event)
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
        import ctypes

        return ctypes.c_void_p(self._handle)

    def ipc_handle(self) -> bytes:
        """Raises RuntimeError: the simulator's devices exist in one process only."""
        raise errors.no_ipc()

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: Any) -> Event:
        """Raises RuntimeError with torch's text for what is no handle, else for want of one."""
        size = len(handle)
        if size != 64:
            raise errors.ipc_handle_size(size)
        place = Device(device) if isinstance(device, str) else device
        if isinstance(place, Device) and place.type != TYPE:
            raise errors.event_device_type(place.type)
        raise errors.no_ipc()

    def __repr__(self) -> str:
        if not self._handle:
            return "<torch.npu.Event uninitialized>"
        return f"<torch.npu.Event {self._handle:#x}>"
