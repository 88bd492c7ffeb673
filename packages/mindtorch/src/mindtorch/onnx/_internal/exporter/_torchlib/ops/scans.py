"""What comes together along a dimension: cumulative sums, products and extremes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._building import BOOL, INT32, INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import TRANSLATIONS, translates
from .reductions import logsumexp


@translates("cumsum")
def cumsum(g: Builder, self: Value, dim: int, *, dtype: Any = None) -> Value:
    value = g.cast(self, g.out.dtype)
    if not self.rank:
        return value
    return g.op("CumSum", value, g.const(dim % self.rank))


def _prefixes(g: Builder, value: Value, dim: int, neutral: Any) -> tuple[Value, int]:
    """For each place of *dim* all elements, those behind it *neutral*; the dimension of these."""
    dim %= value.rank
    size = value.sizes[dim]
    if not isinstance(size, int):
        raise DispatchError("a scan over a size that varies")
    later = value.rank - dim - 1
    known = np.tri(size, dtype=bool).reshape(size, size, *[1] * later)
    shape = (*value.sizes[:dim], size, *value.sizes[dim:])
    rows = g.unsqueeze(value, dim)
    return g.op("Where", g.const(known, BOOL), rows, neutral, shape=shape), dim + 1


@translates("cumprod")
def cumprod(g: Builder, self: Value, dim: int, *, dtype: Any = None) -> Value:
    value = g.cast(self, g.out.dtype)
    if not self.rank:
        return value
    value.shape = self.shape
    parts, axis = _prefixes(g, value, dim, 1)
    return g.op("ReduceProd", parts, g.ints([axis]), keepdims=0)


@translates("logcumsumexp _logcumsumexp")
def logcumsumexp(g: Builder, self: Value, dim: int) -> Value:
    if not self.rank:
        return self
    parts, axis = _prefixes(g, self, dim, -math.inf)
    return logsumexp(g, parts, axis)


def _running(kind: str, place: str) -> Any:
    def translate(g: Builder, self: Value, dim: int) -> Any:
        if not self.rank:
            return self, g.const(0)
        value = g.cast(self, INT32) if self.dtype is BOOL else self
        value.shape = self.shape
        if value.dtype.is_floating_point:
            neutral: Any = -math.inf
        else:
            neutral = np.iinfo(value.dtype.np).min
        if kind == "ReduceMin":
            neutral = -neutral if value.dtype.is_floating_point else np.iinfo(value.dtype.np).max
        parts, axis = _prefixes(g, value, dim, neutral)
        found = g.op(kind, parts, g.ints([axis]), keepdims=0)
        # The last of equals, unless what stands behind equals the neutral one.
        at = g.op(place, parts, axis=axis, keepdims=0, select_last_index=1, dtype=INT64)
        size = self.sizes[dim]
        later = self.rank - dim % self.rank - 1
        own = g.const(np.arange(size).reshape(size, *[1] * later))
        return g.cast(found, self.dtype), g.op("Min", at, own)

    return translate


TRANSLATIONS["cummax"] = _running("ReduceMax", "ArgMax")
TRANSLATIONS["cummin"] = _running("ReduceMin", "ArgMin")
