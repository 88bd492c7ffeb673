"""Distributions over a generator's numbers, bit for bit those of torch's CPU kernels.

Which transformation torch applies depends on dtype and size: 24 bits of one number for float32,
53 bits of two for float64; normal numbers come from a vectorised Box-Muller over blocks of sixteen
(float32: with the polynomial log, sine and cosine of ``box_muller``; float64: with the C
library's) or, for fewer than sixteen elements, one by one with the second of a pair kept for later.
Bernoulli and exponential numbers follow the builds and processors where torch does not call MKL
for them (it does on Intel processors only).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..tensor.generator import Generator
from .box_muller import box_muller
from .fma import fused

Array = np.ndarray[Any, Any]
f32: Final = np.float32
#: Below so many elements calls of numpy take longer than what they compute.
_SMALL: Final = 4096
#: Numbers that are drawn at a time: their words stay in the cache. A multiple of four, for devices.
_TILE: Final = 1 << 15
# Numpy takes arrays without dimensions in half the time of numbers.
_DIGITS, _UNIT = np.array(0xFFFFFF, np.uint64), np.array(2.0**-24, f32)
_LONG_DIGITS, _LONG_UNIT = np.array((1 << 53) - 1, np.uint64), np.array(2.0**-53)
_CIRCLE: Final = 2.0 * math.pi
_cos, _log1p, _sin, _sqrt = math.cos, math.log1p, math.sin, math.sqrt

__all__ = ["bernoulli", "exponential", "integers", "normal", "uniform"]


def uniform_doubles(gen: Generator, n: int) -> Array:
    """*n* numbers in [0, 1) with 53 random bits each."""
    numbers = gen.longs(n)
    numbers &= _LONG_DIGITS
    return numbers * _LONG_UNIT


def uniform_floats(gen: Generator, n: int) -> Array:
    """*n* numbers in [0, 1) with 24 random bits each, as float32."""
    if n < _SMALL:  # fewer calls; for many numbers it is slower
        words = gen.words(n)
        words &= _DIGITS
        numbers = words.astype(f32)
        numbers *= _UNIT
        return numbers
    numbers = np.empty(n, f32)
    for start in range(0, n, _TILE):
        part = numbers[start : start + _TILE]
        digits = gen.words(part.size).astype(np.uint32)
        digits &= np.uint32(0xFFFFFF)
        part[...] = digits.view(np.int32)
        part *= _UNIT
    return numbers


def uniform(gen: Generator, n: int, dtype: Any, low: float, high: float) -> Array:
    """*n* numbers of a floating dtype in [low, high)."""
    if dtype == np.float64:
        numbers = uniform_doubles(gen, n)
        return numbers if (low, high) == (0, 1) else fused(numbers, high - low, low)
    unit = uniform_floats(gen, n)
    if dtype == f32:
        if (low, high) == (0, 1):
            return unit
        return fused(unit, f32(high) - f32(low), f32(low))
    first, last = f32(low), f32(high)
    numbers = fused(unit, last - first, first).astype(dtype)
    # Rounding to a narrow dtype can reach the end of the range, which does not belong to it.
    numbers[numbers == np.array(high).astype(dtype)] = low
    return numbers


# ------------------------------------------------------------------------- normal


def _each(rule: Callable[[float], float], x: Array) -> Array:
    """*rule* of the C library over every element (numpy's own differs in the last digit)."""
    return np.fromiter(map(rule, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


def _box_muller_float64(unit: Array, mean: float, std: float) -> Array:
    blocks = unit.reshape(-1, 2, 8)
    radius = np.sqrt(-2.0 * _each(math.log, 1 - blocks[:, 0]))
    angle = 2.0 * math.pi * blocks[:, 1]
    result = np.empty_like(blocks)
    result[:, 0] = fused(radius * _each(math.cos, angle), std, mean)
    result[:, 1] = fused(radius * _each(math.sin, angle), std, mean)
    return result.reshape(-1)


def scalar_normals(gen: Generator, n: int, mean: float, std: float) -> Array:
    """*n* normal doubles, drawn in pairs; the second of the last pair waits in the generator."""
    waiting = gen.next_normal
    result = [] if waiting is None or not n else [waiting]
    units = iter(uniform_doubles(gen, n - len(result) + 1 & ~1).tolist())
    for first, second in zip(units, units):
        radius, angle = _sqrt(-2.0 * _log1p(-second)), _CIRCLE * first
        result.append(radius * _cos(angle))
        result.append(radius * _sin(angle))
    if n:
        gen.next_normal = result.pop() if len(result) > n else None
    numbers = np.array(result, np.float64)
    if std == 1.0 and mean == 0.0:
        numbers += 0.0  # no zero is negative then
        return numbers
    return fused(numbers, std, mean)


def normal(
    gen: Generator, n: int, dtype: Any, mean: float, std: float, *, contiguous: bool = True
) -> Array:
    """*n* normal numbers of a floating dtype, as ``normal_`` fills memory with them."""
    if n < 16 or not contiguous:
        return scalar_normals(gen, n, mean, std).astype(dtype)
    whole = n - n % 16
    if dtype == np.float64 or dtype == f32:
        wide = dtype == np.float64
        draw = uniform_doubles if wide else uniform_floats
        transform = _box_muller_float64 if wide else box_muller
        unit = draw(gen, n)
    else:  # the halves draw block by block, and nothing for the rest
        draw, transform = uniform_floats, box_muller
        unit = draw(gen, whole)
    if whole == n:
        return transform(unit, mean, std).astype(dtype, copy=False)
    # The last block is drawn anew, over the end of the one before.
    last = draw(gen, 16)
    if n < _SMALL:
        both = transform(np.concatenate((unit[:whole], last)), mean, std)
        result = both[:n].copy()  # a storage of its own size
        result[n - 16 :] = both[whole:]
    else:
        result = np.empty(n, unit.dtype)
        result[:whole] = transform(unit[:whole], mean, std)
        result[n - 16 :] = transform(last, mean, std)
    return result.astype(dtype, copy=False)


# ------------------------------------------------------------------------- the others


def integers(gen: Generator, n: int, low: int, high: int) -> Array:
    """*n* integers in [low, high) as int64: one number each below 2**28 of range, else two."""
    span = high - low
    if span >= 1 << 64:
        return gen.longs(n).view(np.int64)
    if span >= 1 << 28:
        return (gen.longs(n) % np.uint64(span)).view(np.int64) + np.int64(low)
    words = gen.words(n).astype(np.uint32)
    if n < _SMALL:
        words %= np.uint32(span)
    else:  # numpy divides by one number much faster than it takes the rest
        quotients = words // np.uint32(span)
        quotients *= np.uint32(span)
        words -= quotients
    numbers = words.astype(np.int64)
    if low:
        numbers += low
    return numbers


def bernoulli(gen: Generator, n: int, p: Any) -> Array:
    """*n* truth values; *p* is a number, or an array of *n* float32 or float64 probabilities."""
    if isinstance(p, np.ndarray):
        return (uniform_doubles if p.dtype == np.float64 else uniform_floats)(gen, n) < p
    numbers = gen.longs(n)
    numbers &= _LONG_DIGITS
    # x / 2**53 < p where x < p * 2**53, which is exact; so the numbers need not be divided.
    return numbers < np.uint64(math.ceil(p * 2.0**53))


def exponential(gen: Generator, n: int, lambd: float) -> Array:
    """*n* exponential doubles."""
    return (-1.0 / lambd) * _each(math.log1p, -uniform_doubles(gen, n))


def geometric(gen: Generator, n: int, p: float) -> Array:
    """*n* numbers of trials up to the first success, as doubles."""
    return np.ceil(_each(_log, uniform_doubles(gen, n)) / math.log1p(-p))


def cauchy(gen: Generator, n: int, median: float, sigma: float) -> Array:
    """*n* Cauchy doubles."""
    tangents = _each(lambda u: math.tan(math.pi * (u - 0.5)), uniform_doubles(gen, n))
    return fused(tangents, sigma, median)


def log_normal(gen: Generator, n: int, mean: float, std: float) -> Array:
    """*n* doubles whose logarithms are normal."""
    return _each(_exp, scalar_normals(gen, n, mean, std))


def _log(x: float) -> float:
    return math.log(x) if x else -math.inf


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
