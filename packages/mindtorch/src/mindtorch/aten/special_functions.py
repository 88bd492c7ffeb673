"""Special functions of one tensor: error functions, gamma functions, sigmoid, logit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from ..call.elementwise_meta import COMPLEX, NOT_REAL_FLOATING, elementwise
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import conj, ops
from . import special
from .activation_row import Memory, constant, with_sizes
from .blocks import blockwise
from .derivatives import not_implemented_for
from .reflected import constant_of, differentiated, less, zeros_of
from .unary import Array, unary

unary(
    "erf",
    None,
    lambda g, c: 2.0 / math.sqrt(math.pi) * (-(c.self.pow(2))).exp() * g,
    prepare=special.prepare_erf,
    lacks=COMPLEX,
    cpu="erf_vml_cpu",
    says="Return the error function of each element.",
    scalar="erf(self)",
)
unary(
    "erfc",
    None,
    lambda g, c: -2.0 / math.sqrt(math.pi) * (-(c.self.pow(2))).exp() * g,
    prepare=special.from_scipy("erfc"),
    lacks=COMPLEX,
    cpu="erfc_vml_cpu",
    says="Return one minus the error function of each element, accurate for large elements.",
    scalar="erfc(self)",
)
unary(
    "erfinv",
    None,
    lambda g, c: 0.5 * math.sqrt(math.pi) * c.self.erfinv().pow(2).exp() * g,
    prepare=special.prepare_erfinv,
    lacks=COMPLEX,
    cpu="erfinv_vml_cpu",
    samples="unary_unit",
    says="Return the inverse of the error function for each element.",
    autocast=("", "float32"),
)
unary(
    "lgamma",
    None,
    lambda g, c: g * ops.digamma(c.self),
    prepare=special.prepare_lgamma,
    lacks=COMPLEX,
    cpu="lgamma_vml_cpu",
    samples="unary_positive",
    says="Return the logarithm of the absolute value of the gamma function.",
    scalar="inf if isinf(self) else gammaln(self)",
)
unary(
    "digamma",
    None,
    lambda g, c: g * ops.polygamma(1, c.self),
    prepare=special.from_scipy("psi"),
    lacks=COMPLEX,
    cpu="digamma",
    samples="unary_positive",
    says="Return the logarithmic derivative of the gamma function.",
)


def _check_polygamma(n: int, self: Any) -> None:
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")


def _polygamma_meta(n: int, self: Any) -> Out:
    _check_polygamma(n, self)
    kernel = ("digamma", "trigamma")[n] if n < 2 else "polygamma"
    return elementwise("float", 1, cpu={kernel: COMPLEX})(self)


op(
    "polygamma(int n, Tensor self) -> Tensor",
    says="Return the n-th derivative of the digamma function.",
    meta=_polygamma_meta,
    prepare=special.prepare_polygamma,
    promote="float",
    grad={"self": lambda g, c: g * ops.polygamma(c.n + 1, c.self)},
    out=True,
    samples="polygamma",
    tags=("pointwise",),
)


def _prepare_polygamma_of(self: Array, n: int) -> Callable[[Array, int], Array]:
    kernel = special.prepare_polygamma(n, self)
    return lambda self, n: kernel(n, self)


op(
    "polygamma_(Tensor(a!) self, int n) -> Tensor(a!)",
    meta=lambda self, n: _polygamma_meta(n, self),
    prepare=_prepare_polygamma_of,
    promote="float",
    variants="method",
    grad={"self": lambda g, c: g * ops.polygamma(c.n + 1, c.self)},
    samples="polygamma_in_place",
    tags=("pointwise", "loops: inplace"),
    node=1,
)


@blockwise
def _prepare_sigmoid(x: Array) -> Callable[..., Array]:
    one, exp, negative, divide, add = constant(x, 1), np.exp, np.negative, np.divide, np.add

    def kernel(x: Array, *, power: Memory = None, out: Memory = None) -> Array:
        power = negative(x, power)
        return divide(one, add(exp(power, power), one, power), out)

    return with_sizes(kernel, x)


unary(
    "sigmoid",
    None,
    lambda g, c: ops.sigmoid_backward(g, c.result),
    prepare=_prepare_sigmoid,
    says="Return the logistic function 1 / (1 + exp(-x)) of each element.",
    scalar="1 / (1 + exp(-self))",
)


@blockwise
def _prepare_sigmoid_backward(g: Array, result: Array) -> Callable[..., Array]:
    one, subtract, multiply = constant(result, 1), np.subtract, np.multiply
    if g.dtype.kind == "c":
        return lambda g, result: g * np.conjugate((1 - result) * result)
    if g.shape != result.shape or not g.ndim:
        return lambda g, result: g * (1 - result) * result

    def kernel(g: Array, result: Array, *, slope: Memory = None, out: Memory = None) -> Array:
        slope = subtract(one, result, slope)
        return multiply(multiply(g, slope, slope), result, out)

    return kernel


@blockwise
def _prepare_tanh_backward(g: Array, result: Array) -> Callable[..., Array]:
    one, subtract, multiply = constant(result, 1), np.subtract, np.multiply
    if g.dtype.kind == "c":
        return lambda g, result: g * np.conjugate(1 - result * result)
    if g.shape != result.shape or not g.ndim:
        return lambda g, result: g * (1 - result * result)

    def kernel(g: Array, result: Array, *, slope: Memory = None, out: Memory = None) -> Array:
        slope = multiply(result, result, slope)
        return multiply(g, subtract(one, slope, slope), out)

    return kernel


def _sigmoid_output_grad(g: Any, c: Any) -> Any:
    slope = -2 * conj(c.output) + 1
    return conj(g) * c.grad_output * slope


def _tanh_output_grad(g: Any, c: Any) -> Any:
    slope = -2 * conj(c.output) * c.grad_output
    return conj(g) * slope


op(
    "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
    meta=elementwise("common", 2),
    prepare=_prepare_sigmoid_backward,
    promote="common",
    module="nn",
    grad={
        "grad_output": lambda g, c: ops.sigmoid_backward(g, conj(c.output)),
        "output": _sigmoid_output_grad,
    },
    variants="",
    out=OutForm("grad_input", dtype="same"),
    samples="",
    tags=("pointwise",),
    scalar="grad_output * (1 - output) * output",
)
op(
    "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
    meta=elementwise("common", 2),
    prepare=_prepare_tanh_backward,
    promote="common",
    module="nn",
    grad={
        "grad_output": lambda g, c: ops.tanh_backward(g, conj(c.output)),
        "output": _tanh_output_grad,
    },
    variants="",
    out=OutForm("grad_input", dtype="same"),
    samples="",
    tags=("pointwise",),
    scalar="grad_output * (1 - output * output)",
)


def _logit_meta(self: Any, eps: float | None) -> Out:
    return elementwise("float", 1, cpu={"logit_cpu": COMPLEX})(self)


def _prepare_logit(x: Array, eps: float | None) -> Callable[..., Array]:
    dtype = get_default_dtype().np if x.dtype.kind in "iub" else x.dtype
    one, cast = np.array(1, dtype), x.dtype != dtype
    log, divide, subtract = np.log, np.divide, np.subtract

    def kernel(x: Array, eps: float | None) -> Array:
        if cast:
            x = x.astype(dtype)
        return log(divide(x, subtract(one, x)))

    if eps is None:
        return kernel
    low = np.array(eps, dtype)
    high = one - low

    def limited(x: Array, eps: float | None) -> Array:
        within = np.asarray(np.minimum(x, high))
        np.copyto(within, low, where=x < low)
        return kernel(within, eps)

    return limited


def _logit_grad(g: Any, c: Any) -> Any:
    if not differentiated(g, c.self):
        return ops.logit_backward(g, c.self, c.eps)
    x, low = c.self, 0.0 if c.eps is None else c.eps
    outside = constant_of(x, math.nan) if c.eps is None else zeros_of(x, ())
    slope = g / (x * less(1.0, x))
    below = x <= 1.0 - low
    return ops.where((x >= low).logical_and(below), slope, outside)


def _prepare_logit_backward(g: Array, x: Array, eps: float | None) -> Callable[..., Array]:
    one, outside = np.array(1, x.dtype), np.array(0, x.dtype)
    if eps is None or eps < 0:
        eps, outside = 0.0, np.array(math.nan, x.dtype)
    low, high = np.array(eps, x.dtype), np.array(1 - eps, x.dtype)
    subtract, multiply, divide, asarray = np.subtract, np.multiply, np.divide, np.asarray
    less, greater, either, copyto = np.less, np.greater, np.logical_or, np.copyto

    def kernel(g: Array, x: Array, eps: float | None) -> Array:
        slope = asarray(divide(g, multiply(x, subtract(one, x))))
        copyto(slope, outside, where=either(less(x, low), greater(x, high)))
        return slope

    return kernel


op(
    "logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor",
    meta=elementwise("common", 2, cpu={"logit_backward_cpu": NOT_REAL_FLOATING}),
    prepare=_prepare_logit_backward,
    promote="common",
    grad=not_implemented_for("logit_backward", "grad_output", "self"),
    module="nn",
    variants="",
    out=OutForm("grad_input", meta="native"),
    samples="logit_backward",
    tags=("pointwise",),
)
op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    says="""Return log(x / (1 - x)) of each element, which eps keeps away from 0 and 1.

    >>> torch.logit(torch.tensor([0.5]))
    tensor([0.])
    """,
    meta=_logit_meta,
    prepare=_prepare_logit,
    half=False,  # torch rounds each step
    promote="float",
    grad={"self": _logit_grad},
    inplace=True,
    out=OutForm(direct=True),
    samples="logit",
    tags=("pointwise",),
)
