"""Operators of arithmetic, element by element, written in core ones."""

from __future__ import annotations

from math import pi
from typing import Any

from .._ops import ops
from ..tensor import Tensor
from .decomposition_table import Decompositions, in_float32, number_like, options_of

__all__ = ["ARITHMETIC"]

aten = ops.aten
ARITHMETIC = Decompositions()


@ARITHMETIC.register(aten.clamp_min.default, aten.clamp_min.Tensor)
def _clamp_min(self: Tensor, low: Any) -> Any:
    return aten.clamp(self, low)


@ARITHMETIC.register(aten.clamp_max.default, aten.clamp_max.Tensor)
def _clamp_max(self: Tensor, high: Any) -> Any:
    return aten.clamp(self, None, high)


@ARITHMETIC.register(aten.rsub.Tensor, aten.rsub.Scalar)
def _rsub(self: Tensor, other: Any, alpha: Any = 1) -> Any:
    if alpha == 1:
        return aten.sub.Tensor(other, self)
    return aten.sub.Tensor(other, self, alpha=alpha)


@ARITHMETIC.register(aten.addcmul.default)
@in_float32
def _addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    return self + value * tensor1 * tensor2


@ARITHMETIC.register(aten.addcdiv.default)
@in_float32
def _addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    return self + value * tensor1 / tensor2


@ARITHMETIC.register(aten.frac.default)
@in_float32
def _frac(self: Tensor) -> Any:
    return aten.sub.Tensor(self, aten.trunc.default(self))


@ARITHMETIC.register(aten.lerp.Tensor)
@in_float32
def _lerp(self: Tensor, end: Tensor, weight: Tensor) -> Any:
    is_far = aten.ge.Scalar(aten.abs.default(weight), 0.5)
    factor = aten.where.self(is_far, weight - 1, weight)
    base = aten.where.self(is_far, end, self)
    return factor * (end - self) + base


@ARITHMETIC.register(aten.lerp.Scalar)
@in_float32
def _lerp_by_number(self: Tensor, end: Tensor, weight: Any) -> Any:
    return _lerp(self, end, aten.full.default([], weight, **options_of(self)))


@ARITHMETIC.register(aten.sgn.default)
def _sgn(self: Tensor) -> Any:
    return NotImplemented if self.is_complex() else aten.sign.default(self)


@ARITHMETIC.register(aten.deg2rad.default)
@in_float32
def _deg2rad(self: Tensor) -> Any:
    return self * (pi / 180)


@ARITHMETIC.register(aten.rad2deg.default)
@in_float32
def _rad2deg(self: Tensor) -> Any:
    return self * (180 / pi)


@ARITHMETIC.register(aten.xlogy.Tensor)
@in_float32
def _xlogy(self: Tensor, other: Tensor) -> Any:
    is_zero = aten.eq.Scalar(self, 0)
    product = self * aten.log.default(other)
    product = aten.where.self(is_zero, number_like(0, product), product)
    return aten.where.self(aten.isnan.default(other), number_like(float("nan"), product), product)


@ARITHMETIC.register(aten.floor_divide.default)
def _floor_divide(self: Tensor, other: Any) -> Any:
    return aten.div.Tensor_mode(self, other, rounding_mode="floor")
