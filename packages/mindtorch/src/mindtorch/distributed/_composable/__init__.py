"""Parallelisms that leave a module what it is."""

from __future__ import annotations

from .checkpoint_activation import checkpoint
from .contract import _get_registry, contract
from .fsdp import fully_shard
from .replicate import replicate

__all__ = ["checkpoint", "contract", "fully_shard", "replicate"]
