"""Modules of devices: ``torch.<device type>``."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from mindtorch_npu.accelerator_device import is_available
from mindtorch_storage import ACCELERATOR, Device

__all__ = ["_register_device_module", "get_device_module"]


def _register_device_module(device_type: str, module: Any) -> None:
    """Make *module* ``torch.<device_type>``. Raises RuntimeError where there is one."""
    torch = sys.modules[__package__.partition(".")[0]]
    kind = Device(device_type).type
    if hasattr(torch, kind):
        raise RuntimeError(
            f"The runtime module of '{kind}' has already been registered with "
            f"'{getattr(torch, kind)}'"
        )
    setattr(torch, kind, module)
    if isinstance(module, ModuleType):
        sys.modules[f"{__package__.partition('.')[0]}.{kind}"] = module


def get_device_module(device: Any = None) -> Any:
    """The module of a kind of device, by default of the accelerator or else the host's.

    Raises RuntimeError where there is none.
    """
    if isinstance(device, Device):
        kind = device.type
    elif isinstance(device, str):
        kind = Device(device).type
    elif device is None:
        kind = ACCELERATOR if is_available() else "cpu"
    else:
        raise RuntimeError(f"Invalid value of device '{device}', expect torch.device, str, or None")
    module = getattr(sys.modules[__package__.partition(".")[0]], kind, None)
    if module is None:
        raise RuntimeError(
            f"Device '{kind}' does not have a corresponding module registered as 'torch.{kind}'."
        )
    return module
