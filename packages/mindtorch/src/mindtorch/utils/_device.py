"""``torch.utils._device``: default devices as function modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import Device

from .._library.overridable import device_constructors as _device_constructors
from ..overrides import TorchFunctionMode
from ._contextlib import context_decorator

__all__ = ["DeviceContext", "device_decorator", "set_device"]


class DeviceContext(TorchFunctionMode):
    """A mode that gives factories a device where their caller gives none.

    ``with torch.device(...)`` does the same without asking a mode at each call.
    """

    def __init__(self, device: Any) -> None:
        self.device = Device(device)

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*, on this device if it makes a tensor and no device is named."""
        named = kwargs or {}
        if named.get("device") is None and func in _device_constructors():
            named["device"] = self.device
        return func(*args, **named)


def device_decorator(device: Any, func: Callable[..., Any]) -> Callable[..., Any]:
    """*func* with *device* as the default."""
    where = Device(device)
    return context_decorator(lambda: where, func)


def set_device(device: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that makes *device* the default of a function."""
    return lambda func: device_decorator(device, func)
