"""Samples of ops for compilers and engines: indexing without checks, scaled products, chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def _long(make: Maker, values: Any) -> Any:
    return make(values=values, dtype="int64")


def _bools(make: Maker, values: Any) -> Any:
    return make(values=values, dtype="bool")


def unsafe_index(make: Maker) -> Calls:
    yield call(make(3, 4), [_long(make, [0, 2, 0])])
    yield call(make(3, 4), [_long(make, [0, 2]), _long(make, [1, -1])])


def bad_unsafe_index(make: Maker) -> Calls:
    yield call(make(3, 4), [_long(make, [0, 3])])
    yield call(make(3, 4), [_bools(make, [True, False, True])])


def unsafe_index_put(make: Maker) -> Calls:
    for accumulate in (False, True):
        yield call(make(3, 4), [_long(make, [0, 2])], make(2, 4), accumulate)
        yield call(make(3, 4), [_long(make, [0, 2]), _long(make, [1, 3])], make(2), accumulate)


def unsafe_masked_index(make: Maker) -> Calls:
    mask, index = _bools(make, [True, False, True]), _long(make, [0, 9, -1])
    yield call(make(3, 4), mask, [index, index], 1)
    yield call(make(3, 4), _bools(make, [[True], [False], [True]]), [index], 0)
    yield call(make(0, 4), mask, [index], 1)


def unsafe_masked_index_put(make: Maker) -> Calls:
    mask, index = _bools(make, [True, False, True]), _long(make, [0, 9, -1])
    yield call(make(3, 4), mask, [index, index], make(3))
    yield call(make(3, 4), _bools(make, [[True], [False], [True]]), [index], make(3, 4))


def _float8(make: Maker, rows: int, columns: int) -> Any:
    return make(rows, columns, dtype="float32").to(make.type("float8_e4m3fn"))


def scaled_mm(make: Maker) -> Calls:
    if make.dtype == "float32":
        a, b = _float8(make, 4, 16), _float8(make, 8, 16).t()
        whole, rows = make(values=0.5), make(4, 1, low=0.5, grad=False)
        columns = make(1, 8, low=0.5, grad=False)
        yield call(a, b, whole, whole)
        for dtype in ("float32", "bfloat16", "float16"):
            yield call(a, b, whole, whole, out_dtype=make.type(dtype))
        yield call(a, b, rows, columns, out_dtype=make.type("float32"))
        bias = make(8, grad=False)
        yield call(a, b, whole, whole, bias, out_dtype=make.type("float32"))


def bad_scaled_mm(make: Maker) -> Calls:
    a, b = _float8(make, 4, 16), _float8(make, 8, 16).t()
    one, two = make(values=0.5, dtype="float32"), make(values=[0.5, 1.0], dtype="float32")
    yield call(a, b.t(), one, one)
    yield call(a[0], b, one, one)
    yield call(a, b[0], one, one)
    yield call(a, b, one, two)
    yield call(a.float(), b, one, one)
    yield call(a, b, one, one, two)
    yield call(a, b, one, one, out_dtype=make.type("int32"))


def scaled_mm_v2(make: Maker) -> Calls:
    if make.dtype == "float32":
        a, b = _float8(make, 4, 16), _float8(make, 8, 16).t()
        whole, rows = make(values=0.5), make(4, 1, low=0.5, grad=False)
        columns = make(1, 8, low=0.5, grad=False)
        kind = make.type("bfloat16")
        yield call(a, b, [whole], [0], [0], [whole], [0], [0], None, kind)
        yield call(a, b, [rows], [1], [0], [columns], [1], [0], None, kind)


def bad_scaled_mm_v2(make: Maker) -> Calls:
    a, b = _float8(make, 4, 16), _float8(make, 8, 16).t()
    one, rows = make(values=0.5, dtype="float32"), make(3, 1, dtype="float32")
    kind = make.type("float32")
    yield call(a, b, [one], [0], [1], [one], [0], [0], None, kind)
    yield call(a, b, [rows], [1], [0], [one], [1], [0], None, kind)
    yield call(a, b, [rows], [0], [0], [one], [0], [0], None, kind)
    yield call(a, b, [one], [2], [0], [one], [2], [0], None, kind)
    yield call(a, b[:3], [one], [0], [0], [one], [0], [0], None, kind)


def chunk_cat(make: Maker) -> Calls:
    yield call([make(2, 3), make(3, 2)], 0, 2)
    yield call([make(2, 3), make(2, 2)], 1, 2)
    yield call([make(5)], -1, 4)


def bad_chunk_cat(make: Maker) -> Calls:
    yield call([make(2, 3), make(3, 2)], 1, 2)
    yield call([], 0, 2)
    yield call([make(2, 3)], 0, 0)
    yield call([make(2, 3), make(0, 3)], 0, 2)
    yield call([make(2, dtype="float32"), make(2, dtype="float64")], 0, 2)


def slice_inverse(make: Maker) -> Calls:
    yield call(make(6)[1:3], make(6), 0, 1, 3)
    yield call(make(3, 4)[:, 1:3], make(3, 4), 1, 1, 3)


def bad_slice_inverse(make: Maker) -> Calls:
    yield call(make(2), make(5), 0, 1, 3)


def conv_tbc(make: Maker) -> Calls:
    if make.kind == "float":
        for pad in (0, 1):
            yield call(make(5, 2, 3), make(2, 3, 4), make(4), pad)
        yield call(make(4, 1, 2), make(1, 2, 2), make(2))


def bad_conv_tbc(make: Maker) -> Calls:
    yield call(make(5, 2), make(2, 3, 4), make(4))
    yield call(make(5, 2, 3), make(2, 3), make(4))
    yield call(make(5, 2, 3), make(2, 3, 4), make(4, 1))
    yield call(make(5, 2, 3), make(2, 2, 4), make(4))
    yield call(make(5, 2, 3), make(2, 3, 4), make(5))
    yield call(make(1, 2, 3), make(3, 3, 4), make(4))
