"""How a number drawn from a gamma distribution moves with the distribution's parameter.

Source of the approximations and their constants: torch aten/src/ATen/native/Distributions.h,
standard_gamma_grad.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, broadcast_shapes, refuse, warn_outgrown
from ..call.row import Out, op
from ..core.dims import scalar_name
from .derivatives import no_formula_for
from .special import loaded

Array = np.ndarray[Any, Any]

__all__ = ["by_region"]

_NO_FLOATS = INTEGRAL | BOOL | COMPLEX | frozenset({"float16", "bfloat16"})
#: Of a rational function of ``log(x / alpha)`` and ``log(alpha)``: the numerator's and the
#: denominator's, by powers of the first, then of the second.
_RATIONAL = np.array(
    [
        [0.16009398, -0.094634809, 0.025146376, -0.0030648343,
         1, 0.32668115, 0.10406089, 0.0014179084],
        [0.53487893, 0.1298071, 0.065735949, -0.0015649758,
         0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
        [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777,
         0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07],
    ]
).reshape(3, 2, 4).transpose(1, 0, 2).reshape(2, 12)  # fmt: skip
# torch compares with floats of single precision.
_SMALL, _FROM, _TO = (np.array(np.float32(limit), np.float64) for limit in (0.8, 0.9, 1.1))
# Numbers as arrays, which ufuncs take sooner.
_0, _1, _2, _6, _8, _12, _24, _53, _65, _107, _120, _1440, _3600, _1244160, _POWER, _INFINITE = (
    np.array(float(number))
    for number in (
        *(0, 1, 2, 6, 8, 12, 24, 53, 65, 107, 120, 1440, 3600, 1244160),
        *(-1.5, np.inf),
    )
)
#: The region of a number by the bits small, large, near, in the order in which they are tried.
_REGIONS = np.array([0 if i & 1 else (1 if i & 4 else 2) if i & 2 else 3 for i in range(8)])
_BITS = np.array([1, 2, 4], np.int8)


def by_region(region: Array, parts: Sequence[Callable[..., Array]], *operands: Array) -> Array:
    """Each number by the part whose place *region* says: float64, in one dimension."""
    order = region.argsort(kind="stable")
    ends = np.add.accumulate(np.bincount(region, minlength=len(parts))).tolist()
    operands = tuple([a.take(order) for a in operands])
    sorted_ = np.empty(region.shape)
    start = 0
    for part, end in zip(parts, ends, strict=True):
        if end > start:
            sorted_[start:end] = part(*[a[start:end] for a in operands])
        start = end
    out = np.empty(region.shape)
    out[order] = sorted_
    return out


#: Of the Taylor series: what is added to the parameter, and what each number is divided by.
_STEPS = np.arange(6.0)[:, None]
_DIVISORS = -np.maximum(_STEPS, 1)


def _small(alpha: Array, x: Array) -> Array:
    """A Taylor series in *x*."""
    numerators = x / _DIVISORS
    numerators[0] = 1
    np.multiply.accumulate(numerators, 0, out=numerators)
    denominators = alpha + _STEPS
    numerators /= denominators
    first = np.add.reduce(numerators, 0)
    numerators /= denominators
    second = np.add.reduce(numerators, 0)
    power = np.power(x, alpha)
    density = np.power(x, alpha - _1) * np.exp(-x)
    psi = loaded("psi")(alpha)
    np.putmask(psi, alpha == _0, _INFINITE)  # torch's digamma_one has no sign at 0
    by_alpha = (np.log(x) - psi) * (power * first) - power * second
    slope = -by_alpha / density
    np.putmask(slope, np.isnan(slope), _0)
    return slope


def _near(alpha: Array, x: Array) -> Array:
    """A large parameter, and a number close to it."""
    square = alpha * alpha
    one = _1 + _24 * alpha * (_1 + _12 * alpha)
    two = _1440 * square + _6 * x * (_53 - _120 * x) - _65 * x * x / alpha
    two += alpha * (_107 + _3600 * x)
    return one * two / (_1244160 * square * square)


def _far(alpha: Array, x: Array) -> Array:
    """A large parameter, and a number away from it: Rice's saddle point expansion."""
    bottom = np.sqrt(_8 * alpha)
    ratio = np.log(x / alpha)
    under = alpha - x
    two = bottom / under
    three = np.power(x - alpha - alpha * ratio, _POWER)
    both = two - np.copysign(three, under)
    one = ratio * both - np.sqrt(_2 / alpha) * (alpha + x) / (under * under)
    stirling = _1 + _1 / (_12 * alpha) * (_1 + _1 / (_24 * alpha))
    return -stirling * (x * one) / bottom


def _powers(x: Array, count: int) -> Array:
    """The first powers of *x*, from 0 on, as rows."""
    found = np.empty((count, x.size))
    found[0] = _1
    found[1] = x
    for i in range(2, count):
        np.multiply(found[i - 1], x, found[i])
    return found


def _middling(alpha: Array, x: Array) -> Array:
    terms = _powers(np.log(x / alpha), 3)[:, None] * _powers(np.log(alpha), 4)
    top, bottom = _RATIONAL.dot(terms.reshape(12, -1))
    return np.exp(top / bottom)


def _prepare(alpha: Array, x: Array) -> Callable[[Array, Array], Array]:
    dtype, shape = alpha.dtype, np.broadcast_shapes(alpha.shape, x.shape)
    double = np.dtype(np.float64)

    def wide(a: Array) -> Array:
        return (a if a.shape == shape else np.broadcast_to(a, shape)).astype(double).reshape(-1)

    def kernel(alpha: Array, x: Array) -> Array:
        alpha, x = wide(alpha), wide(x)
        facts = np.empty((3, x.size), bool)
        np.less(x, _SMALL, facts[0])
        np.greater(alpha, _8, facts[1])
        np.logical_and(alpha * _FROM <= x, x <= alpha * _TO, facts[2])
        region = _REGIONS.take(_BITS.dot(facts.view(np.int8)))
        return by_region(region, _PARTS, alpha, x).astype(dtype).reshape(shape)

    return kernel


_PARTS = (_small, _near, _far, _middling)


def _meta(self: Any, output: Any) -> Out:
    if output.dtype is not self.dtype:
        raise RuntimeError(
            f"Found dtype {scalar_name(output.dtype)} but expected {scalar_name(self.dtype)}"
        )
    refuse(self.dtype, {"_standard_gamma_grad_cpu": _NO_FLOATS}, self)
    return Out(broadcast_shapes(tuple(self.shape), tuple(output.shape)), self.dtype)


op(
    "_standard_gamma_grad(Tensor self, Tensor output) -> Tensor",
    meta=_meta,
    prepare=_prepare,
    grad=no_formula_for("_standard_gamma_grad", "self"),
    variants="function",
    samples="gamma_slope",
    warns=lambda self, output: warn_outgrown(self.shape, output.shape),
    tags=("not_on_meta", "loops: functional"),
    tangent="not implemented",
)
