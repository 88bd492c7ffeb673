"""``torch._higher_order_ops.associative_scan``: running results of what may be grouped freely."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..utils._pytree import tree_flatten
from .scan import _slices, _stacked

__all__ = ["associative_scan"]


def associative_scan(
    combine_fn: Callable[..., Any],
    xs: Any,
    dim: int,
    reverse: bool = False,
    combine_mode: str = "pointwise",
) -> Any:
    """The running results of *combine_fn* along *dim*.

    Raises ValueError for ``combine_mode="pointwise"``, which torch has on CUDA and XPU only.
    """
    leaves, _ = tree_flatten(xs)
    if combine_mode == "pointwise" and not all(x.is_cuda or x.is_xpu for x in leaves):
        raise ValueError(
            "For combine_mode='pointwise', all input tensors need to be on CUDA or XPU"
        )
    running: list[Any] = []
    for x in _slices(xs, dim, reverse):
        running.append(combine_fn(running[-1], x) if running else x)
    return _stacked(running, dim, reverse)
