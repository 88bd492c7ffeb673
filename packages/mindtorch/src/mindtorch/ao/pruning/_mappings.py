"""``torch.ao.pruning._mappings``: what a layer with zeros becomes when it is quantized."""

from __future__ import annotations

from ... import nn
from ..nn.sparse import quantized

__all__ = ["get_static_sparse_quantized_mapping", "get_dynamic_sparse_quantized_mapping"]


def get_static_sparse_quantized_mapping() -> dict[type[nn.Module], type[nn.Module]]:
    """Classes of layers whose activations are quantized, too."""
    return {nn.Linear: quantized.Linear}


def get_dynamic_sparse_quantized_mapping() -> dict[type[nn.Module], type[nn.Module]]:
    """Classes of layers whose activations are quantized as they come."""
    return {nn.Linear: quantized.dynamic.Linear}
