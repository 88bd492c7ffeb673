"""``torch.distributed.optim``: optimizers of several processes."""

from __future__ import annotations

from .optimizers import DistributedOptimizer, PostLocalSGDOptimizer
from .zero_redundancy_optimizer import ZeroRedundancyOptimizer

__all__ = ["DistributedOptimizer", "PostLocalSGDOptimizer", "ZeroRedundancyOptimizer"]
