"""Integer kernels where numpy and torch differ: division by zero, remainders, powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .blocks import blockwise, putting

Array = np.ndarray[Any, Any]

__all__ = [
    "divide",
    "floor_divide",
    "power",
    "prepare_floor_divide",
    "prepare_fmod",
    "prepare_remainder",
    "trunc_divide",
]


def zero_division() -> RuntimeError:
    """torch aten/src/ATen/native/cpu/BinaryOpsKernel.cpp, div_trunc_kernel and others."""
    return RuntimeError("ZeroDivisionError")


def _check_divisor(a: Array, b: Array) -> None:
    if a.size and not np.all(b):  # nothing is divided where there are no elements
        raise zero_division()


def divide(a: Array, b: Array, rounding_mode: str | None) -> Array:
    """``div`` with a rounding mode."""
    if rounding_mode is None:
        return np.true_divide(a, b)
    return floor_divide(a, b) if rounding_mode == "floor" else trunc_divide(a, b)


def floor_divide(a: Array, b: Array) -> Array:
    """Division rounded down."""
    if a.dtype.kind in "iub":
        _check_divisor(a, b)
    return np.floor_divide(a, b)


@blockwise
def prepare_floor_divide(a: Array, b: Array) -> Callable[[Array, Array], Array]:
    """Division rounded down."""
    return _floor_by_double if _by_double(a, b) else floor_divide


def _floor_by_double(a: Array, b: Array) -> Array:
    """Division of single precision rounded down: at once in double, if nothing is too large.

    So long as it rounds to the nearest integer in single precision, too: see also
    :func:`_fmod_by_double`.
    """
    whole = a / b.astype(np.float64)
    if not (whole.max() < _EXACT and whole.min() > -_EXACT and np.isfinite(b).all()):
        return np.floor_divide(a, b)
    return np.floor(whole, whole).astype(np.float32)


def trunc_divide(a: Array, b: Array) -> Array:
    """Division rounded towards zero."""
    if a.dtype.kind not in "iu":
        return np.trunc(np.true_divide(a, b))
    _check_divisor(a, b)
    quotient = np.floor_divide(a, b)
    if a.dtype.kind == "i":
        quotient = quotient + ((quotient * b != a) & ((a < 0) != (b < 0)))
    return quotient.astype(a.dtype, copy=False)


@blockwise
def prepare_remainder(a: Array, b: Array) -> Callable[[Array, Array], Array]:
    """The remainder with the divisor's sign, but zeros with that of the dividend."""
    if a.dtype.kind in "iu":
        return _checked(np.remainder)
    return _remainder_by_double if _by_double(a, b) else _remainder


@blockwise
def prepare_fmod(a: Array, b: Array) -> Callable[[Array, Array], Array]:
    """The remainder with the dividend's sign."""
    if a.dtype.kind in "iu":
        return _checked(np.fmod)
    return _fmod_by_double if _by_double(a, b) else np.fmod


def _checked(ufunc: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    def kernel(a: Array, b: Array) -> Array:
        _check_divisor(a, b)
        return ufunc(a, b)

    return kernel


def _remainder(a: Array, b: Array) -> Array:
    out = np.asarray(np.remainder(a, b))
    if np.count_nonzero(out) < out.size:
        np.copysign(out, a, out, where=out == 0)
    return out


#: From so many elements on, passes over them are faster than what numpy does for each.
_FEW: Final = 512
#: Quotients below it have room for a half in single precision.
_EXACT: Final = float(2**21)
#: A quotient below it is cut to the same integer in double as without rounding.
_LARGE: Final = float(2**28)


def _by_double(a: Array, b: Array) -> bool:
    return a.dtype.char == "f" and a.size > _FEW and (b.shape == a.shape or not b.ndim)


def _fmod_by_double(a: Array, b: Array) -> Array:
    """``np.fmod`` of single precision, which is exact: in double, if no quotient is too large.

    The quotient of two numbers of 24 bits is an integer, or further from one than double rounds
    below 2^28. The product with the divisor fits into double, too.
    """
    wide = a.astype(np.float64)
    whole = wide / b
    np.trunc(whole, whole)
    if not (whole.max() < _LARGE and whole.min() > -_LARGE):
        return np.fmod(a, b)
    whole *= b
    if not whole.max() < np.inf:  # zero times infinity: nothing is taken away
        return np.fmod(a, b)
    wide -= whole
    out = wide.astype(np.float32)
    bits = out.view(np.int32)  # zeros, too, have the sign of the dividend
    bits |= a.view(np.int32) & np.int32(-(2**31))
    return out


def _remainder_by_double(a: Array, b: Array) -> Array:
    """:func:`_remainder`: that of :func:`_fmod_by_double`, moved to the divisor's sign."""
    out = _fmod_by_double(a, b)
    moved = (out < 0) != (b < 0)
    moved &= np.abs(out) > 0
    putting(out)(out, moved, out + b)
    return out


def power(a: Array, b: Array) -> Array:
    """``a`` to the power ``b``; negative integer exponents round the result to zero."""
    if a.dtype.kind != "i" or not (b < 0).any():
        return np.power(a, b)
    result = np.power(a, np.maximum(b, 0))
    odd = np.where(b & 1, a, 1)  # for a base of one or minus one
    return np.where(b < 0, np.where((a == 1) | (a == -1), odd, 0), result).astype(a.dtype)
