"""What is taken where a call names nothing: dtype and device."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import mindtorch_storage as st

from .deferred import flush_current

_device: ContextVar[Any] = ContextVar("mindtorch_default_device", default=None)


def default_device() -> Any:
    """The device of factories that name none; None means cpu."""
    return _device.get()


def get_default_device() -> Any:
    """The device of factories that name none."""
    return _device.get() or st.Device("cpu")


def set_default_device(device: Any) -> None:
    """Make *device* the device of factories that name none (None: cpu again)."""
    _device.set(None if device is None else st.Device(device))


def set_default_dtype(d: Any) -> None:
    """Make *d* the dtype that Python floats become. Raises TypeError for other than floats."""
    flush_current()  # queued kernels turn Python numbers into the dtype of their own time
    before = st.get_default_dtype()
    st.set_default_dtype(d)
    if d is not before:
        from .calls import OVERLOADS

        # Resolved calls have the old default built in.
        for overload in OVERLOADS.values():
            overload.table.clear()
            overload.lead.clear()
            overload.api.clear()


class DeviceContext:
    """``with torch.device(...)``: the default device inside the block."""

    __slots__ = ()
    _stack: ContextVar[tuple[Any, ...]] = ContextVar("mindtorch_device_stack", default=())

    @classmethod
    def enter(cls, device: Any) -> Any:
        """Make *device* the default; remember the one before."""
        cls._stack.set((*cls._stack.get(), _device.get()))
        _device.set(device)
        return device

    @classmethod
    def exit(cls) -> None:
        """Go back to the default before the last :meth:`enter`."""
        *rest, before = cls._stack.get()
        cls._stack.set(tuple(rest))
        _device.set(before)
