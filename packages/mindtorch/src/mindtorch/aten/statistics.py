"""The middle and the most frequent: median, mode."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isnan
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from mindtorch.aten.extremes import evenly_distributed, selected_grad, selecting
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import reduced_shape, wrap_dim
from mindtorch.core.warning import warn_resized

from .tangent_rules import of_equals

__all__ = ["has_nan", "place_of", "resizing"]


# -- the middle, the most frequent --------------------------------------------------------------


def _middle(a: Any, axis: int, nan: bool) -> Any:
    """Where the lower median of each row is; NaN first in line unless *nan* passes over it."""
    n = a.shape[axis]
    if not has_nan(a):
        return place_of(a, axis, (n - 1) // 2)
    missing = np.isnan(a)
    if not nan:
        return np.where(missing.any(axis), missing.argmax(axis), place_of(a, axis, (n - 1) // 2))
    place = np.maximum(n - missing.sum(axis, keepdims=True) - 1, 0) // 2
    return np.take_along_axis(a.argsort(axis, "stable"), place, axis)


#: Up to so many elements one stable order of all is faster than several passes.
_FEW = 4096


def place_of(a: Any, axis: int, k: int) -> Any:
    """Where in each row is what stands at place *k* of its stable order."""
    if a.size <= _FEW:
        return a.argsort(axis, "stable").take(k, axis)  # not a window on all places
    rows = np.moveaxis(a, axis, -1)
    value = np.partition(rows, k, -1)[..., k, None]
    where = np.asarray((rows == value).argmax(-1))
    # An equal element stands before it, or it is NaN.
    unclear = np.asarray(np.count_nonzero(rows < value, -1) != k)
    unclear |= value[..., 0] != value[..., 0]
    if unclear.any():
        where[unclear] = rows[unclear].argsort(-1, "stable")[..., k]
    return where


def has_nan(a: Any) -> bool:
    """Whether one of the elements is NaN."""
    if a.dtype.kind != "f":
        return False
    flat = a.reshape(-1)
    return isnan(flat.dot(flat))  # squares do not cancel


def _not_a_number(dtype: Any) -> Any:
    """NaN as C casts it: x86 has the least integer of 32 or 64 bits for it, which is then cut."""
    if dtype.kind in "iu":
        return np.array(np.iinfo("q" if dtype.itemsize == 8 else "i").min).astype(dtype)
    return np.array(np.nan).astype(dtype)


def _median(nan: bool) -> Any:
    def prepare(self: Any) -> Callable[..., Any]:
        dtype, n = self.dtype, self.size
        if not n:
            empty = _not_a_number(dtype)
            return lambda self: empty.copy()
        middle = (n - 1) // 2

        def kernel(self: Any) -> Any:
            order = self.flatten()
            if has_nan(order):
                return order[_middle(order, 0, nan)].reshape(())
            order.partition(middle)
            return order[middle : middle + 1].copy().reshape(())

        return kernel

    return prepare


def _median_meta(self: Any) -> Out:
    if self.numel():
        refuse(self.dtype, {"median_cpu": COMPLEX | UNSIGNED | BOOL}, self)
    return Out((), self.dtype)


def _median_dim_meta(name: str) -> Any:
    def meta(self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
        shape = self.shape
        d = wrap_dim(dim, len(shape))
        if shape and shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
        refuse(self.dtype, {"median_out": COMPLEX | UNSIGNED | BOOL}, self)
        out = reduced_shape(shape, (d,), keepdim)
        return Out(out, self.dtype), Out(out, int64)

    return meta


def _median_dim_onto(target: Any, self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
    """Source: torch aten/src/ATen/native/Sorting.cpp, median_with_indices_impl."""
    values, indices = target
    if indices.dtype is not int64:
        found = "CPUBoolType" if indices.dtype.name == "bool" else indices.type()
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have scalar type Long; but got "
            f"{found} instead (while checking arguments for median)"
        )
    if values.dtype is not self.dtype:
        raise RuntimeError(
            "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; "
            f"but type {values.type()} does not equal {self.type()} (while checking arguments for "
            "median)"
        )
    return _median_dim_meta("median")(self, dim, keepdim)


for _name, _nan, _says in (
    (
        "median",
        False,
        """Return the median, of all elements or along a dimension; the lower one of two.

        >>> torch.median(torch.tensor([4, 1, 3, 2]))
        tensor(2)
        """,
    ),
    ("nanmedian", True, "Return the median of the elements that are not NaN."),
):
    op(
        f"{_name}(Tensor self) -> Tensor",
        says=_says,
        meta=_median_meta,
        prepare=_median(_nan),
        grad={"self": lambda g, c: evenly_distributed(g, c.self, c.result)},
        tangent=of_equals,
        samples="median",
    )
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        meta=_median_dim_meta("median"),
        prepare=selecting(partial(_middle, nan=_nan)),
        out=OutForm("dim_values", overlap="apart"),
        node=1,
        out_meta=_median_dim_onto,
        grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
        samples="median_dim",
    )


def _prepare_mode(self: Any, dim: int, keepdim: bool) -> Callable[..., tuple[Any, Any]]:
    """The element that each row has most often: the smallest, if several are; and where one is."""
    if not self.ndim:
        return lambda self, *_: (self.copy(), np.zeros((), np.int64))
    d, empty = wrap_dim(dim, self.ndim), np.empty
    size, shape, dtype = self.shape[d], reduced_shape(self.shape, (d,), keepdim), self.dtype
    if not self.size:
        return lambda self, *_: (empty(shape, dtype), empty(shape, np.int64))
    matrix = self.size // size, size
    turned = None if d == self.ndim - 1 else [*(n for n in range(self.ndim) if n != d), d]
    lead, places = np.arange(0, self.size, size), np.arange(size)
    column, later, zeros, multiply = lead[:, None], places[1:], np.zeros, np.multiply
    whole, furthest, differ = np.dtype(np.int64), np.maximum.accumulate, np.not_equal

    def kernel(self: Any, *_: Any) -> tuple[Any, Any]:
        rows = (self if turned is None else self.transpose(turned)).reshape(matrix)
        order = rows.argsort(1, "stable")
        ordered = rows.take(order + column)
        # Length of the run of equal values up to each place; the longest run's first maximum wins.
        starts = zeros(matrix, whole)
        multiply(differ(ordered[:, 1:], ordered[:, :-1]), later, starts[:, 1:])
        furthest(starts, 1, None, starts)
        best = (places - starts).argmax(1) + lead
        return ordered.take(best).reshape(shape), order.take(best).reshape(shape)

    return kernel


def resizing(meta: Any, *, always: bool) -> Any:
    """The ``out_meta`` of an op that works with the reduced dim in place and drops it afterwards.

    :param always: the targets get that dim whatever they are; else only where they lack just one.
    """

    def out_meta(targets: Any, self: Any, *args: Any) -> tuple[Out, Out]:
        outs = meta(self, *args)
        dim, keepdim = args[-2:]
        shape = tuple(self.shape)
        if always and not shape:
            return outs
        d = wrap_dim(dim, len(shape))
        kept = reduced_shape(shape, (d,), True)
        for t in targets:
            have = tuple(t.shape)
            if not keepdim and (always or len(have) == len(shape) - 1):
                have = (*have[:d], 1, *have[d:])
            if have != kept and t.numel():
                warn_resized(have, kept)
        return outs

    return out_meta


def _mode_meta(self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
    shape = self.shape
    d = wrap_dim(dim, len(shape))
    if shape and shape[d] == 0:
        raise IndexError(f"mode(): Expected reduction dim {d} to have non-zero size.")
    if shape:
        refuse(self.dtype, {"mode_cpu": COMPLEX | UNSIGNED}, self)
    out = reduced_shape(shape, (d,), keepdim)
    return Out(out, self.dtype), Out(out, int64)


op(
    "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    says="""Return the most frequent element along a dimension, and an index of it.

    >>> torch.mode(torch.tensor([1, 2, 2]))
    torch.return_types.mode(
    values=tensor(2),
    indices=tensor(2))
    """,
    meta=_mode_meta,
    prepare=_prepare_mode,
    out=OutForm(
        "values",
        text="expected scalar type '{result}' but got '{out}' for values output",
        quiet=True,
        overlap="apart",
    ),
    out_meta=resizing(_mode_meta, always=True),
    grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
    samples="mode",
    tags=("real_only",),
)
