"""Variances, medians, distances."""

from __future__ import annotations

import math
from typing import Any

from ..._building import BOOL, INT64, Builder, Value
from ..._registration import TRANSLATIONS, translates
from .order import in_order
from .reductions import count_of, dims_of, reduced, vector_norm
from .selection import diagonal


def moments(
    g: Builder, self: Value, dims: list[int], correction: Any, keepdim: bool
) -> tuple[Value, Value]:
    """The variance and the mean over *dims*."""
    middle = reduced(g, "ReduceMean", self, dims, True)
    apart = g.op("Sub", self, middle)
    total = reduced(g, "ReduceSum", g.op("Mul", apart, apart), dims, keepdim)
    count = count_of(g, self, dims, self.dtype)
    free = g.op("Max", g.op("Sub", count, float(correction)), 0) if correction else count
    found = g.op("Div", total, free)
    if not keepdim and dims:
        middle = g.axes("Squeeze", middle, dims)
    return found, middle


def _variance(root: bool, both: bool) -> Any:
    def found(g: Builder, self: Value, dim: Any, correction: Any, keepdim: bool) -> Any:
        correction = 1 if correction is None else correction
        value, middle = moments(g, self, dims_of(self, dim), correction, keepdim)
        value = g.op("Sqrt", value) if root else value
        return (value, middle) if both else value

    def of_correction(
        g: Builder, self: Value, dim: Any = None, *, correction: Any = None, keepdim: bool = False
    ) -> Any:
        return found(g, self, dim, correction, keepdim)

    def of_all(g: Builder, self: Value, unbiased: bool = True) -> Any:
        return found(g, self, None, int(unbiased), False)

    def of_dims(
        g: Builder, self: Value, dim: Any, unbiased: bool = True, keepdim: bool = False
    ) -> Any:
        return found(g, self, dim, int(unbiased), keepdim)

    return {"correction": of_correction, "": of_all, "dim": of_dims}


for _name in ("var", "std", "var_mean", "std_mean"):
    for _overload, _translate in _variance("std" in _name, "mean" in _name).items():
        TRANSLATIONS[f"{_name}.{_overload}" if _overload else _name] = _translate


@translates("median")
def median(g: Builder, self: Value) -> Value:
    count = 1
    for size in self.shape or ():
        count *= size
    flat = g.reshape(self, [count])
    values, _ = in_order(g, flat, 0, False)
    middle = g.op("Gather", values, g.const((count - 1) // 2), axis=0)
    return _or_nan(g, flat, middle, 0, False)


def _or_nan(g: Builder, self: Value, middle: Value, dim: int, keepdim: bool) -> Value:
    """*middle*, or NaN where there is one: wherever sorting has put it."""
    if not self.dtype.is_floating_point:
        return middle
    total = g.op(
        "ReduceSum", g.cast(g.op("IsNaN", self), INT64), g.ints([dim]), keepdims=int(keepdim)
    )
    return g.where(g.cast(total, BOOL), math.nan, middle, self.dtype)


@translates("median.dim")
def median_dim(g: Builder, self: Value, dim: int, keepdim: bool = False) -> Any:
    if not self.rank:
        return self, g.const(0)
    dim %= self.rank
    values, places = in_order(g, self, dim, False)
    middle = (self.sizes[dim] - 1) // 2
    place = g.const([middle] if keepdim else middle)
    found = _or_nan(g, self, g.op("Gather", values, place, axis=dim), dim, keepdim)
    return found, g.op("Gather", places, place, axis=dim)


@translates("trace")
def trace(g: Builder, self: Value) -> Value:
    return g.op("ReduceSum", g.cast(diagonal(g, self), g.out.dtype), g.ints([0]), keepdims=0)


@translates("cdist _cdist_forward")
def cdist(
    g: Builder, x1: Value, x2: Value, p: float = 2.0, compute_mode: int | None = None
) -> Value:
    a, b = g.unsqueeze(x1, x1.rank - 1), g.unsqueeze(x2, x2.rank - 2)
    apart = g.op("Sub", a, b)
    apart.shape = (*g.out.shape, x1.sizes[-1])
    return vector_norm(g, apart, p, -1)


@translates("_euclidean_dist")
def euclidean_dist(g: Builder, x1: Value, x2: Value) -> Value:
    return cdist(g, x1, x2)
