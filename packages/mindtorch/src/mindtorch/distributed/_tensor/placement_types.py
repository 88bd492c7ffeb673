"""Placements, and what describes distributed tensors, under the place that they had before."""

from __future__ import annotations

from ..tensor._dtensor_spec import DTensorSpec, TensorMeta
from ..tensor.placement_types import Partial, Placement, Replicate, Shard

__all__ = ["DTensorSpec", "Partial", "Placement", "Replicate", "Shard", "TensorMeta"]
