"""Integer kernels where numpy and torch differ: division by zero, remainders, powers, shifts."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

__all__ = [
    "divide",
    "floor_divide",
    "fmod",
    "left_shift",
    "power",
    "remainder",
    "right_shift",
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
    """The remainder with the divisor's sign."""
    if a.dtype.kind in "iu":
        _check_divisor(a, b)
        return np.remainder(a, b)
    left = np.fmod(a, b)  # np.remainder would give zeros the divisor's sign
    return np.where((left != 0) & ((b < 0) != (left < 0)), left + b, left)


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


def left_shift(a: Array, b: Array) -> Array:
    """``a << b``; zero where *b* is negative or not below the width."""
    width = a.dtype.itemsize * 8
    outside = (b < 0) | (b >= width)
    return np.where(outside, a.dtype.type(0), np.left_shift(a, np.where(outside, 0, b)))


def right_shift(a: Array, b: Array) -> Array:
    """``a >> b``; all sign bits where *b* is negative or not below the width."""
    most = a.dtype.itemsize * 8 - 1
    shift = np.where((b < 0) | (b > most), most, b).astype(a.dtype)
    if a.dtype.kind == "u":
        gone = (b < 0) | (b > most)
        return np.where(gone, a.dtype.type(0), np.right_shift(a, shift))
    return np.right_shift(a, shift)
