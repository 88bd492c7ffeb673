"""Distributed tensors under the place that they had before."""

from __future__ import annotations

from ..tensor._api import DTensor, distribute_tensor
from ..tensor._modules import distribute_module

__all__ = ["DTensor", "distribute_module", "distribute_tensor"]
