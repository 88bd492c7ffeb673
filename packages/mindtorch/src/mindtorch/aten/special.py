"""Special functions that numpy lacks: scipy's, but for the error function in single precision.

scipy is loaded when one of them is first called. gelu needs the error function of float32 quick,
so that is computed here, and three units off at most.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import get_default_dtype

from ..core.scipy_extensions import extension
from .activation_row import with_sizes
from .blocks import blockwise, choosing

Array = np.ndarray[Any, Any]
#: From operands to a result, all of one float dtype.
Kernel = Callable[..., Array]
#: From operands and numbers to the kernel for arrays like them.
Prepare = Callable[..., Kernel]

__all__ = [
    "from_scipy",
    "growing",
    "loaded",
    "prepare_erf",
    "prepare_erfinv",
    "prepare_lgamma",
    "prepare_polygamma",
    "prepare_zeta",
    "with_number",
]


#: What the module of scipy's older special functions imports; the first of them imports
#: scipy.linalg from scipy 1.18 on.
_OLD: Final = ("special._ellip_harm_2", "special._gufuncs", "special._ufuncs_cxx")


@cache
def loaded(name: str) -> Any:
    """The ufunc *name* of scipy; what it has for float32 computes in float64 and rounds once."""
    try:
        found = getattr(extension("special._special_ufuncs"), name, None)
    except ModuleNotFoundError:  # before scipy 1.14
        found = None
    return found or getattr(extension("special._ufuncs", *_OLD), name)


def from_scipy(name: str) -> Prepare:
    """The ufunc *name* as a row's ``prepare``."""
    return lambda *operands: loaded(name)


def growing(name: str) -> Prepare:
    """scipy's ufunc of this name, infinite where ``exp(abs(x))`` is: torch multiplies by that."""

    def prepare(x: Array) -> Kernel:
        scipy, absolute, where = loaded(name), np.absolute, np.where
        most, infinite = np.log(np.finfo(x.dtype).max), np.array(np.inf, x.dtype)

        def kernel(x: Array) -> Array:
            out = scipy(x)
            return where(absolute(x) > most, out * infinite, out)

        return kernel

    return prepare


def with_number(prepare: Prepare) -> Prepare:
    """The same for a number in place of one of two arrays: integers become the default float."""

    def prepare_with_number(*operands: Any) -> Kernel:
        (place,) = (i for i, x in enumerate(operands) if isinstance(x, np.ndarray))
        given = operands[place].dtype
        dtype = get_default_dtype().np if given.kind in "iub" else given
        both = [np.asarray(x).astype(dtype) for x in operands]
        kernel, number = prepare(*both), both[1 - place]
        if given == dtype:
            return (lambda _, x: kernel(number, x)) if place else lambda x, _: kernel(x, number)
        if place:
            return lambda _, x: kernel(number, x.astype(dtype))
        return lambda x, _: kernel(x.astype(dtype), number)

    return prepare_with_number


def prepare_erfinv(y: Array) -> Kernel:
    """The inverse of :func:`prepare_erf`; nan outside [-1, 1], infinite at its ends."""
    scipy, dtype, wide, signed = loaded("erfinv"), y.dtype, np.dtype(np.float64), np.copysign

    def kernel(y: Array) -> Array:
        # In float64, for scipy has another for float32; and it forgets the sign of zero.
        return signed(scipy(y.astype(wide)).astype(dtype), y)

    if y.size <= 2048:
        return kernel
    choose, nan = choosing(y), np.array(np.nan, dtype)

    def of_many(y: Array) -> Array:
        # It takes a hundred times as long where there is no result.
        out = scipy(np.clip(y.astype(wide), -1, 1)).astype(dtype)
        return signed(choose(np.abs(y) > 1, nan, out), y)

    return of_many


def prepare_lgamma(x: Array) -> Kernel:
    """Logarithm of the absolute value of the gamma function."""
    info, scipy, larger = np.finfo(x.dtype), loaded("gammaln"), np.maximum
    lowest, least = np.array(info.min, x.dtype), np.array(info.tiny, x.dtype)

    def kernel(x: Array) -> Array:
        # At minus infinity is a pole, of which scipy says otherwise; at tiny numbers is none.
        out = scipy(larger(x, lowest))
        tiny = np.absolute(x) < least
        return np.where(tiny, -np.log(np.absolute(x)), out) if tiny.any() else out

    return kernel


def prepare_zeta(s: Array, q: Array) -> Kernel:
    """The Hurwitz zeta function; as torch's, it is nan where *q* is infinite, but at a pole."""
    scipy, infinite = loaded("_zeta"), np.array(np.inf, s.dtype)

    def kernel(s: Array, q: Array) -> Array:
        pole = (s == 1) | ((q == -infinite) & ~(s < 1))
        return np.where(pole, infinite, scipy(s, q) + (q - q))

    return kernel


def prepare_polygamma(n: int, x: Array) -> Kernel:
    """Derivative of order *n* of digamma."""
    if n == 0:
        psi = loaded("psi")
        return lambda n, x: psi(x)
    order = np.array(n + 1.0, x.dtype)
    if n == 1:
        scipy, lowest, nan = loaded("_zeta"), np.array(-np.inf, x.dtype), np.array(np.nan, x.dtype)
        return lambda n, x: np.where(x == lowest, nan, scipy(order, x))
    zeta = prepare_zeta(order, x)
    factor = loaded("gamma")(n + 1.0).astype(x.dtype)  # infinite for large orders, as torch's
    signed = factor if n % 2 else -factor
    return lambda n, x: signed * zeta(order, x)


# The inverse hyperbolic tangent of erf(x), over x, in powers of x * x. Error in erf 8e-8.
_ATANH_ERF: Final = tuple(
    np.array(c, np.float32)
    for c in (
        *(1.1283792471896272, 0.10276986405711414, -0.00019528790516017266),
        *(-0.0006148385814541801, 8.459677834307363e-05, -4.794657698798431e-06),
        *(2.7582546482596714e-08, 5.421314770786226e-09),
    )
)


# Of twice the normal distribution less one, at 2h: the inverse hyperbolic tangent over h, in powers
# of h * h. The error in 2h times the distribution is 7e-8 where that is less than one.
_ATANH_NORMAL: Final = tuple(
    np.array(c, np.float32)
    for c in (
        *(1.5957680940628052, 0.2906770706176758, -0.0010667843744158745),
        *(-0.007064132485538721, 0.002029094845056534, -0.0002726360980886966),
        *(1.4739664948137943e-05,),
    )
)


def single_normal(h: Array, square: Array, out: Array | None) -> Array:
    """Of float32: twice the normal distribution less one at twice *h*, whose *square* is given."""
    out = np.multiply(square, _ATANH_NORMAL[-1], out)
    add, multiply = np.add, np.multiply
    for c in _ATANH_NORMAL[-2:0:-1]:
        multiply(add(out, c, out), square, out)
    multiply(add(out, _ATANH_NORMAL[0], out), h, out)
    return np.tanh(out, out)


@blockwise
def prepare_erf(x: Array) -> Kernel:
    """The error function."""
    if x.dtype != np.float32:
        return loaded("erf")
    add, multiply, tanh = np.add, np.multiply, np.tanh

    def kernel(
        x: Array,
        *,
        square: Array | None = None,
        inverse: Array | None = None,
        out: Array | None = None,
    ) -> Array:
        square = multiply(x, x, square)
        inverse = multiply(square, _ATANH_ERF[-1], inverse)
        for c in _ATANH_ERF[-2:0:-1]:
            multiply(add(inverse, c, inverse), square, inverse)
        multiply(add(inverse, _ATANH_ERF[0], inverse), x, inverse)
        return tanh(inverse, out)

    return with_sizes(kernel, x)
