"""Permutations of a generator's numbers: Fisher-Yates from the front, as torch's ``randperm``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..generator import Generator

Array = np.ndarray[Any, Any]

__all__ = ["permutation"]

#: Below this size swapping one by one is faster than what finds the outcome of all swaps.
_FEW = 2000


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
    times = index[:m]
    last = np.full(n, -1)  # by place: when something last came there
    last[places] = times  # of equal places numpy keeps what is assigned last
    before = _times_before(places, last)
    # What comes to a place at its own time is no longer there before it.
    source = np.where(last == index, before, last)
    held = np.where(source < 0, index, source)
    while True:
        further = held.take(held)
        if (further == held).all():
            break
        held = further
    came = before[:m]
    taken = np.where(came >= 0, held.take(came), places)
    result = np.empty(n, np.int64)
    result[:m] = np.where(places == times, held[:m], taken)
    result[m] = held[m]
    return result


def _times_before(places: Array, last: Array) -> Array:
    """By time: the time before at which something came to the same place, or -1.

    All times but the last of their place are looked at again, until none are left: a place is
    come to about once, and sixteen times at most.
    """
    before = np.full(len(last), -1)
    newer, newest = last.copy(), np.empty(len(last), np.intp)
    rest = (last.take(places) != np.arange(len(places))).nonzero()[0]
    while rest.size:
        at = places.take(rest)
        newest[at] = rest
        is_newest = newest.take(at) == rest
        where, when = at[is_newest], rest[is_newest]
        before[newer.take(where)] = when
        newer[where] = when
        rest = rest[~is_newest]
    return before
