"""What is taken where a call names nothing: dtype and device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch.modes import FUNCTION

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
    """``with torch.device(...)``: the default device inside the block.

    In torch this is a function mode. Here factories ask for the default themselves, and modes are
    told of it: one that was active when the block began lies below it, and is handed factories
    with the device that the block gives them; one that came later sees them as they were written.
    """

    __slots__ = ()
    #: ``(device, modes active when it began, default before)`` of each block, outermost first.
    blocks: ContextVar[tuple[tuple[Any, int, Any], ...]] = ContextVar(
        "mindtorch_device_blocks", default=()
    )

    @classmethod
    def enter(cls, device: Any) -> Any:
        """Make *device* the default; remember the one before."""
        device = st.Device(device)  # as torch's mode does; modes below see it
        cls.blocks.set((*cls.blocks.get(), (device, len(FUNCTION), _device.get())))
        _device.set(device)
        return device

    @classmethod
    def exit(cls) -> None:
        """Go back to the default before the last :meth:`enter`."""
        *rest, (_, _, before) = cls.blocks.get()
        cls.blocks.set(tuple(rest))
        _device.set(before)

    @classmethod
    @contextmanager
    def above(cls, level: int) -> Iterator[Any]:
        """While the mode number *level* runs, the blocks above it are left.

        Yields the device that the innermost of them gives to factories, None without one.
        """
        blocks = cls.blocks.get()
        at = next((i for i, block in enumerate(blocks) if block[1] > level), None)
        if at is None:
            yield None
            return
        device = _device.get()
        cls.blocks.set(blocks[:at])
        _device.set(blocks[at][2])
        try:
            yield blocks[-1][0]
        finally:
            cls.blocks.set(blocks)
            _device.set(device)
