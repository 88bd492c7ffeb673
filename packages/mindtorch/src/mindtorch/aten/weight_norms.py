"""Weights taken apart into length and direction. Source: torch ATen/native/WeightNorm.cpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.elementwise_meta import out_like
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops

__all__ = ["differentiable_backward"]

Array = np.ndarray[Any, Any]


def _others(ndim: int, dim: int) -> tuple[int, ...]:
    """All dims but the one along which each slice has a length of its own."""
    return tuple(d for d in range(ndim) if d != dim % ndim)


def _interface_meta(v: Any, g: Any, dim: int) -> tuple[Out, Out]:
    return out_like(v.dtype, v), Out(tuple(g.shape), g.dtype)


def _prepare_interface(v: Array, g: Array, dim: int) -> Callable[..., tuple[Array, Array]]:
    axes, dtype, shape = _others(v.ndim, dim), g.dtype, g.shape
    wide = np.dtype(np.float64) if v.dtype == np.float32 else v.dtype
    total, sqrt, multiply, divide = np.add.reduce, np.sqrt, np.multiply, np.divide
    asarray = np.asarray

    def kernel(v: Array, g: Array, dim: int) -> tuple[Array, Array]:
        square = v.astype(wide)
        multiply(square, square, square)
        norm = sqrt(total(square, axes, None, None, True)).astype(dtype)
        return asarray(multiply(v, divide(g, norm))), norm.reshape(shape)

    return kernel


def differentiable_backward(back: Any, v: Any, length: Any, norm: Any, dim: int) -> tuple[Any, Any]:
    """The gradients of direction and length of ``_weight_norm_interface``.

    Source: torch WeightNorm.cpp, _weight_norm_differentiable_backward.
    """
    if back is None:
        return None, None
    others = _others(v.dim(), dim)
    along = v * back
    if others:  # a sum over no dims is one over all
        along = along.sum(others, True)
    g_v = (length / norm) * (back - v * (along / (norm * norm)))
    return g_v, along / norm


op(
    "_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
    meta=_interface_meta,
    prepare=_prepare_interface,
    variants="function",
    out=OutForm(function=False),
    grad={"v, g": lambda g, c: differentiable_backward(g[0], c.v, c.g, c.result1, c.dim)},
    samples="_weight_norm_interface",
    tags=("one_gradient", "loops: functional", "independent_slices"),
    tangent="not implemented",
    batch="whole_loop",
)


def _weight_norm(v: Any, g: Any, dim: int) -> Any:
    if v.device != g.device:
        raise RuntimeError("weight_norm: expected v and g to be on the same device")
    v, g = v.contiguous(), g.contiguous()
    if dim in (0, v.dim() - 1):
        return ops._weight_norm_interface(v, g, dim)[0]
    return v * (g / ops.norm_except_dim(v, 2, dim))


op(
    "_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor",
    composite=_weight_norm,
    variants="function",
    samples="_weight_norm",
    tags=("loops: functional",),
)
