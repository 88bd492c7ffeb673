"""Elementwise functions of two tensors beyond arithmetic: maximum, atan2, hypot, xlogy, …"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any

import numpy as np

from ..call.elementwise_meta import (
    COMPLEX,
    NOT_FLOATING,
    NOT_REAL_FLOATING,
    UNSIGNED,
    common_dtype,
    elementwise,
)
from ..call.forms import DeviceRule, OutForm
from ..call.row import op
from ..core.operators import conj, of, ops
from . import device_rules
from .activation_row import with_sizes
from .blocks import blockwise
from .derivatives import not_implemented_for
from .reflected import zeros_of
from .special import with_number
from .tangent_rules import halved, of_larger, unless_nan

Array = np.ndarray[Any, Any]


def no_complex(name: str) -> Callable[..., None]:
    """A check that refuses complex arguments of *name*."""

    def check(self: Any, other: Any) -> None:
        if common_dtype(self, other).is_complex:
            raise RuntimeError(f"{name} not implemented for complex tensors.")

    return check


def _split_ties(g: Any, a: Any, b: Any, loses: Any) -> Any:
    half = g / 2
    return ops.where(a == b, half, g).masked_fill_(loses(a, b), 0)


def _is_taken(a: Any, b: Any, wins: Any) -> Any:
    """Where ``fmax`` or ``fmin`` takes *a*: it wins, or *b* is no number."""
    return wins(a, b).logical_or_(b.isnan())


for _name, _ufunc, _grad, _tangent, _says in (
    (
        "maximum",
        np.maximum,
        {
            "self": lambda g, c: _split_ties(g, c.self, c.other, lt),
            "other": lambda g, c: _split_ties(g, c.self, c.other, gt),
        },
        of_larger(halved(lambda x, y: ops.gt(x, y))),
        "Return the larger of two elements, NaN if one of them is.",
    ),
    (
        "minimum",
        np.minimum,
        {
            "self": lambda g, c: _split_ties(g, c.self, c.other, gt),
            "other": lambda g, c: _split_ties(g, c.self, c.other, lt),
        },
        of_larger(halved(lambda x, y: ops.lt(x, y))),
        "Return the smaller of two elements, NaN if one of them is.",
    ),
    (
        "fmax",
        np.fmax,
        {
            "self": lambda g, c: g.masked_fill(_is_taken(c.self, c.other, ge).logical_not_(), 0),
            "other": lambda g, c: g.masked_fill(_is_taken(c.self, c.other, ge), 0),
        },
        of_larger(unless_nan(lambda x, y: ops.gt(x, y))),
        "Return the larger of two elements, ignoring NaN where the other is a number.",
    ),
    (
        "fmin",
        np.fmin,
        {
            "self": lambda g, c: g.masked_fill(_is_taken(c.self, c.other, le).logical_not_(), 0),
            "other": lambda g, c: g.masked_fill(_is_taken(c.self, c.other, le), 0),
        },
        of_larger(unless_nan(lambda x, y: ops.le(x, y))),
        "Return the smaller of two elements, ignoring NaN where the other is a number.",
    ),
):
    _cpu = "maximum_cpu" if "max" in _name else "minimum_cpu"
    op(
        f"{_name}(Tensor self, Tensor other) -> Tensor",
        says=_says,
        meta=elementwise("common", 2, cpu={_cpu: UNSIGNED}, check=no_complex(_name)),
        ufunc=_ufunc,
        promote="common",
        grad=_grad,
        out=True,
        tangent=_tangent,
        samples="binary_ties",
        tags=("pointwise",),
    )


def _atan2_grads(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, atan2_backward."""
    y, x = c.self, c.other
    second = x * x
    square = y * y + second
    scale = square.reciprocal()
    scale = scale.masked_fill(square == 0, 0)
    to_y, to_x = c.mask
    by_y = g * x * scale if to_y else None
    return by_y, g * -y * scale if to_x else None


op(
    "atan2(Tensor self, Tensor other) -> Tensor",
    says="""Return the angle of the point (other, input) in the plane, in radians.

    >>> torch.atan2(torch.tensor([1., -1.]), torch.tensor([0., 0.]))
    tensor([ 1.5708, -1.5708])
    """,
    meta=elementwise("float", 2, cpu={"atan2_cpu": COMPLEX}),
    ufunc=np.arctan2,
    promote="float",
    grad={"self, other": _atan2_grads},
    inplace=True,
    out=True,
    samples="binary",
    tags=("pointwise",),
    autocast=("", "promote"),
)


def _hypot_by_double(a: Array, b: Array) -> Array:
    """The same as ``np.hypot`` of single precision, whose squares double holds exactly."""
    squares = np.square(a, dtype=np.float64)
    squares += np.square(b, dtype=np.float64)
    if not squares.max() < np.inf:  # infinity beside NaN is infinity
        return np.hypot(a, b)
    return np.sqrt(squares, squares).astype(np.float32)


@blockwise
def _prepare_hypot(a: Array, b: Array) -> Callable[[Array, Array], Array]:
    many = a.dtype.char == "f" and a.size > 512 and a.shape == b.shape
    return _hypot_by_double if many else np.hypot


op(
    "hypot(Tensor self, Tensor other) -> Tensor",
    says="""Return the length of the hypotenuse over two legs.

    >>> torch.hypot(torch.tensor([3.]), torch.tensor([4.]))
    tensor([5.])
    """,
    meta=elementwise("common", 2, cpu={"hypot_cpu": NOT_REAL_FLOATING}),
    ufunc=np.hypot,
    prepare=_prepare_hypot,
    promote="common",
    grad={
        "self": lambda g, c: g * c.self / c.result,
        "other": lambda g, c: g * c.other / c.result,
    },
    inplace=True,
    out=True,
    samples="binary",
    tags=("pointwise", "loops: inplace"),
)


def _logaddexp(a: Array, b: Array) -> Array:
    if a.dtype.kind != "c":
        # numpy's own calls the C library for each number: that takes eight times as long.
        apart = np.asarray(np.subtract(a, b))
        np.negative(np.abs(apart, apart), apart)
        np.log1p(np.exp(apart, apart), apart)
        apart += np.maximum(a, b)
        if not np.isfinite(apart).all():
            np.copyto(apart, a, where=(a == b) & np.isinf(a))
        return apart
    low, high = np.where(a.real < b.real, a, b), np.where(a.real < b.real, b, a)
    return high + np.log1p(np.exp(low - high))


op(
    "logaddexp(Tensor self, Tensor other) -> Tensor",
    says="Return log(exp(x) + exp(y)) of two elements without overflow.",
    meta=elementwise("common", 2, cpu={"logaddexp_cpu": NOT_FLOATING}),
    kernel=_logaddexp,
    promote="common",
    grad={
        "self": lambda g, c: g / conj(1 + ops.exp(c.other - c.self)),
        "other": lambda g, c: g / conj(1 + ops.exp(c.self - c.other)),
    },
    out=True,
    samples="binary",
    tags=("pointwise",),
    scalar="self + log(2) if self == other else self + log1p(exp(other - self)) "
    "if self > other else other + log1p(exp(self - other))",
)
op(
    "logaddexp2(Tensor self, Tensor other) -> Tensor",
    says="Return log2(2 ** x + 2 ** y) of two elements without overflow.",
    meta=elementwise("common", 2, cpu={"logaddexp2_cpu": NOT_FLOATING | COMPLEX}),
    ufunc=np.logaddexp2,
    promote="common",
    grad={
        "self": lambda g, c: g / (1 + of("pow.Scalar")(2, c.other - c.self)),
        "other": lambda g, c: g / (1 + of("pow.Scalar")(2, c.self - c.other)),
    },
    out=True,
    samples="binary",
    tags=("pointwise",),
)


def _prepare_xlogy(a: Array, b: Array) -> Callable[[Array, Array], Array]:
    zero, size = np.zeros((), a.dtype), a.size
    log, multiply, copy, count = np.log, np.multiply, np.copyto, np.count_nonzero

    def kernel(a: Array, b: Array) -> Array:
        out = multiply(a, log(b))
        if count(a) < size:
            copy(out, zero, "no", (a == zero) & (b == b))
        return out

    return with_sizes(kernel, a, b)


_XLOGY_META = elementwise("float", 2, cpu={"xlogy_cpu": COMPLEX})


def _xlogy_back(g: Any, x: Any, other: Any) -> Any:
    back = ops.xlogy(g, other)
    below = other <= 0.0
    return back.masked_fill((x == 0.0) & below, 0.0)


op(
    "xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
    says="""Return x * log(y), zero where x is zero.

    >>> torch.xlogy(torch.tensor([0., 2.]), torch.tensor([0., 1.]))
    tensor([0., 0.])
    """,
    meta=_XLOGY_META,
    prepare=_prepare_xlogy,
    promote="float",
    grad={
        "self": lambda g, c: _xlogy_back(g, c.self, c.other),
        "other": lambda g, c: g * c.self / c.other,
    },
    inplace=True,
    out="OutTensor",
    samples="binary_positive",
    tags=("pointwise", "loops: inplace"),
    scalar="nan if isnan(other) else 0 if self == 0 else self * log(other)",
)
op(
    "xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor",
    meta=_XLOGY_META,
    prepare=with_number(_prepare_xlogy),
    grad={"other": lambda g, c: g * c.self / c.other},
    variants="function",
    out=OutForm("OutScalar_Self", dtype="cast"),
    samples="number_binary",
    tags=("pointwise",),
    scalar="nan if isnan(other) else 0 if self == 0 else self * log(other)",
    node=1,
)
op(
    "xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor",
    meta=_XLOGY_META,
    prepare=with_number(_prepare_xlogy),
    grad={
        "self": lambda g, c: (
            of("xlogy.Scalar_Other")(g, c.other)
            if c.other > 0
            else of("xlogy.Scalar_Other")(g, c.other).masked_fill(c.self == 0, 0)
        )
    },
    inplace=True,
    out=OutForm("OutScalar_Other", dtype="cast"),
    samples="binary_number",
    tags=("pointwise", "loops: inplace"),
    scalar="nan if isnan(other) else 0 if self == 0 else self * log(other)",
    node=2,
)


def _copysign_grad(g: Any, self: Any, result: Any) -> Any:
    ratio = result / self
    return g * ratio.masked_fill_(self == 0, 0)


_COPYSIGN_META = elementwise("float", 2, cpu={"copysign_cpu": COMPLEX})
op(
    "copysign.Tensor(Tensor self, Tensor other) -> Tensor",
    says="""Return the magnitude of the first operand with the sign of the second.

    >>> torch.copysign(torch.tensor([1., 2.]), torch.tensor([-3., 4.]))
    tensor([-1.,  2.])
    """,
    meta=_COPYSIGN_META,
    ufunc=np.copysign,
    promote="float",
    grad={
        "self": lambda g, c: _copysign_grad(g, c.self, c.result),
        "other": lambda g, c: zeros_of(g, tuple(c.other.shape)),
    },
    inplace=True,
    out=True,
    samples="binary",
    tags=("pointwise",),
    devices=DeviceRule(meta=device_rules.of_divisor),
)
op(
    "copysign.Scalar(Tensor self, Scalar other) -> Tensor",
    meta=_COPYSIGN_META,
    prepare=with_number(lambda a, b: np.copysign),
    grad={"self": lambda g, c: _copysign_grad(g, c.self, c.result)},
    inplace=True,
    out=OutForm("Scalar_out", dtype="cast"),
    samples="binary_number",
    tags=("pointwise",),
    scalar="copysign(self, other)",
    node=1,
)


def _check_heaviside(self: Any, values: Any) -> None:
    if self.dtype.is_complex or values.dtype.is_complex:
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if self.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


def _prepare_heaviside(x: Array, values: Array) -> Callable[[Array, Array], Array]:
    dtype, zero = x.dtype, np.zeros((), x.dtype)
    shape = np.broadcast_shapes(x.shape, values.shape)
    spread = None if shape == x.shape else np.broadcast_to
    greater, equal, copy = np.greater, np.equal, np.copyto

    def kernel(x: Array, values: Array) -> Array:
        if spread is not None:
            x = spread(x, shape)
        out = greater(x, zero).astype(dtype)
        copy(out, values, "no", equal(x, zero))
        return out

    return with_sizes(kernel, x, values)


op(
    "heaviside(Tensor self, Tensor values) -> Tensor",
    says="""Return the step function: 0 below zero, 1 above it, values at zero.

    >>> torch.heaviside(torch.tensor([-1., 0., 2.]), torch.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """,
    meta=elementwise("common", 2, cpu={"heaviside_cpu": UNSIGNED}, check=_check_heaviside),
    prepare=_prepare_heaviside,
    promote="common",
    inplace=True,
    out=OutForm(text="heaviside is not yet implemented for tensors with different dtypes."),
    grad=not_implemented_for("heaviside", "self", "values"),
    inplace_grad=not_implemented_for("heaviside_", "self", "values"),
    samples="binary",
    tags=("pointwise", "loops: inplace"),
    scalar="values if self == 0 else self > 0",
)
