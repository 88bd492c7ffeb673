"""``reduction`` of losses: torch's numbers 0 none, 1 mean, 2 sum, and what takes them."""

from __future__ import annotations

from typing import Any

from .dims import numel_of

__all__ = ["MEAN", "NONE", "SUM", "mean_scale", "reduce"]

NONE, MEAN, SUM = 0, 1, 2


def reduce(t: Any, reduction: int) -> Any:
    """A tensor of losses, reduced."""
    return t.mean() if reduction == MEAN else t.sum() if reduction == SUM else t


def mean_scale(g: Any, reduction: int, shape: Any) -> Any:
    """*g* divided by the number of elements, where a mean was taken.

    *shape* is that of the argument the gradient is for, even where it was broadcast: torch's
    formulas count the elements of their first argument.
    """
    return g / numel_of(shape) if reduction == MEAN else g
