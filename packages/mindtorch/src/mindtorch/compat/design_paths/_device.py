"""Devices, and the one of factories that name none."""

from mindtorch_storage import Device
from mindtorch_storage import Device as device

from mindtorch.tensor.defaults import get_default_device, set_default_device

__all__ = ["Device", "device", "get_default_device", "set_default_device"]
