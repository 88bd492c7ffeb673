"""Parts of a tensor that constants name: slices, single entries, diagonals, triangles."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..._building import BOOL, INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates
from .shapes import are_numbers

_LAST = 2**63 - 1


@translates("select.int select_copy.int")
def select(g: Builder, self: Value, dim: int, index: Any) -> Value:
    where = g.const(index) if isinstance(index, int) else g.reshape(g.cast(index, INT64), [])
    return g.op("Gather", self, where, axis=dim % self.rank)


@translates("slice.Tensor slice_copy.Tensor")
def slice_(
    g: Builder, self: Value, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Value:
    start = 0 if start is None else start
    end = _LAST if end is None else end
    if (
        isinstance(start, int)
        and isinstance(end, int)
        and start == 0
        and end == _LAST
        and step == 1
    ):
        return self
    return g.slice(self, dim % self.rank, start, end, step)


@translates("narrow narrow_copy")
def narrow(g: Builder, self: Value, dim: int, start: int, length: int) -> Value:
    size = self.shape[dim] if self.shape else 0
    start = start + size if start < 0 else start
    return g.slice(self, dim % self.rank, start, start + length)


@translates("linalg_diagonal")
def linalg_diagonal(
    g: Builder, A: Value, *, offset: int = 0, dim1: int = -2, dim2: int = -1
) -> Value:
    return diagonal(g, A, offset, dim1, dim2)


@translates("diagonal diagonal_copy")
def diagonal(g: Builder, self: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    a, b = dim1 % self.rank, dim2 % self.rank
    rest = [i for i in range(self.rank) if i not in (a, b)]
    value = g.transpose(self, [*rest, a, b])
    rows, columns = g.size(self, a), g.size(self, b)
    if not are_numbers([rows, columns]):
        raise DispatchError("a diagonal of a size that varies")
    count = min(rows + min(offset, 0), columns - max(offset, 0))
    steps = np.arange(max(count, 0))
    flat = (steps + max(-offset, 0)) * columns + steps + max(offset, 0)
    sizes = [g.size(self, i) for i in rest]
    return g.op("Gather", g.reshape(value, [*sizes, rows * columns]), g.const(flat), axis=len(rest))


@translates("unfold unfold_copy")
def unfold(g: Builder, self: Value, dimension: int, size: int, step: int) -> Value:
    if not self.rank:
        return g.reshape(self, g.out.shape)
    dim = dimension % self.rank
    count = g.out.shape[dim]
    places = np.arange(count)[:, None] * step + np.arange(size)
    taken = g.op("Gather", self, g.const(places), axis=dim)
    rank = self.rank + 1
    order = [i for i in range(rank) if i != dim + 1]
    return g.transpose(taken, [*order, dim + 1])


@translates("as_strided as_strided_copy")
def as_strided(
    g: Builder, self: Value, size: Sequence[int], stride: Sequence[int], offset: int | None = None
) -> Value:
    if not are_numbers([*(self.shape or ()), *size, *stride, offset or 0]):
        raise DispatchError("strides that vary")
    if not g.is_dense(0):
        raise DispatchError("strides of a tensor that is not contiguous itself")
    places = np.full((), offset or 0, np.int64)
    for count, step in zip(size, stride, strict=True):
        places = places[..., None] + np.arange(count) * step
    return g.op("Gather", g.reshape(self, [prod(self.shape or ())]), g.const(places), axis=0)


# Triangles ----------------------------------------------------------------------------------------


def _triangle(g: Builder, self: Value, k: int, upper: int) -> Value:
    if g.version >= 14:
        return g.op("Trilu", self, g.const(int(k)), upper=upper)
    rows, columns = (self.shape or ())[-2:]
    mask = ~np.tri(rows, columns, k - 1, dtype=bool) if upper else np.tri(rows, columns, k)
    return g.where(g.const(mask, BOOL), self, 0, self.dtype)


@translates("tril")
def tril(g: Builder, self: Value, diagonal: int = 0) -> Value:
    return _triangle(g, self, diagonal, 0)


@translates("triu")
def triu(g: Builder, self: Value, diagonal: int = 0) -> Value:
    return _triangle(g, self, diagonal, 1)


@translates("diag_embed")
def diag_embed(g: Builder, self: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    rank = self.rank + 1
    a, b = dim1 % rank, dim2 % rank
    if a > b:
        a, b, offset = b, a, -offset
    size = self.sizes[-1] + abs(offset)
    mask = g.const(np.eye(size, k=offset), BOOL)
    pads = [0] * (2 * self.rank)
    pads[self.rank - 1] = max(-offset, 0)
    pads[-1] = max(offset, 0)
    padded = g.op("Pad", self, g.ints(pads)) if offset else self
    zero = g.const(0, self.dtype)
    spread = g.op("Where", mask, g.unsqueeze(padded, rank - 1), zero)
    order = list(range(rank - 2))
    order.insert(a, rank - 2)
    order.insert(b, rank - 1)
    return g.transpose(spread, order)


@translates("diag")
def diag(g: Builder, self: Value, diagonal_: int = 0) -> Value:
    if self.rank == 1:
        return diag_embed(g, self, diagonal_)
    return diagonal(g, self, diagonal_)


@translates("diagflat")
def diagflat(g: Builder, self: Value, offset: int = 0) -> Value:
    return diag_embed(g, g.reshape(self, [prod(self.shape or ())]), offset)


# Into a part --------------------------------------------------------------------------------------


@translates("slice_scatter")
def slice_scatter(
    g: Builder,
    self: Value,
    src: Value,
    dim: int = 0,
    start: Any = None,
    end: Any = None,
    step: int = 1,
) -> Value:
    dim %= self.rank
    size = g.size(self, dim)
    if not are_numbers([size, start or 0, _LAST if end is None else end]):
        raise DispatchError("a slice of a size that varies")
    places = np.arange(size)[start:end:step]
    return _put(g, self, g.cast(src, self.dtype), dim, places)


@translates("select_scatter")
def select_scatter(g: Builder, self: Value, src: Value, dim: int, index: int) -> Value:
    dim %= self.rank
    places = np.array([index % self.sizes[dim]])
    return _put(g, self, g.unsqueeze(g.cast(src, self.dtype), dim), dim, places)


def _put(g: Builder, self: Value, src: Value, dim: int, places: Any) -> Value:
    """*src* at *places* of one dimension."""
    if not len(places):
        return self
    order = [dim, *(i for i in range(self.rank) if i != dim)]
    back = [order.index(i) for i in range(self.rank)]
    value, new = (g.op("Transpose", v, perm=order) if dim else v for v in (self, src))
    found = g.op("ScatterND", value, g.const(places[:, None].astype(np.int64)), new)
    return g.op("Transpose", found, perm=back) if dim else found


@translates("diagonal_scatter")
def diagonal_scatter(
    g: Builder, self: Value, src: Value, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Value:
    a, b = dim1 % self.rank, dim2 % self.rank
    count = src.sizes[-1]
    steps = np.arange(count)
    places = np.stack([steps + max(-offset, 0), steps + max(offset, 0)], 1)
    rest = [i for i in range(self.rank) if i not in (a, b)]
    order = [a, b, *rest]
    back = [order.index(i) for i in range(self.rank)]
    value = g.op("Transpose", self, perm=order)
    new = g.op("Transpose", src, perm=[src.rank - 1, *range(src.rank - 1)])
    return g.op("Transpose", g.op("ScatterND", value, g.const(places), new), perm=back)
