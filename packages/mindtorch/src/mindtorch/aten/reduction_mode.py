"""Losses that are reduced: the kernels' part, beside :mod:`mindtorch.core.reduction`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.reduction import MEAN, SUM
from .summation import sum_over

__all__ = ["reduced", "unknown_reduction"]


def reduced(a: Any, reduction: int) -> Any:
    """An ndarray of losses, reduced."""
    if reduction not in (MEAN, SUM):
        return a
    total = sum_over(a, range(a.ndim))
    if reduction == MEAN:
        total = np.asarray(total / a.dtype.type(a.size))
    return total


def unknown_reduction(line: int) -> RuntimeError:
    """torch aten/src/ATen/native/Loss.cpp, the assertion at *line*."""
    return RuntimeError(
        "reduction == Reduction::Mean || reduction == Reduction::Sum INTERNAL ASSERT FAILED at "
        f'"/__w/pytorch/pytorch/aten/src/ATen/native/Loss.cpp":{line}, please report a bug to '
        "PyTorch. "
    )
