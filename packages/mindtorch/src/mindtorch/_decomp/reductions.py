"""Sums, extremes and products of vectors, written in core operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_storage import DType, bfloat16, float16

from .._ops import ops
from ..tensor import Tensor
from .decomposition_table import Decompositions, in_float32, number_like

__all__ = ["REDUCTIONS", "sum_all"]

aten = ops.aten
REDUCTIONS = Decompositions()


@REDUCTIONS.register(aten.sum.default)
def sum_all(self: Tensor, *, dtype: DType | None = None) -> Any:
    """The sum of all elements."""
    return aten.sum.dim_IntList(self, [], dtype=dtype)


@REDUCTIONS.register(aten.all.default)
def _all(self: Tensor) -> Any:
    return aten.logical_not.default(aten.any.dims(aten.logical_not.default(self)))


@REDUCTIONS.register(aten.all.dim)
def _all_along(self: Tensor, dim: int, keepdim: bool = False) -> Any:
    return aten.logical_not.default(aten.any.dim(aten.logical_not.default(self), dim, keepdim))


@REDUCTIONS.register(aten.aminmax.default)
def _aminmax(self: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    if dim is None and not keepdim:
        return aten.amin.default(self), aten.amax.default(self)
    dims = [] if dim is None else [dim]
    return aten.amin.default(self, dims, keepdim), aten.amax.default(self, dims, keepdim)


@REDUCTIONS.register(aten.std.correction)
def _std(self: Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    if self.is_complex() or self.dtype in (float16, bfloat16):
        return NotImplemented
    correction = 1.0 if correction is None else float(correction)
    found = aten.var.correction(self, dim, correction=correction, keepdim=keepdim)
    return aten.sqrt.default(found)


@REDUCTIONS.register(aten.mv.default)
@in_float32
def _mv(self: Tensor, vec: Tensor) -> Any:
    return aten.sum.dim_IntList(self * vec, [1])


@REDUCTIONS.register(aten.dot.default)
@in_float32
def _dot(self: Tensor, tensor: Tensor) -> Any:
    if self.is_complex():
        return NotImplemented
    return sum_all(self * tensor)


@REDUCTIONS.register(aten.logsumexp.default)
@in_float32
def _logsumexp(self: Tensor, dim: Sequence[int], keepdim: bool = False) -> Any:
    if not self.is_floating_point() or not self.numel():
        return NotImplemented
    dims = list(dim)
    highest = aten.amax.default(self, dims, True)
    endless = aten.eq.Scalar(aten.abs.default(highest), float("inf"))
    highest = aten.where.self(endless, number_like(0.0, highest), highest)
    added = highest if keepdim else aten.squeeze.dims(highest, dims)
    total = aten.sum.dim_IntList(aten.exp.default(self - highest), dims, keepdim)
    return aten.log.default(total) + added
