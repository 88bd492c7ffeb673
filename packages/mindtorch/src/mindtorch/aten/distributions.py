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
from ..tensor.random_block import Block
from .box_muller import box_muller, waves
from .c_functions import each, exps, logs, logs_of_more, turns
from .fma import fused, fused_by

Array = np.ndarray[Any, Any]
#: Draws a fixed number of numbers, in one dimension.
Draw = Callable[[Generator], Array]
f32: Final = np.float32
#: Below so many elements calls of numpy take longer than what they compute.
_SMALL: Final = 4096
#: Numbers that are drawn at a time: their words stay in the cache. A multiple of four, for devices.
_TILE: Final = 1 << 15
# Numpy takes arrays without dimensions in half the time of numbers.
_DIGITS, _UNIT = np.array(0xFFFFFF, np.uint64), np.array(2.0**-24, f32)
_LONG_DIGITS, _LONG_UNIT = np.array((1 << 53) - 1, np.uint64), np.array(2.0**-53)
_ZERO, _ZERO_DOUBLE = np.array(0, f32), np.array(0.0)
_PI, _A_HALF = np.array(math.pi), np.array(0.5)
#: So many normal numbers are not made one by one.
_MANY_PAIRS: Final = 512
#: Numbers of a whole block, at least.
_BLOCK: Final = 624
_CIRCLE: Final = 2.0 * math.pi
_cos, _log1p, _sin, _sqrt = math.cos, math.log1p, math.sin, math.sqrt

__all__ = ["bernoulli", "exponential", "integers", "normal", "uniform", "uniform_doubles"]


def _floats_of(block: Block) -> Array:
    """From each number of *block* one in [0, 1) with 24 random bits, as float32."""
    floats = block.floats
    if floats is None:
        floats = block.floats = (block.words & _DIGITS).astype(f32)
        floats *= _UNIT
        floats.setflags(write=False)
    return floats


def _waves_of(block: Block) -> tuple[Array, Array]:
    """From each number of *block* a radius; and the cosine and the sine of an angle, in turn."""
    radii, both = block.radii, block.waves
    if radii is None or both is None:
        unit = np.zeros(len(block.words) + 7 & ~7, f32)
        unit[: len(block.words)] = _floats_of(block)
        radii, rows = waves(unit)
        both = rows.T.reshape(-1)
        block.radii, block.waves = radii, both
    return radii, both


def _made_ahead(block: Block, at: int) -> bool:
    """Make normal numbers of sixteen numbers each, from the one at the place *at* on.

    False where others of the block begin elsewhere: then it is not worth while.
    """
    if block.residue >= 0 or block.mixed:
        block.mixed = True
        return False
    normals = np.empty(len(block.words), f32)
    end = at + (len(normals) - at & ~15)
    normals[at:end] = box_muller(_floats_of(block)[at:end], 0.0, 1.0)
    block.normals, block.residue = normals, at & 15
    return True


def uniform_doubles(gen: Generator, n: int) -> Array:
    """*n* numbers in [0, 1) with 53 random bits each; not to be changed."""
    taken = gen._take(2 * n) if n else None
    if taken is not None:
        block, at = taken
        return block.as_doubles()[at : at + 2 * n : 2]
    numbers = gen.longs(n)
    numbers &= _LONG_DIGITS
    return numbers * _LONG_UNIT


def uniform_floats(gen: Generator, n: int, scaled: Callable[[Array], Array] | None = None) -> Array:
    """*n* numbers in [0, 1) with 24 random bits each, as float32; not to be changed.

    :param scaled: what is made of them: of many, while they are in the cache.
    """
    taken = gen._take(n) if n else None
    if taken is not None:
        block, at = taken
        numbers = _floats_of(block)[at : at + n]
        return numbers if scaled is None else scaled(numbers)
    if n < _SMALL:  # fewer calls; for many numbers it is slower
        numbers = (gen.words(n) & _DIGITS).astype(f32)
        numbers *= _UNIT
        return numbers if scaled is None else scaled(numbers)
    numbers = np.empty(n, f32)
    for start in range(0, n, _TILE):
        part = numbers[start : start + _TILE]
        digits = gen.words(part.size).astype(np.uint32)
        digits &= np.uint32(0xFFFFFF)
        part[...] = digits.view(np.int32)
        part *= _UNIT
        if scaled is not None:
            part[...] = scaled(part)
    return numbers


def uniform(n: int, dtype: Any, low: float, high: float) -> Draw:
    """*n* numbers of a floating dtype in [low, high)."""
    wide = dtype == np.float64
    draw = uniform_doubles if wide else uniform_floats
    if (low, high) == (0, 1) and (wide or dtype == f32):

        def draw_plain(gen: Generator) -> Array:
            at = gen._at
            end = at + n
            floats = gen._block.floats
            if wide or floats is None or end > gen._end:
                return _owned(draw(gen, n))
            gen._at = end  # as ``_take`` does
            return floats[at:end].copy()

        return draw_plain
    if wide:
        wide_scaled = fused_by(high - low, low, dtype)
        return lambda gen: wide_scaled(uniform_doubles(gen, n))
    scaled = fused_by(f32(high) - f32(low), low, np.dtype(f32))
    if dtype == f32:
        return lambda gen: uniform_floats(gen, n, scaled)
    end = np.array(high).astype(dtype)

    def draw_narrow(gen: Generator) -> Array:
        numbers = uniform_floats(gen, n, scaled).astype(dtype)
        # Rounding to a narrow dtype can reach the end of the range, which does not belong to it.
        numbers[numbers == end] = low
        return numbers

    return draw_narrow


def _owned(numbers: Array) -> Array:
    """*numbers* in memory of their own."""
    return numbers if numbers.base is None else numbers.copy()


# ------------------------------------------------------------------------- normal


def _box_muller_float64(unit: Array, mean: float, std: float) -> Array:
    blocks = unit.reshape(-1, 2, 8)
    shape = blocks[:, 0].shape
    radius = np.sqrt(-2.0 * logs((1 - blocks[:, 0]).ravel()))
    cosines, sines = turns((2.0 * math.pi * blocks[:, 1]).ravel())
    result = np.empty_like(blocks)
    result[:, 0] = fused(radius * cosines, std, mean).reshape(shape)
    result[:, 1] = fused(radius * sines, std, mean).reshape(shape)
    return result.reshape(-1)


def _pairs(units: Array) -> Array:
    """Two normal numbers of every two in [0, 1), as doubles."""
    radius = np.sqrt(-2.0 * logs_of_more(-units[1::2]))
    waves = turns(_CIRCLE * units[::2])
    return np.stack([radius * wave for wave in waves], -1).reshape(-1)


def scalar_normals(n: int, dtype: Any, mean: float, std: float) -> Draw:
    """*n* normal numbers, drawn in pairs; the second of the last pair waits in the generator."""
    scaled = None if std == 1.0 and mean == 0.0 else fused_by(std, mean, np.dtype(np.float64))
    # Rounded once, from doubles.
    first = dtype if scaled is None and dtype in (np.float32, np.float64) else np.dtype(np.float64)
    zero = np.zeros((), first)

    def draw(gen: Generator) -> Array:
        result: list[float] = []
        waiting, missing = gen.next_normal, n
        if waiting is not None and n:
            gen.next_normal, missing = None, n - 1
            result.append(waiting)
        if missing >= _MANY_PAIRS:
            numbers = _pairs(uniform_doubles(gen, missing + 1 & ~1))
            if missing & 1:
                gen.next_normal = float(numbers[-1])
            return finished(np.concatenate((result, numbers[:missing])).astype(first, copy=False))
        if missing:
            units = iter(uniform_doubles(gen, missing + 1 & ~1).tolist())
            for left, right in zip(units, units):
                radius, angle = _sqrt(-2.0 * _log1p(-right)), _CIRCLE * left
                result.append(radius * _cos(angle))
                result.append(radius * _sin(angle))
            if missing & 1:
                gen.next_normal = result.pop()
        return finished(np.array(result, first))

    def finished(numbers: Array) -> Array:
        if scaled is None:
            numbers += zero  # no zero is negative then
        else:
            numbers = scaled(numbers)
        return numbers if first is dtype else numbers.astype(dtype)

    return draw


def normal(n: int, dtype: Any, mean: float, std: float, *, contiguous: bool = True) -> Draw:
    """*n* normal numbers of a floating dtype, as ``normal_`` fills memory with them."""
    if n < 16 or not contiguous:
        return scalar_normals(n, dtype, mean, std)
    whole, wide = n - n % 16, dtype == np.float64
    # The halves draw block by block, and nothing for the rest. The last block is drawn anew, over
    # the end of the one before.
    first = n if wide or dtype == f32 else whole
    words = first if whole == n else first + 16
    if wide or words > _BLOCK:
        return lambda gen: _many_normals(gen, n, first, dtype, mean, std)
    radius_at, wave_at = _places(n, words)
    scaled = None if mean == 0.0 and std == 1.0 else fused_by(std, mean, np.dtype(f32))

    def of_waves(block: Block, at: int) -> Array:
        radii, both = _waves_of(block)
        end = at + words
        result = radii[at:end].take(radius_at)
        result *= both[2 * at : 2 * end].take(wave_at)
        if scaled is not None:
            result = scaled(result)
        else:
            result += _ZERO  # no zero is negative then
        return result if dtype == f32 else result.astype(dtype)

    # Of those that are made ahead no zero is negative, but one of these may be.
    ahead = whole == n and (mean != 0.0 or math.copysign(1.0, mean) > 0.0)
    finish = _finisher(scaled, dtype)

    def draw(gen: Generator) -> Array:
        taken = gen._take(words)
        if taken is None:
            return _many_normals(gen, n, first, dtype, mean, std)
        block, at = taken
        if ahead and (block.residue == at & 15 or _made_ahead(block, at)):
            return finish(block.normals[at : at + n])
        return of_waves(block, at)

    def draw_ahead(gen: Generator) -> Array:
        at, block = gen._at, gen._block
        end = at + n
        if end > gen._end or block.residue != at & 15:
            return draw(gen)
        gen._at = end  # as ``_take`` does
        return finish(block.normals[at:end])

    return draw_ahead if ahead else draw


def _finisher(scaled: Callable[[Array], Array] | None, dtype: Any) -> Callable[[Array], Array]:
    """What makes an array of its own of normal numbers: scaled, of a floating *dtype*."""
    if dtype == f32:
        return scaled or np.ndarray.copy
    if scaled is None:
        return lambda x: x.astype(dtype)
    return lambda x: scaled(x).astype(dtype)


def _places(n: int, words: int) -> tuple[Array, Array]:
    """Where *n* normals of *words* numbers find their radius and their wave, in turn.

    Sixteen numbers are eight radii and eight angles, and become eight cosines and eight sines.
    """
    order = np.arange(16)
    radius = order % 8
    wave = 2 * (radius + 8) + order // 8
    starts = np.arange(0, n - 15, 16)[:, None]
    radii, waves = (starts + radius).reshape(-1), (2 * starts + wave).reshape(-1)
    if n % 16:
        last = words - 16
        radii = np.concatenate((radii[: n - 16], last + radius))
        waves = np.concatenate((waves[: n - 16], 2 * last + wave))
    return radii, waves


def _many_normals(gen: Generator, n: int, first: int, dtype: Any, mean: float, std: float) -> Array:
    """The same of more than the rest of a block: *first* numbers, then those of the last block."""
    whole, wide = n - n % 16, dtype == np.float64
    draw = uniform_doubles if wide else uniform_floats
    transform = _box_muller_float64 if wide else box_muller
    unit = draw(gen, first)
    if whole == n:
        return transform(unit, mean, std).astype(dtype, copy=False)
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


def integers(n: int, low: int, high: int) -> Draw:
    """*n* integers in [low, high) as int64: one number each below 2**28 of range, else two."""
    span = high - low
    if span >= 1 << 64:
        return lambda gen: gen.longs(n).view(np.int64)
    divisor, shift = np.array(span, np.uint64), np.array(low, np.int64)
    if span >= 1 << 28:
        return lambda gen: (gen.longs(n) % divisor).view(np.int64) + shift
    if n < _SMALL:

        def draw(gen: Generator) -> Array:
            numbers = (gen.words(n) % divisor).view(np.int64)
            if low:
                numbers += shift
            return numbers

        return draw
    narrow = np.uint32(span)

    def draw_many(gen: Generator) -> Array:
        words = gen.words(n).astype(np.uint32)
        # numpy divides by one number much faster than it takes the rest
        quotients = words // narrow
        quotients *= narrow
        words -= quotients
        numbers = words.astype(np.int64)
        if low:
            numbers += shift
        return numbers

    return draw_many


def bernoulli(n: int, p: Any) -> Callable[..., Array]:
    """*n* truth values by their probability; with an array, of a function of that as well."""
    if isinstance(p, np.ndarray):
        draw = uniform_doubles if p.dtype == np.float64 else uniform_floats
        return lambda gen, p: draw(gen, n) < p
    limit = np.array(float(p))
    return lambda gen: uniform_doubles(gen, n) < limit


def exponential(n: int, lambd: float) -> Draw:
    """*n* exponential doubles."""
    factor = np.array(-1.0 / lambd)
    return lambda gen: factor * logs_of_more(-uniform_doubles(gen, n))


def geometric(n: int, p: float) -> Draw:
    """*n* numbers of trials up to the first success, as doubles."""
    factor = np.array(math.log1p(-p))
    return lambda gen: np.ceil(logs(uniform_doubles(gen, n)) / factor)


def cauchy(n: int, median: float, sigma: float) -> Draw:
    """*n* Cauchy doubles."""
    scaled = fused_by(sigma, median, np.dtype(np.float64))
    return lambda gen: scaled(each(math.tan, _PI * (uniform_doubles(gen, n) - _A_HALF)))


def log_normal(n: int, mean: float, std: float) -> Draw:
    """*n* doubles whose logarithms are normal."""
    normals = scalar_normals(n, np.dtype(np.float64), mean, std)
    return lambda gen: exps(normals(gen))
