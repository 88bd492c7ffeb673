"""Sorting, and the largest or smallest few."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, int64

from mindtorch.aten.extremes import row_starts, selected_grad, selecting
from mindtorch.aten.statistics import place_of, resizing
from mindtorch.aten.topk_ties import first_indices, sort_keys
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import (
    element_strides,
    laid_out,
    preserved_strides,
    reduced_shape,
    wrap_dim,
)
from mindtorch.core.operators import ops

__all__ = ["extreme_places"]


# -- sort ---------------------------------------------------------------------------------------


def _sort_meta(self: Any, stable: Any, dim: int, descending: bool) -> tuple[Out, Out]:
    shape = tuple(self.shape)
    wrap_dim(dim, len(shape))
    if self.dtype.is_complex:
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    strides = preserved_strides(shape, tuple(self.stride()))
    return Out(shape, self.dtype, strides), Out(shape, int64, strides)


def order_of(a: Any, dim: int, descending: bool) -> Any:
    """The stable order of *a* along *dim*."""
    if not descending:
        return a.argsort(dim, "stable")
    # Equal elements keep their order: sort the mirror image, mirror the result.
    mirror = (slice(None),) * (dim % a.ndim) + (slice(None, None, -1),)
    return a.shape[dim] - 1 - a[mirror].argsort(dim, "stable")[mirror]


def _along(shape: tuple[int, ...], dim: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The indices before and behind that of *dim*, to take elements by it as they stand."""
    grid = [np.arange(s).reshape(-1, *[1] * (len(shape) - i - 1)) for i, s in enumerate(shape)]
    return tuple(grid[:dim]), tuple(grid[dim + 1 :])


def _prepare_sort(self: Any, stable: Any, dim: int, descending: bool) -> Any:
    if not self.ndim:
        return lambda self, *rest: (self.copy(), np.zeros((), np.int64))
    d = wrap_dim(dim, self.ndim)
    lead, tail = _along(self.shape, d)
    wanted = preserved_strides(self.shape, element_strides(self))

    def kernel(self: Any, *rest: Any) -> tuple[Any, Any]:
        order = order_of(self, d, descending)
        values = self[(*lead, order, *tail)]
        return _in_strides(values, wanted), _in_strides(order, wanted)

    return kernel


def _in_strides(a: Any, strides: Any) -> Any:
    return a if element_strides(a) == strides else laid_out(a, strides)


op(
    "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> "
    "(Tensor values, Tensor indices)",
    says="""Sort along a dimension and return the sorted elements and their indices.
    The indices are int64.

    >>> torch.sort(torch.tensor([3, 1, 2]), descending=True)
    torch.return_types.sort(
    values=tensor([3, 2, 1]),
    indices=tensor([0, 2, 1]))
    """,
    meta=_sort_meta,
    prepare=_prepare_sort,
    out=OutForm("values_stable", overlap="whole"),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, True)},
    samples="sort_stable",
    node=1,
)


def _prepare_of_two(self: Any, dim: int, descending: bool) -> Any:
    return _prepare_sort(self, False, dim, descending)


op(
    "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    meta=lambda self, dim, descending: _sort_meta(self, False, dim, descending),
    prepare=_prepare_of_two,
    out=OutForm("values", overlap="whole"),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, True)},
    samples="sort",
)


def _argsort_onto(target: Any, self: Any, stable: bool, dim: int, descending: bool) -> None:
    values = self.new_empty((0,))
    ops.sort(self, stable=stable, dim=dim, descending=descending, out=(values, target))


def _msort_onto(target: Any, self: Any) -> None:
    ops.sort(self, 0, False, out=(target, self.new_empty((0,), dtype=int64)))


op(
    "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
    says="""Return the indices that sort along a dimension.
    The result is int64.

    >>> torch.argsort(torch.tensor([3, 1, 2]))
    tensor([1, 2, 0])
    """,
    composite=lambda self, dim, descending: self.sort(dim, descending)[1],
    samples="sort",
)
op(
    "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
    composite=lambda self, stable, dim, descending: self.sort(
        stable=stable, dim=dim, descending=descending
    )[1],
    out="stable_out",
    out_kernel=_argsort_onto,
    samples="sort_stable",
)
op(
    "msort(Tensor self) -> Tensor",
    says="Sort along the first dimension.",
    composite=lambda self: self.sort(0, False)[0],
    out=True,
    out_kernel=_msort_onto,
    samples="msort",
)


def _topk_meta(self: Any, k: int, dim: int, largest: bool, sorted: bool) -> tuple[Out, Out]:
    shape = tuple(self.shape)
    d = wrap_dim(dim, len(shape))
    if not 0 <= k <= (shape[d] if shape else 1):
        raise RuntimeError("selected index k out of range")
    if self.dtype.is_complex:
        raise RuntimeError(" topk does not support complex dtypes on CPU")
    if self.dtype is bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if shape:
        refuse(self.dtype, {"topk_cpu": UNSIGNED}, self)
    out = (*shape[:d], k, *shape[d + 1 :]) if shape else ()
    return Out(out, self.dtype), Out(out, int64)


def extreme_places(rows: Any, k: int, largest: bool) -> Any:
    """Where the *k* largest or smallest of each row are, the first place first.

    None where another one is equal to the last of them, or there is NaN.
    """
    place = rows.shape[-1] - k if largest else k - 1
    last = np.partition(rows, place, -1)[..., place, None]
    reaching = rows >= last if largest else rows <= last
    if (np.count_nonzero(reaching, -1) != k).any():
        return None
    return reaching.nonzero()[-1].reshape(*rows.shape[:-1], k)


def _topk(self: Any, k: int, dim: int, largest: bool, sorted: bool) -> tuple[Any, Any]:
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    d = wrap_dim(dim, self.ndim)
    n = self.shape[d]
    places = None
    if n > 256 and k * 8 < n and k:
        # Find the k first, then put only those in order.
        places = extreme_places(np.moveaxis(self, d, -1), k, largest)
        if places is None:
            part = np.argpartition(self, n - k if largest else k - 1, axis=d)
            chosen = np.take(part, np.arange(n - k, n) if largest else np.arange(k), axis=d)
            chosen = np.sort(chosen, axis=d)
        else:
            chosen = np.moveaxis(places, -1, d)
        rank = order_of(np.take_along_axis(self, chosen, d), d, largest)
        order = np.take_along_axis(chosen, rank, d)
    else:
        order = np.take(order_of(self, d, largest), np.arange(k), axis=d)
    values = np.take_along_axis(self, order, d)
    if k and (tied := _tied(self, values, d, places is not None)).any():
        order = np.array(order)
        rows, places = np.moveaxis(self, d, -1), np.moveaxis(order, d, -1)
        keys = sort_keys(rows[tied], largest)
        places[tied] = [first_indices(row, k, sorted) for row in keys]
        values = np.take_along_axis(self, order, d)
    return np.ascontiguousarray(values), np.ascontiguousarray(order)


def _prepare_topk(self: Any, k: int, dim: int, largest: bool, sorted: bool) -> Any:
    if not self.ndim or not self.size or not k or self.size > 4096:
        return _topk
    d = wrap_dim(dim, self.ndim)
    n, inner, before = self.shape[d], math.prod(self.shape[d + 1 :]), (slice(None),) * d
    mirror = (*before, slice(None, None, -1))
    # One more than is asked for, which may be equal to the last.
    wanted, last = (*before, slice(k)), np.array(n - 1)
    some = (*before, slice(None, -k - 2, -1) if largest else slice(k + 1))
    one, next_one = (*before, slice(-1)), (*before, slice(1, None))
    first = row_starts(self.shape, d, True)
    pairs, apart = self.size // n * (min(k + 1, n) - 1), np.greater if largest else np.less
    subtract, count = np.subtract, np.count_nonzero

    def kernel(self: Any, *rest: Any) -> Any:
        if largest:
            order = subtract(last, self[mirror].argsort(d, "stable")[some])
        else:
            order = self.argsort(d, "stable")[some]
        values = self.take((order if inner == 1 else order * inner) + first)
        if count(apart(values[one], values[next_one])) < pairs:  # some are equal, or NaN
            return _topk(self, *rest)
        return values[wanted].copy(), order[wanted].copy()

    return kernel


def _tied(self: Any, values: Any, d: int, apart: bool) -> Any:
    """In which rows equal numbers are among the first, or the last of these is also left out.

    *apart*: it is not, and none is NaN.
    """
    first, last = np.moveaxis(values, d, -1), np.moveaxis(self, d, -1)
    least = first[..., -1:]
    tied = (first[..., 1:] == first[..., :-1]).any(-1)
    if apart:
        return tied
    tied |= np.count_nonzero(last == least, -1) > np.count_nonzero(first == least, -1)
    if self.dtype.kind not in "iub":  # NaN is equal to nothing, but in one place with NaN
        tied |= np.count_nonzero(last != last, -1) > 1
    return tied


op(
    "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> "
    "(Tensor values, Tensor indices)",
    says="""Return the k largest or smallest elements along a dimension and their indices.
    The indices are int64.

    >>> torch.topk(torch.tensor([3, 1, 2]), 2)
    torch.return_types.topk(
    values=tensor([3, 2]),
    indices=tensor([0, 2]))
    """,
    meta=_topk_meta,
    prepare=_prepare_topk,
    out=OutForm("values", meta="native", overlap="whole"),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, True)},
    samples="topk",
)


def _kthvalue_meta(self: Any, k: int, dim: int, keepdim: bool) -> tuple[Out, Out]:
    shape = tuple(self.shape)
    d = wrap_dim(dim, len(shape))
    if shape and shape[d] == 0:
        raise IndexError(f"kthvalue(): Expected reduction dim {d} to have non-zero size.")
    if not 1 <= k <= (shape[d] if shape else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {d}")
    if shape:
        refuse(self.dtype, {"kthvalue_cpu": COMPLEX | BOOL | UNSIGNED}, self)
    out = reduced_shape(shape, (d,), keepdim)
    return Out(out, self.dtype), Out(out, int64)


def _kth(a: Any, axis: int, k: int) -> Any:
    """Where the *k*-th smallest element of each row is."""
    return place_of(a, axis, k - 1)


op(
    "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> "
    "(Tensor values, Tensor indices)",
    says="""Return the k-th smallest element along a dimension and its index.

    >>> torch.kthvalue(torch.tensor([3, 1, 2]), 2)
    torch.return_types.kthvalue(
    values=tensor(2),
    indices=tensor(2))
    """,
    meta=_kthvalue_meta,
    prepare=selecting(_kth),
    out=OutForm(
        "values", text="output values must be of same type as input", quiet=True, overlap="apart"
    ),
    out_meta=resizing(_kthvalue_meta, always=False),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
    samples="kthvalue",
    tags=("real_only",),
)
