"""Sums, means and maxima of rows of a table, as many as bags say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._building import BOOL, INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates
from .reductions import vector_norm_of


@translates("embedding_renorm")
def embedding_renorm(
    g: Builder, self: Value, indices: Value, max_norm: float, norm_type: float
) -> Value:
    """The table with the rows that are looked up no longer than *max_norm*."""
    rows = g.size(self, 0)
    flat = g.reshape(indices, [-1])
    untouched = g.expand(g.const(0, self.dtype), [rows])
    ones = g.expand(g.const(1, self.dtype), [math.prod(indices.shape or ())])
    touched = g.op("ScatterElements", untouched, flat, ones, axis=0)
    length = vector_norm_of(g, self, norm_type, [1], True)
    long = g.op("And", g.op("Greater", length, max_norm), g.cast(g.unsqueeze(touched, 1), BOOL))
    shorter = g.op("Div", g.const(max_norm, self.dtype), g.op("Add", length, 1e-7))
    return g.op("Mul", self, g.where(long, shorter, 1, self.dtype))


_SUM, _MEAN, _MAX = range(3)


@translates("_embedding_bag _embedding_bag_forward_only")
def embedding_bag(
    g: Builder,
    weight: Value,
    indices: Value,
    offsets: Value,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Any, ...]:
    count = (indices.shape or (None,))[0]
    bags = g.out[0].shape[0]
    if not isinstance(count, int) or not isinstance(bags, int):
        raise DispatchError("bags of sizes that vary")
    rows = g.op("Gather", weight, indices, axis=0)
    if per_sample_weights is not None:
        rows = g.op("Mul", rows, g.unsqueeze(g.cast(per_sample_weights, weight.dtype), 1))
    # Which bag each index is in: the last that begins at it or before.
    begins = g.cast(offsets, INT64)
    if include_last_offset:
        begins = g.slice(begins, 0, 0, bags)
    begun = g.op("LessOrEqual", g.unsqueeze(begins, 1), g.const(np.arange(count)[None]))
    bag = g.op("ReduceSum", g.cast(begun, INT64), g.ints([0]), keepdims=0)
    own = g.op("Equal", bag, g.const(np.arange(1, bags + 1)[:, None]))
    if padding_idx >= 0:
        padding = g.op("Equal", g.cast(indices, INT64), padding_idx)
        own = g.op("And", own, g.op("Not", padding))
    chosen = g.cast(own, weight.dtype)
    if mode == _MAX:
        spread = g.where(g.unsqueeze(own, 2), g.unsqueeze(rows, 0), -math.inf, weight.dtype)
        found = g.op("ReduceMax", spread, g.ints([1]), keepdims=0)
        some = g.op("ReduceMax", chosen, g.ints([1]), keepdims=1)
        return g.where(g.cast(some, BOOL), found, 0, weight.dtype), None, None, None
    found = g.op("MatMul", chosen, rows)
    if mode == _MEAN:
        size = g.op("ReduceSum", chosen, g.ints([1]), keepdims=1)
        found = g.op("Div", found, g.op("Max", size, 1))
    return found, None, None, None
