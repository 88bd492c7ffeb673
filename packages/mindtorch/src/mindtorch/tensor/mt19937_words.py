"""The words of mt19937 by Python's own generator, for programs that draw few of them.

``numpy.random`` draws them faster, but takes 8 ms to import: a hundred times the first ``randn`` of
torch. Python's ``random`` is the same engine, and there already.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

__all__ = ["FEW", "FewWords", "key_of", "numpy_is_loaded"]

#: So many words are drawn before numpy's engine pays.
FEW: Final = 1 << 14
_WORDS: Final = 624

Array = np.ndarray[Any, Any]


def numpy_is_loaded() -> bool:
    """Whether somebody has imported ``numpy.random``."""
    return "numpy.random" in sys.modules


def key_of(words: Array) -> Array:
    """The state of which mt19937 gave 624 *words*: each word says one of its numbers.

    Source: M. Matsumoto and T. Nishimura, Mersenne Twister (1998), tempering, backwards.
    """
    key = words.astype(np.uint32)
    key ^= key >> np.uint32(18)
    key ^= key << np.uint32(15) & np.uint32(0xEFC60000)
    tempered = key.copy()
    for _ in range(4):  # seven more digits each time
        key = tempered ^ key << np.uint32(7) & np.uint32(0x9D2C5680)
    tempered = key.copy()
    for _ in range(2):  # eleven
        key = tempered ^ key >> np.uint32(11)
    return key


class FewWords:
    """A stream of mt19937 from a state on; draws as ``numpy.random.MT19937`` does.

    :ivar drawn: how many words were drawn.
    """

    __slots__ = ("_random", "drawn")

    def __init__(self, key: Iterable[int], position: int) -> None:
        self._random = random.Random(0)
        self._random.setstate((3, (*key, position), None))
        self.drawn = 0

    @classmethod
    def seeded(cls, seed: int) -> FewWords:
        """The stream of a seed of 32 bits, as the inventors of the engine begin it."""
        key = [seed]
        for i in range(1, _WORDS):
            seed = 1812433253 * (seed ^ seed >> 30) + i & 0xFFFFFFFF
            key.append(seed)
        return cls(key, _WORDS)

    def random_raw(self, n: int) -> Array:
        """The next *n* words, as uint64."""
        self.drawn += n
        words = self._random.getrandbits(32 * n).to_bytes(4 * n, "little")
        return np.frombuffer(words, "<u4").astype(np.uint64)

    @property
    def state(self) -> dict[str, Any]:
        """The state in numpy's format."""
        *key, position = self._random.getstate()[1]
        return {
            "bit_generator": "MT19937",
            "state": {"key": np.array(key, np.uint32), "pos": position},
        }
