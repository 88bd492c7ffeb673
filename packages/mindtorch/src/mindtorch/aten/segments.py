"""Reductions of runs of rows, and row numbers as pointers to where the rows begin."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32, int64

from ..call.elementwise_meta import FLOATING, refuse
from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.errors import not_as_expected
from ..core.operators import ops
from .derivatives import not_implemented_for
from .prepared import kept

__all__: list[str] = []

_START = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}
#: The words for what is done with a run.
KINDS = tuple(_START)
_NAMES = {"amax": "max", "amin": "min"} | {name: name for name in _START}
_INTEGERS = frozenset({"int32", "int64"})


def _kind(reduce: str) -> str:
    found = _NAMES.get(reduce)
    if found is None:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    return found


def _bounds(lengths: Any, offsets: Any) -> Any:
    """Where the runs begin and end, as an array ``(…, runs + 1)``."""
    if offsets is not None:
        return offsets
    bounds = np.zeros((*lengths.shape[:-1], lengths.shape[-1] + 1), np.int64)
    np.add.accumulate(lengths, -1, out=bounds[..., 1:])
    return bounds


def _runs(bounds: Any) -> Any:
    """``(place before the axis, number of the run, slice of the axis)`` of every run."""
    places = np.ndindex(bounds.shape[:-1]) if bounds.ndim > 1 else ((),)
    for place in places:
        row = bounds[place].tolist()
        for i, (begin, end) in enumerate(zip(row, row[1:], strict=False)):
            yield place, i, slice(begin, end)


def _meta(
    data: Any, reduce: str, lengths: Any, indices: Any, offsets: Any, axis: int, unsafe: bool,
    initial: Any,
) -> Out:  # fmt: skip
    axis = wrap_dim(axis, data.dim())
    _kind(reduce)
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    given = offsets if offsets is not None else lengths
    if given is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    name = "offsets" if offsets is not None else "lengths"
    if data.dim() < given.dim():
        raise RuntimeError(
            f"Expected data.dim() >= {name}_value.dim() to be true, but got false.  (Could this "
            "error message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if axis != given.dim() - 1:
        raise RuntimeError(
            f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}."
        )
    refuse(
        given.dtype,
        {f"_segment_reduce_{name}_cpu_kernel1": frozenset({given.dtype.name}) - _INTEGERS},
        data,
    )
    refuse(data.dtype, {"_segment_reduce_cpu": frozenset({data.dtype.name}) - FLOATING}, data)
    count = given.shape[-1] - (offsets is not None)
    return Out((*data.shape[:axis], count, *data.shape[axis + 1 :]), data.dtype)


_NOTHING = np.array(0)


def _check_lengths(lengths: Any, bounds: Any, size: Any) -> None:
    if np.count_nonzero(lengths < _NOTHING):
        raise RuntimeError("lengths contains negative value!")
    if np.count_nonzero(bounds[..., -1:] != size):
        raise RuntimeError(
            "segment_reduce(): Expected all rows of lengths along axis to sum to "
            "data.size(lengths.dim()-1) when !unsafe."
        )


_REDUCES = {"max": np.maximum.reduce, "min": np.minimum.reduce, "prod": np.multiply.reduce}


def _prepare(
    data: Any, reduce: str, lengths: Any, indices: Any, offsets: Any, axis: int, unsafe: bool,
    initial: Any,
) -> Callable[..., Any]:  # fmt: skip
    kind, axis, dtype = _kind(reduce), axis % data.ndim, data.dtype
    checks = lengths is not None and offsets is None and not unsafe
    given = lengths if offsets is None else offsets
    size = np.array(data.shape[given.ndim - 1])
    count = given.shape[-1] - (offsets is not None)
    shape = (*data.shape[:axis], count, *data.shape[axis + 1 :])
    start = dtype.type(_START[kind] if initial is None else initial)
    total, nan = _REDUCES.get(kind, np.add.reduce), np.array(np.nan, dtype)

    def kernel(data: Any, reduce: str, lengths: Any, indices: Any, offsets: Any, *rest: Any) -> Any:
        bounds = _bounds(lengths, offsets)
        if checks:
            _check_lengths(lengths, bounds, size)
        elif offsets is None and (lengths < 0).any():
            raise not_as_expected("segment_length >= 0")
        out = np.empty(shape, dtype)
        for place, i, run in _runs(bounds):
            result = total(data[(*place, run)], 0, None, None, False, start)
            if kind == "mean":
                rows = max(run.stop - run.start, 0)
                if rows:
                    result = result / rows
                elif initial is None:
                    result = nan
            out[(*place, i)] = result
        return out

    return kernel


def _grad(g: Any, c: Any) -> Any:
    return ops._segment_reduce_backward(
        g, c.result, c.data, c.reduce, lengths=c.lengths, offsets=c.offsets, axis=c.axis,
        initial=c.initial,
    )  # fmt: skip


op(
    "segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, "
    "Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
    says="Reduce segments of a dimension to one element each.",
    meta=_meta,
    prepare=_prepare,
    variants="function",
    grad={"data": _grad},
    samples="segment_reduce",
    tangent="not implemented",
    tags=("loops: functional",),
)


def _backward_meta(
    grad: Any, output: Any, data: Any, reduce: str, lengths: Any, offsets: Any, axis: int,
    initial: Any,
) -> Out:  # fmt: skip
    refuse(data.dtype, {"_segment_reduce_cpu": frozenset({data.dtype.name}) - FLOATING}, data)
    return Out(tuple(data.shape), grad.dtype)


def _backward(
    grad: Any, output: Any, data: Any, reduce: str, lengths: Any, offsets: Any, axis: int,
    initial: Any,
) -> Any:  # fmt: skip
    kind, axis = _kind(reduce), axis % data.ndim
    out = np.zeros(data.shape, grad.dtype)
    for place, i, run in _runs(_bounds(lengths, offsets)):
        rows, g, result = data[(*place, run)], grad[(*place, i)], output[(*place, i)]
        if not len(rows):
            continue
        if kind == "sum":
            slope = g
        elif kind == "mean":
            slope = g / len(rows)
        elif kind == "prod":
            slope = _product_slope(rows, g, result, initial)
        else:  # those that are it have equal parts
            best = (rows == result) | np.isnan(rows)
            slope = np.where(best, g / np.maximum(best.sum(0), 1), 0)
        out[(*place, run)] = slope
    return out


def _product_slope(rows: Any, g: Any, result: Any, initial: Any) -> Any:
    """The product of all other rows; where a row is zero, by multiplying them."""
    slope = np.empty(rows.shape, rows.dtype)
    start = rows.dtype.type(1 if initial is None else initial)
    for i in range(len(rows)):
        others = np.concatenate((rows[:i], rows[i + 1 :]))
        slope[i] = np.multiply.reduce(others, 0, initial=start) * g
    return slope


op(
    "_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, "
    "Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor",
    meta=_backward_meta,
    kernel=_backward,
    variants="",
    grad=not_implemented_for("_segment_reduce_backward", "grad", "output", "data"),
    samples="_segment_reduce_backward",
)


# -- pointers ------------------------------------------------------------------------------------


def _pointers_meta(self: Any, size: int, out_int32: bool) -> Out:
    if self.dim() > 1:
        raise RuntimeError(
            f"Input is supposed to be a vector, but got {self.dim()} dimensional tensor."
        )
    kernel = "convert_indices_from_coo_to_csr_cpu"
    refuse(self.dtype, {kernel: frozenset({self.dtype.name}) - _WHOLE}, self)
    return Out((size + 1,), int32 if out_int32 else int64)


_WHOLE = frozenset({"uint8", "int8", "int16", "int32", "int64"})


def _prepare_pointers(self: Any, size: int, out_int32: bool) -> Callable[..., Any]:
    rows, kind = kept(lambda: np.arange(size + 1)), np.dtype(np.int32 if out_int32 else np.int64)
    return lambda self, *rest: self.searchsorted(rows(), "left").astype(kind, copy=False)


op(
    "_convert_indices_from_coo_to_csr(Tensor self, int size, *, bool out_int32=False) -> Tensor",
    meta=_pointers_meta,
    prepare=_prepare_pointers,
    variants="function",
    samples="_convert_indices_from_coo_to_csr",
)


def _rows_meta(crow_indices: Any, col_indices: Any, out_int32: bool, transpose: bool) -> Out:
    kernel = "convert_indices_from_csr_to_coo_cpu"
    dtype = crow_indices.dtype
    refuse(dtype, {kernel: frozenset({dtype.name}) - _WHOLE}, crow_indices)
    rows = crow_indices.dim() + 1
    return Out((rows, col_indices.numel()), int32 if out_int32 else int64)


def _prepare_rows(
    crow_indices: Any, col_indices: Any, out_int32: bool, transpose: bool
) -> Callable[..., Any]:
    kind = np.dtype(np.int32 if out_int32 else np.int64)
    batch, rows = crow_indices.shape[:-1], crow_indices.shape[-1] - 1
    ndim, shape = len(batch), (len(batch) + 2, col_indices.size)
    number = kept(lambda: np.arange(prod(batch) * rows))
    column, row = (ndim, ndim + 1) if transpose else (ndim + 1, ndim)

    def kernel(crow_indices: Any, col_indices: Any, *rest: Any) -> Any:
        counts = crow_indices[..., 1:] - crow_indices[..., :-1]
        rows_of = number().repeat(counts.reshape(-1))
        out = np.empty(shape, kind)
        out[column] = col_indices.reshape(-1)
        if ndim:
            out[:ndim] = np.unravel_index(rows_of // rows, batch)
            rows_of %= rows
        out[row] = rows_of
        return out

    return kernel


op(
    "_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, "
    "bool out_int32=False, bool transpose=False) -> Tensor",
    meta=_rows_meta,
    prepare=_prepare_rows,
    variants="function",
    samples="_convert_indices_from_csr_to_coo",
)
