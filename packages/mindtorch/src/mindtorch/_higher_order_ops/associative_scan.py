"""``torch._higher_order_ops.associative_scan``: running results of what may be grouped freely."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten
from .along import dimension, put_together, refuse_empty, slices

__all__ = ["associative_scan"]


def associative_scan(
    combine_fn: Callable[..., Any],
    xs: Any,
    dim: int,
    reverse: bool = False,
    combine_mode: str = "pointwise",
) -> Any:
    """The running results of *combine_fn* along *dim*.

    Raises ValueError for ``combine_mode="pointwise"``, which torch has on CUDA and XPU only, and
    for other than tensors; AssertionError where *combine_fn* gives another number of them.
    """
    leaves, spec = tree_flatten(xs)
    if not leaves:
        raise ValueError("Expected at least 1 xs leaf")
    _check(combine_fn, leaves, reverse, combine_mode)
    dim = dimension(leaves, dim)
    refuse_empty(leaves, dim, ValueError)
    running: list[Any] = []
    for x in slices(xs, dim, reverse):
        one = combine_fn(running[-1], x) if running else x
        found, spec_found = tree_flatten(one)
        if len(found) != len(leaves):
            raise AssertionError(
                f"Combine_fn received wrong number of arguments, expected {2 * len(leaves)}, but "
                f"got {2 * len(found)}"
            )
        if spec_found != spec:
            raise AssertionError(f"Expected combine_fn to return {spec}, but got {spec_found}")
        running.append(one)
    return put_together(running, dim, reverse)


def _check(combine_fn: Any, leaves: list[Any], reverse: Any, combine_mode: str) -> None:
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(
            f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}"
        )
    if not all(isinstance(x, torch.Tensor) for x in leaves):
        raise ValueError("xs leaves must be a Tensor")
    if combine_mode == "pointwise" and not all(x.is_cuda or x.is_xpu for x in leaves):
        raise ValueError(
            "For combine_mode='pointwise', all input tensors need to be on CUDA or XPU"
        )
    if any(x.is_sparse for x in leaves):
        raise ValueError("xs leaves must dense Tensors, consider using `to_dense()`")


def _fake_associative_scan(
    combine_fn: Callable[..., Any], xs: Any, dim: int, reverse: bool = False
) -> Any:
    """What torch's tests compare with: this is no operator in another form."""
    return associative_scan(combine_fn, xs, dim, reverse, combine_mode="generic")
