"""Reductions of runs of rows, and row numbers as pointers to where the rows begin."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32, int64

from ..call.elementwise_meta import FLOATING, refuse
from ..call.row import Out, op
from ..core.operators import ops
from .derivatives import not_implemented_for

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


def _bounds(data: Any, lengths: Any, offsets: Any, axis: int) -> Any:
    """Where the runs begin and end, as an array ``(…, runs + 1)``."""
    if offsets is not None:
        return offsets
    first = np.zeros((*lengths.shape[:-1], 1), np.int64)
    return np.concatenate((first, np.cumsum(lengths, -1, dtype=np.int64)), -1)


def _runs(bounds: Any) -> Any:
    """``(place before the axis, number of the run, slice of the axis)`` of every run."""
    for place in np.ndindex(bounds.shape[:-1]):
        row = bounds[place].tolist()
        for i, (begin, end) in enumerate(zip(row, row[1:], strict=False)):
            yield place, i, slice(begin, end)


def _meta(
    data: Any, reduce: str, lengths: Any, indices: Any, offsets: Any, axis: int, unsafe: bool,
    initial: Any,
) -> Out:  # fmt: skip
    axis = axis + data.dim() if axis < 0 else axis
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


def _check_lengths(data: Any, lengths: Any) -> None:
    if (lengths < 0).any():
        raise RuntimeError("lengths contains negative value!")
    if (lengths.sum(-1) != data.shape[lengths.ndim - 1]).any():
        raise RuntimeError(
            "segment_reduce(): Expected all rows of lengths along axis to sum to "
            "data.size(lengths.dim()-1) when !unsafe."
        )


def _kernel(
    data: Any, reduce: str, lengths: Any, indices: Any, offsets: Any, axis: int, unsafe: bool,
    initial: Any,
) -> Any:  # fmt: skip
    if lengths is not None and offsets is None and not unsafe:
        _check_lengths(data, lengths)
    kind, axis = _kind(reduce), axis % data.ndim
    bounds = _bounds(data, lengths, offsets, axis)
    shape = (*data.shape[:axis], bounds.shape[-1] - 1, *data.shape[axis + 1 :])
    out = np.empty(shape, data.dtype)
    start = data.dtype.type(_START[kind] if initial is None else initial)
    function = {"max": np.maximum, "min": np.minimum, "prod": np.multiply}.get(kind, np.add)
    for place, i, run in _runs(bounds):
        rows = data[(*place, run)]
        result = function.reduce(rows, 0, initial=start)
        if kind == "mean":
            if len(rows):
                result = result / len(rows)
            elif initial is None:
                result = np.full_like(result, np.nan)
        out[(*place, i)] = result
    return out


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
    kernel=_kernel,
    variants="function",
    grad={"data": _grad},
    samples="segment_reduce",
    tangent="not implemented",
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
    for place, i, run in _runs(_bounds(data, lengths, offsets, axis)):
        rows, g, result = data[(*place, run)], grad[(*place, i)], output[(*place, i)]
        if not len(rows):
            continue
        if kind == "sum":
            slope = np.broadcast_to(g, rows.shape)
        elif kind == "mean":
            slope = np.broadcast_to(g / len(rows), rows.shape)
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


def _pointers(self: Any, size: int, out_int32: bool) -> Any:
    found = np.searchsorted(self.reshape(-1), np.arange(size + 1), "left")
    return found.astype(np.int32 if out_int32 else np.int64)


op(
    "_convert_indices_from_coo_to_csr(Tensor self, int size, *, bool out_int32=False) -> Tensor",
    meta=_pointers_meta,
    kernel=_pointers,
    variants="function",
    samples="_convert_indices_from_coo_to_csr",
)


def _rows_meta(crow_indices: Any, col_indices: Any, out_int32: bool, transpose: bool) -> Out:
    kernel = "convert_indices_from_csr_to_coo_cpu"
    dtype = crow_indices.dtype
    refuse(dtype, {kernel: frozenset({dtype.name}) - _WHOLE}, crow_indices)
    rows = crow_indices.dim() + 1
    return Out((rows, col_indices.numel()), int32 if out_int32 else int64)


def _rows(crow_indices: Any, col_indices: Any, out_int32: bool, transpose: bool) -> Any:
    kind = np.int32 if out_int32 else np.int64
    count = col_indices.shape[-1]
    rows, places = [], []
    for place in np.ndindex(crow_indices.shape[:-1]):
        pointers = crow_indices[place]
        rows.append(np.repeat(np.arange(len(pointers) - 1), np.diff(pointers)))
        places.append(np.repeat(np.array(place, kind)[:, None], count, 1))
    row = np.concatenate(rows) if rows else np.empty(0, kind)
    pair = [row, col_indices.reshape(-1)]
    lead = np.concatenate(places, 1) if places else np.empty((crow_indices.ndim - 1, 0), kind)
    return np.concatenate((lead, np.stack(pair[::-1] if transpose else pair))).astype(kind)


op(
    "_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, "
    "bool out_int32=False, bool transpose=False) -> Tensor",
    meta=_rows_meta,
    kernel=_rows,
    variants="function",
    samples="_convert_indices_from_csr_to_coo",
)
