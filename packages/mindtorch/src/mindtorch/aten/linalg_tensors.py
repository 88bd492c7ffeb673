"""Tensors seen as matrices: their inverses, and equations of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..call.row import op
from ..core.operators import ops
from .linalg_common import (
    check_errors,
    copied_result,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _tensorinv(self: Any, ind: int) -> Any:
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    shape = tuple(self.shape)
    if ind > len(shape):
        raise RuntimeError(f"ArrayRef: invalid slice, N = {ind}; size = {len(shape)}")
    rows, columns = math.prod(shape[:ind]), math.prod(shape[ind:])
    if rows != columns:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {columns} != {rows}"
        )
    inverse, info = ops.linalg_inv_ex(self.reshape((columns, rows)))
    check_errors(info, "inv", inverse)
    return inverse.reshape((*shape[ind:], *shape[:ind]))


def _tensorsolve(self: Any, other: Any, dims: Any) -> Any:
    ndim = self.dim()
    a = self
    if dims is not None:
        a = self.movedim(tuple(dims), tuple(range(ndim - len(dims), ndim)))
    if other.dim() > ndim:
        raise RuntimeError("cannot create std::vector larger than max_size()")
    shape = tuple(a.shape[other.dim() :])
    rows = other.numel()
    if rows != math.prod(shape):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {math.prod(shape)} != {rows}"
        )
    square = a.reshape((rows, rows))
    flat = other if other.dim() == 1 else other.reshape((rows,))
    solved = ops.linalg_solve(square, flat)
    return solved.reshape(shape)


op(
    "linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
    says="Return the inverse of tensordot by a tensor.",
    composite=_tensorinv,
    module="linalg",
    variants="function",
    out=copied_result("tensorinv"),
    samples="tensorinv",
    autocast=("float32", ""),
)
op(
    "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
    says="Return the x for which tensordot of the input and x is other.",
    composite=_tensorsolve,
    module="linalg",
    variants="function",
    out=copied_result("tensorsolve"),
    samples="tensorsolve",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
