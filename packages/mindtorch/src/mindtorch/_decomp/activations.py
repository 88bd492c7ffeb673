"""Activations, written in core operators."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import bfloat16, float16

from .._ops import ops
from ..tensor import Tensor
from .decomposition_table import Decompositions, in_float32, number_like, options_of

__all__ = ["ACTIVATIONS", "log_sigmoid"]

aten = ops.aten
ACTIVATIONS = Decompositions()


@ACTIVATIONS.register(aten.silu.default)
@in_float32
def _silu(self: Tensor) -> Any:
    return self * aten.sigmoid.default(self)


def _between_0_and_6(self: Tensor) -> Any:
    return aten.clamp.default(aten.clamp.default(self + 3, 0), None, 6)


@ACTIVATIONS.register(aten.hardswish.default)
@in_float32
def _hardswish(self: Tensor) -> Any:
    return self * _between_0_and_6(self) / 6


@ACTIVATIONS.register(aten.hardsigmoid.default)
@in_float32
def _hardsigmoid(self: Tensor) -> Any:
    return _between_0_and_6(self) / 6


@ACTIVATIONS.register(aten.celu.default)
@in_float32
def _celu(self: Tensor, alpha: Any = 1.0) -> Any:
    scaled = self if alpha == 1 else self / alpha
    below = aten.expm1.default(scaled)
    below = below if alpha == 1 else below * alpha
    return aten.where.self(aten.gt.Scalar(self, 0), self, below)


@ACTIVATIONS.register(aten.softplus.default)
@in_float32
def _softplus(self: Tensor, beta: Any = None, threshold: Any = 20) -> Any:
    scaled = self if beta is None else self * beta
    soft = aten.log1p.default(aten.exp.default(scaled))
    soft = soft if beta is None else soft / beta
    return aten.where.self(aten.gt.Scalar(scaled, threshold), self, soft)


@ACTIVATIONS.register(aten.mish.default)
@in_float32
def _mish(self: Tensor) -> Any:
    soft = aten.log1p.default(aten.exp.default(self))
    soft = aten.where.self(aten.gt.Scalar(self, 20), self, soft)
    return self * aten.tanh.default(soft)


@ACTIVATIONS.register(aten.glu.default)
@in_float32
def _glu(self: Tensor, dim: int = -1) -> Any:
    dim %= self.dim()
    half = self.shape[dim] // 2
    first = aten.slice.Tensor(self, dim, 0, half)
    second = aten.slice.Tensor(self, dim, half, 2 * half)
    return first * aten.sigmoid.default(second)


@ACTIVATIONS.register(aten._prelu_kernel.default)
def _prelu(self: Tensor, weight: Tensor) -> Any:
    return aten.where.self(aten.gt.Scalar(self, 0), self, weight * self)


@ACTIVATIONS.register(aten.threshold.default)
def _threshold(self: Tensor, threshold: Any, value: Any) -> Any:
    return aten.where.self(aten.le.Scalar(self, threshold), number_like(value, self), self)


@ACTIVATIONS.register(aten.hardshrink.default)
def _hardshrink(self: Tensor, lambd: Any = 0.5) -> Any:
    small = aten.le.Scalar(aten.abs.default(self), lambd)
    return aten.where.self(small, number_like(0, self), self)


@ACTIVATIONS.register(aten.softshrink.default)
def _softshrink(self: Tensor, lambd: Any = 0.5) -> Any:
    large = aten.gt.Scalar(aten.abs.default(self), lambd)
    moved = self - aten.sign.default(self) * lambd
    return aten.where.self(large, moved, self * 0)


def log_sigmoid(self: Tensor) -> Any:
    """The logarithm of the sigmoid, exact where that is near 0 or 1."""
    least = aten.minimum.default(aten.full.default([], 0, **options_of(self)), self)
    small = aten.exp.default(aten.neg.default(aten.abs.default(self)))
    return least - aten.log1p.default(small)


@ACTIVATIONS.register(aten.log_sigmoid_forward.default)
def _log_sigmoid_forward(self: Tensor) -> Any:
    if self.dtype in (float16, bfloat16):
        return NotImplemented
    return log_sigmoid(self), aten.empty.memory_format([0], **options_of(self))
