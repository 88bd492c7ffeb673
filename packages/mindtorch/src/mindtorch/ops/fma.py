"""``a * b + c`` rounded once, which torch's vectorised kernels get from the processor."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]

__all__ = ["fused"]

#: Splits a float64 into two halves of 26 bits, whose products are exact.
_SPLIT: Final = 2.0**27 + 1
_HUGE: Final = 2.0**960
_DOWN: Final = 2.0**-64


def fused(a: Any, b: Any, c: Any) -> Array:
    """``a * b + c`` in the dtype of the arguments, with one rounding.

    float32 goes through float64, where the product is exact; float64 through the exact error
    terms of the product and the sum. Other dtypes are computed plainly.
    """
    dtype = np.result_type(a, b, c)
    if dtype == np.float32:
        wide = np.multiply(a, b, dtype=np.float64)
        if wide.shape == np.broadcast_shapes(wide.shape, np.shape(c)) and wide.ndim:
            wide += c
            return wide.astype(np.float32)
        return (wide + c).astype(np.float32)
    if dtype == np.float64:
        if np.any(np.abs(b) > _HUGE):  # its halves would overflow; a power of two changes no digit
            return _fused_float64(np.asarray(a), b * _DOWN, np.asarray(c) * _DOWN) / _DOWN
        return _fused_float64(np.asarray(a), np.asarray(b), np.asarray(c))
    return np.add(np.multiply(a, b), c)


def _fused_float64(a: Array, b: Array, c: Array) -> Array:
    product = a * b
    error = _product_error(a, b, product)
    total = product + c
    back = total - product
    rest = (product - (total - back)) + (c - back)
    exact = total + (rest + error)
    # Past the range of the error terms (huge numbers, infinities, nan) the plain sum will do.
    return np.where(np.isfinite(exact), exact, total)


def _product_error(a: Array, b: Array, product: Array) -> Array:
    """What ``a * b`` lost to rounding (Dekker)."""
    a_high = a * _SPLIT
    a_high = a_high - (a_high - a)
    b_high = b * _SPLIT
    b_high = b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
