"""``torch.cond``: one of two functions, by a predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..aten import torch
from ..aten.symbolic_numbers import SymBool
from ..core import signature as S
from ..utils._pytree import TreeSpec, tree_flatten, tree_leaves, tree_unflatten

__all__ = ["cond", "cond_op"]


class CondOp(HigherOrderOperator):
    """``torch.ops.higher_order.cond``: of functions that return tuples of tensors."""

    def __init__(self) -> None:
        super().__init__("cond")


cond_op = CondOp()


@cond_op.py_impl(DispatchKey.CompositeImplicitAutograd)
def _run(pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    """One of both; each, where samples of a batch have predicates of their own."""
    if isinstance(pred, torch.Tensor) and pred._sig_ & S.BATCHED:
        both = zip(true_fn(*operands), false_fn(*operands), strict=True)
        return tuple([torch.where(pred, a, b) for a, b in both])
    return (true_fn if pred else false_fn)(*operands)


def cond(
    pred: bool | int | float | torch.Tensor,
    true_fn: Callable[..., Any],
    false_fn: Callable[..., Any],
    operands: tuple[Any, ...] | list[Any] = (),
) -> Any:
    """What *true_fn* returns for the operands if *pred*, else what *false_fn* does.

    Raises RuntimeError for a tensor of several elements, and for operands that are no tensors.
    """
    if isinstance(pred, (bool, int, float)):
        return (true_fn if pred else false_fn)(*operands)
    _check(pred, true_fn, false_fn, operands)
    flat, spec = tree_flatten(operands)
    made: list[TreeSpec] = []

    def branch(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*leaves: Any) -> Any:
            results, results_spec = tree_flatten(function(*tree_unflatten(list(leaves), spec)))
            if made and made[0] != results_spec:
                raise RuntimeError(
                    "Unmatched output spec from torch.cond branches: "
                    f"true branch tree_spec {made[0]} vs false branch tree_spec {results_spec}."
                )
            made.append(results_spec)
            return tuple(results)

        return call

    found = cond_op(pred, branch(true_fn), branch(false_fn), tuple(flat))
    return tree_unflatten(list(found), made[0])


def _check(pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> None:
    if not isinstance(pred, (torch.Tensor, SymBool)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, torch.Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not callable(true_fn) or not callable(false_fn):
        raise RuntimeError("Expect both branches to be callable.")
    leaves = tree_leaves(operands)
    if not isinstance(operands, (tuple, list)) or any(
        not isinstance(leaf, torch.Tensor) for leaf in leaves
    ):
        raise RuntimeError(
            "Expect operands to be a tuple of possibly nested dict/list/tuple that only consists "
            f"of tensor leaves, but got {operands}."
        )
