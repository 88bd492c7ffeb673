"""Special functions that numpy lacks: scipy's, but for the error function in single precision.

scipy is loaded when one of them is first called. gelu needs the error function of float32 quick,
so that is computed here, and three units off at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]
#: From operands to a result, all of one float dtype.
Kernel = Callable[..., Array]

__all__ = [
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "from_scipy",
    "lgamma",
    "polygamma",
    "scipy_function",
    "zeta",
]


@cache
def scipy_function(name: str) -> Any:
    """The function *name* of ``scipy.special`` itself."""
    return getattr(import_module("scipy.special"), name)


def from_scipy(name: str) -> Kernel:
    """The function *name* of ``scipy.special``, computed in float64 and rounded once."""

    def kernel(*operands: Array) -> Array:
        with np.errstate(all="ignore"):
            found = scipy_function(name)(*(x.astype(np.float64, copy=False) for x in operands))
            return found.astype(operands[0].dtype, copy=False)

    return kernel


erfc: Final = from_scipy("erfc")
digamma: Final = from_scipy("psi")
_erf, _erfinv, _gammaln, _zeta = map(from_scipy, ("erf", "erfinv", "gammaln", "zeta"))


def erfinv(y: Array) -> Array:
    """The inverse of :func:`erf`; nan outside [-1, 1], infinite at its ends."""
    return np.copysign(_erfinv(y), y)  # scipy forgets the sign of zero


def lgamma(x: Array) -> Array:
    """Logarithm of the absolute value of the gamma function."""
    return np.where(np.isinf(x), x.dtype.type(math.inf), _gammaln(x))


def zeta(s: Array, q: Array) -> Array:
    """The Hurwitz zeta function; as torch's, it is nan where *q* is infinite."""
    return np.where(np.isposinf(q), q.dtype.type(math.nan), _zeta(s, q))


def polygamma(n: int, x: Array) -> Array:
    """Derivative of order *n* of :func:`digamma`."""
    if n == 0:
        return digamma(x)
    wide = x.astype(np.float64)
    if n == 1:
        return _zeta(np.float64(2), wide).astype(x.dtype)
    sign = 1.0 if n % 2 else -1.0
    return (sign * math.factorial(n) * zeta(np.float64(n + 1), wide)).astype(x.dtype)


#: Elements worked on at a time: a few buffers of this length stay in the L2 cache.
TILE: Final = 16384

# -log(erfc(x)) / x in powers of x on [0, 3.95]. Error in erf 1e-8.
_LOG_ERFC: Final = tuple(
    np.float32(c)
    for c in (
        *(1.1283791773959717, 0.6366188958141306, 0.10278417941767594, -0.01918317235546216),
        *(-9.323872850369752e-05, 0.0015888220892979633, -0.0005841825244630285),
        *(0.00010240213147458973, -7.3774489389044865e-06),
    )
)


def polynomial(coefficients: Sequence[float], x: Array) -> Array:
    """Horner's rule, lowest coefficient first, in the dtype of *x*."""
    result = np.full_like(x, coefficients[-1])
    for c in coefficients[-2::-1]:
        result *= x
        result += c
    return result


def erf(x: Array) -> Array:
    """The error function."""
    if x.dtype != np.float32:
        return _erf(x)
    out = np.empty(x.shape, x.dtype)
    flat, result = np.ascontiguousarray(x).reshape(-1), out.reshape(-1)
    for start in range(0, flat.size, TILE):
        tile = flat[start : start + TILE]
        size = np.abs(tile)
        np.minimum(size, np.float32(3.95), out=size)
        power = polynomial(_LOG_ERFC, size)
        power *= size
        np.negative(power, out=power)
        np.expm1(power, out=power)  # erf(x) = 1 - exp(log(erfc(x))), without cancellation
        np.negative(power, out=power)
        np.copysign(power, tile, out=result[start : start + TILE])
    return out
