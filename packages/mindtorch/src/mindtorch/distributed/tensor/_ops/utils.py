"""Dimensions counted from the front, and questions about placements."""

from __future__ import annotations

from collections.abc import Sequence

from .._dtensor_spec import DTensorSpec

__all__ = ["is_tensor_partial", "normalize_dim", "normalize_dims"]


def normalize_dim(dim: int, ndim: int) -> int:
    """*dim* counted from the front."""
    return dim if dim >= 0 else dim + ndim


def normalize_dims(dims: int | Sequence[int], ndim: int) -> Sequence[int]:
    """One dimension or several, counted from the front."""
    listed = (dims,) if isinstance(dims, int) else dims
    return tuple(normalize_dim(d, ndim) for d in listed)


def is_tensor_partial(spec: DTensorSpec) -> bool:
    """Whether a tensor is still to be reduced on a dimension of the mesh."""
    return any(p.is_partial() for p in spec.placements)
