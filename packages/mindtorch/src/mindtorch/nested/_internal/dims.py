"""Dimensions of nested tensors, and of their values, which have one less."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["Reduced", "inner_dim", "reduced", "wrapped", "wrapped_inner"]


def wrapped(ndim: int, dim: int) -> int:
    """*dim* from the front. Raises IndexError if there is no such dimension."""
    if not -ndim <= dim < ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], "
            f"but got {dim})"
        )
    return dim % ndim


def inner_dim(nt: Any, dim: int) -> int:
    """The dimension of the values that is *dim*; the batch lies in the ragged one."""
    return nt._ragged_idx - 1 if dim == 0 else dim - 1


def wrapped_inner(nt: Any, dim: int, name: str) -> int:
    """The dimension of the values that is *dim*, for op *name*.

    Raises RuntimeError for the ragged dimension and for the batch.
    """
    d = wrapped(nt.dim(), dim)
    if d == nt._ragged_idx:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on ragged dim")
    if d == 0:
        raise RuntimeError(f"{name}(): not supported for NestedTensor on dim=0")
    return inner_dim(nt, d)


class Reduced(NamedTuple):
    """Dimensions of an op: in terms of the values, and of which kinds they are."""

    inner: tuple[int, ...]
    batch: bool
    ragged: bool
    others: bool


def reduced(nt: Any, dims: Iterable[int]) -> Reduced:
    """What *dims* are. Raises IndexError if there is no such dimension."""
    r = nt._ragged_idx
    found = [wrapped(nt.dim(), d) for d in dims]
    inner = tuple(dict.fromkeys(inner_dim(nt, d) for d in found))
    return Reduced(inner, 0 in found, r in found, any(d not in (0, r) for d in found))
