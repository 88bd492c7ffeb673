"""How tensors are split, before ``DTensor``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["ChunkShardingSpec", "ShardMetadata", "ShardingSpec"]


@dataclass
class ShardMetadata:
    """A part: where it begins, how large it is, and where it is."""

    shard_offsets: list[int]
    shard_sizes: list[int]
    placement: Any = None


class ShardingSpec:
    """How a tensor is split."""


@dataclass
class ChunkShardingSpec(ShardingSpec):
    """Split along one dimension, a part to each place."""

    dim: int
    placements: list[Any] = field(default_factory=list)
