"""Data for jobs whose size changes."""

from __future__ import annotations

from .cycling_iterator import CyclingIterator
from .elastic_distributed_sampler import ElasticDistributedSampler

__all__ = ["CyclingIterator", "ElasticDistributedSampler"]
