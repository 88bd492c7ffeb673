"""``torch.npu._utils``: how a device is named by its index."""

from __future__ import annotations

from mindtorch_npu.devices import device_index as _get_device_index

__all__ = ["_get_device_index"]
