"""Smooth activations: gelu, silu, mish, softplus, log_sigmoid, elu and their kin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..call.elementwise_meta import (
    NOT_FLOATING,
    NOT_REAL_FLOATING,
    elementwise,
    empty_like_out,
    refuse,
)
from ..call.forms import SCALAR_TYPE, OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import ops
from . import special
from .activation_row import (
    FEW,
    Array,
    Memory,
    activation,
    backward,
    constant,
    number,
    with_sizes,
    zero,
)
from .blocks import blockwise, putting
from .derivatives import not_implemented_for
from .reflected import differentiated, less

# ------------------------------------------------------------------------- gelu


def _check_gelu(self: Any, approximate: str) -> None:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


_BETA: Final = math.sqrt(2) * (2 / math.sqrt(math.pi)) * 0.5
_KAPPA: Final = 0.044715
_ROOT_HALF: Final = math.sqrt(0.5)


@blockwise
def _prepare_gelu(x: Array, approximate: str) -> Callable[..., Array]:
    one, half = constant(x, 1), constant(x, 0.5)
    add, multiply, tanh = np.add, np.multiply, np.tanh
    if approximate == "tanh":
        kappa, beta = constant(x, _KAPPA), constant(x, _BETA)

        def by_tanh(
            x: Array, approximate: str, *, wave: Memory = None, out: Memory = None
        ) -> Array:
            wave = multiply(x, x, wave)
            multiply(wave, x, wave)
            multiply(wave, kappa, wave)
            add(wave, x, wave)
            multiply(wave, beta, wave)
            add(tanh(wave, wave), one, wave)
            multiply(wave, half, wave)  # first, for twice the largest number is infinite
            return multiply(wave, x, out)

        return with_sizes(by_tanh, x)
    if x.dtype.char == "f" and x.size > FEW:

        def of_single(
            x: Array, approximate: str,
            *, h: Memory = None, square: Memory = None, wave: Memory = None, out: Memory = None,
        ) -> Array:  # fmt: skip
            h = multiply(x, half, h)
            wave = special.single_normal(h, multiply(h, h, square), wave)
            return multiply(add(wave, one, wave), h, out)

        return of_single
    root, erf = constant(x, _ROOT_HALF), special.loaded("erf")

    def kernel(x: Array, approximate: str) -> Array:
        out = multiply(x, root)
        erf(out, out)
        add(out, one, out)
        multiply(out, half, out)
        return multiply(out, x, out)

    return with_sizes(kernel, x)


@blockwise
def _prepare_gelu_backward(g: Array, x: Array, approximate: str) -> Callable[..., Array]:
    one, half = constant(x, 1), constant(x, 0.5)
    add, subtract, multiply = np.add, np.subtract, np.multiply
    if approximate == "tanh":
        kappa, beta, thrice = constant(x, _KAPPA), constant(x, _BETA), constant(x, 3)
        tanh = np.tanh

        def by_tanh(
            g: Array, x: Array, approximate: str,
            *, square: Memory = None, wave: Memory = None, bell: Memory = None, out: Memory = None,
        ) -> Array:  # fmt: skip
            square = multiply(x, x, square)
            multiply(square, kappa, square)
            wave = multiply(square, x, wave)
            add(wave, x, wave)
            tanh(multiply(wave, beta, wave), wave)
            multiply(square, thrice, square)
            add(square, one, square)
            multiply(square, beta, square)
            bell = multiply(wave, wave, bell)
            subtract(one, bell, bell)
            multiply(bell, square, bell)
            multiply(bell, x, bell)
            add(bell, wave, bell)
            add(bell, one, bell)
            multiply(bell, half, bell)
            return multiply(bell, g, out)

        return with_sizes(by_tanh, g, x)
    exp = np.exp
    if g.dtype.char == x.dtype.char == "f" and x.size > FEW:
        minus_two, height = constant(x, -2), constant(x, 4 / math.sqrt(2 * math.pi))

        def of_single(
            g: Array, x: Array, approximate: str,
            *, h: Memory = None, square: Memory = None, wave: Memory = None, out: Memory = None,
        ) -> Array:  # fmt: skip
            h = multiply(x, half, h)
            square = multiply(h, h, square)
            wave = special.single_normal(h, square, wave)
            bell = exp(multiply(square, minus_two, square), square)
            multiply(bell, h, bell)
            multiply(bell, height, bell)
            add(wave, bell, wave)
            add(wave, one, wave)
            multiply(wave, half, wave)
            return multiply(wave, g, out)

        return of_single
    root, erf = constant(x, _ROOT_HALF), special.loaded("erf")
    minus_half, height = constant(x, -0.5), constant(x, 1 / math.sqrt(2 * math.pi))

    def kernel(g: Array, x: Array, approximate: str) -> Array:
        cdf = multiply(x, root)
        erf(cdf, cdf)
        add(cdf, one, cdf)
        multiply(cdf, half, cdf)
        pdf = multiply(x, minus_half)
        exp(multiply(pdf, x, pdf), pdf)
        multiply(pdf, height, pdf)
        multiply(pdf, x, pdf)
        return multiply(add(cdf, pdf, cdf), g)

    return with_sizes(kernel, g, x)


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
    prepare=_prepare_gelu,
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
    None,
    {
        "grad_output": lambda g, c: ops.gelu_backward(g, c.self, approximate=c.approximate),
        "self": _gelu_curvature,
    },
    prepare=_prepare_gelu_backward,
)

# ------------------------------------------------------------------------- silu, mish


@blockwise
def _prepare_silu(x: Array) -> Callable[..., Array]:
    one, negative, exp, add, divide = constant(x, 1), np.negative, np.exp, np.add, np.divide

    def kernel(x: Array, *, gate: Memory = None, out: Memory = None) -> Array:
        gate = negative(x, gate)
        add(exp(gate, gate), one, gate)
        return divide(x, gate, out)

    return with_sizes(kernel, x)


@blockwise
def _prepare_silu_backward(g: Array, x: Array) -> Callable[..., Array]:
    one, negative, exp, add = constant(x, 1), np.negative, np.exp, np.add
    subtract, multiply, reciprocal = np.subtract, np.multiply, np.reciprocal

    def kernel(
        g: Array, x: Array, *, gate: Memory = None, slope: Memory = None, out: Memory = None
    ) -> Array:  # of complex numbers too, without a conjugate
        gate = negative(x, gate)
        reciprocal(add(exp(gate, gate), one, gate), gate)
        slope = subtract(one, gate, slope)
        multiply(slope, x, slope)
        add(slope, one, slope)
        multiply(gate, slope, gate)
        return multiply(gate, g, out)

    return with_sizes(kernel, g, x)


def _silu_grad(g: Any, c: Any) -> Any:
    if not differentiated(g, c.self):
        return ops.silu_backward(g, c.self)
    gate = c.self.sigmoid()
    return g * gate * (1.0 + c.self * less(1.0, gate))


activation(
    "silu(Tensor self) -> Tensor",
    None,
    _silu_grad,
    prepare=_prepare_silu,
    lacks=NOT_FLOATING,
    out=OutForm(dtype="same", meta="exact"),
    says="Return x * sigmoid(x) of each element.",
    scalar="self / (1 + exp(-self))",
    tags=("real_only",),
)
backward(
    "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
    None,
    not_implemented_for("silu_backward", "grad_output", "self"),
    prepare=_prepare_silu_backward,
    meta=elementwise("common", 2, cpu={"silu_backward_cpu": NOT_FLOATING}),
    samples="gradient_pairs",
    scalar="grad_output / (1 + exp(-self)) * (1 + self * (1 - 1 / (1 + exp(-self))))",
)


@blockwise
def _prepare_mish(x: Array) -> Callable[..., Array]:
    exp, log1p, tanh, multiply = np.exp, np.log1p, np.tanh, np.multiply

    def kernel(x: Array, *, wave: Memory = None, out: Memory = None) -> Array:
        wave = exp(x, wave)
        return multiply(tanh(log1p(wave, wave), wave), x, out)

    return with_sizes(kernel, x)


@blockwise
def _prepare_mish_backward(g: Array, x: Array) -> Callable[..., Array]:
    exp, log1p, tanh, multiply, add = np.exp, np.log1p, np.tanh, np.multiply, np.add
    one, negative, subtract, divide = constant(x, 1), np.negative, np.subtract, np.divide

    def kernel(
        g: Array, x: Array,
        *, wave: Memory = None, slope: Memory = None, bell: Memory = None, out: Memory = None,
    ) -> Array:  # fmt: skip
        wave = exp(x, wave)
        tanh(log1p(wave, wave), wave)
        slope = negative(x, slope)
        add(exp(slope, slope), one, slope)
        divide(x, slope, slope)
        bell = multiply(wave, wave, bell)
        multiply(slope, subtract(one, bell, bell), slope)
        return multiply(add(wave, slope, wave), g, out)

    return with_sizes(kernel, g, x)


def _mish_grad(g: Any, c: Any) -> Any:
    x = c.self
    if not differentiated(g, x):
        return ops.mish_backward(g, x)
    gate = x.sigmoid()
    wave = x.exp().log1p().tanh()
    return g * (wave + x * gate * less(1.0, wave * wave))


activation(
    "mish(Tensor self) -> Tensor",
    None,
    _mish_grad,
    prepare=_prepare_mish,
    says="Return x * tanh(softplus(x)) of each element.",
    scalar="self * tanh(log1p(exp(self)))",
)
backward(
    "mish_backward(Tensor grad_output, Tensor self) -> Tensor",
    None,
    not_implemented_for("mish_backward", "grad_output", "self"),
    prepare=_prepare_mish_backward,
    meta=elementwise("common", 2, cpu={"mish_backward_cpu": NOT_REAL_FLOATING}),
    out=False,
    samples="gradient_pairs",
)

# ------------------------------------------------------------------------- softplus, log_sigmoid


@blockwise
def _prepare_softplus(x: Array, beta: Any, threshold: Any) -> Callable[..., Array]:
    factor, limit = (constant(x, number(n, x)) for n in (beta, threshold))
    exp, log1p, greater, put = np.exp, np.log1p, np.greater, putting(x)
    multiply, divide, plain = np.multiply, np.divide, factor == 1

    def kernel(x: Array, *_: Any, power: Memory = None) -> Array:
        scaled = x if plain else multiply(x, factor)
        out = exp(scaled, power)
        log1p(out, out)
        if not plain:
            divide(out, factor, out)
        put(out, greater(scaled, limit), x)
        return out

    return with_sizes(kernel, x)


#: From here on one and ``exp(-x)`` is one, in whichever way both are rounded.
_ONE_FROM: Final = {"f": 18.0, "d": 38.0}


@blockwise
def _prepare_softplus_backward(
    g: Array, x: Array, beta: Any, threshold: Any
) -> Callable[..., Array]:
    factor, limit = (constant(x, number(n, x)) for n in (beta, threshold))
    one, exp, add, divide = constant(x, 1), np.exp, np.add, np.divide
    multiply, greater, put = np.multiply, np.greater, putting(g, x)
    if number(threshold, x) >= _ONE_FROM.get(x.dtype.char, math.inf):
        minus = constant(x, -number(beta, x))

        def of_limit(g: Array, x: Array, *_: Any, gate: Memory = None, out: Memory = None) -> Array:
            gate = multiply(x, minus, gate)
            add(exp(gate, gate), one, gate)
            return divide(g, gate, out)

        return with_sizes(of_limit, g, x)

    def kernel(g: Array, x: Array, *_: Any) -> Array:
        scaled = multiply(x, factor)
        linear = greater(scaled, limit)
        exp(scaled, scaled)
        out = multiply(g, scaled)
        divide(out, add(scaled, one, scaled), out)
        put(out, linear, g)
        return out

    return with_sizes(kernel, g, x)


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
    None,
    {
        "grad_output": lambda g, c: ops.softplus_backward(g, c.self, c.beta, c.threshold),
        "self": _softplus_curvature,
    },
    prepare=_prepare_softplus_backward,
    scalar="grad_output if self * beta > threshold else grad_output * "
    "exp(self * beta) / (exp(self * beta) + 1)",
)


def _prepare_log_sigmoid(x: Array) -> Callable[..., tuple[Array, Array]]:
    absolute, negative, exp, log1p = np.abs, np.negative, np.exp, np.log1p
    smaller, subtract, nothing = np.minimum, np.subtract, zero(x.dtype)
    dense, shape = x.flags.c_contiguous and x.ndim > 0, x.shape

    def kernel(x: Array) -> tuple[Array, Array]:
        if not dense:
            x = x.reshape(shape or 1, copy=True)
        buffer = absolute(x)
        exp(negative(buffer, buffer), buffer)
        out = log1p(buffer)
        subtract(smaller(x, nothing), out, out)
        return (out, buffer) if dense else (out.reshape(shape), buffer.reshape(shape))

    return kernel


def _log_sigmoid_meta(self: Any) -> tuple[Out, Out]:
    refuse(self.dtype, {"log_sigmoid_cpu": NOT_REAL_FLOATING}, self)
    contiguous = Out(tuple(self.shape), self.dtype)
    return contiguous, contiguous


op(
    "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
    says="Return log(sigmoid(x)) of each element and a buffer for its gradient.",
    meta=_log_sigmoid_meta,
    prepare=_prepare_log_sigmoid,
    grad={"self": lambda g, c: ops.log_sigmoid_backward(g[0], c.self, c.result1)},
    module="nn",
    variants="",
    out="output",
    tags=("pointwise", "one_gradient"),
)


@blockwise
def _prepare_log_sigmoid_backward(g: Array, x: Array, buffer: Array) -> Callable[..., Array]:
    unit, nothing, less, add = constant(g, 1), zero(g.dtype), np.less, np.add
    divide, subtract, multiply, put = np.divide, np.subtract, np.multiply, putting(g, x, buffer)

    def kernel(g: Array, x: Array, buffer: Array) -> Array:
        out = add(buffer, unit)
        divide(buffer, out, out)
        put(out, less(x, nothing), subtract(unit, out))
        return multiply(out, g)

    return with_sizes(kernel, g, x, buffer)


def _log_sigmoid_backward_meta(grad_output: Any, self: Any, buffer: Any) -> Out:
    for other in (self, buffer):
        if other.dtype is not grad_output.dtype and self.device.type != "meta":
            found, wanted = scalar_name(grad_output.dtype), scalar_name(other.dtype)
            raise RuntimeError(f"Found dtype {found} but expected {wanted}")
    refuse(grad_output.dtype, {"log_sigmoid_backward_cpu": NOT_REAL_FLOATING}, self)
    return empty_like_out(grad_output)


def _log_sigmoid_curvature(g: Any, c: Any) -> Any:
    gate = c.self.sigmoid()
    return g * c.grad_output * ((gate - 1) * gate)


op(
    "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
    meta=_log_sigmoid_backward_meta,
    prepare=_prepare_log_sigmoid_backward,
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
