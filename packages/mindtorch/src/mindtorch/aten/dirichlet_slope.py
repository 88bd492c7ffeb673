"""How numbers drawn from a Dirichlet distribution move with its concentrations.

Source of the approximations and their constants: torch aten/src/ATen/native/Distributions.h,
dirichlet_grad_one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, broadcast_shapes, refuse, warn_outgrown
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from .derivatives import listed_as_not_implemented
from .special import digamma

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_NO_FLOATS = INTEGRAL | BOOL | COMPLEX | frozenset({"float16", "bfloat16"})
#: Of a rational function of ``u = log(x)``, ``a = log(alpha) - u`` and ``b = log(total) - a``: the
#: numerator and the denominator, by powers of u, of a and of b.
_RATIONAL = np.array(
    [
        [
            [[1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
             [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
             [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013]],
            [[0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
             [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
             [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05]],
            [[-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
             [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
             [0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05]],
        ],
        [
            [[1, -0.02924021934, -0.04438342661, 0.007285809825],
             [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
             [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149]],
            [[0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
             [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
             [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05]],
            [[0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05],
             [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05],
             [-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06]],
        ],
    ]
)  # fmt: skip


def _near_zero(x: Array, alpha: Array, beta: Array) -> Array:
    """A Taylor series in *x*, for the slope by alpha."""
    factor = digamma(alpha) - digamma(alpha + beta) - np.log(x)
    numerator = np.ones_like(x)
    series = numerator / alpha * (factor + 1 / alpha)
    for i in range(1, 11):
        numerator = numerator * ((i - beta) * x / i)
        bottom = alpha + i
        series = series + numerator / bottom * (factor + 1 / bottom)
    slope = x * np.power(1 - x, -beta) * series
    return np.where(np.isnan(slope), 0.0, slope)


def _near_zero_by_beta(x: Array, alpha: Array, beta: Array) -> Array:
    """A Taylor series in *x*, for the slope by beta."""
    factor = digamma(alpha + beta) - digamma(beta)
    numerator, betas, slopes = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    series = factor / alpha
    for i in range(1, 9):
        numerator = numerator * (-x / i)
        slopes = slopes * (beta - i) + betas
        betas = betas * (beta - i)
        series = series + numerator / (alpha + i) * (slopes + factor * betas)
    slope = -np.power(1 - x, 1 - beta) * series
    return np.where(np.isnan(slope), 0.0, slope)


def _near_mean(x: Array, alpha: Array, beta: Array) -> Array:
    total = alpha + beta
    square = beta * beta
    inner = (453 + 1620 * beta * (1 - x) - 455 * x) * beta + alpha * (
        8 * (1 - x) * (135 * beta - 11)
    )
    inner = 3 * (59 + 180 * beta - 90 * x) * square + alpha * inner
    inner = (43 + 20 * (16 + 27 * beta) * x) * square * beta + alpha * inner
    polynomial = 47 * x * square * square + alpha * inner
    top = (1 + 12 * alpha) * (1 + 12 * beta) / (total * total)
    bottom = 12960 * alpha * alpha * alpha * square * (1 + 12 * total)
    return top / (1 - x) * polynomial / bottom


def _stirling(a: Array) -> Array:
    return 1 + 1 / (12 * a) + 1 / (288 * a * a)


def _far(x: Array, alpha: Array, beta: Array) -> Array:
    """Rice's saddle point expansion."""
    total = alpha + beta
    mean = alpha / total
    factor = -x / np.sqrt(2 * alpha * beta / total)
    stirling = _stirling(alpha) * _stirling(beta) / _stirling(total)
    top = 2 * alpha * alpha * (x - 1) + alpha * beta * (x - 1) - x * beta * beta
    mixed = alpha * (x - 1) + beta * x
    one = top / (np.sqrt(2 * alpha / beta) * np.power(total, 1.5) * mixed * mixed)
    two = 0.5 * np.log(alpha / (total * x))
    three = np.sqrt(8 * alpha * beta / total) / (beta * x + alpha * (x - 1))
    base = beta * np.log(beta / (total * (1 - x))) + alpha * np.log(alpha / (total * x))
    four = np.power(base, -1.5)
    return stirling * factor * (one + two * (three + np.where(x < mean, four, -four)))


def _middling(x: Array, alpha: Array, beta: Array) -> Array:
    """An approximation, corrected by a rational function."""
    total = alpha + beta
    u = np.log(x)
    a = np.log(alpha) - u
    b = np.log(total) - a
    parts = [
        sum(
            u**i * a**j * (c[0] + b * (c[1] + b * (c[2] + b * c[3])))
            for i, row in enumerate(table)
            for j, c in enumerate(row)
        )
        for table in _RATIONAL
    ]
    return parts[0] / parts[1] * (x * (digamma(total) - digamma(alpha)) / beta)


def _slope(x: Array, alpha: Array, total: Array) -> Array:
    dtype, shape = x.dtype, x.shape
    x, alpha, total = (a.reshape(-1) for a in (x, alpha, total))
    out = np.empty(x.shape)
    beta = total - alpha
    boundary = total * x * (1 - x)
    low = (x <= 0.5) & (boundary < 2.5)
    high = ~low & (x >= 0.5) & (boundary < 0.75)
    # As torch does, the series in x stay in its dtype.
    for where, part in (
        (low, _near_zero),
        (high, lambda x, a, b: -_near_zero_by_beta(1 - x, b, a)),
    ):
        if where.any():
            out[where] = part(x[where], alpha[where], beta[where])
    large = ~low & ~high & (alpha > 6) & (beta > 6)
    x, alpha, total = (a.astype(np.float64) for a in (x, alpha, total))
    beta = total - alpha
    mean, std = alpha / total, np.sqrt(alpha * beta / (total + 1)) / total
    near = large & (mean - 0.1 * std <= x) & (x <= mean + 0.1 * std)
    for where, part in (
        (near, _near_mean),
        (large & ~near, _far),
        (~(low | high | large), _middling),
    ):
        if where.any():
            out[where] = part(x[where], alpha[where], beta[where])
    return out.reshape(shape).astype(dtype)


def _kernel(x: Array, alpha: Array, total: Array) -> Array:
    return _slope(*np.broadcast_arrays(x, alpha, total))


def _meta(x: Any, alpha: Any, total: Any) -> Out:
    for other in (alpha, total):
        if other.dtype is not x.dtype:
            raise RuntimeError(
                f"Found dtype {scalar_name(other.dtype)} but expected {scalar_name(x.dtype)}"
            )
    refuse(x.dtype, {"_dirichlet_grad_cpu": _NO_FLOATS}, x)
    shape = broadcast_shapes(tuple(x.shape), tuple(alpha.shape))
    return Out(broadcast_shapes(shape, tuple(total.shape)), x.dtype)


op(
    "_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor",
    meta=_meta,
    kernel=_kernel,
    grad=listed_as_not_implemented("_dirichlet_grad", "x", "alpha", "total"),
    variants="function",
    out=OutForm(function=False),
    samples="dirichlet_slope",
    warns=lambda x, alpha, total: warn_outgrown(x.shape, alpha.shape, total.shape),
    tags=("not_on_meta",),
    tangent="refused",
)
