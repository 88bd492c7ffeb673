"""Smooth activations: gelu, silu, mish, softplus, log_sigmoid, elu and their kin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import float64

from ..call.elementwise_meta import NOT_FLOATING, NOT_REAL_FLOATING, elementwise, out_like, refuse
from ..call.forms import SCALAR_TYPE, OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import ops
from . import scalars, special
from .activation_row import Array, activation, backward, number, zero
from .derivatives import not_implemented_for
from .number_first import less, recording

# ------------------------------------------------------------------------- gelu


def _check_gelu(self: Any, approximate: str) -> None:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


_BETA: Final = math.sqrt(2) * (2 / math.sqrt(math.pi)) * 0.5
_KAPPA: Final = 0.044715
_ROOT_HALF: Final = math.sqrt(0.5)


def _gelu(x: Array, approximate: str) -> Array:
    if approximate == "tanh":
        inner = x * x
        inner *= x
        inner *= _KAPPA
        inner += x
        inner *= _BETA
        inner = np.tanh(inner)
    else:
        inner = special.erf(x * x.dtype.type(_ROOT_HALF))
    inner += 1
    inner *= x
    inner *= 0.5
    return inner


def _gelu_backward(g: Array, x: Array, approximate: str) -> Array:
    if approximate == "tanh":
        square = x * x
        wave = np.tanh(_BETA * (x + _KAPPA * square * x))
        left = 0.5 * (1 + wave)
        right = 0.5 * x * (1 - wave * wave) * (_BETA * (1 + 3 * _KAPPA * square))
        return g * (left + right)
    cdf = 0.5 * (1 + special.erf(x * x.dtype.type(_ROOT_HALF)))
    pdf = np.exp(-0.5 * x * x) * (2 / math.sqrt(math.pi) * _ROOT_HALF * 0.5)
    return g * (cdf + x * pdf)


def _gelu_curvature(g: Any, c: Any) -> Any:
    """Derivative of gelu_backward with respect to its input."""
    x = c.self
    if c.approximate == "none":
        pdf = (-0.5 * x * x).exp() * (1 / math.sqrt(2 * math.pi))
        return g * c.grad_output * pdf * (2 - x * x)
    inner = _BETA * (x + _KAPPA * x * x * x)
    slope = _BETA * (1 + 3 * _KAPPA * x * x)
    wave = inner.tanh()
    bell = 1 - wave * wave
    curve = 0.5 * x * bell * (6 * _BETA * _KAPPA * x - 2 * wave * slope * slope)
    return g * c.grad_output * (bell * slope + curve)


op(
    'gelu(Tensor self, *, str approximate="none") -> Tensor',
    says="Return x times the normal distribution function of x.",
    meta=elementwise("common", 1, cpu={"GeluKernelImpl": NOT_REAL_FLOATING}, check=_check_gelu),
    kernel=_gelu,
    grad={"self": lambda g, c: ops.gelu_backward(g, c.self, approximate=c.approximate)},
    module="nn",
    variants="function",
    inplace=True,
    out=OutForm(dtype="same"),
    samples="gelu",
    tags=("pointwise",),
    scalar="self * 0.5 * (1 + erf(self * sqrt(0.5))) if approximate == "
    "'none' else 0.5 * self * (1 + tanh(sqrt(2 / pi) * (self + "
    "0.044715 * self ** 3)))",
)
backward(
    'gelu_backward(Tensor grad_output, Tensor self, *, str approximate="none") -> Tensor',
    _gelu_backward,
    {
        "grad_output": lambda g, c: ops.gelu_backward(g, c.self, approximate=c.approximate),
        "self": _gelu_curvature,
    },
)

# ------------------------------------------------------------------------- silu, mish


def _silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def _silu_backward(g: Array, x: Array) -> Array:
    gate = 1 / (1 + np.exp(-x))
    return g * gate * (1 + x * (1 - gate))  # of complex numbers too, without a conjugate


def _silu_grad(g: Any, c: Any) -> Any:
    if not recording():
        return ops.silu_backward(g, c.self)
    gate = c.self.sigmoid()
    return g * gate * (1.0 + c.self * less(1.0, gate))


activation(
    "silu(Tensor self) -> Tensor",
    _silu,
    _silu_grad,
    lacks=NOT_FLOATING,
    says="Return x * sigmoid(x) of each element.",
    scalar="self / (1 + exp(-self))",
    tags=("real_only",),
)
backward(
    "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
    _silu_backward,
    not_implemented_for("silu_backward", "grad_output", "self"),
    meta=elementwise("common", 2, cpu={"silu_backward_cpu": NOT_FLOATING}),
    samples="gradient_pairs",
    scalar="grad_output / (1 + exp(-self)) * (1 + self * (1 - 1 / (1 + exp(-self))))",
)


def _log1p_exp(x: Array) -> Array:
    return np.log1p(np.exp(x))


def _mish(x: Array) -> Array:
    return x * np.tanh(_log1p_exp(x))


def _mish_backward(g: Array, x: Array) -> Array:
    wave = np.tanh(_log1p_exp(x))
    return g * (wave + x / (1 + np.exp(-x)) * (1 - wave * wave))


def _mish_grad(g: Any, c: Any) -> Any:
    x = c.self
    if not recording():
        return ops.mish_backward(g, x)
    gate = x.sigmoid()
    wave = x.exp().log1p().tanh()
    return g * (wave + x * gate * less(1.0, wave * wave))


activation(
    "mish(Tensor self) -> Tensor",
    _mish,
    _mish_grad,
    says="Return x * tanh(softplus(x)) of each element.",
    scalar="self * tanh(log1p(exp(self)))",
)
backward(
    "mish_backward(Tensor grad_output, Tensor self) -> Tensor",
    _mish_backward,
    not_implemented_for("mish_backward", "grad_output", "self"),
    meta=elementwise("common", 2, cpu={"mish_backward_cpu": NOT_REAL_FLOATING}),
    out=False,
    samples="gradient_pairs",
)

# ------------------------------------------------------------------------- softplus, log_sigmoid


def _prepare_softplus(x: Array, beta: Any, threshold: Any) -> Callable[..., Array]:
    factor, limit = (np.full((), number(n, x), x.dtype) for n in (beta, threshold))
    exp, log1p, greater = np.exp, np.log1p, np.greater

    def kernel(x: Array, *_: Any) -> Array:
        scaled = x * factor
        out = np.empty_like(x)
        exp(scaled, out)
        log1p(out, out)
        out /= factor
        np.copyto(out, x, where=greater(scaled, limit))
        return out

    return kernel


def _softplus_backward(g: Array, x: Array, beta: Any, threshold: Any) -> Array:
    beta, threshold = number(beta, x), number(threshold, x)
    z = np.exp(x * beta)
    return np.where(x * beta > threshold, g, g * z / (z + 1))


def _softplus_curvature(g: Any, c: Any) -> Any:
    gate = (c.self * c.beta).sigmoid()
    slope = c.grad_output * g * gate * (1 - gate) * c.beta
    return slope.masked_fill(c.self * c.beta > c.threshold, 0)


activation(
    "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
    None,
    lambda g, c: ops.softplus_backward(g, c.self, c.beta, c.threshold),
    prepare=_prepare_softplus,
    inplace=False,
    samples="softplus",
    says="Return log(1 + exp(beta * x)) / beta of each element, x itself above the threshold.",
    scalar="self if self * beta > threshold else log1p(exp(self * beta)) / beta",
    autocast=("", "float32"),
)
backward(
    "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
    _softplus_backward,
    {
        "grad_output": lambda g, c: ops.softplus_backward(g, c.self, c.beta, c.threshold),
        "self": _softplus_curvature,
    },
    scalar="grad_output if self * beta > threshold else grad_output * "
    "exp(self * beta) / (exp(self * beta) + 1)",
)


def _log_sigmoid_forward(x: Array) -> tuple[Array, Array]:
    buffer = np.exp(-np.abs(x))
    return np.minimum(x, 0) - np.log1p(buffer), buffer


def _log_sigmoid_meta(self: Any) -> tuple[Out, Out]:
    refuse(self.dtype, {"log_sigmoid_cpu": NOT_REAL_FLOATING}, self)
    contiguous = Out(tuple(self.shape), self.dtype)
    return contiguous, contiguous


op(
    "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
    says="Return log(sigmoid(x)) of each element and a buffer for its gradient.",
    meta=_log_sigmoid_meta,
    kernel=_log_sigmoid_forward,
    grad={"self": lambda g, c: ops.log_sigmoid_backward(g[0], c.self, c.result1)},
    module="nn",
    variants="",
    out="output",
    tags=("pointwise", "one_gradient"),
)


def _log_sigmoid_backward(g: Array, x: Array, buffer: Array) -> Array:
    one = g.dtype.type(1)
    negative = x < 0
    sign = np.where(negative, one, -one)
    return (np.where(negative, one, zero(g.dtype)) - sign * (buffer / (one + buffer))) * g


def _log_sigmoid_backward_meta(grad_output: Any, self: Any, buffer: Any) -> Out:
    for other in (self, buffer):
        if other.dtype is not grad_output.dtype and self.device.type != "meta":
            found, wanted = scalar_name(grad_output.dtype), scalar_name(other.dtype)
            raise RuntimeError(f"Found dtype {found} but expected {wanted}")
    refuse(grad_output.dtype, {"log_sigmoid_backward_cpu": NOT_REAL_FLOATING}, self)
    return out_like(grad_output.dtype, grad_output, self, buffer)


def _log_sigmoid_curvature(g: Any, c: Any) -> Any:
    gate = c.self.sigmoid()
    return g * c.grad_output * ((gate - 1) * gate)


op(
    "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
    meta=_log_sigmoid_backward_meta,
    kernel=_log_sigmoid_backward,
    grad={
        "grad_output": lambda g, c: ops.log_sigmoid_backward(g, c.self, c.buffer),
        "self": _log_sigmoid_curvature,
    },
    module="nn",
    variants="",
    out="grad_input",
    samples="log_sigmoid_backward",
)
op(
    "log_sigmoid(Tensor self) -> Tensor",
    says="Return log(sigmoid(x)) of each element.",
    composite=lambda self: ops.log_sigmoid_forward(self)[0],
    module="nn",
    variants="function",
    out=OutForm(text=SCALAR_TYPE, quiet=True, gradient="log_sigmoid_forward"),
    samples="unary",
    tags=("pointwise",),
)

# ------------------------------------------------------------------------- elu and kin


def _prepare_elu(x: Array, alpha: Any, scale: Any, input_scale: Any) -> Callable[..., Array]:
    numbers = number(scale, x), number(alpha * scale, x), number(input_scale, x)
    positive, negative, inner = (np.full((), n, x.dtype) for n in numbers)
    nothing, multiply, expm1, less = zero(x.dtype), np.multiply, np.expm1, np.less

    def kernel(x: Array, *_: Any) -> Array:
        curve = np.empty_like(x)
        multiply(x, inner, curve)
        expm1(curve, curve)
        curve *= negative
        out = np.empty_like(x)
        multiply(x, positive, out)
        np.copyto(out, curve, where=less(x, nothing))
        return out

    return kernel


def _elu_backward(
    g: Array, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Array
) -> Array:
    positive, negative = number(scale, x), number(alpha * scale, x)
    poiti = number(input_scale, x)
    if is_result:
        return np.where(x <= 0, g * poiti * (x + negative), g * positive)
    return np.where(x <= 0, g * poiti * negative * np.exp(x * poiti), g * positive)


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
    kernel=_elu_backward,
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
