"""How a number drawn from a gamma distribution moves with the distribution's parameter.

Source of the approximations and their constants: torch aten/src/ATen/native/Distributions.h,
standard_gamma_grad.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, broadcast_shapes, refuse, warn_outgrown
from ..call.row import Out, op
from ..core.dims import scalar_name
from .derivatives import no_formula_for
from .special import digamma

Array = np.ndarray[Any, Any]

_NO_FLOATS = INTEGRAL | BOOL | COMPLEX | frozenset({"float16", "bfloat16"})
#: Of a rational function of ``log(x / alpha)`` and ``log(alpha)``: by powers of the first, then of
#: the second, the numerator's before the denominator's.
_RATIONAL = np.array(
    [
        [0.16009398, -0.094634809, 0.025146376, -0.0030648343,
         1, 0.32668115, 0.10406089, 0.0014179084],
        [0.53487893, 0.1298071, 0.065735949, -0.0015649758,
         0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
        [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777,
         0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07],
    ]
)  # fmt: skip
# torch compares with floats of single precision.
_SMALL, _FROM, _TO = (float(np.float32(limit)) for limit in (0.8, 0.9, 1.1))


def _small(alpha: Array, x: Array) -> Array:
    """A Taylor series in *x*."""
    numerator, denominator = np.ones_like(x), alpha.copy()
    first = numerator / denominator
    second = numerator / (denominator * denominator)
    for i in range(1, 6):
        numerator *= -x / i
        denominator += 1
        first += numerator / denominator
        second += numerator / (denominator * denominator)
    power = np.power(x, alpha)
    density = np.power(x, alpha - 1) * np.exp(-x)
    psi = np.where(alpha == 0, np.inf, digamma(alpha))  # torch's digamma_one has no sign at 0
    by_alpha = (np.log(x) - psi) * (power * first) - power * second
    slope = -by_alpha / density
    return np.where(np.isnan(slope), 0.0, slope)


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
    c = [a + u * (b + u * d) for a, b, d in _RATIONAL.T]
    p = c[0] + v * (c[1] + v * (c[2] + v * c[3]))
    q = c[4] + v * (c[5] + v * (c[6] + v * c[7]))
    return np.exp(p / q)


def _gamma_slope(alpha: Array, x: Array) -> Array:
    dtype, shape = alpha.dtype, np.broadcast_shapes(alpha.shape, x.shape)
    wide_alpha, wide_x = (
        np.broadcast_to(a, shape).astype(np.float64).reshape(-1) for a in (alpha, x)
    )
    out = np.empty(wide_x.shape)
    small = wide_x < _SMALL
    large = ~small & (wide_alpha > 8)
    near = large & (wide_alpha * _FROM <= wide_x) & (wide_x <= wide_alpha * _TO)
    for where, part in (
        (small, _small),
        (near, _near),
        (large & ~near, _far),
        (~(small | large), _middling),
    ):
        out[where] = part(wide_alpha[where], wide_x[where])
    return out.reshape(shape).astype(dtype)


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
    kernel=_gamma_slope,
    grad=no_formula_for("_standard_gamma_grad", "self"),
    variants="function",
    samples="gamma_slope",
    warns=lambda self, output: warn_outgrown(self.shape, output.shape),
    tags=("not_on_meta",),
    tangent="not implemented",
)
