"""Modules of devices: ``torch.<device type>``."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from mindtorch_storage import Device

__all__ = ["_register_device_module"]


def _register_device_module(device_type: str, module: Any) -> None:
    """Make *module* ``torch.<device_type>``. Raises RuntimeError where there is one."""
    torch = sys.modules[__package__]
    kind = Device(device_type).type
    if hasattr(torch, kind):
        raise RuntimeError(
            f"The runtime module of '{kind}' has already been registered with "
            f"'{getattr(torch, kind)}'"
        )
    setattr(torch, kind, module)
    if isinstance(module, ModuleType):
        sys.modules[f"{__package__}.{kind}"] = module
