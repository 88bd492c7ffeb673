"""Permutations of a generator's numbers: Fisher-Yates from the front, as torch's ``randperm``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.generator import Generator

Array = np.ndarray[Any, Any]

__all__ = ["permutation"]

#: Below this size swapping one by one is faster than what finds the outcome of all swaps.
_FEW = 300


def permutation(gen: Generator, n: int) -> Array:
    """A permutation of ``range(n)``."""
    if n < 2:
        return np.arange(n)
    numbers = gen.words(n - 1).astype(np.uint32)
    places = numbers % np.arange(n, 1, -1, dtype=np.uint32) + np.arange(n - 1)
    return _swapped(places) if n < _FEW else _outcome(places)


def _swapped(places: Array) -> Array:
    """Swap at each time t what is at t with what is at ``places[t]``."""
    order = list(range(len(places) + 1))
    for i, j in enumerate(places.tolist()):
        here = order[j]
        order[j] = order[i]
        order[i] = here
    return np.array(order, np.int64)


def _outcome(places: Array) -> Array:
    """What :func:`_swapped` gives, without doing one swap after the other.

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
