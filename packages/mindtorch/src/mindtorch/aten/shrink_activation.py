"""Activations that cut off the middle (``hardshrink``, ``softshrink``) or half (``glu``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import output_layout
from mindtorch_storage.dtype import float64

from ..call.elementwise_meta import NOT_REAL_FLOATING, not_implemented, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.operators import ops
from ..functionality.formulas import zeros
from .activation_row import Array, activation, backward, constant, with_sizes, zero_where
from .blocks import blockwise, bound
from .scalars import checked


def _prepare_cut(g: Array, x: Array, lambd: Any) -> Callable[..., Array]:
    limit, absolute, within = np.array(lambd, x.dtype), np.abs, np.less_equal
    return lambda g, x, lambd: zero_where(within(absolute(x), limit), g)


def _prepare_hardshrink(x: Array, lambd: Any) -> Callable[..., Array]:
    cut = _prepare_cut(x, x, lambd)
    return lambda x, lambd: cut(x, x, lambd)


def _check_hardshrink(self: Any, lambd: Any) -> None:
    if type(lambd) is complex:
        checked(lambd, self.dtype)


activation(
    "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
    None,
    lambda g, c: ops.hardshrink_backward(g, c.self, c.lambd),
    prepare=_prepare_hardshrink,
    check=_check_hardshrink,
    module="",
    inplace=False,
    variants="function, method",
    samples="shrink",
    says="Replace elements within lambd of zero by zero.",
    scalar="0 if -lambd <= self <= lambd else self",
)
backward(
    "hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor",
    None,
    {
        "grad_out": lambda g, c: ops.hardshrink_backward(g, c.self, c.lambd),
        "self": zeros,
    },
    prepare=_prepare_cut,
    out=OutForm("grad_input", meta="native"),
    scalar="0 if -lambd <= self <= lambd else grad_out",
)


@blockwise
def _prepare_softshrink(x: Array, lambd: Any) -> Callable[..., Array]:
    high, low = bound(x, lambd), bound(x, -lambd)
    larger, smaller, subtract, signed = np.maximum, np.minimum, np.subtract, np.copysign

    def kernel(x: Array, lambd: Any) -> Array:
        out = larger(x, low)
        smaller(out, high, out=out)
        subtract(x, out, out)  # of an infinite number within the limits, NaN
        return signed(out, x, out)

    return with_sizes(kernel, x)


_LARGEST = {"float32": 3.40282e38, "float64": 1.79769e308, "float16": 65504, "bfloat16": 3.38953e38}


def _check_softshrink(self: Any, lambd: Any) -> None:
    """Source: torch aten/src/ATen/native/Activation.cpp, softshrink_check."""
    refuse(self.dtype, {"softshrink_check": NOT_REAL_FLOATING}, self)
    if type(lambd) is complex:
        checked(lambd, float64)
    if self.dtype.name not in _LARGEST:
        raise not_implemented("softshrink_check", self.dtype)
    largest = _LARGEST[self.dtype.name]
    if not 0 <= lambd <= largest:
        raise RuntimeError(
            f"lambda must be in range [0, {largest:g}] for input dtype {self.dtype.scalar_type}, "
            f"but found {lambd:g}"
        )


activation(
    "softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
    None,
    lambda g, c: ops.softshrink_backward(g, c.self, c.lambd),
    prepare=_prepare_softshrink,
    check=_check_softshrink,
    inplace=False,
    samples="shrink",
    says="Move elements towards zero by lambd, those within it to zero.",
    scalar="self - lambd if self > lambd else self + lambd if self < -lambd else self * 0",
)
backward(
    "softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor",
    None,
    {
        "grad_output": lambda g, c: ops.softshrink_backward(g, c.self, c.lambd),
        "self": zeros,
    },
    prepare=_prepare_cut,
    out=OutForm("grad_input", meta="native"),
    scalar="0 if -lambd <= self <= lambd else grad_output",
)


def _glu_meta(self: Any, dim: int) -> Out:
    """Source: torch aten/src/ATen/native/GatedLinearUnit.cpp."""
    shape = list(self.shape)
    if not shape:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    d = wrap_dim(dim, len(shape))
    if shape[d] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {shape[d]}")
    shape[d] //= 2
    refuse(self.dtype, {"glu_cpu": NOT_REAL_FLOATING}, self)
    half = tuple(shape)
    # Both halves are views with the strides of the whole.
    strides = output_layout.elementwise_strides(half, [(half, tuple(self.stride()))])
    return Out(half, self.dtype, strides)


def _halves(x: Array, dim: int) -> tuple[Any, Any]:
    """The places of both."""
    d = wrap_dim(dim, x.ndim)
    middle, before = x.shape[d] // 2, (slice(None),) * d
    return (*before, slice(0, middle)), (*before, slice(middle, None))


def _gating(x: Array) -> Callable[[Array], Array]:
    """What takes the sigmoid of arrays like a half of *x*."""
    one, negative, exp, add, reciprocal = (
        constant(x, 1), np.negative, np.exp, np.add, np.reciprocal
    )  # fmt: skip

    def gate(b: Array) -> Array:
        out = negative(b, order="C")
        return reciprocal(add(exp(out, out), one, out), out)

    return gate


def _prepare_glu(x: Array, dim: int) -> Callable[..., Array]:
    first, second = _halves(x, dim)
    gate, multiply = _gating(x), np.multiply

    def kernel(x: Array, dim: int) -> Array:
        out = gate(x[second])
        return multiply(x[first], out, out)

    return kernel


def _prepare_glu_backward(g: Array, x: Array, dim: int) -> Callable[..., Array]:
    first, second = _halves(x, dim)
    gate, multiply, subtract, one = _gating(x), np.multiply, np.subtract, constant(x, 1)
    shape, dtype, empty = x.shape, x.dtype, np.empty

    def kernel(g: Array, x: Array, dim: int) -> Array:
        out, gates = empty(shape, dtype), gate(x[second])
        pulled = multiply(gates, g, out[first])
        slope = subtract(one, gates, gates)
        multiply(slope, x[first], slope)
        multiply(pulled, slope, out[second])
        return out

    return kernel


def _glu_slope(g: Any, c: Any) -> Any:
    """The gradient of the gradient's own gradient: the halves of *g*, gated."""
    a, b = c.self.chunk(2, c.dim)
    ga, gb = g.chunk(2, c.dim)
    gate = b.sigmoid()
    return ga * gate + gb * (1 - gate) * gate * a


def _glu_twice(g: Any, c: Any) -> Any:
    a, b = c.self.chunk(2, c.dim)
    ga, gb = g.chunk(2, c.dim)
    gate = b.sigmoid()
    slope = (1 - gate) * gate
    by_a = gb * slope * c.grad_output
    by_b = (ga + gb * a * (1 - 2 * gate)) * slope * c.grad_output
    return ops.cat((by_a, by_b), c.dim)


op(
    "glu(Tensor self, int dim=-1) -> Tensor",
    says="Split a dimension in halves and multiply the first by the sigmoid of the second.",
    meta=_glu_meta,
    prepare=_prepare_glu,
    grad={"self": lambda g, c: ops.glu_backward(g, c.self, c.dim)},
    module="nn",
    variants="function",
    out=OutForm(dtype="cast", overlap="first"),
    samples="glu",
)
op(
    "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor",
    meta=lambda grad_output, self, dim: Out(tuple(self.shape), self.dtype),
    prepare=_prepare_glu_backward,
    grad={"grad_output": _glu_slope, "self": _glu_twice},
    variants="",
)
