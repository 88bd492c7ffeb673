"""Elements put where tensors of indices or masks say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._building import BOOL, INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates
from .arithmetic import floor_divide
from .gathering import Places

_REDUCTIONS = {
    "add": "add", "sum": "add", "multiply": "mul", "prod": "mul", "amax": "max", "amin": "min",
}  # fmt: skip


def _scattered(
    g: Builder, self: Value, dim: int, index: Value, src: Value, reduction: str | None = None
) -> Value:
    """*src* at *index* of one dimension. torch lets *src* be greater than *index*."""
    if 0 in (index.shape or ()):
        return self
    src = g.cast(src, self.dtype)
    if not self.rank or not index.rank:
        flat = [g.reshape(v, [1]) for v in (self, index, src)]
        found = g.op("ScatterElements", *flat, axis=0, reduction=reduction)
        return g.reshape(found, self.shape or ())
    if src.shape != index.shape and src.shape is not None:
        ends = list(index.shape or ())
        axes = list(range(len(ends)))
        bounds = (g.ints([0] * len(ends)), g.ints(ends), g.ints(axes))
        src = g.op("Slice", src, *bounds)
    attributes = {"axis": dim % self.rank, "reduction": reduction}
    return g.op("ScatterElements", self, index, src, shape=self.shape, **attributes)


@translates("scatter.src")
def scatter_src(g: Builder, self: Value, dim: int, index: Value, src: Value) -> Value:
    return _scattered(g, self, dim, index, src)


def _filled(g: Builder, self: Value, index: Value, value: Any) -> Value:
    return g.expand(g.value(value, self.dtype), index.shape or ())


@translates("scatter.value")
def scatter_value(g: Builder, self: Value, dim: int, index: Value, value: Any) -> Value:
    return _scattered(g, self, dim, index, _filled(g, self, index, value))


@translates("scatter.reduce")
def scatter_reduction(
    g: Builder, self: Value, dim: int, index: Value, src: Value, *, reduce: str
) -> Value:
    return _scattered(g, self, dim, index, src, _REDUCTIONS[reduce])


@translates("scatter.value_reduce")
def scatter_value_reduction(
    g: Builder, self: Value, dim: int, index: Value, value: Any, *, reduce: str
) -> Value:
    return _scattered(g, self, dim, index, _filled(g, self, index, value), _REDUCTIONS[reduce])


@translates("scatter_add")
def scatter_add(g: Builder, self: Value, dim: int, index: Value, src: Value) -> Value:
    return _scattered(g, self, dim, index, src, "add")


@translates("scatter_reduce.two")
def scatter_reduce(
    g: Builder,
    self: Value,
    dim: int,
    index: Value,
    src: Value,
    reduce: str,
    *,
    include_self: bool = True,
) -> Value:
    base = self
    if not include_self:
        base = _scattered(g, self, dim, index, _filled(g, self, index, _neutral(reduce, self)))
    if reduce != "mean":
        return _scattered(g, base, dim, index, src, _REDUCTIONS[reduce])
    total = _scattered(g, base, dim, index, src, "add")
    ones = g.expand(g.const(1, self.dtype), self.shape or ())
    if not include_self:
        ones = _scattered(g, ones, dim, index, _filled(g, self, index, 0))
    count = _scattered(g, ones, dim, index, _filled(g, self, index, 1), "add")
    count = g.op("Max", count, 1)
    if self.dtype.is_floating_point:
        return g.op("Div", total, count)
    return floor_divide(g, total, count)


def _neutral(reduce: str, like: Value) -> Any:
    """What changes nothing: nothing is smaller than the greatest number."""
    if reduce in ("sum", "mean", "add"):
        return 0
    if reduce == "prod":
        return 1
    sign = -1 if reduce == "amax" else 1
    if like.dtype.is_floating_point:
        return sign * math.inf
    limits = np.iinfo(like.dtype.np)
    return limits.min if sign < 0 else limits.max


# Rows ---------------------------------------------------------------------------------------------


def _of_rows(g: Builder, self: Value, dim: int, index: Value, src_shape: Sequence[Any]) -> Value:
    """*index* of rows for each element of *src*."""
    sizes = [1] * max(self.rank, 1)
    sizes[dim] = -1
    return g.expand(g.reshape(g.cast(index, INT64), sizes), src_shape)


def _rows(
    g: Builder, self: Value, dim: int, index: Value, src: Value, reduction: str | None
) -> Value:
    if not self.rank:
        flat = [g.reshape(v, [1]) for v in (self, g.cast(index, INT64), g.cast(src, self.dtype))]
        return g.reshape(g.op("ScatterElements", *flat, axis=0, reduction=reduction), [])
    dim %= self.rank
    shape = src.shape or ()
    if len(shape) < self.rank:
        shape = (1,) * (self.rank - len(shape)) + tuple(shape)
        src = g.reshape(src, shape)
    return _scattered(g, self, dim, _of_rows(g, self, dim, index, shape), src, reduction)


@translates("index_copy")
def index_copy(g: Builder, self: Value, dim: int, index: Value, source: Value) -> Value:
    return _rows(g, self, dim, index, source, None)


@translates("index_fill.int_Scalar index_fill.int_Tensor")
def index_fill(g: Builder, self: Value, dim: int, index: Value, value: Any) -> Value:
    shape = list(self.shape or (1,))
    shape[dim] = (index.shape or (1,))[0]
    source = g.expand(g.value(value, self.dtype), shape)
    source.shape = tuple(shape)
    return _rows(g, self, dim, index, source, None)


@translates("index_reduce")
def index_reduce(
    g: Builder,
    self: Value,
    dim: int,
    index: Value,
    source: Value,
    reduce: str,
    *,
    include_self: bool = True,
) -> Value:
    if not self.rank:
        raise DispatchError("index_reduce of a number")
    dim %= self.rank
    places = _of_rows(g, self, dim, index, source.shape or ())
    return scatter_reduce(g, self, dim, places, source, reduce, include_self=include_self)


# Several indices ----------------------------------------------------------------------------------


@translates("index_put _unsafe_index_put")
def index_put(
    g: Builder,
    self: Value,
    indices: Sequence[Value | None],
    values: Value,
    accumulate: bool = False,
) -> Value:
    values = g.cast(values, self.dtype)
    masks = [i for i in indices if i is not None]
    if not masks:
        raise DispatchError("index_put without an index")
    whole = len(indices) == 1 and masks[0].dtype is BOOL
    if whole and not accumulate and _is_one(values):  # a number where the mask says so
        mask, rank = masks[0], self.rank
        if mask.rank < rank:
            mask = g.reshape(mask, [*(mask.shape or ()), *[1] * (rank - mask.rank)])
        return g.where(mask, g.reshape(values, []), self, self.dtype)
    places = Places(g, self, indices)
    order = [*places.dims, *places.rest]
    back = [order.index(i) for i in range(self.rank)]
    value, stacked = g.transpose(self, order), places.stacked(g)
    rest = [g.size(self, i) for i in places.rest]
    if places.sizes is not None:
        front: list[Any] = list(places.sizes)
    else:
        front = [
            g.op("Shape", stacked, start=i, end=i + 1, dtype=INT64) for i in range(places.rank)
        ]
    # The dimensions of the indices stand among the others, unless these are apart.
    at, rank = places.at, places.rank
    new = g.expand(values, [*rest[:at], *front, *rest[at:]])
    if at:
        new = g.op(
            "Transpose",
            new,
            perm=[*range(at, at + rank), *range(at), *range(at + rank, rank + len(rest))],
        )
    reduction = "add" if accumulate else None
    return g.transpose(g.op("ScatterND", value, stacked, new, reduction=reduction), back)


def _is_one(value: Value) -> bool:
    return value.shape is not None and all(size == 1 for size in value.shape)


@translates("masked_scatter")
def masked_scatter(g: Builder, self: Value, mask: Value, source: Value) -> Value:
    sizes = g.out.shape
    chosen = g.reshape(g.expand(mask, sizes), [-1])
    # The how many-th chosen element each one is.
    count = g.op("CumSum", g.cast(chosen, INT64), g.const(0))
    place = g.op("Max", g.op("Sub", count, 1), 0)
    flat = g.reshape(g.cast(source, self.dtype), [-1])
    last = g.op("Sub", g.op("Size", flat, dtype=INT64), 1)
    taken = g.op("Gather", flat, g.op("Min", place, last), axis=0)
    value = g.reshape(g.expand(self, sizes), [-1])
    return g.reshape(g.op("Where", chosen, taken, value), sizes)


@translates("put")
def put(g: Builder, self: Value, index: Value, source: Value, accumulate: bool = False) -> Value:
    flat = [g.reshape(v, [-1]) for v in (self, index, g.cast(source, self.dtype))]
    reduction = "add" if accumulate else None
    found = g.op("ScatterElements", *flat, axis=0, reduction=reduction)
    return g.reshape(found, self.shape or ())


@translates("max_unpool2d")
def max_unpool2d(g: Builder, self: Value, indices: Value, output_size: Sequence[Any]) -> Value:
    return _unpooled(g, self, indices, 2)


@translates("max_unpool3d")
def max_unpool3d(
    g: Builder,
    self: Value,
    indices: Value,
    output_size: Sequence[Any],
    stride: Sequence[int],
    padding: Sequence[int],
) -> Value:
    return _unpooled(g, self, indices, 3)


def _unpooled(g: Builder, self: Value, indices: Value, spatial: int) -> Value:
    sizes = list(g.out.shape)
    plane = math.prod(sizes[-spatial:])
    outer = sizes[:-spatial]
    empty = g.expand(g.const(0, self.dtype), [*outer, plane])
    rows = math.prod((self.shape or ())[-spatial:])
    found = g.op(
        "ScatterElements",
        empty,
        g.reshape(indices, [*outer, rows]),
        g.reshape(self, [*outer, rows]),
        axis=len(outer),
    )
    return g.reshape(found, sizes)
