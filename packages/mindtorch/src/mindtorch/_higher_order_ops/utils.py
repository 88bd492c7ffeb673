"""``torch._higher_order_ops.utils``: trees of tensors taken apart by the first dim, stacked."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten, tree_unflatten

__all__: list[str] = []


def _unstack_pytree(xs: Any) -> list[Any]:
    """One tree for each slice of the tensors of *xs* along the first dim.

    Raises RuntimeError for other leaves, and for tensors of several lengths.
    """
    leaves, spec = tree_flatten(xs)
    if not all(isinstance(x, torch.Tensor) for x in leaves):
        raise RuntimeError(f"Leaves of xs must be Tensor {leaves}")
    if not all(x.shape[0] == leaves[0].shape[0] for x in leaves):
        shapes = [x.shape for x in leaves]
        raise RuntimeError(f"Leaves of xs must have same leading dimension size {shapes}")
    return [tree_unflatten(list(slices), spec) for slices in zip(*leaves, strict=True)]


def _stack_pytree(pytrees: list[Any]) -> Any:
    """One tree of the stacked tensors of trees that are alike.

    Raises RuntimeError for leaves that are neither tensors nor all None.
    """
    found, spec = [], None
    for tree in pytrees:
        leaves, spec = tree_flatten(tree)
        found.append(leaves)
    if spec is None:
        raise AssertionError("out_spec cannot be None")
    stacked = []
    for same in zip(*found, strict=True):
        if all(isinstance(leaf, torch.Tensor) for leaf in same):
            stacked.append(torch.stack(same))
        elif all(leaf is None for leaf in same):
            stacked.append(None)
        else:
            raise RuntimeError(f"Cannot stack {same}.")
    return tree_unflatten(stacked, spec)
