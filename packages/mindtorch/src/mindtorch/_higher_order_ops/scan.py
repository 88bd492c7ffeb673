"""``torch._higher_order_ops.scan``: running results along a dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten
from .along import dimension, put_together, refuse_empty, slices

__all__ = ["scan"]


def scan(
    combine_fn: Callable[..., Any], init: Any, xs: Any, *, dim: int = 0, reverse: bool = False
) -> tuple[Any, Any]:
    """The last carry, and what *combine_fn* returned beside it for each slice, stacked.

    Raises RuntimeError for other than tensors, and for a carry that is not like *init*.
    """
    leaves, _ = tree_flatten(xs)
    if not leaves:
        return init, []
    begin, spec = tree_flatten(init)
    dim = dimension(leaves, dim)
    _check(combine_fn, leaves, begin, dim, reverse)
    carry, outputs = init, []
    for x in slices(xs, dim, reverse):
        result = combine_fn(carry, x)
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise RuntimeError(f"Expected combine_fn to return a carry and an output, got {result}")
        carry, output = result
        after, spec_after = tree_flatten(carry)
        if spec_after != spec:
            raise RuntimeError(
                f"Expected init and carry to have same structure, got {spec} and {spec_after}"
            )
        _check_alike(begin, after)
        outputs.append(output)
    return carry, put_together(outputs, dim, reverse)


def _check(combine_fn: Any, leaves: list[Any], begin: list[Any], dim: int, reverse: Any) -> None:
    if not callable(combine_fn):
        raise RuntimeError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if not begin:
        raise RuntimeError("scan() operator requires init leaves.")
    for name, each in (("init", begin), ("xs", leaves)):
        for x in each:
            if not isinstance(x, torch.Tensor):
                raise RuntimeError(f"All {name} leaves must be a Tensor but got {x}")
    refuse_empty(leaves, dim, RuntimeError)


def _check_alike(begin: list[Any], after: list[Any]) -> None:
    """Refuse carries of another shape or dtype than those that a scan began with."""
    for i, (x, y) in enumerate(zip(begin, after, strict=True)):
        facts = [("shape", x.shape, y.shape), ("dtype", x.dtype, y.dtype)]
        differ = ", ".join(f"'{what}: {a} vs {b}'" for what, a, b in facts if a != b)
        if differ:
            raise RuntimeError(
                "Expected init and carry to have same metadata but found:\n"
                f"pair[{i}] differ in {differ}, where lhs is {x} and rhs is {y}"
            )


def _fake_scan(
    combine_fn: Callable[..., Any],
    init: Any,
    xs: Any = None,
    dim: int = 0,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """What torch's tests compare with: this is no operator in another form."""
    return scan(combine_fn, init, xs, dim=dim, reverse=reverse)
