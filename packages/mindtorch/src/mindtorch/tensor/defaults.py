"""What is taken where a call names nothing: dtype and device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch.modes import FUNCTION

from ..core.backend_registry import complete
from ..core.late_bound import LateBound
from .pending import flush_current

_device: ContextVar[Any] = ContextVar("mindtorch_default_device", default=None)


forget_resolved_calls = LateBound("forget_resolved_calls")


#: The device of factories that name none; None means cpu. Each of their calls asks for it.
default_device: Callable[[], Any] = _device.get


def device_for_tensors() -> Any:
    """The device for tensors that a factory takes and that lie elsewhere; None: where they are.

    A default device counts for them too, the device of the default tensor type does not.
    """
    device = _device.get()
    return None if device is _types_device else device


def get_default_device() -> Any:
    """Where factories that name no device put things: a device with its number, if it has one."""
    return complete(_device.get() or st.Device("cpu"))


def set_default_device(device: Any) -> None:
    """Make *device* the device of factories that name none (None: the default tensor type's)."""
    _device.set(_types_device if device is None else st.Device(device))


#: Where the default tensor type lives; None for the host.
_types_device: Any = None


def set_types_device(kind: str) -> None:
    """Factories that name no device follow the default tensor type, unless told otherwise."""
    global _types_device
    before, _types_device = _types_device, None if kind == "cpu" else st.Device(kind)
    if _device.get() == before:
        _device.set(_types_device)


def types_device() -> str:
    """The kind of device of the default tensor type."""
    return "cpu" if _types_device is None else str(_types_device)


def set_default_dtype(d: Any, /) -> None:
    """Make *d* the dtype that Python floats become. Raises TypeError for other than floats."""
    flush_current()  # queued kernels turn Python numbers into the dtype of their own time
    before = st.get_default_dtype()
    st.set_default_dtype(d)
    if d is not before:
        forget_resolved_calls()  # which have the old default built in


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
