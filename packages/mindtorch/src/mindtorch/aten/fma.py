"""``a * b + c`` rounded once, which torch's vectorised kernels get from the processor.

numpy does so in one place: its product of complex numbers is compiled to fused multiply-adds where
the processor has them. The real part of ``(a + ic) (b - i)`` is ``a * b - c * -1``: the second
product is exact, and the first one is not rounded. A probe says whether that holds here; elsewhere
the same numbers are worked out in more steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]
#: ``product(x, y, out)`` of complex arrays of one shape and more than one element. The real part of
#: the result is that of the product, rounded once where ``x.imag * y.imag`` is exact; the imaginary
#: part may be anything.
Product = Callable[[Array, Array, Array], Array]

__all__ = ["complex_product", "fused", "fused_by"]

#: Splits a float64 into two halves of 26 bits, whose products are exact.
_SPLIT: Final = 2.0**27 + 1
#: So many factors are kept.
_FEW: Final = 4096
_HUGE: Final = 2.0**960
_DOWN: Final = 2.0**-64
_SINGLE, _DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def fused(a: Any, b: Any, c: Any) -> Array:
    """``a * b + c`` in the dtype of the arguments, with one rounding.

    float32 goes through float64, where the product is exact. Dtypes but these are computed plainly.
    """
    dtype = np.result_type(a, b, c)
    if dtype == _SINGLE:
        wide = np.multiply(a, b, dtype=np.float64)
        if wide.shape == np.broadcast_shapes(wide.shape, np.shape(c)) and wide.ndim:
            wide += c
            return wide.astype(np.float32)
        return (wide + c).astype(np.float32)
    if dtype == _DOUBLE:
        shape = np.broadcast(a, b, c).shape
        one = prod(shape) == 1  # of which alone numpy's product is not fused
        x = np.empty((2,) if one else shape, np.complex128)
        y = np.empty_like(x)
        x.real, x.imag, y.real, y.imag = a, c, b, -1.0
        total = complex_product()(x, y, x).real
        return total[:1].reshape(shape).copy() if one else total.copy()
    return np.add(np.multiply(a, b), c)


def fused_by(b: float, c: float, dtype: Any) -> Callable[[Array], Array]:
    """A function of one-dimensional arrays *a* of *dtype* that gives ``fused(a, b, c)``."""
    if b == 1:  # nothing but the sum is rounded
        summand, add = np.array(c, dtype), np.add
        return lambda a: add(a, summand)
    if dtype == _SINGLE:
        factor, term = (np.array(np.float32(n), _DOUBLE) for n in (b, c))

        def apply(a: Array) -> Array:
            wide = np.multiply(a, factor)
            wide += term
            return wide.astype(_SINGLE)

        return apply
    number = np.array(c)
    factors = np.full(0, b - 1j)

    def apply_double(a: Array) -> Array:
        nonlocal factors
        size = len(a)
        n = 2 if size == 1 else size  # of one number numpy's product is not fused
        by = factors
        if len(by) != n:
            by = np.full(n, b - 1j)
            if n <= _FEW:
                factors = by
        x = np.empty(n, np.complex128)
        x.real, x.imag = a, number
        return complex_product()(x, by, x).real[:size].copy()

    return apply_double


@cache
def complex_product() -> Product:
    """numpy's product where that is fused, at every place of arrays of several lengths."""
    for single, pair in ((_SINGLE, np.complex64), (_DOUBLE, np.complex128)):
        for n in (2, 3, 7, 8, 33):
            x, y = np.full(n, 1 + 1j, pair), np.full(n, 1 + 1j, pair)
            # The square, less one, has digits that the rounded square lacks.
            x.real = y.real = 1.0 + np.finfo(single).eps * np.arange(3, n + 3)
            exact = _product(x, y, np.empty(n, pair)).real
            if (exact == x.real * x.real - 1).all():
                return _product
            for product in (np.multiply(x, y), np.multiply(x, y, x.copy())):
                if (product.real != exact).any():
                    return _product
    return np.multiply


def _product(x: Array, y: Array, out: Array) -> Array:
    """What :func:`complex_product` promises, on any processor; the imaginary part is 0."""
    if out.dtype == np.complex64:
        wide = np.multiply(x.real, y.real, dtype=np.float64)
        wide -= np.multiply(x.imag, y.imag, dtype=np.float64)
        out[...] = wide
        return out
    a, b, c = x.real, y.real, -(x.imag * y.imag)
    if np.any(np.abs(b) > _HUGE):  # its halves would overflow; a power of two changes no digit
        out[...] = _fused_float64(a, b * _DOWN, c * _DOWN) / _DOWN
    else:
        out[...] = _fused_float64(a, b, c)
    return out


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
