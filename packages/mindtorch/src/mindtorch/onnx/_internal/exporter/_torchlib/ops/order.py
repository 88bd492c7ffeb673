"""Sorting and searching."""

from __future__ import annotations

from typing import Any

from ..._building import INT32, INT64, Builder, Value
from ..._registration import translates


def in_order(
    g: Builder, self: Value, dim: int, descending: bool, count: Any = None
) -> tuple[Value, Value]:
    """Values in order, and where they were; equal ones stay as they stood."""
    if not self.rank:
        return self, g.const(0)
    dim %= self.rank
    count = g.size(self, dim) if count is None else count
    found = g.ops(
        "TopK", 2, self, g.ints([count]), axis=dim, largest=int(descending), sorted=1,
        dtypes=(None, INT64),
    )  # fmt: skip
    return found[0], found[1]


@translates("sort")
def sort(g: Builder, self: Value, dim: int = -1, descending: bool = False) -> Any:
    return in_order(g, self, dim, descending)


@translates("sort.stable")
def sort_stable(
    g: Builder, self: Value, *, stable: bool | None = None, dim: int = -1, descending: bool = False
) -> Any:
    return in_order(g, self, dim, descending)


@translates("argsort")
def argsort(g: Builder, self: Value, dim: int = -1, descending: bool = False) -> Value:
    return in_order(g, self, dim, descending)[1]


@translates("argsort.stable")
def argsort_stable(
    g: Builder, self: Value, *, stable: bool, dim: int = -1, descending: bool = False
) -> Value:
    return in_order(g, self, dim, descending)[1]


@translates("msort")
def msort(g: Builder, self: Value) -> Value:
    return in_order(g, self, 0, False)[0]


@translates("topk")
def topk(
    g: Builder, self: Value, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True
) -> Any:
    return in_order(g, self, dim, largest, k)


@translates("kthvalue")
def kthvalue(g: Builder, self: Value, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    if not self.rank:
        return self, g.const(0)
    dim %= self.rank
    values, places = in_order(g, self, dim, False, k)
    place = g.const([k - 1] if keepdim else k - 1)
    return g.op("Gather", values, place, axis=dim), g.op("Gather", places, place, axis=dim)


@translates("searchsorted.Tensor searchsorted.Scalar")
def searchsorted(
    g: Builder,
    sorted_sequence: Value,
    self: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Value | None = None,
) -> Value:
    after = right or side == "right"
    boundaries = sorted_sequence
    if sorter is not None:
        boundaries = g.op("GatherElements", boundaries, sorter, axis=-1)
    rank = self.rank if isinstance(self, Value) else 0
    if sorted_sequence.rank > 1:  # a row of boundaries for each row of numbers
        boundaries = g.unsqueeze(boundaries, rank - 1)
    dtype = g.common(sorted_sequence, self)
    boundaries, value = g.cast(boundaries, dtype), g.value(self, dtype)
    value = g.unsqueeze(value, rank)
    before = g.op("LessOrEqual" if after else "Less", boundaries, value)
    counted = g.cast(before, INT32 if out_int32 else INT64)
    return g.op("ReduceSum", counted, g.ints([-1]), keepdims=0)


@translates("bucketize.Tensor bucketize.Scalar")
def bucketize(
    g: Builder, self: Any, boundaries: Value, *, out_int32: bool = False, right: bool = False
) -> Value:
    return searchsorted(g, boundaries, self, out_int32=out_int32, right=right)
