"""``torch.utils.dlpack``: tensors of other frameworks, without a copy."""

from __future__ import annotations

from ..aten.dlpack import DLDeviceType, from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack"]
_EXPORTED = (to_dlpack,)
