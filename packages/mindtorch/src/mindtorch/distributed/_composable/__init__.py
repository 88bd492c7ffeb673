"""Parallelisms that leave a module what it is."""

from __future__ import annotations

from .fsdp import fully_shard

__all__ = ["fully_shard"]
