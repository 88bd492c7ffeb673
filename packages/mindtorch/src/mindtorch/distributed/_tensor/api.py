"""Distributed tensors under the place that they had before."""

from __future__ import annotations

from ..tensor._api import DTensor, distribute_module, distribute_tensor

__all__ = ["DTensor", "distribute_module", "distribute_tensor"]
