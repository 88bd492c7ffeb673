"""``torch._C._acc``: tensors on a device of one's own."""

from __future__ import annotations

from ..utils.own_device import create_empty_tensor

__all__ = ["create_empty_tensor"]
