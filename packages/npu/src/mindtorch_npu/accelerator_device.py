"""Which device the calls of ``torch.accelerator`` mean."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu import devices, errors, runtime
from mindtorch_npu.naming import TYPE

__all__ = ["current_accelerator", "current_device_index", "index_of", "is_available", "require"]

#: Whether programs that take any accelerator are offered the NPU before they have named it. Those
#: that only know torch are not: see :func:`mindtorch.as_torch`.
offered = True


def is_available() -> bool:
    """Whether there is an accelerator: an NPU that is offered, or that the program has used."""
    return runtime.is_available() and (offered or runtime.is_initialized())


def current_accelerator(check_available: bool = False) -> Device | None:
    """The accelerator as a device without an index; None where there is none."""
    return Device(TYPE) if is_available() else None


def require() -> None:
    """Raises RuntimeError where there is no accelerator."""
    if not is_available():
        raise errors.no_accelerator()


def index_of(device: Any, optional: bool = False) -> int:
    """The index that *device* names; with *optional* None means the current one.

    Raises ValueError for a device of another kind, and without *optional* for one without an index.
    """
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = Device(device)
    index = None
    if isinstance(device, Device):
        accelerator = current_accelerator()
        if accelerator is None:
            raise errors.accelerator_expected()
        if accelerator.type != device.type:
            raise errors.other_accelerator(device.type, accelerator)
        index = device.index
    if index is not None:
        return index
    if not optional:
        raise errors.expected_index(device)
    return current_device_index()


def current_device_index() -> int:
    """The index of this thread's current device."""
    require()
    return devices.current_device()
