"""``torch.cond``: one of two functions, by a predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch as torch

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
    if isinstance(pred, torch.Tensor) and pred.numel() != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    for fn in (true_fn, false_fn):
        if not callable(fn):
            raise TypeError(f"'{type(fn).__name__}' object is not callable")
    return (true_fn if pred else false_fn)(*operands)
