"""Normal float32 numbers from uniform ones, rounded as torch's vector kernel rounds them.

The kernel's polynomials for logarithm, sine and cosine are of fused products: ``a * b + c`` with
one rounding. float64 holds a product of two float32 numbers exactly, so each step is computed
there and rounded to float32; the arrays that one step works on stay in the cache and are used
again by the next.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from .cephes import COS, LOG, LOG_HIGH, LOG_LOW, QUARTER_PI, SIN
from .few_normals import MOST_BLOCKS, few_normals, few_waves
from .fma import complex_product

Array = np.ndarray[Any, Any]
f32: Final = np.float32

__all__ = ["box_muller", "waves"]


# Constants are arrays without dimensions: numpy takes them in half the time of Python's numbers.
def _exact(*numbers: float) -> tuple[Array, ...]:
    """Constants of single precision, in double precision."""
    return tuple(np.array(f32(n), np.float64) for n in numbers)


def _single(number: float) -> Array:
    return np.array(number, f32)


def _bits(number: int) -> Array:
    return np.array(number, np.int32)


_LOG, _COS, _SIN, _QUARTER_PI = (_exact(*row) for row in (LOG, COS, SIN, QUARTER_PI))
_LOG_LOW, (_LOG_HIGH,) = _single(LOG_LOW), _exact(LOG_HIGH)
#: By power, the highest first, a column for each of the two.
_COS_SIN: Final = [np.array(pair)[:, None] for pair in zip(_COS, _SIN)]
_MINUS_HALF: Final = np.array(-0.5)
_ROOT_HALF: Final = _single(0.707106781186547524).view(np.int32)
_SMALLEST, _OCTANTS = _single(1.17549435e-38), _single(1.27323954473516)
_ZERO, _ONE, _MINUS_TWO, _CIRCLE = map(_single, (0, 1, -2, 2 * math.pi))
_ONE_BIT, _TWO, _FOUR, _LAST, _ALL_BUT_LAST = map(_bits, (1, 2, 4, 31, ~1))
_DIGITS, _EXPONENT_OF_HALF, _TO_EXPONENT, _BIAS = map(_bits, (0x007FFFFF, 0x3F000000, 23, 126))
_TO_SIGN: Final = _bits(29)

#: Blocks of sixteen that are worked on at a time: the arrays of a tile stay in the cache.
_TILE: Final = 2048
_add, _multiply = np.add, np.multiply


class _Tile:
    """Arrays for the numbers of a tile, in both precisions: single ones, and one of pairs."""

    __slots__ = ("narrow", "narrow_pair", "pair", "wide")

    def __init__(self, size: int) -> None:
        self.wide = [np.empty(size) for _ in range(4)]
        self.narrow = np.empty(size, f32)
        self.pair = np.empty((2, size))
        self.narrow_pair = np.empty((2, size), f32)

    def round(self, x: Array) -> Array:
        """Round *x* to single precision in place; the float32 array is good until the next."""
        narrow = self.narrow
        narrow[...] = x
        x[...] = narrow
        return narrow


def _log(tile: _Tile, x: Array) -> Array:
    """Natural logarithm of float32 numbers in (0, 1]; good until *tile* is used again."""
    bits = np.maximum(x, _SMALLEST).view(np.int32)
    digits = bits & _DIGITS
    digits |= _EXPONENT_OF_HALF
    low = digits - _ROOT_HALF
    low >>= _LAST  # all bits where the mantissa is below it, else none
    bits >>= _TO_EXPONENT
    bits -= _BIAS
    bits += low
    exponents = bits.astype(f32)
    m = digits.view(f32) - _ONE
    low &= digits
    m += low.view(f32)
    wide, y, square, term = tile.wide
    narrow = tile.narrow
    wide[...] = m
    squares = m * m
    square[...] = squares
    _multiply(wide, _LOG[0], y)
    _add(y, _LOG[1], y)
    for c in _LOG[2:]:  # Horner's rule, rounding at every step
        narrow[...] = y
        y[...] = narrow
        _multiply(y, wide, y)
        _add(y, c, y)
    narrow[...] = y
    narrow *= m
    y[...] = narrow
    _multiply(y, square, y)
    term[...] = exponents * _LOG_LOW
    _add(y, term, y)
    tile.round(y)
    _multiply(square, _MINUS_HALF, square)
    _add(square, y, square)
    narrow[...] = square
    m += narrow
    y[...] = m
    term[...] = exponents
    _multiply(term, _LOG_HIGH, term)
    _add(term, y, term)
    return tile.round(term)


def _cos_sin(tile: _Tile, x: Array) -> Array:
    """Cosine and sine of float32 angles that are not negative; good until *tile* is used again."""
    octant = (x * _OCTANTS).astype(np.int32)
    octant += _ONE_BIT
    octant &= _ALL_BUT_LAST
    angle, count, square, term = tile.wide
    angle[...] = x
    count[...] = octant
    for part in _QUARTER_PI:
        _multiply(count, part, term)
        _add(angle, term, angle)
        narrow = tile.round(angle)
    squares = narrow * narrow
    square[...] = squares
    pair, both = tile.pair, tile.narrow_pair
    _multiply(square, _COS_SIN[0], pair)
    _add(pair, _COS_SIN[1], pair)
    both[...] = pair
    pair[...] = both
    _multiply(pair, square, pair)
    _add(pair, _COS_SIN[2], pair)
    both[...] = pair
    both *= squares
    pair[...] = both
    cosine, sine = pair
    cosine *= square
    square *= _MINUS_HALF
    cosine += square
    sine *= angle
    sine += angle
    both[...] = pair
    both[0] += _ONE
    # Chosen and given signs by their bits, in a tenth of the time that numpy's ``where`` takes:
    # bit 1 of the octant swaps the two; bit 2 of it, and of the octant two further, is the sign.
    c_bits, s_bits = both.view(np.int32)
    change = c_bits ^ s_bits
    change &= -((octant >> _ONE_BIT) & _ONE_BIT)
    s_bits ^= change
    c_bits ^= change
    s_bits ^= (octant & _FOUR) << _TO_SIGN
    octant += _TWO
    c_bits ^= (octant & _FOUR) << _TO_SIGN
    return both


def box_muller(unit: Array, mean: float, std: float) -> Array:
    """Blocks of sixteen: eight radii, then eight angles, become eight cosines and eight sines.

    :param unit: float32 numbers in [0, 1), a multiple of sixteen.
    """
    blocks = unit.reshape(-1, 2, 8)
    if len(blocks) <= MOST_BLOCKS and complex_product() is _multiply:
        return few_normals(blocks, mean, std)
    result = np.empty_like(blocks)
    plain = mean == 0.0 and std == 1.0
    shift, scale = _exact(mean, std)
    tile = _Tile(0)
    for start in range(0, len(blocks), _TILE):
        part = blocks[start : start + _TILE]
        if part.size // 2 != tile.narrow.size:
            tile = _Tile(part.size // 2)
        radii = _log(tile, (_ONE - part[:, 0]).reshape(-1)) * _MINUS_TWO
        np.sqrt(radii, radii)
        both = _cos_sin(tile, (_CIRCLE * part[:, 1]).reshape(-1))
        both *= radii
        if plain:
            both += _ZERO  # no zero is negative then
        else:
            pair = tile.pair
            pair[...] = both
            pair *= scale
            pair += shift
            both = pair
        result[start : start + _TILE] = both.reshape(2, -1, 8).transpose(1, 0, 2)
    return result.reshape(-1)


def waves(unit: Array) -> tuple[Array, Array]:
    """Of each float32 number in [0, 1): the radius; the cosine and the sine of the angle.

    What ``box_muller`` gives is their products. There are as many numbers as a multiple of eight.
    """
    if complex_product() is _multiply:
        return few_waves(unit)
    tile = _Tile(unit.size)
    radii = _log(tile, _ONE - unit) * _MINUS_TWO
    return np.sqrt(radii, radii), _cos_sin(tile, _CIRCLE * unit).copy()
