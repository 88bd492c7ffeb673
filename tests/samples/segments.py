"""Samples of reductions of runs of rows. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator

from mindtorch.aten.segments import KINDS

from . import Call, Maker, call

Calls = Iterator[Call]


def segment_reduce(make: Maker) -> Calls:
    if make.kind != "float":
        return
    lengths = make(values=[2, 1, 3], dtype="int64")
    for reduce in KINDS:
        yield call(make(6), reduce, lengths=lengths)
        yield call(make(6, 2), reduce, offsets=make(values=[0, 2, 3, 6], dtype="int64"))
    yield call(make(6), "sum", lengths=make(values=[2, 0, 4], dtype="int64"), initial=2)
    yield call(
        make(2, 6), "max", lengths=make(values=[[2, 1, 3], [1, 1, 4]], dtype="int64"), axis=1
    )
    yield call(make(6), "sum", lengths=make(values=[2, 1], dtype="int64"), unsafe=True)


def _segment_reduce_backward(make: Maker) -> Calls:
    if make.kind == "float":
        lengths = make(values=[2, 4], dtype="int64")
        for reduce in ("sum", "mean"):
            yield call(make(2), make(2), make(6), reduce, lengths=lengths)


def _convert_indices_from_coo_to_csr(make: Maker) -> Calls:
    if make.kind == "int":
        rows = make(values=[0, 0, 1, 3], dtype=make.dtype)
        yield call(rows, 4)
        yield call(rows, 6, out_int32=True)
        yield call(make(0), 3)


def bad__convert_indices_from_coo_to_csr(make: Maker) -> Calls:
    yield call(make(values=[[0, 1]], dtype="int64"), 4)
    yield call(make(3, dtype="float32"), 4)


def _convert_indices_from_csr_to_coo(make: Maker) -> Calls:
    if make.kind == "int":
        pointers = make(values=[0, 2, 3, 3, 4], dtype=make.dtype)
        columns = make(values=[0, 1, 1, 2], dtype=make.dtype)
        yield call(pointers, columns)
        yield call(pointers, columns, out_int32=True, transpose=True)
