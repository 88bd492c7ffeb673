"""Order: ``sort``, ``topk``, ``kthvalue``, ``unique``, ``searchsorted``, ``bincount``, ``histc``.

NaN counts as larger than every number, as in torch: last in rising order, first in falling.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.derivatives import not_implemented_for
from mindtorch.ops.dims import (
    element_strides,
    laid_out,
    preserved_strides,
    reduced_shape,
    scalar_name,
    wrap_dim,
)
from mindtorch.ops.extremes import selected_grad
from mindtorch.ops.factory import Sized
from mindtorch.ops.meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    REFUSED_BY_MOST,
    UNSIGNED,
    common_dtype,
    not_implemented,
    refuse,
)
from mindtorch.ops.row import Out, op
from mindtorch.ops.scalars import checked, overflow
from mindtorch.ops.statistics import resizing
from mindtorch_storage.dtype import bool_, float64, from_numpy, int32, int64

__all__: list[str] = []


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
        return np.argsort(a, axis=dim, kind="stable")
    # Equal elements keep their order: sort the mirror image, mirror the result.
    back = np.argsort(np.flip(a, dim), axis=dim, kind="stable")
    return a.shape[dim] - 1 - np.flip(back, dim)


def _sort(self: Any, stable: Any, dim: int, descending: bool) -> tuple[Any, Any]:
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    order = order_of(self, dim, descending)
    values = np.take_along_axis(self, order, dim)
    strides = preserved_strides(self.shape, element_strides(self))
    return _in_strides(values, strides), _in_strides(order, strides)


def _in_strides(a: Any, strides: Any) -> Any:
    return a if element_strides(a) == strides else laid_out(a, strides)


op(
    "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> "
    "(Tensor values, Tensor indices)",
    meta=_sort_meta,
    kernel=_sort,
    out="values_stable",
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, True)},
    samples="sort_stable",
)
op(
    "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    meta=lambda self, dim, descending: _sort_meta(self, False, dim, descending),
    kernel=lambda self, dim, descending: _sort(self, False, dim, descending),
    out="values",
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


def _topk(self: Any, k: int, dim: int, largest: bool, sorted: bool) -> tuple[Any, Any]:
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    d = wrap_dim(dim, self.ndim)
    n = self.shape[d]
    if n > 256 and k * 8 < n and k:
        # Find the k first, then put only those in order.
        part = np.argpartition(self, n - k if largest else k - 1, axis=d)
        chosen = np.take(part, np.arange(n - k, n) if largest else np.arange(k), axis=d)
        chosen = np.sort(chosen, axis=d)
        rank = order_of(np.take_along_axis(self, chosen, d), d, largest)
        order = np.take_along_axis(chosen, rank, d)
    else:
        order = np.take(order_of(self, d, largest), np.arange(k), axis=d)
    values = np.take_along_axis(self, order, d)
    return np.ascontiguousarray(values), np.ascontiguousarray(order)


op(
    "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> "
    "(Tensor values, Tensor indices)",
    meta=_topk_meta,
    kernel=_topk,
    out="values",
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


def _kthvalue(self: Any, k: int, dim: int, keepdim: bool) -> tuple[Any, Any]:
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    d = wrap_dim(dim, self.ndim)
    where = np.take(np.argsort(self, axis=d, kind="stable"), [k - 1], axis=d)
    values = np.take_along_axis(self, where, d)
    shape = reduced_shape(self.shape, (d,), keepdim)
    return values.reshape(shape).copy("C"), where.reshape(shape).copy("C")


op(
    "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> "
    "(Tensor values, Tensor indices)",
    meta=_kthvalue_meta,
    kernel=_kthvalue,
    out="values",
    out_meta=resizing(_kthvalue_meta, always=False),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
    samples="kthvalue",
)


# -- unique -------------------------------------------------------------------------------------


def _refuse_complex(a: Any, kernel: str = "unique") -> None:
    if a.dtype.kind == "c":
        name = "ComplexFloat" if a.dtype.char == "F" else "ComplexDouble"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def _sortable(a: Any) -> Any:
    return a.astype(np.float32) if a.dtype.itemsize == 2 and a.dtype.kind in "fV" else a


def _unique(
    self: Any, sorted: bool, return_inverse: bool, return_counts: bool
) -> tuple[Any, Any, Any]:
    _refuse_complex(self)
    none = np.empty(0, np.int64)
    flat = _sortable(self)
    values, inverse, counts = np.unique(
        flat, return_inverse=True, return_counts=True, equal_nan=False
    )
    return (
        values.astype(self.dtype),
        inverse.reshape(self.shape).astype(np.int64) if return_inverse else none,
        counts.astype(np.int64) if return_counts else none.copy(),
    )


op(
    "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, "
    "bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    kernel=_unique,
    half=False,
    variants="function",
    grad=not_implemented_for("_unique2", "self"),
    samples="unique",
    tags=("data_dependent_output",),
)


def _outermost(a: Any, dim: int) -> Any:
    """A copy in which *dim* is the slowest in memory, as torch lays out its unique rows."""
    return np.moveaxis(np.moveaxis(a, dim, 0).copy("C"), 0, dim)


def _unique_dim(
    self: Any, dim: int, sorted: bool, return_inverse: bool, return_counts: bool
) -> tuple[Any, Any, Any]:
    if not self.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    d = wrap_dim(dim, self.ndim)
    if not self.size and self.shape.count(0) > 1:
        raise RuntimeError(
            "Number of zero sized dimensions is more than one, so unique cannot be applied "
        )
    _refuse_complex(self, "unique_dim")
    none = np.empty(0, np.int64)
    if not self.size:
        return self.copy("C"), none, none.copy()
    values, inverse, counts = np.unique(
        _sortable(self), return_inverse=True, return_counts=True, axis=d
    )
    return (
        _outermost(values.astype(self.dtype), d),
        inverse.reshape(-1).astype(np.int64) if return_inverse else none,
        counts.astype(np.int64) if return_counts else none.copy(),
    )


op(
    "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, "
    "bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    kernel=_unique_dim,
    half=False,
    variants="",
    grad=not_implemented_for("unique_dim", "self"),
    samples="unique_dim",
    tags=("data_dependent_output",),
)


def _unique_consecutive(
    self: Any, return_inverse: bool, return_counts: bool, dim: int | None
) -> tuple[Any, Any, Any]:
    _refuse_complex(self, "unique" if dim is None else "unique_dim")
    rows = self.reshape(-1) if dim is None else np.moveaxis(self, wrap_dim(dim, self.ndim), 0)
    none = np.empty(0, np.int64)
    n = len(rows)
    starts = np.ones(n, bool)
    if n > 1:
        different = rows[1:] != rows[:-1]
        starts[1:] = different.reshape(n - 1, -1).any(1)
    kept = np.array(rows[starts], order="C")
    if dim is not None:
        kept = np.moveaxis(kept, 0, dim)
    inverse = np.cumsum(starts) - 1
    counts = np.diff(np.append(np.flatnonzero(starts), n))
    shape = self.shape if dim is None else (n,)
    return (
        kept,
        inverse.reshape(shape).astype(np.int64) if return_inverse else none,
        counts.astype(np.int64) if return_counts else none.copy(),
    )


op(
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, "
    "int? dim=None) -> (Tensor, Tensor, Tensor)",
    kernel=_unique_consecutive,
    half=False,
    grad=not_implemented_for("unique_consecutive", "self"),
    samples="unique_consecutive",
    tags=("data_dependent_output",),
)


# -- places in a sorted sequence ----------------------------------------------------------------


def _search_dtype(sequence: Any, self: Any) -> Any:
    """The dtype in which both are compared."""
    common = common_dtype(sequence, self)
    refuse(common, {"searchsorted_out_cpu": REFUSED_BY_MOST}, sequence)
    return common


def _search_meta(
    sequence: Any, self: Any, out_int32: bool, right: bool, side: Any, sorter: Any
) -> Out:
    name = "torch.searchsorted()"
    bounds = tuple(sequence.shape)
    tensor = hasattr(self, "shape")
    shape = tuple(self.shape) if tensor else ()
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"{name}: side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            f"{name}: side and right can't be set to opposites, got side of left while right was "
            "True"
        )
    if sorter is not None:
        if tuple(sorter.shape) != bounds:
            raise RuntimeError(
                f"{name}: boundary and sorter must have the same size, but got boundary tensor "
                f"{list(bounds)}and got sorter tensor {list(sorter.shape)}"
            )
        if sorter.dtype is not int64:
            raise RuntimeError(
                f"{name}: sorter must be a tensor of long dtype but got dtype "
                f"{scalar_name(sorter.dtype)}"
            )
    if not shape:
        if len(bounds) != 1:
            raise RuntimeError(
                f"{name}: input value can be a scalar only when boundaries tensor dimension is 1, "
                f"but we got boundaries tensor dim({len(bounds)}) and input value's dim(0) "
                "numel(1)"
            )
    if not bounds:
        raise RuntimeError(
            f"{name}: boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if len(bounds) != 1 and (len(bounds) != len(shape) or bounds[:-1] != shape[:-1]):
        raise RuntimeError(
            f"{name}: boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(bounds)} and input value tensor {list(shape)}"
        )
    if sorter is None:
        _search_dtype(sequence, self)
    # else the kernel does it: the numbers of the sorter are looked at first
    return Out(shape, int32 if out_int32 else int64)


def _search(sequence: Any, self: Any, out_int32: bool, right: bool, side: Any, sorter: Any) -> Any:
    kind = np.int32 if out_int32 else np.int64
    values = np.asarray(self)
    where = "right" if right or side == "right" else "left"
    if sorter is not None:
        if sorter.size and (sorter.min() < 0 or sorter.max() >= sequence.shape[-1]):
            raise RuntimeError("torch.searchsorted(): sorter index out of range")
        _search_dtype(*[Sized(x) if isinstance(x, np.ndarray) else x for x in (sequence, self)])
        sequence = np.take_along_axis(sequence, sorter, -1)
    if sequence.ndim == 1:
        return np.asarray(np.searchsorted(sequence, values, where), kind, order="C")
    rows = sequence.reshape(-1, sequence.shape[-1])
    wanted = values.reshape(rows.shape[0], -1)
    out = np.empty(wanted.shape, kind)
    for i, row in enumerate(rows):
        out[i] = np.searchsorted(row, wanted[i], where)
    return out.reshape(values.shape)


for _overload in ("Tensor", "Scalar"):
    op(
        f"searchsorted.{_overload}(Tensor sorted_sequence, {_overload} self, *, "
        "bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
        meta=_search_meta,
        kernel=_search,
        variants="function",
        out=f"{_overload}_out",
        samples=f"searchsorted_{_overload.lower()}",
    )


def _bucketize_meta(self: Any, boundaries: Any, out_int32: bool, right: bool) -> Out:
    n = len(boundaries.shape)
    if n != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({n})")
    return _search_meta(boundaries, self, out_int32, right, None, None)


for _overload in ("Tensor", "Scalar"):
    op(
        f"bucketize.{_overload}({_overload} self, Tensor boundaries, *, bool out_int32=False, "
        "bool right=False) -> Tensor",
        meta=_bucketize_meta,
        kernel=lambda self, boundaries, out_int32, right: _search(
            boundaries, self, out_int32, right, None, None
        ),
        variants="function",
        out=f"{_overload}_out",
        samples=f"bucketize_{_overload.lower()}",
    )


# -- counts -------------------------------------------------------------------------------------


def _histc_meta(self: Any, bins: int, min: Any, max: Any) -> Out:
    low, high = checked(min, float64), checked(max, float64)
    own = self.dtype
    if low == high and self.numel():
        refuse(own, {"aminmax_cpu": COMPLEX | UNSIGNED}, self)
    elif own.name == "uint8":
        low, high = (low - 1, high + 1) if low == high else (low, high)
        if low < 0 or high > 255:
            raise overflow(own)
    refuse(own, {"linspace_cpu": BOOL | UNSIGNED, "histogram_cpu": INTEGRAL | COMPLEX}, self)
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if high < low:
        raise RuntimeError("torch.histc: max must be larger than min")
    return Out((bins,), self.dtype)


def _histc(self: Any, bins: int, min: Any, max: Any) -> Any:
    low, high = float(min), float(max)
    if low == high and self.size:
        low, high = float(self.min()), float(self.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    flat = self.reshape(-1)
    flat = flat[(flat >= low) & (flat <= high)]
    place = ((flat - low) * (bins / (high - low))).astype(np.int64)
    np.minimum(place, bins - 1, out=place)
    return np.bincount(place, minlength=bins).astype(self.dtype)


op(
    "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
    meta=_histc_meta,
    kernel=_histc,
    out=True,
    samples="histc",
)


def _bincount(self: Any, weights: Any, minlength: int) -> Any:
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if self.dtype.kind not in "iu" or from_numpy(self.dtype).name in UNSIGNED:
        raise not_implemented("bincount_cpu", from_numpy(self.dtype))
    if self.ndim == 1 and not self.size:
        return np.zeros(minlength, np.int64)
    if self.ndim != 1 or (self < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return np.bincount(self, minlength=minlength).astype(np.int64)
    if weights.ndim != 1 or weights.shape[0] != self.shape[0]:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    out = np.bincount(self, weights.astype(np.float64), minlength)
    return out.astype(np.float32 if weights.dtype == np.float32 else np.float64)


op(
    "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
    kernel=_bincount,
    half=False,
    grad=not_implemented_for("bincount", "weights"),
    samples="bincount",
    tags=("data_dependent_output",),
)
