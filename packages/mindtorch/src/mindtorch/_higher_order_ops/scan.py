"""``torch._higher_order_ops.scan``: running results along a dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["scan"]


def _slices(xs: Any, dim: int, reverse: bool) -> list[Any]:
    leaves, _ = tree_flatten(xs)
    length = leaves[0].shape[dim]
    order = range(length - 1, -1, -1) if reverse else range(length)
    return [tree_map(lambda x, i=i: x.select(dim, i), xs) for i in order]


def _stacked(found: list[Any], dim: int, reverse: bool) -> Any:
    found = found[::-1] if reverse else found
    _, spec = tree_flatten(found[0])
    columns = zip(*(tree_flatten(one)[0] for one in found))
    return tree_unflatten([torch.stack(column, dim) for column in columns], spec)


def scan(
    combine_fn: Callable[..., Any], init: Any, xs: Any, *, dim: int = 0, reverse: bool = False
) -> tuple[Any, Any]:
    """The last carry, and what *combine_fn* returned beside it for each slice, stacked."""
    carry, outputs = init, []
    for x in _slices(xs, dim, reverse):
        carry, output = combine_fn(carry, x)
        outputs.append(output)
    return carry, _stacked(outputs, 0, reverse)
