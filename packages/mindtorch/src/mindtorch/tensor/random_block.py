"""Numbers that a generator has drawn ahead."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["HALF", "Block"]

#: Bits of a word; numpy takes arrays without dimensions in half the time of numbers.
HALF: Final = np.array(32, np.uint64)

#: Of 64 bits those that make a number in [0, 1), and its last digit.
_LONG_MASK: Final = (1 << 53) - 1
_LONG_DIGITS, _LONG_UNIT = np.array(_LONG_MASK, np.uint64), np.array(2.0**-53)

Array = np.ndarray[Any, Any]


class Block:
    """Numbers of 32 bits that were drawn ahead, and what kernels made of all of them, once asked.

    Its arrays are read only: what a draw takes is a part of them.
    """

    __slots__ = ("doubles", "floats", "mixed", "normals", "radii", "residue", "waves", "words")

    #: The numbers themselves, as uint64.
    words: Array
    #: In [0, 1) with 24 random bits; and with 53, from each number and the one after it.
    floats: Array | None
    doubles: Array | None
    #: By number, a radius of the Box-Muller transform; the cosine and the sine of an angle.
    radii: Array | None
    waves: Array | None
    #: Normal numbers of sixteen numbers each, from one on whose place has this *residue* of 16.
    normals: Array
    residue: int
    #: Whether normal numbers were drawn at places of several residues, here or before.
    mixed: bool

    def __init__(self, words: Array, mixed: bool = False) -> None:
        words.setflags(write=False)
        self.words, self.mixed = words, mixed
        self.floats = self.doubles = self.radii = self.waves = None
        self.normals, self.residue = words, -1  # none yet

    def as_doubles(self) -> Array:
        """From each number and the one after it, one in [0, 1) with 53 random bits."""
        doubles = self.doubles
        if doubles is None:
            longs = self.words[:-1] << HALF
            longs |= self.words[1:]
            longs &= _LONG_DIGITS
            doubles = self.doubles = longs * _LONG_UNIT
            doubles.setflags(write=False)
        return doubles
