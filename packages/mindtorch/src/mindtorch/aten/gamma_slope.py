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
_EXPONENTS = np.arange(4.0)[:, None]
# torch compares with floats of single precision.
_SMALL, _FROM, _TO = (float(np.float32(limit)) for limit in (0.8, 0.9, 1.1))


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
    density = np.power(x, alpha - 1) * np.exp(-x)
    psi = loaded("psi")(alpha)
    np.copyto(psi, np.inf, where=alpha == 0)  # torch's digamma_one has no sign at 0
    by_alpha = (np.log(x) - psi) * (power * first) - power * second
    slope = -by_alpha / density
    np.copyto(slope, 0, where=np.isnan(slope))
    return slope


def _near(alpha: Array, x: Array) -> Array:
    """A large parameter, and a number close to it."""
    square = alpha * alpha
    one = 1 + 24 * alpha * (1 + 12 * alpha)
    two = 1440 * square + 6 * x * (53 - 120 * x) - 65 * x * x / alpha + alpha * (107 + 3600 * x)
    return one * two / (1244160 * square * square)


def _far(alpha: Array, x: Array) -> Array:
    """A large parameter, and a number away from it: Rice's saddle point expansion."""
    bottom = np.sqrt(8 * alpha)
    ratio = np.log(x / alpha)
    two = bottom / (alpha - x)
    three = np.power(x - alpha - alpha * ratio, -1.5)
    both = np.where(x < alpha, two - three, two + three)
    one = ratio * both - np.sqrt(2 / alpha) * (alpha + x) / ((alpha - x) * (alpha - x))
    stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha))
    return -stirling * (x * one) / bottom


def _middling(alpha: Array, x: Array) -> Array:
    u, v = np.log(x / alpha), np.log(alpha)
    terms = np.power(u, _EXPONENTS[:3])[:, None] * np.power(v, _EXPONENTS)
    top, bottom = _RATIONAL.dot(terms.reshape(12, -1))
    return np.exp(top / bottom)


def _prepare(alpha: Array, x: Array) -> Callable[[Array, Array], Array]:
    dtype, shape = alpha.dtype, np.broadcast_shapes(alpha.shape, x.shape)
    double = np.dtype(np.float64)

    def wide(a: Array) -> Array:
        return (a if a.shape == shape else np.broadcast_to(a, shape)).astype(double).reshape(-1)

    def kernel(alpha: Array, x: Array) -> Array:
        alpha, x = wide(alpha), wide(x)
        small, large = x < _SMALL, alpha > 8
        # Of the four regions, in the order in which they are tried.
        region = np.where(small, 0, np.where(large, 2, 3))
        if large.any():
            near = (alpha * _FROM <= x) & (x <= alpha * _TO)
            region[large & near & ~small] = 1
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
    tags=("not_on_meta",),
    tangent="not implemented",
)
