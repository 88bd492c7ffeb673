"""Which of equal numbers ``topk`` takes: those that torch's C++ library meets first.

torch selects with ``std::partial_sort`` or ``std::nth_element`` and ``std::sort``, which are not
stable, so that equal numbers come in an order that follows from the steps of these algorithms. The
steps are those of libstdc++. Only rows with equal numbers among the first need this.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["first_indices"]

_Before = Callable[[int, int], bool]


def first_indices(values: list[float], k: int, largest: bool, ordered: bool) -> list[int]:
    """The indices of the *k* largest or smallest of *values*; NaN is larger than any number."""

    def before(i: int, j: int) -> bool:
        x, y = values[i], values[j]
        if largest:
            return (x != x and y == y) or x > y
        return (x == x and y != y) or x < y

    queue = list(range(len(values)))
    if k * 64 <= len(queue):
        _partial_sort(queue, k, before)
    elif k:
        _nth_element(queue, k - 1, before)
        if ordered:
            _sort(queue, k - 1, before)
    return queue[:k]


def _sift(a: list[int], start: int, hole: int, length: int, value: int, before: _Before) -> None:
    top, child = hole, hole
    while child < (length - 1) // 2:
        child = 2 * (child + 1)
        if before(a[start + child], a[start + child - 1]):
            child -= 1
        a[start + hole] = a[start + child]
        hole = child
    if length % 2 == 0 and child == (length - 2) // 2:
        child = 2 * (child + 1)
        a[start + hole] = a[start + child - 1]
        hole = child - 1
    parent = (hole - 1) // 2
    while hole > top and before(a[start + parent], value):
        a[start + hole] = a[start + parent]
        hole = parent
        parent = (hole - 1) // 2
    a[start + hole] = value


def _heap_select(a: list[int], first: int, middle: int, last: int, before: _Before) -> None:
    length = middle - first
    for parent in range((length - 2) // 2, -1, -1) if length >= 2 else ():
        _sift(a, first, parent, length, a[first + parent], before)
    for i in range(middle, last):
        if before(a[i], a[first]):
            value = a[i]
            a[i] = a[first]
            _sift(a, first, 0, length, value, before)


def _sort_heap(a: list[int], first: int, last: int, before: _Before) -> None:
    while last - first > 1:
        last -= 1
        value = a[last]
        a[last] = a[first]
        _sift(a, first, 0, last - first, value, before)


def _partial_sort(a: list[int], k: int, before: _Before) -> None:
    if k:
        _heap_select(a, 0, k, len(a), before)
        _sort_heap(a, 0, k, before)


def _partition(a: list[int], first: int, last: int, before: _Before) -> int:
    """Put the median of three first, and return where what is not before it begins."""
    x, y, z = first + 1, first + (last - first) // 2, last - 1
    if before(a[x], a[y]):
        chosen = y if before(a[y], a[z]) else z if before(a[x], a[z]) else x
    else:
        chosen = x if before(a[x], a[z]) else z if before(a[y], a[z]) else y
    a[first], a[chosen] = a[chosen], a[first]
    low, high = first + 1, last
    while True:
        while before(a[low], a[first]):
            low += 1
        high -= 1
        while before(a[first], a[high]):
            high -= 1
        if low >= high:
            return low
        a[low], a[high] = a[high], a[low]
        low += 1


def _insert(a: list[int], first: int, last: int, before: _Before) -> None:
    for i in range(first + 1, last):
        value = a[i]
        if before(value, a[first]):
            a[first + 1 : i + 1] = a[first:i]
            a[first] = value
        else:
            _insert_unguarded(a, i, before)


def _insert_unguarded(a: list[int], i: int, before: _Before) -> None:
    value = a[i]
    while before(value, a[i - 1]):
        a[i] = a[i - 1]
        i -= 1
    a[i] = value


def _nth_element(a: list[int], nth: int, before: _Before) -> None:
    first, last = 0, len(a)
    depth = 2 * (len(a).bit_length() - 1)
    while last - first > 3:
        if depth == 0:
            _heap_select(a, first, nth + 1, last, before)
            a[first], a[nth] = a[nth], a[first]
            return
        depth -= 1
        cut = _partition(a, first, last, before)
        if cut <= nth:
            first = cut
        else:
            last = cut
    _insert(a, first, last, before)


def _sort(a: list[int], last: int, before: _Before) -> None:
    if last < 2:
        return
    _sort_loop(a, 0, last, 2 * (last.bit_length() - 1), before)
    _insert(a, 0, min(last, 16), before)
    for i in range(16, last):
        _insert_unguarded(a, i, before)


def _sort_loop(a: list[int], first: int, last: int, depth: int, before: _Before) -> None:
    while last - first > 16:
        if depth == 0:
            _heap_select(a, first, last, last, before)
            _sort_heap(a, first, last, before)
            return
        depth -= 1
        cut = _partition(a, first, last, before)
        _sort_loop(a, cut, last, depth, before)
        last = cut
