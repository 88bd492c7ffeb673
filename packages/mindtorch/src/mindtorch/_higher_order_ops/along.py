"""Slices along a dimension, and what a function made of each, put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["dimension", "put_together", "refuse_empty", "slices"]

_EMPTY = "All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0"


def dimension(leaves: list[Any], dim: Any) -> int:
    """*dim* of the first of *leaves*, counted from the front. Raises IndexError for none of it."""
    n = leaves[0].ndim
    if dim >= n or dim < -n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    return int(dim % n)


def refuse_empty(leaves: list[Any], dim: int, error: Callable[[str], Exception]) -> None:
    """Refuse tensors that have no slice along *dim*."""
    if any(x.ndim <= dim for x in leaves) or any(x.shape[dim] == 0 for x in leaves):
        raise error(_EMPTY)


def slices(xs: Any, dim: int, reverse: bool) -> Iterable[Any]:
    """Each slice of the tensors in *xs* along *dim*, the last first if *reverse*."""
    leaves, _ = tree_flatten(xs)
    order = range(leaves[0].shape[dim])
    return (tree_map(lambda x, i=i: x.select(dim, i), xs) for i in order[:: -1 if reverse else 1])


def put_together(found: list[Any], dim: int, reverse: bool) -> Any:
    """Tensors along *dim* of what was made of the slices, in the order of the slices."""
    found = found[::-1] if reverse else found
    _, spec = tree_flatten(found[0])
    columns = zip(*(tree_flatten(one)[0] for one in found))
    stacked = [torch.stack(column) for column in columns]
    return tree_unflatten([x.movedim(0, dim) if dim < x.ndim else x for x in stacked], spec)
