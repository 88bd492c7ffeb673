"""``prelu``: negative numbers times a learnt slope.

Source: torch aten/src/ATen/native/Activation.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    broadcast_shapes,
    elementwise,
    kept_layout,
    warn_outgrown,
)
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.errors import scalar_type
from ..core.operators import ops
from .activation_row import with_sizes
from .blocks import blockwise, putting
from .centred_rows import operand

__all__: list[str] = []

Array = np.ndarray[Any, Any]
_NOT_FLOATS = INTEGRAL | BOOL | COMPLEX


def _prelu(self: Any, weight: Any) -> Any:
    if self.dtype is not weight.dtype:
        raise RuntimeError(
            "prelu: Type promoting not supported. Got "
            f"{scalar_type(self.dtype)} and {scalar_type(weight.dtype)}"
        )
    ndim = self.dim()
    if weight.numel() != 1:
        if not ndim:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = self.size(1) if ndim > 1 else 1
        if channels != weight.numel():
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.numel()} and channel size = {channels}."
            )
    if weight.dim() > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.dim()}"
        )
    if ndim != weight.dim():
        channels = (1, weight.numel()) if ndim > 1 else (1,) * ndim
        weight = weight.reshape(channels + (1,) * (ndim - 2))
    return ops._prelu_kernel(self, weight)


def _prepare(self: Array, weight: Array) -> Callable[..., Array]:
    if weight.size == 1 and weight.ndim <= self.ndim:
        kernel = _prepare_by_one(self, weight.reshape(()))
        return lambda self, weight: kernel(self, weight.reshape(()))
    return _prepare_by_each(self, weight)


@blockwise
def _prepare_by_one(self: Array, slope: Array) -> Callable[..., Array]:
    multiply, greater, put, zero = np.multiply, np.greater, putting(self), np.zeros((), self.dtype)

    def kernel(self: Array, slope: Array, *, scaled: Array | None = None) -> Array:
        scaled = multiply(self, slope, scaled)
        put(scaled, greater(self, zero), self)
        return scaled

    return with_sizes(kernel, self)


def _prepare_by_each(self: Array, weight: Array) -> Callable[..., Array]:
    multiply, greater, copy, zero = np.multiply, np.greater, np.copyto, np.zeros((), self.dtype)
    if self.flags.c_contiguous and broadcast_shapes(self.shape, weight.shape) == self.shape:
        each, put = operand(self.shape, weight.shape), putting(self)

        def of_each(self: Array, weight: Array) -> Array:
            out = multiply(self, each(weight))
            put(out, greater(self, zero), self)
            return out

        return with_sizes(of_each, self, weight)

    def kernel(self: Array, weight: Array) -> Array:
        out = multiply(self, weight)
        copy(out, self, where=greater(self, zero))
        return out

    return with_sizes(kernel, self, weight)


def _prepare_backward(g: Array, self: Array, weight: Array) -> Callable[..., tuple[Array, Array]]:
    zero, greater, where = np.zeros((), self.dtype), np.greater, np.where

    def kernel(g: Array, self: Array, weight: Array) -> tuple[Array, Array]:
        positive = greater(self, zero)
        return where(positive, g, weight * g), where(positive, zero, self * g)

    return kernel


def _check(self: Any, weight: Any) -> None:
    if self.dtype is not weight.dtype:
        raise RuntimeError(
            f"Found dtype {scalar_name(weight.dtype)} but expected {scalar_name(self.dtype)}"
        )


_meta = kept_layout(elementwise("common", 2, cpu={"prelu_cpu": _NOT_FLOATS}, check=_check))
_meta_backward = elementwise("common", 3, cpu={"prelu_backward_cpu": _NOT_FLOATS})


def _backward_meta(g: Any, self: Any, weight: Any) -> tuple[Out, Out]:
    out = _meta_backward(self, weight, g)
    return out, out


op(
    "prelu(Tensor self, Tensor weight) -> Tensor",
    says="Multiply negative elements by a learned slope, one for all or one per channel.",
    composite=_prelu,
    samples="prelu",
    autocast="lower precision",
)
op(
    "_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
    meta=_meta,
    prepare=_prepare,
    promote="common",
    grad={"self, weight": lambda g, c: ops._prelu_kernel_backward(g, c.self, c.weight)},
    variants="function",
    samples="prelu_kernel",
    warns=lambda self, weight: warn_outgrown(self.shape, weight.shape),
    tags=("devices: weight, self",),
    scalar="self if self > 0 else weight * self",
)


def _twice(g: Any, c: Any) -> Any:
    positive, (first, second) = c.self >= 0, g  # zero counts as positive here
    first = ops.zeros_like(c.grad_output) if first is None else first
    second = ops.zeros_like(c.grad_output) if second is None else second
    return (
        ops.where(positive, first, c.weight * first + second * c.self),
        ops.where(positive, 0.0, second * c.grad_output),
        ops.where(positive, 0.0, first * c.grad_output),
    )


op(
    "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)",
    meta=_backward_meta,
    prepare=_prepare_backward,
    grad={"grad_output, self, weight": _twice},
    variants="",
    samples="prelu_backward",
)
