"""Integer kernels where numpy and torch differ: division by zero, remainders, powers."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

__all__ = [
    "divide",
    "floor_divide",
    "fmod",
    "power",
    "remainder",
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


def trunc_divide(a: Array, b: Array) -> Array:
    """Division rounded towards zero."""
    if a.dtype.kind not in "iu":
        return np.trunc(np.true_divide(a, b))
    _check_divisor(a, b)
    quotient = np.floor_divide(a, b)
    if a.dtype.kind == "i":
        quotient = quotient + ((quotient * b != a) & ((a < 0) != (b < 0)))
    return quotient.astype(a.dtype, copy=False)


def remainder(a: Array, b: Array) -> Array:
    """The remainder with the divisor's sign, but zeros with that of the dividend."""
    if a.dtype.kind in "iu":
        _check_divisor(a, b)
        return np.remainder(a, b)
    out = np.asarray(np.remainder(a, b))
    if np.count_nonzero(out) < out.size:
        np.copysign(out, a, out, where=out == 0)
    return out


def fmod(a: Array, b: Array) -> Array:
    """The remainder with the dividend's sign."""
    if a.dtype.kind in "iu":
        _check_divisor(a, b)
    return np.fmod(a, b)


def power(a: Array, b: Array) -> Array:
    """``a`` to the power ``b``; negative integer exponents round the result to zero."""
    if a.dtype.kind != "i" or not (b < 0).any():
        return np.power(a, b)
    result = np.power(a, np.maximum(b, 0))
    odd = np.where(b & 1, a, 1)  # for a base of one or minus one
    return np.where(b < 0, np.where((a == 1) | (a == -1), odd, 0), result).astype(a.dtype)
