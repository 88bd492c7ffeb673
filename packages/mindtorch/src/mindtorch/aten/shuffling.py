"""Permutations of a generator's numbers: Fisher-Yates from the front, as torch's ``randperm``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor.generator import Generator

Array = np.ndarray[Any, Any]

__all__ = ["permuting"]

#: Below this size swapping one by one is faster than what finds the outcome of all swaps.
_FEW = 300


def permuting(n: int) -> Callable[[Generator], Array]:
    """What draws a permutation of ``range(n)``."""
    if n < 2:
        return lambda gen: np.arange(n)
    if n >= _FEW:
        return lambda gen: _outcome(_places(gen, n))
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
    return numbers % np.arange(n, 1, -1, dtype=np.uint32) + np.arange(n - 1)


def _outcome(places: Array) -> Array:
    """The numbers after the swaps with *places*, without doing one swap after the other.

    Nothing is swapped with a place once its time is past. So what a place holds before its own
    time is what came there last: what the place of that time held before *its* time, and so on
    back to a place that nothing came to, which holds its own number. A swap then takes what came
    to its target last before it, or the target's own number.
    """
    m = len(places)
    n = m + 1
    index = np.arange(n)
    before, last = _comings(places, n)
    # What comes to a place at its own time is no longer there before it.
    source = np.where(last == index, before, last)
    held = np.where(source < 0, index, source)
    while True:
        further = held.take(held)
        if (further == held).all():
            break
        held = further
    came = before[:m]
    taken = np.where(came < 0, places, held.take(came))
    result = np.empty(n, np.int64)
    # What swaps with itself takes what it holds.
    result[:m] = np.where(places == index[:m], held[:m], taken)
    result[m] = held[m]
    return result


def _comings(places: Array, n: int) -> tuple[Array, Array]:
    """By time: when something came to the same place before it; by place: when something came last.

    -1 where nothing did. Sorted by place and time, in one number each: what numpy sorts fastest.
    """
    bits = n.bit_length()
    sorted_keys = np.sort(places << bits | np.arange(len(places)))
    where, when = sorted_keys >> bits, sorted_keys & ((1 << bits) - 1)
    before, last = np.full(n, -1), np.full(n, -1)
    again = (where[1:] == where[:-1]).nonzero()[0]
    before[when.take(again + 1)] = when.take(again)
    last[where] = when  # of equal places numpy keeps what is assigned last
    return before, last
