"""Many elements into one: sums, extremes, questions about all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..._building import BOOL, INT32, INT64, Builder, Value
from ..._registration import TRANSLATIONS, translates
from .shapes import are_numbers


def dims_of(self: Value, dim: Any) -> list[int]:
    """The dimensions that *dim* names; none are all."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return list(range(self.rank))
    dims = [dim] if isinstance(dim, int) else dim
    return [d % self.rank for d in dims] if self.rank else []


def reduced(g: Builder, kind: str, value: Value, dims: Sequence[int], keepdim: bool) -> Value:
    """A reduction over *dims*; a number stays as it is."""
    if not dims:
        return value
    return g.op(kind, value, g.ints(dims), keepdims=int(keepdim))


def count_of(g: Builder, self: Value, dims: Sequence[int], dtype: Any) -> Value:
    """How many elements a reduction over *dims* joins."""
    sizes = [g.size(self, d) for d in dims]
    if are_numbers(sizes):
        return g.const(math.prod(sizes), dtype)
    parts = [g.cast(g.ints([s]), dtype) for s in sizes]
    return g.reshape(g.chain("Mul", parts), [])


@translates("sum")
def sum(g: Builder, self: Value, *, dtype: Any = None) -> Value:
    return sum_dim(g, self, None)


@translates("sum.dim_IntList")
def sum_dim(
    g: Builder, self: Value, dim: Any, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    return reduced(g, "ReduceSum", g.cast(self, g.out.dtype), dims_of(self, dim), keepdim)


@translates("nansum")
def nansum(
    g: Builder, self: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    value = self
    if self.dtype.is_floating_point:
        value = g.where(g.op("IsNaN", self), 0, self, self.dtype)
    return reduced(g, "ReduceSum", g.cast(value, g.out.dtype), dims_of(self, dim), keepdim)


@translates("mean")
def mean(g: Builder, self: Value, *, dtype: Any = None) -> Value:
    return mean_dim(g, self, None)


@translates("mean.dim")
def mean_dim(
    g: Builder, self: Value, dim: Any, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    return reduced(g, "ReduceMean", g.cast(self, g.out.dtype), dims_of(self, dim), keepdim)


@translates("prod")
def prod(g: Builder, self: Value, *, dtype: Any = None) -> Value:
    return reduced(g, "ReduceProd", g.cast(self, g.out.dtype), dims_of(self, None), False)


@translates("prod.dim_int")
def prod_dim(
    g: Builder, self: Value, dim: int, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    return reduced(g, "ReduceProd", g.cast(self, g.out.dtype), dims_of(self, dim), keepdim)


# Extremes -----------------------------------------------------------------------------------------


@translates("amax")
def amax(g: Builder, self: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return reduced(g, "ReduceMax", self, dims_of(self, dim), keepdim)


@translates("amin")
def amin(g: Builder, self: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return reduced(g, "ReduceMin", self, dims_of(self, dim), keepdim)


@translates("max")
def max_all(g: Builder, self: Value) -> Value:
    return amax(g, self)


@translates("min")
def min_all(g: Builder, self: Value) -> Value:
    return amin(g, self)


@translates("aminmax _aminmax")
def aminmax(g: Builder, self: Value, *, dim: Any = None, keepdim: bool = False) -> Any:
    return amin(g, self, dim, keepdim), amax(g, self, dim, keepdim)


def _place(g: Builder, kind: str, self: Value, dim: int, keepdim: bool) -> Value:
    value = g.cast(self, INT32) if self.dtype is BOOL else self
    return g.op(kind, value, axis=dim, keepdims=int(keepdim), dtype=INT64)


def _with_place(extreme: Any, kind: str) -> Any:
    def translate(g: Builder, self: Value, dim: int, keepdim: bool = False) -> Any:
        if not self.rank:
            return self, g.const(0)
        dim %= self.rank
        return extreme(g, self, [dim], keepdim), _place(g, kind, self, dim, keepdim)

    return translate


TRANSLATIONS["max.dim"] = _with_place(amax, "ArgMax")
TRANSLATIONS["min.dim"] = _with_place(amin, "ArgMin")


def _argument(kind: str) -> Any:
    def translate(g: Builder, self: Value, dim: int | None = None, keepdim: bool = False) -> Value:
        if not self.rank:
            return g.const(0)
        if dim is not None:
            return _place(g, kind, self, dim % self.rank, keepdim)
        found = _place(g, kind, g.reshape(self, [-1]), 0, False)
        return g.reshape(found, [1] * self.rank) if keepdim else found

    return translate


TRANSLATIONS["argmax"] = _argument("ArgMax")
TRANSLATIONS["argmin"] = _argument("ArgMin")


# Questions ----------------------------------------------------------------------------------------


def _asked(g: Builder, kind: str, self: Value, dim: Any, keepdim: bool) -> Value:
    if isinstance(dim, (list, tuple)) and not dim:  # none of the dimensions, here alone
        return g.cast(self, BOOL)
    value = g.cast(g.cast(self, BOOL), INT32)
    return g.cast(reduced(g, kind, value, dims_of(self, dim), keepdim), g.out.dtype)


@translates("any any.dim any.dims")
def any_(g: Builder, self: Value, dim: Any = None, keepdim: bool = False) -> Value:
    return _asked(g, "ReduceMax", self, dim, keepdim)


@translates("all all.dim all.dims")
def all_(g: Builder, self: Value, dim: Any = None, keepdim: bool = False) -> Value:
    return _asked(g, "ReduceMin", self, dim, keepdim)


@translates("count_nonzero count_nonzero.dim_IntList")
def count_nonzero(g: Builder, self: Value, dim: Any = None) -> Value:
    value = g.cast(g.cast(self, BOOL), INT64)
    return reduced(g, "ReduceSum", value, dims_of(self, dim), False)


# Norms --------------------------------------------------------------------------------------------


@translates("logsumexp special_logsumexp")
def logsumexp(g: Builder, self: Value, dim: Any, keepdim: bool = False) -> Value:
    value, dims = g.cast(self, g.out.dtype), dims_of(self, dim)
    if not dims:
        return value
    top = reduced(g, "ReduceMax", value, dims, True)
    far = g.op("Equal", g.op("Abs", top), math.inf)
    top = g.where(far, 0, top, value.dtype)  # infinities are no distance from themselves
    total = reduced(g, "ReduceSum", g.op("Exp", g.op("Sub", value, top)), dims, True)
    found = g.op("Add", g.op("Log", total), top)
    return found if keepdim else g.axes("Squeeze", found, dims)


@translates("linalg_vector_norm")
def vector_norm(
    g: Builder,
    self: Value,
    ord: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Value:
    return vector_norm_of(g, g.cast(self, g.out.dtype), ord, dims_of(self, dim), keepdim)


def vector_norm_of(g: Builder, value: Value, ord: Any, dims: list[int], keepdim: bool) -> Value:
    """The norm of *value* over *dims*."""
    if ord in (1, 2) and dims:
        return reduced(g, "ReduceL1" if ord == 1 else "ReduceL2", value, dims, keepdim)
    size = g.op("Abs", value)
    if abs(ord) == math.inf:
        return reduced(g, "ReduceMax" if ord > 0 else "ReduceMin", size, dims, keepdim)
    if ord == 0:
        apart = g.cast(g.op("Not", g.op("Equal", value, 0)), value.dtype)
        return reduced(g, "ReduceSum", apart, dims, keepdim)
    total = reduced(g, "ReduceSum", g.op("Pow", size, float(ord)), dims, keepdim)
    return g.op("Pow", total, 1 / ord)


@translates("norm.Scalar")
def norm(g: Builder, self: Value, p: Any = 2) -> Value:
    return vector_norm(g, self, p)


@translates("norm.ScalarOpt_dim norm.ScalarOpt_dim_dtype norm.ScalarOpt_dtype")
def norm_dim(
    g: Builder, self: Value, p: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Value:
    return vector_norm(g, self, 2 if p is None else p, dim, keepdim)


@translates("frobenius_norm.dim")
def frobenius_norm(g: Builder, self: Value, dim: Any, keepdim: bool = False) -> Value:
    return vector_norm(g, self, 2, dim, keepdim)


@translates("dist")
def dist(g: Builder, self: Value, other: Value, p: Any = 2) -> Value:
    apart = g.op("Sub", g.cast(self, g.out.dtype), g.cast(other, g.out.dtype))
    flat = g.reshape(apart, [-1])
    flat.shape = (-1,)
    return vector_norm(g, flat, p)
