"""``torch.cond``: one of two functions, by a predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_leaves

__all__ = ["cond"]


def cond(
    pred: bool | int | float | torch.Tensor,
    true_fn: Callable[..., Any],
    false_fn: Callable[..., Any],
    operands: tuple[Any, ...] | list[Any] = (),
) -> Any:
    """What *true_fn* returns for the operands if *pred*, else what *false_fn* does.

    Raises RuntimeError for a tensor of several elements.
    """
    if not isinstance(pred, (bool, int, float, torch.Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, torch.Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not callable(true_fn) or not callable(false_fn):
        raise RuntimeError("Expect both branches to be callable.")
    leaves = tree_leaves(operands)
    if not isinstance(operands, (tuple, list)) or any(
        not isinstance(leaf, (torch.Tensor, int)) for leaf in leaves
    ):
        raise RuntimeError(
            "Expect operands to be a tuple of possibly nested dict/list/tuple that only consists "
            f"of tensor leaves, but got {operands}."
        )
    return (true_fn if pred else false_fn)(*operands)
