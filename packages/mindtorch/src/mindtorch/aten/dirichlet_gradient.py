"""How numbers drawn from a Dirichlet distribution move with its concentrations.

Source of the approximations and their constants: torch aten/src/ATen/native/Distributions.h,
dirichlet_grad_one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, broadcast_shapes, refuse, warn_outgrown
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from .derivatives import listed_as_not_implemented
from .gamma_gradient import by_region
from .special import loaded

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


_EXPONENTS = np.arange(4.0)[:, None]
_FEW_EXPONENTS = _EXPONENTS[:3]
_COEFFICIENTS = _RATIONAL.reshape(2, 36)
_HALF, _ONE, _TWO, _TWELFTH = (np.array(n) for n in (0.5, 1.0, 2.0, 1 / 12))
_ZERO, _MINUS_ZERO, _TENTH, _SIX = (np.array(n) for n in (0.0, -0.0, 0.1, 6.0))
_LAST = np.array(4)
#: Where ``x * (1 - x)`` times the total is small, at both ends.
_NEAR_ZERO, _NEAR_ONE = np.array(2.5), np.array(0.75)
_add, _isnan, _log, _multiply, _power = np.add, np.isnan, np.log, np.multiply, np.power


class _Series:
    """Taylor series in *x* of one dtype, for the slopes by alpha and by beta."""

    def __init__(self, dtype: Any) -> None:
        # From 0 on, as columns: what is added; what is divided by, of which the first is not used.
        self.steps = np.arange(11).astype(dtype)[:, None]
        self.divisors = np.maximum(self.steps, 1)
        self.few_steps, self.negative = self.steps[:9], -self.divisors[:9]
        self.one = np.array(1, dtype)

    def by_alpha(self, x: Array, alpha: Array, total: Array) -> Array:
        beta, steps, one = total - alpha, self.steps, self.one
        psi = loaded("psi")
        factor = psi(alpha) - psi(alpha + beta) - _log(x)
        numerators = (steps - beta) * x
        numerators /= self.divisors
        numerators[0] = one
        np.multiply.accumulate(numerators, 0, None, numerators)
        bottoms = alpha + steps
        numerators /= bottoms
        numerators *= factor + one / bottoms
        slope = x * _power(one - x, -beta) * np.add.reduce(numerators, 0)
        np.copyto(slope, _ZERO, where=_isnan(slope))
        return slope

    def by_beta(self, x: Array, alpha: Array, total: Array) -> Array:
        """The same from the other end, where *x* is near one and *alpha* the beta."""
        one, steps = self.one, self.few_steps
        x, alpha, beta = one - x, total - alpha, alpha
        psi = loaded("psi")
        factor = psi(alpha + beta) - psi(beta)
        less = beta - steps
        less[0] = one
        betas = np.multiply.accumulate(less, 0)
        slopes = np.zeros(betas.shape, betas.dtype)
        before = slopes[0]
        for after, step, product in zip(slopes[1:], less[1:], betas):
            _add(_multiply(before, step, after), product, after)
            before = after
        numerators = x / self.negative
        numerators[0] = one
        np.multiply.accumulate(numerators, 0, None, numerators)
        numerators /= alpha + steps
        betas *= factor
        betas += slopes
        betas *= numerators
        slope = _power(one - x, one - beta) * np.add.reduce(betas, 0)
        np.copyto(slope, _MINUS_ZERO, where=_isnan(slope))
        return slope


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


def _far(x: Array, alpha: Array, beta: Array) -> Array:
    """Rice's saddle point expansion."""
    parameters = np.empty((3, *x.shape))
    parameters[0], parameters[1] = alpha, beta
    total = np.add(alpha, beta, out=parameters[2])
    small = _TWELFTH / parameters
    series = _ONE + small * (_ONE + _HALF * small)
    stirling = series[0] * series[1] / series[2]
    product, less = alpha * beta, x - _ONE
    mixed = alpha * less + beta * x
    spread = np.sqrt(_TWO * product / total)
    top = (_TWO * alpha * alpha + product) * less - x * beta * beta
    one = top / (np.sqrt(_TWO * alpha / beta) * total * np.sqrt(total) * mixed * mixed)
    # Terms that cancel, in torch's order.
    logarithm = np.log(alpha / (total * x))
    base = beta * np.log(beta / (total * (_ONE - x))) + alpha * logarithm
    three = _TWO * spread / mixed
    four = np.copysign(_ONE / (base * np.sqrt(base)), alpha / total - x)
    return stirling * (-x / spread) * (one + _HALF * logarithm * (three + four))


def _middling(x: Array, alpha: Array, beta: Array) -> Array:
    """An approximation, corrected by a rational function."""
    total = alpha + beta
    u = np.log(x)
    a = np.log(alpha) - u
    b = np.log(total) - a
    powers = _power(u, _FEW_EXPONENTS)[:, None] * _power(a, _FEW_EXPONENTS)
    terms = powers.reshape(9, 1, -1) * _power(b, _EXPONENTS)
    top, bottom = _COEFFICIENTS.dot(terms.reshape(36, -1))
    psi = loaded("psi")
    return top / bottom * (x * (psi(total) - psi(alpha)) / beta)


def _prepare(x: Array, alpha: Array, total: Array) -> Callable[..., Array]:
    dtype = x.dtype
    shape = np.broadcast_shapes(x.shape, alpha.shape, total.shape)
    series = _Series(dtype)
    # As torch does, the series in x stay in its dtype.
    parts = (series.by_alpha, series.by_beta, *_IN_DOUBLE)
    one, plain = series.one, x.shape == alpha.shape == total.shape and len(shape) == 1
    six, half, near_zero, near_one = (n.astype(dtype) for n in (_SIX, _HALF, _NEAR_ZERO, _NEAR_ONE))

    def flat(a: Array) -> Array:
        return (a if a.shape == shape else np.broadcast_to(a, shape)).reshape(-1)

    def kernel(x: Array, alpha: Array, total: Array) -> Array:
        if not plain:
            x, alpha, total = flat(x), flat(alpha), flat(total)
        boundary = one - x
        boundary *= total * x
        # Of the five regions, in the order in which they are tried.
        large = np.minimum(alpha, total - alpha) > six
        region = _LAST - large
        region[(x >= half) & (boundary < near_one)] = 1
        region[(x <= half) & (boundary < near_zero)] = 0
        if np.count_nonzero(large):
            large &= region == 3
            region[large & _is_near_mean(x, alpha, total)] = 2
        return by_region(region, parts, x, alpha, total).astype(dtype).reshape(shape)

    return kernel


def _is_near_mean(x: Array, alpha: Array, total: Array) -> Array:
    x, alpha, total = (a.astype(np.float64) for a in (x, alpha, total))
    mean = alpha / total
    reach = _TENTH * np.sqrt(alpha * (total - alpha) / (total + _ONE)) / total
    return (mean - reach <= x) & (x <= mean + reach)


def _in_double(part: Callable[..., Array]) -> Callable[..., Array]:
    def of_doubles(x: Array, alpha: Array, total: Array) -> Array:
        x, alpha, total = (a.astype(np.float64, copy=False) for a in (x, alpha, total))
        return part(x, alpha, total - alpha)

    return of_doubles


_IN_DOUBLE = tuple(map(_in_double, (_near_mean, _far, _middling)))


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
    prepare=_prepare,
    grad=listed_as_not_implemented("_dirichlet_grad", "x", "alpha", "total"),
    variants="function",
    out=OutForm(function=False),
    samples="dirichlet_slope",
    warns=lambda x, alpha, total: warn_outgrown(x.shape, alpha.shape, total.shape),
    tags=("not_on_meta", "loops: functional"),
    tangent="refused",
)
