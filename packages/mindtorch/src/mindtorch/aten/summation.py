"""Sums of ndarrays, fast and accurate: the kernel under ``sum``, ``mean``, ``var`` and others.

``np.add.reduce`` takes two to four times torch's time, and over a first axis its error grows with
the length. A product with a vector of ones is as fast as torch; it is taken block by block, and
what the blocks give is added in pairs, so the error stays near one unit in the last place.
Infinities and NaN pass through it (``x * 1``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

__all__ = [
    "BLOCK",
    "FEW",
    "MANY",
    "kept_sums",
    "spread",
    "spread_sums",
    "sum_over",
    "sums",
]

_reduce = np.add.reduce
#: Below this many elements the ufunc is as fast.
_SMALL = 512
#: Up to so many elements a number for each place is faster than an operand that broadcasts.
FEW = 256
#: From so many elements on it is passes over memory that count, not calls.
MANY = 8192
#: Numbers that are added up in one go; more would let the error grow.
BLOCK = 1024
_ones_cache: dict[str, Any] = {}


def _ones(n: int, dtype: Any) -> Any:
    if n > 65536:
        return np.ones(n, dtype)
    kept = _ones_cache.get(dtype.char)
    if kept is None or kept.size < n:
        kept = _ones_cache[dtype.char] = np.ones(max(n, 1024), dtype)
    return kept[:n]


def _sum_all(a: Any) -> Any:
    n = a.size
    flat = a.reshape(-1)
    rows = n // BLOCK
    head = flat[: rows * BLOCK].reshape(rows, BLOCK).dot(_ones(BLOCK, a.dtype))
    out = _reduce(head, None, None, np.empty((), a.dtype))
    if rows * BLOCK < n:
        out += _reduce(flat[rows * BLOCK :])
    return out


def _sum_last(a: Any, keep: int) -> Any:
    shape = a.shape
    inner = prod(shape[keep:])
    return _by_blocks(a.reshape(-1, inner)).reshape(shape[:keep])


def _row_sums(rows: Any) -> Any:
    return rows.dot(_ones(rows.shape[-1], rows.dtype))


def sums(
    like: Any, axes: Sequence[int], shape: tuple[int, ...], dtype: Any = None
) -> Callable[..., Any]:
    """What adds up arrays of the shape and dtype of *like* over *axes*, as an array of *shape*.

    The axes are sorted and counted from the front; *shape* has the reduced ones or has them not.
    *dtype* is the numpy dtype of the sums, where it is not that of *like*. What else it is given,
    as the other arguments of an op, says nothing more.
    """
    size, ndim, axes = like.size, like.ndim, tuple(axes)
    n = prod([like.shape[d] for d in axes])
    if dtype is not None and dtype != like.dtype or like.dtype.kind == "b":
        wanted = dtype or like.dtype
        few = size < _SMALL and like.flags.c_contiguous
        if not few or wanted.kind not in "iu" or like.dtype.kind not in "iub":
            return lambda a, *_: sum_over(a, axes, wanted).reshape(shape)
        return lambda a, *_: _reduce(a, axes, wanted, None, True).reshape(shape)
    if like.dtype.char not in "fd" or not axes:
        return lambda a, *_: sum_over(a, axes).reshape(shape)
    if n <= BLOCK and axes[0] == ndim - len(axes):
        rows = (prod(like.shape[: axes[0]]), n)
        if len(axes) == ndim:
            return _sum_into_one(n, like.dtype, shape)
        if ndim == 2 and shape in (rows[:1], (rows[0], 1)):
            ones = _ones(n, like.dtype).reshape((n, 1)[: len(shape)])
            return lambda a, *_: a.dot(ones)
        ones = _ones(n, like.dtype)
        return lambda a, *_: a.reshape(rows).dot(ones).reshape(shape)
    if n <= BLOCK and axes[-1] == len(axes) - 1:
        rows, ones = (n, prod(like.shape[len(axes) :])), _ones(n, like.dtype)
        if ndim == 2 and shape == rows[1:]:
            return lambda a, *_: ones.dot(a)
        return lambda a, *_: ones.dot(a.reshape(rows)).reshape(shape)
    if size < _SMALL and like.flags.c_contiguous:
        return lambda a, *_: _reduce(a, axes, None, None, True).reshape(shape)
    return lambda a, *_: sum_over(a, axes).reshape(shape)


def _sum_into_one(n: int, dtype: Any, shape: tuple[int, ...]) -> Callable[..., Any]:
    """The sum of all *n* numbers, as an array of *shape*, which has one element."""
    ones, empty = _ones(n, dtype), np.empty

    def total(a: Any, *_: Any) -> Any:
        out = empty((), dtype)
        a.reshape(n).dot(ones, out)  # which it returns as a scalar
        return out

    if not shape:
        return total
    return lambda a, *_: total(a).reshape(shape)


def kept_sums(like: Any, dim: int) -> Callable[[Any], Any]:
    """What adds up arrays like *like* along *dim*, which stays, of size one."""
    return sums(like, (dim,), (*like.shape[:dim], 1, *like.shape[dim + 1 :]))


def spread(shape: tuple[int, ...], kept: tuple[int, ...]) -> Any:
    """Where in contiguous memory of shape *kept* lies what broadcasts to each place of *shape*."""
    return np.broadcast_to(np.arange(prod(kept)).reshape(kept), shape).copy()


def spread_sums(like: Any, dim: int) -> Callable[[Any], Any]:
    """The same as :func:`kept_sums`, but of few numbers as an array that need not broadcast.

    It takes contiguous arrays, a sum stands in each place of what was added.
    """
    shape, n = like.shape, like.shape[dim]
    first, last = prod(shape[:dim]) == 1, prod(shape[dim + 1 :]) == 1
    if like.size > FEW or like.dtype.char not in "fd" or not (first or last):
        return kept_sums(like, dim)
    ones = _ones(n * n, like.dtype).reshape(n, n)
    if last:
        if shape[:-1] == (like.size // n,):
            return lambda a: a.dot(ones)
        return lambda a: a.reshape(-1, n).dot(ones).reshape(shape)
    if like.ndim == 2:
        return ones.dot
    return lambda a: ones.dot(a.reshape(n, -1)).reshape(shape)


def _by_blocks(a: Any) -> Any:
    """The sums of a matrix's rows by blocks, so that the error does not grow with them."""
    n = a.shape[1]
    if n <= BLOCK:
        return _row_sums(a)
    whole = n - n % BLOCK
    out = np.add.reduce(_row_sums(a[:, :whole].reshape(len(a), -1, BLOCK)), 1)
    if whole < n:
        out += _row_sums(a[:, whole:])
    return out


def _sum_first(a: Any, drop: int) -> Any:
    shape = a.shape
    outer = prod(shape[:drop])
    rest = shape[drop:]
    flat = a.reshape(outer, -1)
    if outer <= BLOCK:
        return _ones(outer, a.dtype).dot(flat).reshape(rest)
    blocks = outer // BLOCK
    ones = _ones(BLOCK, a.dtype)
    parts = np.empty((blocks + 1, flat.shape[1]), a.dtype)
    for i in range(blocks):
        np.dot(ones, flat[i * BLOCK : (i + 1) * BLOCK], parts[i])
    tail = flat[blocks * BLOCK :]
    np.dot(_ones(len(tail), a.dtype), tail, parts[blocks])
    return _reduce(parts, 0).reshape(rest)


def sum_over(a: Any, axes: Sequence[int], dtype: Any = None) -> Any:
    """The sum of *a* over *axes* (sorted, counted from the front) as a C-contiguous ndarray.

    *dtype* is the numpy dtype of the sum, where it is not that of *a*.
    """
    if dtype is not None and dtype != a.dtype:
        if dtype.kind in "iu" and a.dtype.kind in "iub":
            return _by_ufunc(a, axes, dtype)
        a = (a != 0) if dtype.kind == "b" else _cast(a, dtype)
    n, ndim, count = a.size, a.ndim, len(axes)
    if n < _SMALL and count == ndim and a.dtype.char in "fd" and a.flags.c_contiguous:
        out = np.empty((), a.dtype)
        a.reshape(-1).dot(_ones(n, a.dtype), out)
        return out
    if n < _SMALL or a.dtype.char not in "fd":
        return _by_ufunc(a, axes, a.dtype)
    if not count:
        return a.copy("C")
    if not a.flags.c_contiguous:
        turned = a.T
        if turned.flags.c_contiguous and count == ndim:
            return _sum_all(turned)
        if turned.flags.c_contiguous and ndim == 2:
            return sum_over(turned, (1 - axes[0],))
        a = a.copy("C")
    if count == ndim:
        return _sum_all(a)
    if axes[0] == ndim - count:
        return _sum_last(a, ndim - count)
    if axes[-1] == count - 1:
        return _sum_first(a, count)
    # The trailing axes first, which leaves less to do for the others.
    last = count
    while last and axes[last - 1] == ndim - (count - last) - 1:
        last -= 1
    if last < count:
        a = _sum_last(a, axes[last])
        return sum_over(a, axes[:last]) if last else a
    return _by_ufunc(a, axes, a.dtype)


def _cast(a: Any, dtype: Any) -> Any:
    if a.dtype.kind == "c" and dtype.kind != "c":
        a = a.real
    return a.astype(dtype)


def _by_ufunc(a: Any, axes: Sequence[int], dtype: Any) -> Any:
    if dtype.kind == "b":
        return np.asarray(np.logical_or.reduce(a, tuple(axes)))
    if len(axes) == a.ndim:
        return _reduce(a, None, dtype, np.empty((), dtype))
    out = _reduce(a, tuple(axes), dtype)
    return out if out.flags.c_contiguous else out.copy("C")
