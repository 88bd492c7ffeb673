"""Activations that are exponential below zero: elu, selu, celu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import float64

from ..call.elementwise_meta import NOT_REAL_FLOATING, out_like, refuse
from ..call.row import Out, op
from ..core.operators import ops
from . import scalars
from .activation_row import Array, activation, constant, number, with_sizes, zero
from .blocks import blockwise, putting

__all__: list[str] = []


@blockwise
def _prepare_elu(x: Array, alpha: Any, scale: Any, input_scale: Any) -> Callable[..., Array]:
    values = number(scale, x), number(alpha * scale, x), number(input_scale, x)
    positive, negative, inner = (constant(x, v) for v in values)
    plain, doubled = values[0] == 1, values[1] != 1
    nothing, multiply, expm1, put = zero(x.dtype), np.multiply, np.expm1, putting(x)
    scaled, above = values[2] != 1, np.greater_equal

    def kernel(x: Array, *_: Any, curve: Array | None = None) -> Array:
        if scaled:
            curve = multiply(x, inner, curve)
            expm1(curve, curve)
        else:
            curve = expm1(x, curve)
        if doubled:
            multiply(curve, negative, curve)
        put(curve, above(x, nothing), x if plain else multiply(x, positive))
        return curve

    return with_sizes(kernel, x)


@blockwise
def _prepare_elu_backward(
    g: Array, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Array
) -> Callable[..., Array]:
    values = number(scale, x), number(alpha * scale, x), number(input_scale, x)
    positive, negative, inner = (constant(x, v) for v in values)
    by, nothing = constant(x, values[1] * values[2]), zero(x.dtype)
    exp, add, multiply, below, put = np.exp, np.add, np.multiply, np.less_equal, putting(g, x)
    if not is_result and by == positive and values[2] >= 0 and g.shape == x.shape and x.size:
        # The slope above zero is that at zero, and of NaN, too.
        smaller, isnan, plain = np.minimum, np.isnan, by == 1 == values[2]

        def steady(
            g: Array, *args: Any, curve: Array | None = None, out: Array | None = None
        ) -> Array:
            x = args[4]
            curve = smaller(x, nothing, out=curve)
            if isnan(curve.min()):
                curve[isnan(x)] = nothing
            if plain:
                return multiply(exp(curve, curve), g, out)
            multiply(exp(multiply(curve, inner, curve), curve), by, curve)
            return multiply(curve, g, out)

        return with_sizes(steady, g, x)

    def kernel(g: Array, *args: Any) -> Array:
        x = args[4]
        if is_result:
            curve = add(x, negative)
            multiply(curve, inner, curve)
        else:
            curve = multiply(x, inner)
            multiply(exp(curve, curve), by, curve)
        out = multiply(g, positive)
        put(out, below(x, nothing), multiply(curve, g))
        return out

    return with_sizes(kernel, g, x)


def _check_elu_backward(
    g: Any, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Any
) -> None:
    if is_result and alpha < 0.0:
        raise RuntimeError(
            "In-place elu backward calculation is triggered with a negative slope which is not "
            "supported. This is caused by calling in-place forward function with a negative slope, "
            "please call out-of-place version instead."
        )


def _elu_grad(g: Any, c: Any) -> Any:
    return ops.elu_backward(g, c.alpha, c.scale, c.input_scale, False, c.self)


def _elu_backward_meta(g: Any, alpha: Any, scale: Any, inner: Any, is_result: bool, x: Any) -> Out:
    _check_elu_backward(g, alpha, scale, inner, is_result, x)
    return out_like(x.dtype, g, x)


def _elu_curvature(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, elu_double_backward."""
    x = c.self_or_result
    curved = (x < 0).to(x.dtype)
    slope = g * c.grad_output * c.input_scale
    if not c.is_result:
        slope = ops.elu_backward(slope, c.alpha, c.scale, c.input_scale, False, x)
    return slope * curved


activation(
    "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    None,
    _elu_grad,
    prepare=_prepare_elu,
    changed=lambda g, c: ops.elu_backward(g, c.alpha, c.scale, c.input_scale, True, c.result),
    samples="elu",
    says="Return x where it is positive, else alpha * (exp(x) - 1).",
    scalar="self * scale if self > 0 else expm1(self * input_scale) * alpha * scale",
    node=(0, 1),
)
op(
    "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, "
    "bool is_result, Tensor self_or_result) -> Tensor",
    meta=_elu_backward_meta,
    prepare=_prepare_elu_backward,
    grad={
        "grad_output": lambda g, c: ops.elu_backward(
            g, c.alpha, c.scale, c.input_scale, c.is_result, c.self_or_result
        ),
        "self_or_result": _elu_curvature,
    },
    module="nn",
    variants="",
    out="grad_input",
    tags=("pointwise",),
)

_SELU_ALPHA: Final = 1.6732632423543772848170429916717
_SELU_SCALE: Final = 1.0507009873554804934193349852946


def _selu(self: Any) -> Any:
    return ops.elu(self, _SELU_ALPHA, _SELU_SCALE)


def _check_celu(self: Any, alpha: Any) -> None:
    if type(alpha) is complex:
        scalars.checked(alpha, float64)
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")


def _celu_meta(self: Any, alpha: Any) -> Out:
    _check_celu(self, alpha)
    refuse(self.dtype, {"elu_cpu": NOT_REAL_FLOATING}, self)
    return out_like(self.dtype, self)


op(
    "selu(Tensor self) -> Tensor",
    says="Return elu with the constants that keep mean and variance of activations.",
    composite=_selu,
    variants="function",
    samples="unary",
)
op(
    "selu_(Tensor(a!) self) -> Tensor(a!)",
    composite=lambda self: ops.elu_(self, _SELU_ALPHA, _SELU_SCALE),
    variants="function",
)
op(
    "celu(Tensor self, Scalar alpha=1.) -> Tensor",
    says="Return x where it is positive, else alpha * (exp(x / alpha) - 1).",
    meta=_celu_meta,
    prepare=lambda x, alpha: _prepare_elu(x, alpha, 1.0, 1.0 / alpha),
    grad={"self": lambda g, c: ops.elu_backward(g, c.alpha, 1, 1.0 / c.alpha, False, c.self)},
    variants="function",
    inplace=True,
    inplace_grad={
        "self": lambda g, c: ops.elu_backward(g, c.alpha, 1, 1.0 / c.alpha, True, c.result)
    },
    samples="celu",
    tags=("pointwise",),
    scalar="self if self > 0 else alpha * expm1(self / alpha)",
    node=(0, 1),
)
