"""``reduction`` of losses: torch's numbers 0 none, 1 mean, 2 sum, and what takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindtorch.aten.summation import sum_over
from mindtorch.core.dims import numel_of

__all__ = ["MEAN", "NONE", "SUM", "mean_scale", "reduce", "reduced", "unknown_reduction"]

NONE, MEAN, SUM = 0, 1, 2


def reduced(a: Any, reduction: int) -> Any:
    """An ndarray of losses, reduced."""
    if reduction not in (MEAN, SUM):
        return a
    total = sum_over(a, range(a.ndim))
    if reduction == MEAN:
        total = np.asarray(total / a.dtype.type(a.size))
    return total


def reduce(t: Any, reduction: int) -> Any:
    """A tensor of losses, reduced."""
    return t.mean() if reduction == MEAN else t.sum() if reduction == SUM else t


def mean_scale(g: Any, reduction: int, shape: Any) -> Any:
    """*g* divided by the number of elements, where a mean was taken.

    *shape* is that of the argument the gradient is for, even where it was broadcast: torch's
    formulas count the elements of their first argument.
    """
    return g / numel_of(shape) if reduction == MEAN else g


def unknown_reduction(line: int) -> RuntimeError:
    """torch aten/src/ATen/native/Loss.cpp, the assertion at *line*."""
    return RuntimeError(
        "reduction == Reduction::Mean || reduction == Reduction::Sum INTERNAL ASSERT FAILED at "
        f'"/__w/pytorch/pytorch/aten/src/ATen/native/Loss.cpp":{line}, please report a bug to '
        "PyTorch. "
    )
