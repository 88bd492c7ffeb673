"""``torch._higher_order_ops.map``: a function over the first dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten, tree_map, tree_unflatten

__all__ = ["map"]


def map(f: Callable[..., Any], xs: Any, *args: Any) -> Any:
    """What *f* returns for each slice of *xs* along its first dim, stacked."""
    leaves, _ = tree_flatten(xs)
    length = leaves[0].shape[0]
    found = [f(tree_map(lambda x, i=i: x[i], xs), *args) for i in range(length)]
    _, spec = tree_flatten(found[0])
    columns = zip(*(tree_flatten(one)[0] for one in found))
    return tree_unflatten([torch.stack(column) for column in columns], spec)
