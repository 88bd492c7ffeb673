"""``index_reduce``: rows of one tensor multiplied, averaged or compared into rows of another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.dtype_support import refuse_scarce
from ..call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, refuse
from ..call.forms import InplaceForm, OutForm
from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.operators import of, ops
from ..core.signature import SCARCE
from ..core.warning import said, warn_once
from .derivatives import delayed_refusal
from .index_bounds import bounds, flat_places
from .index_rows import check_added_rows
from .reduction_steps import average, neutral, ufunc_of
from .reflected import watched

__all__: list[str] = []

_REDUCTIONS = ("prod", "mean", "amax", "amin")
_BETA = "index_reduce() is in beta and the API may change at any time."
_NOT_RUN = BOOL | COMPLEX | UNSIGNED


def _check(self: Any, dim: int, index: Any, source: Any, reduce: str) -> None:
    if reduce not in _REDUCTIONS:
        raise RuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}."
        )
    check_added_rows("index_reduce_()", self, dim, index, source)


def _meta(self: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool) -> Out:
    _check(self, dim, index, source, reduce)
    refuse(self.dtype, _refusals(self, index, reduce, include_self), self)
    if self._sig_ & SCARCE and (index.numel() or not include_self):
        refuse_scarce(f"index_reduce.{_step(self, reduce, include_self)}", self)
    return Out(tuple(self.shape), self.dtype)


def _refusals(self: Any, index: Any, reduce: str, include_self: bool) -> dict[str, Any]:
    """Which kernel runs, and what it lacks: rows of more than one number go through other ops.

    Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_reduce_func_impl.
    """
    if not include_self:
        return {"index_reduce_func_exclude_input_init": _NOT_RUN}
    if len(self.shape) < 2:
        return {"index_func_": _NOT_RUN}
    if not index.numel() or reduce == "prod":
        return {}
    if reduce == "mean":
        return {"add_stub": UNSIGNED, "div_floor_cpu": BOOL}
    return {"maximum_cpu" if reduce == "amax" else "minimum_cpu": COMPLEX | UNSIGNED}


def _step(self: Any, reduce: str, include_self: bool) -> str:
    """The name under which the same is recorded of scarce dtypes."""
    if not include_self:
        return "excluded"
    return reduce if len(self.shape) > 1 else "line" if self.shape else "number"


def _prepare(
    self: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool
) -> Callable[..., Any]:
    if not index.size:
        return lambda self, *_: self.copy()
    shape, sizes, count = self.shape or (1,), source.shape or (1,), index.size
    at, dtype = wrap_dim(dim, len(shape)), self.dtype
    column = [-1 if i == at else 1 for i in range(len(shape))]
    find, find_bounds, rows = flat_places(shape, sizes, at), bounds(count), shape[at]
    put, start, total = ufunc_of(dtype, reduce).at, neutral(dtype, reduce), self.size

    def kernel(self: Any, dim: int, index: Any, source: Any, *_: Any) -> Any:
        lowest, highest = find_bounds(index)
        if lowest < 0 or highest >= rows:
            raise _out_of_range(index, rows, at, include_self)
        out = self.copy()
        flat, places = out.reshape(-1), find(index.reshape(column)).reshape(-1)
        if not include_self:
            flat[places] = start
        put(flat, places, source.reshape(-1))
        if reduce == "mean":
            found = np.bincount(places, minlength=total)
            average(flat, found + 1 if include_self else found)
        return out

    return kernel


def _out_of_range(index: Any, rows: int, dim: int, include_self: bool) -> IndexError:
    # Where self is left out of it, its rows are filled first, for which an index may be negative.
    wrong = index[(index < -rows) | (index >= rows)]
    if include_self or not wrong.size:
        return IndexError("index out of range in self")
    return IndexError(
        f"index {wrong.flat[0]} is out of bounds for dimension {dim} with size {rows}"
    )


def _grads(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, index_reduce_backward."""
    x, dim, index, source, reduce = c.self, c.dim, c.index, c.source, c.reduce
    include, result = c.include_self, c.result
    if reduce == "prod":
        g_self, g_source = _prod_grads(g, x, dim, index, source, include, result)
    elif reduce == "mean":
        count = of("ones_like")(g) if include else of("zeros_like")(g)
        count = count.index_add(dim, index, of("ones_like")(source))
        count.masked_fill_(count == 0, 1)
        g_self = g / count
        theirs = count.index_select(dim, index)
        g_source = g.index_select(dim, index) / theirs
    else:
        value = result.index_select(dim, index)
        mine = (x == result).to(x.dtype)
        theirs = (source == value).to(x.dtype)
        share = g / mine.index_add(dim, index, theirs)
        g_self = mine * share
        g_source = theirs * share.index_select(dim, index)
    if not include:
        g_self = g_self.index_fill(dim, index, 0)
    return g_self, g_source


def _prod_grads(
    g: Any, x: Any, dim: int, index: Any, source: Any, include: bool, result: Any
) -> tuple[Any, Any]:
    """A single zero among the factors still has a gradient: the product of the others."""
    filled = x.masked_fill(x == 0, 1)
    without = ops.index_reduce(filled, dim, index, source, "prod", include_self=include)
    g_self = g * without / filled
    zero = source == 0
    count = of("zeros_like")(x).index_add(dim, index, zero.to(x.dtype)).index_select(dim, index)
    single = zero.bitwise_and(count == 1)
    others = ops.index_reduce(
        x, dim, index, source.masked_fill(single, 1), "prod", include_self=include
    )
    filled = source.masked_fill(zero, 1)
    ratio = (g * result).index_select(dim, index) / filled
    g_source = ops.where(single, (g * others).index_select(dim, index), ratio)
    if not watched(g, count) and (count > 1).any().item():
        g_source = delayed_refusal(
            g_source,
            "index_reduce(): Double backward is unsupported for source when >1 zeros in source "
            "are scattered to the same position in self",
        )
    return g_self, g_source


def _warn_of_beta(
    self: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool
) -> None:
    if _BETA in said:
        return
    try:
        _check(self, dim, index, source, reduce)
    except (RuntimeError, IndexError):
        return  # the call says so
    warn_once(_BETA)


def _onto(target: Any, *args: Any) -> Any:
    warn_once(_BETA)  # once the target has its shape
    return _prepare(*args)(*args)


op(
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, "
    "bool include_self=True) -> Tensor",
    says="Return a copy into which slices of source are reduced along a dimension "
    "where index says.",
    meta=_meta,
    out_meta=lambda target, *args: _meta(*args),
    prepare=_prepare,
    out_kernel=_onto,
    half=False,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm(meta="native", overlap="whole of self, apart"),
    grad={"self, source": _grads},
    samples="index_reduce",
    warns=_warn_of_beta,
    tags=("rounds", "real_only", "loops: functional", "loops: inplace"),
    tangent="not implemented",
    batch=("dimensions_sharing", "index"),
)
