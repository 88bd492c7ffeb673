"""Few normal numbers from uniform ones: the bits of ``box_muller`` in fewer calls of numpy.

For few numbers what counts is how often numpy is called. So a fused step of a polynomial is one
product of complex numbers (see ``fma``), steps of logarithm, cosine and sine that go alike are one
call over three rows, and all arrays are there before.
"""

from __future__ import annotations

import math
import threading
from typing import Any, Final

import numpy as np

from .cephes import COS, LOG, LOG_HIGH, LOG_LOW, QUARTER_PI, SIN

Array = np.ndarray[Any, Any]
f32: Final = np.float32

__all__ = ["MOST_BLOCKS", "few_normals", "few_waves"]

#: Of more blocks of sixteen ``box_muller`` is as fast: numpy is slow to write parts of numbers.
MOST_BLOCKS: Final = 256


# Constants are arrays without dimensions: numpy takes them in half the time of Python's numbers.
def _singles(numbers: Any) -> tuple[Array, ...]:
    return tuple(np.array(n, f32) for n in numbers)


_LOG, _COS, _SIN, _QUARTER_PI = map(_singles, (LOG, COS, SIN, QUARTER_PI))
_LOG_LOW, _LOG_HIGH, _OCTANTS, _CIRCLE = _singles((LOG_LOW, LOG_HIGH, 4 / math.pi, 2 * math.pi))
_ZERO, _ONE, _MINUS_HALF, _MINUS_TWO = _singles((0, 1, -0.5, -2))
_ROOT_HALF: Final = np.array(math.sqrt(0.5), f32).view(np.int32)
_DIGITS, _ONE_BIT, _ALL_BUT_LAST = (np.array(n, np.int32) for n in (23, 1, ~1))
#: Powers of i by octant, of which only the even ones are met.
_TURNS: Final = np.array([1, 1, 1j, 1j, -1, -1, -1j, -1j, 1], np.complex64)
#: The arrays for so many sizes are kept: at most a megabyte.
_MOST_KEPT: Final = 8
_add, _multiply, _sqrt, _subtract = np.add, np.multiply, np.sqrt, np.subtract


class _Rows:
    """Three rows of numbers: of the logarithms, the cosines and the sines (the angles at first)."""

    __slots__ = ("first", "flat", "second", "third", "two")

    def __init__(self, flat: Array) -> None:
        n = len(flat) // 3
        self.flat = flat
        self.two = flat[: 2 * n]
        self.first, self.second, self.third = flat[:n], flat[n : 2 * n], flat[2 * n :]


class _Tile:
    """Arrays for so many pairs of numbers, and what happens in them."""

    __slots__ = (
        *("added", "bits", "blocks", "by", "exponents", "factor", "factors", "helper", "last"),
        *("mantissa", "term", "turned", "turned_parts", "unit_bits", "units", "value", "values"),
    )

    def __init__(self, pairs: int) -> None:
        #: The ``a - i`` and the ``b + ic`` of a step, and their changing parts.
        self.factors = _Rows(np.full(3 * pairs, -1j, np.complex64))
        self.values = _Rows(np.zeros(3 * pairs, np.complex64))
        self.factor = _Rows(self.factors.flat.real)
        self.value, self.added = _Rows(self.values.flat.real), _Rows(self.values.flat.imag)
        #: What is added in the last two steps.
        self.last = [np.repeat(row, pairs) for row in zip(_LOG[-2:], _COS[1:], _SIN[1:])]
        self.by, self.term, self.helper = (_Rows(np.empty(3 * pairs, f32)) for _ in range(3))
        self.units = np.empty((2, pairs), f32)
        self.blocks, self.unit_bits = self.units.reshape(2, -1, 8), self.units[0].view(np.int32)
        self.mantissa, self.exponents = np.empty((2, pairs), f32)
        self.bits = np.empty(pairs, np.int32)
        self.turned = np.empty(pairs, np.complex64)
        self.turned_parts = self.turned.real, self.turned.imag

    def fill(self, blocks: Array, result: Array, scale: Any, shift: Any) -> None:
        """*blocks* of eight radii and eight angles become cosines and sines in *result*.

        Both are (blocks, 2, 8); no *scale*: standard normal numbers.
        """
        units = self.units
        self.blocks[...] = blocks.transpose(1, 0, 2)
        _multiply(units, self._transform(), units)
        if scale is None:
            units += _ZERO  # no zero is negative then
        else:
            wide = np.multiply(units, scale)
            wide += shift
            units[...] = wide
        result.transpose(1, 0, 2)[...] = self.blocks

    def waves(self, unit: Array) -> tuple[Array, Array]:
        """Of each of *unit*: the radius; the cosine and the sine of the angle."""
        self.units[...] = unit
        radii = self._transform().copy()
        return radii, self.units.copy()

    def _transform(self) -> Array:
        """Turn the units into cosines and sines, and return the radii."""
        unit, angle = self.units
        self._split(unit)
        self._octants(angle)
        self._polynomials(angle)
        self._turn(unit, angle)
        logarithm = self.mantissa
        logarithm *= _MINUS_TWO
        return _sqrt(logarithm, logarithm)

    def _split(self, unit: Array) -> None:
        """The numbers as mantissas in [sqrt(1/2), sqrt(2)), less one, and exponents of two."""
        _subtract(_ONE, unit, unit)
        bits, exponents = self.unit_bits, self.bits
        _subtract(bits, _ROOT_HALF, exponents)
        exponents >>= _DIGITS
        self.exponents[...] = exponents
        exponents <<= _DIGITS
        bits -= exponents
        self.factor.first[...] = _subtract(unit, _ONE, self.mantissa)

    def _octants(self, angle: Array) -> None:
        angle *= _CIRCLE
        bits = self.bits
        bits[...] = _multiply(angle, _OCTANTS, self.helper.first)
        bits += _ONE_BIT
        bits &= _ALL_BUT_LAST
        self.factor.second[...] = bits
        self.added.second[...] = angle

    def _polynomials(self, angle: Array) -> None:
        """Leaves the cosines, less one, and the sines in *value*, the logarithms in *mantissa*."""
        factor, value, added, by, term = self.factor, self.value, self.added, self.by, self.term
        # The first steps of the logarithm, while the angles lose their octants.
        value.first.fill(_LOG[0])
        x, y = self.factors.two, self.values.two
        for part, c in zip(_QUARTER_PI, _LOG[1:4]):
            value.second.fill(part)
            added.first.fill(c)
            _multiply(x, y, y)
            added.second[...] = value.second
        x, y = self.factors.first, self.values.first
        for c in _LOG[4:7]:
            added.first.fill(c)
            _multiply(x, y, y)
        # The last steps of all three.
        angle[...] = value.second
        value.second.fill(_COS[0])
        value.third.fill(_SIN[0])
        mantissa, square = self.mantissa, by.second
        by.first[...] = mantissa
        by.third[...] = _multiply(angle, angle, square)
        factor.flat[...] = by.flat
        x, y = self.factors.flat, self.values.flat
        for last in self.last:
            added.flat[...] = last
            _multiply(x, y, y)
        # And once more, without a sum; then · m² + low · e, · x² - x²/2 and · x + x.
        polynomials = self.helper.flat
        polynomials[...] = value.flat
        polynomials *= by.flat
        value.flat[...] = polynomials
        exponents, mantissas = self.exponents, by.first
        mantissas *= mantissas
        _multiply(exponents, _LOG_LOW, term.first)
        _multiply(square, _MINUS_HALF, term.second)
        by.third[...] = term.third[...] = angle
        factor.flat[...] = by.flat
        added.flat[...] = term.flat
        _multiply(x, y, y)
        mantissas *= _MINUS_HALF
        mantissas += value.first
        mantissa += mantissas
        exponents *= _LOG_HIGH  # exact, so that the sum is as if fused
        mantissa += exponents

    def _turn(self, cosine: Array, sine: Array) -> None:
        """Cosines and sines by octant."""
        turned, (real, imaginary) = self.turned, self.turned_parts
        _add(self.value.second, _ONE, real)
        imaginary[...] = self.value.third
        turned *= _TURNS.take(self.bits)
        cosine[...] = real
        sine[...] = imaginary


class _Kept(threading.local):
    """The tiles that a thread has worked on, by their number of blocks."""

    def __init__(self) -> None:
        self.tiles: dict[int, _Tile] = {}


_kept = _Kept()


def _tile(blocks: int) -> _Tile:
    found = _kept.tiles.get(blocks)
    if found is None:
        if len(_kept.tiles) >= _MOST_KEPT:
            _kept.tiles.clear()
        found = _kept.tiles[blocks] = _Tile(8 * blocks)
    return found


def few_normals(blocks: Array, mean: float, std: float) -> Array:
    """What ``box_muller`` makes of (n, 2, 8) numbers, flat."""
    result = np.empty(blocks.size, f32)
    scale = shift = None
    if mean != 0.0 or std != 1.0:
        scale, shift = (np.array(f32(n), np.float64) for n in (std, mean))
    _tile(len(blocks)).fill(blocks, result.reshape(blocks.shape), scale, shift)
    return result


def few_waves(unit: Array) -> tuple[Array, Array]:
    """The radius, and the cosine and sine of the angle, that belong to each of *unit*."""
    return _tile(len(unit) // 8).waves(unit)
