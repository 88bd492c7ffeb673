"""Which of equal numbers ``topk`` takes: those that torch's C++ library meets first.

torch selects with ``std::partial_sort`` or ``std::nth_element`` and ``std::sort``, which are not
stable, so that equal numbers come in an order that follows from the steps of these algorithms. The
steps are those of libstdc++ (bits/stl_algo.h, bits/stl_heap.h). Only rows with equal numbers among
the first need this.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["first_indices", "sort_keys"]

#: Elements that are compared with the top of a heap at once: the first of them change it often.
_BLOCK: Final = 1024
#: So many elements or fewer are left for the last pass of ``std::sort``.
_THRESHOLD: Final = 16


def sort_keys(values: Any, largest: bool) -> Any:
    """Integers in the order of *values*, int64: what comes first has the least.

    NaN is larger than any number.
    """
    if values.dtype.kind in "iub":
        keys = values.astype(np.int64)
    else:
        wide = values.astype(np.float64) + 0.0  # there is one zero
        bits = wide.view(np.int64)
        keys = np.where(bits < 0, np.iinfo(np.int64).min - bits, bits)
        keys[np.isnan(wide)] = np.iinfo(np.int64).max
    return ~keys if largest else keys


def first_indices(keys: Any, k: int, ordered: bool) -> list[int]:
    """The indices of the *k* least of *keys*, a row of :func:`sort_keys`."""
    if k * 64 <= len(keys):
        return _sorted_heap(_heap_select(keys.copy(), np.arange(len(keys)), k)) if k else []
    if not k:
        return []
    queue, numbers = list(range(len(keys))), keys.tolist()
    _nth_element(queue, k - 1, numbers)
    if ordered:
        _sort_loop(queue, 0, k - 1, 2 * max(0, (k - 1).bit_length() - 1), numbers)
        # The last pass moves elements past those that they come before, so it is stable.
        queue[: k - 1] = sorted(queue[: k - 1], key=numbers.__getitem__)
    return queue[:k]


# A heap is a list of pairs of a key and an index; what comes last of all stands first in it.


def _sift(heap: list[tuple[int, int]], hole: int, length: int, value: tuple[int, int]) -> None:
    """``std::__adjust_heap``: put *value* where a hole is, of the first *length*."""
    top, child = hole, hole
    while child < (length - 1) // 2:
        child = 2 * (child + 1)
        if heap[child][0] < heap[child - 1][0]:
            child -= 1
        heap[hole] = heap[child]
        hole = child
    if length % 2 == 0 and child == (length - 2) // 2:
        child = 2 * (child + 1)
        heap[hole] = heap[child - 1]
        hole = child - 1
    parent = (hole - 1) // 2
    while hole > top and heap[parent][0] < value[0]:
        heap[hole] = heap[parent]
        hole = parent
        parent = (hole - 1) // 2
    heap[hole] = value


def _heap_select(keys: Any, indices: Any, k: int) -> list[tuple[int, int]]:
    """``std::__heap_select``: the heap of the first *k* in order; the others are moved behind it.

    Few elements come before the top of the heap; these are found many at a time.
    """
    heap = [*zip(keys[:k].tolist(), indices[:k].tolist(), strict=True)]
    for parent in range((k - 2) // 2, -1, -1) if k >= 2 else ():
        _sift(heap, parent, k, heap[parent])
    for begin in range(k, len(keys), _BLOCK):
        block = keys[begin : begin + _BLOCK]
        for i in (block < heap[0][0]).nonzero()[0].tolist():
            key = int(block[i])
            if key < heap[0][0]:
                value = key, int(indices[begin + i])
                block[i], indices[begin + i] = heap[0]
                _sift(heap, 0, k, value)
    return heap


def _sorted_heap(heap: list[tuple[int, int]]) -> list[int]:
    """``std::__sort_heap``: the indices of a heap in order."""
    for last in range(len(heap) - 1, 0, -1):
        value, heap[last] = heap[last], heap[0]
        _sift(heap, 0, last, value)
    return [index for _, index in heap]


def _partition(queue: list[int], first: int, last: int, keys: list[int]) -> int:
    """``std::__unguarded_partition_pivot``: where what does not come before the pivot begins."""
    x, y, z = first + 1, first + (last - first) // 2, last - 1
    a, b, c = keys[queue[x]], keys[queue[y]], keys[queue[z]]
    if a < b:
        chosen = y if b < c else z if a < c else x
    else:
        chosen = x if a < c else z if b < c else y
    queue[first], queue[chosen] = queue[chosen], queue[first]
    pivot = keys[queue[first]]
    low, high = first + 1, last
    while True:
        while keys[queue[low]] < pivot:
            low += 1
        high -= 1
        while pivot < keys[queue[high]]:
            high -= 1
        if low >= high:
            return low
        queue[low], queue[high] = queue[high], queue[low]
        low += 1


def _nth_element(queue: list[int], nth: int, keys: list[int]) -> None:
    """``std::nth_element``: the element at *nth* is as in order, with all before it that are."""
    first, last = 0, len(queue)
    depth = 2 * (len(queue).bit_length() - 1)
    while last - first > 3:
        if depth == 0:
            _select(queue, first, nth + 1, last, keys)
            queue[first], queue[nth] = queue[nth], queue[first]
            return
        depth -= 1
        cut = _partition(queue, first, last, keys)
        if cut <= nth:
            first = cut
        else:
            last = cut
    queue[first:last] = sorted(queue[first:last], key=keys.__getitem__)


def _select(queue: list[int], first: int, middle: int, last: int, keys: list[int]) -> None:
    """:func:`_heap_select` of a part of *queue*, where partitions did not help."""
    indices = np.array(queue[first:last])
    heap = _heap_select(np.array(keys)[indices], indices, middle - first)
    queue[first:last] = [*[i for _, i in heap], *indices[middle - first :].tolist()]


def _sort_loop(queue: list[int], first: int, last: int, depth: int, keys: list[int]) -> None:
    """``std::__introsort_loop``: parts of a few elements, each in its place."""
    while last - first > _THRESHOLD:
        if depth == 0:
            indices = np.array(queue[first:last])
            heap = _heap_select(np.array(keys)[indices], indices, last - first)
            queue[first:last] = _sorted_heap(heap)
            return
        depth -= 1
        cut = _partition(queue, first, last, keys)
        _sort_loop(queue, cut, last, depth, keys)
        last = cut
