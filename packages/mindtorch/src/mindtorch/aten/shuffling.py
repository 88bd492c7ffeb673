"""Permutations of a generator's numbers: Fisher-Yates from the front, as torch's ``randperm``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.scipy_extensions import extension
from ..tensor.generator import Generator

Array = np.ndarray[Any, Any]

__all__ = ["permuting"]

#: Below this size swapping in Python is faster than a call of LAPACK.
_FEW = 24


def permuting(n: int) -> Callable[[Generator], Array]:
    """What draws a permutation of ``range(n)``."""
    if n < 2:
        return lambda gen: np.arange(n)
    if n >= _FEW:
        return lambda gen: _swapped(_places(gen, n), n)
    left, done = np.arange(n, 1, -1, dtype=np.uint64), np.arange(n - 1, dtype=np.uint64)

    def draw(gen: Generator) -> Array:
        places = gen.words(n - 1) % left
        places += done
        order = list(range(n))
        for i, j in enumerate(places.tolist()):
            order[i], order[j] = order[j], order[i]
        return np.array(order, np.int64)

    return draw


def _places(gen: Generator, n: int) -> Array:
    """With what is at which place what is at each time t is swapped: it is none before t."""
    numbers = gen.words(n - 1).astype(np.uint32)
    numbers %= np.arange(n, 1, -1, dtype=np.uint32)
    numbers += np.arange(n - 1, dtype=np.uint32)
    return numbers


def _swapped(places: Array, n: int) -> Array:
    """``range(n)`` after the swaps with *places*, one after the other.

    LAPACK swaps rows of a matrix by pivots in just that way; this one has a single column, of
    floats that hold the numbers exactly.
    """
    swap = extension("linalg._flapack").dlaswp
    column = np.arange(n, dtype=np.float64).reshape(n, 1)
    order: Array = swap(column, places.astype(np.int32), overwrite_a=1).reshape(n)
    return order.astype(np.int64)
