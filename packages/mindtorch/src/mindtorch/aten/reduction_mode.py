"""Losses that are reduced: the kernels' part, beside :mod:`mindtorch.core.reduction`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.reduction import MEAN, SUM
from .summation import sums

__all__ = ["reducer", "unknown_reduction"]


def reducer(like: Any, reduction: int) -> Callable[[Any], Any]:
    """What reduces arrays of losses like *like*."""
    if reduction not in (MEAN, SUM):
        return lambda a: a
    total = sums(like, tuple(range(like.ndim)), ())
    if reduction == SUM:
        return total
    divide, count = np.divide, np.array(like.size, like.dtype)

    def mean(a: Any) -> Any:
        out = total(a)
        return divide(out, count, out)

    return mean


def unknown_reduction(line: int) -> RuntimeError:
    """torch aten/src/ATen/native/Loss.cpp, the assertion at *line*."""
    return RuntimeError(
        "reduction == Reduction::Mean || reduction == Reduction::Sum INTERNAL ASSERT FAILED at "
        f'"/__w/pytorch/pytorch/aten/src/ATen/native/Loss.cpp":{line}, please report a bug to '
        "PyTorch. "
    )
