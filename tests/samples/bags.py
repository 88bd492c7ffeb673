"""Samples of bags of embeddings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def _ids(make: Maker, *values: int, dtype: str = "int64") -> Any:
    return make(values=list(values), dtype=dtype)


def embedding_bag(make: Maker) -> Calls:
    if make.kind == "float":
        ids, starts = _ids(make, 0, 2, 3, 2, 1, 0), _ids(make, 0, 2, 2, 5)
        for mode in (0, 1, 2):
            yield call(make(4, 3), ids, starts, False, mode)
            yield call(make(4, 3), ids, _ids(make, 0, 3, 6), False, mode, False, None, True)
        yield call(make(4, 3), ids, starts, False, 0, False, make(6))
        yield call(make(4, 3), ids, starts, True, 0)
        yield call(make(4, 3), _ids(make, 1, 2, dtype="int32"), _ids(make, 0, dtype="int32"))
        yield call(make(4, 3), make(0, dtype="int64"), _ids(make, 0, 0))


def bad_embedding_bag(make: Maker) -> Calls:
    w, ids, starts = make(4, 3), _ids(make, 0, 2, 3), _ids(make, 0, 2)
    yield call(w, make(3, dtype="float32", grad=False), starts)
    yield call(w, ids, make(2, dtype="float32", grad=False))
    yield call(make(3), ids, starts)
    yield call(w, ids, _ids(make, 1, 2))
    yield call(w, ids, _ids(make, 0, 7))
    yield call(w, ids + 3, starts)
    yield call(w, ids, starts.reshape(1, 2))
    yield call(w, ids, starts, False, 3)
    yield call(w, ids, starts, False, 1, False, make(3))
    yield call(w, ids, starts, False, 0, False, make(2))
    yield call(w, ids, starts, False, 0, False, make(3, dtype="float64"))
    yield call(w, ids, make(0, dtype="int64"), False, 0, False, None, True)


def embedding_bag_row(make: Maker) -> Calls:
    if make.kind == "float":
        ids, starts = _ids(make, 0, 2, 3, 2, 1, 0), _ids(make, 0, 2, 2, 5)
        for mode in (0, 1, 2):
            yield call(make(4, 3), ids, starts, False, mode, False, None, False, 2)
        yield call(make(4, 3), ids, starts, False, 0, False, make(6), False, 0)
        yield call(make(4, 3), ids, _ids(make, 0, 2, 6), False, 0, False, None, True)


def embedding_bag_forward(make: Maker) -> Calls:
    for args, kwargs in embedding_bag_row(make):
        yield Call(tuple(a.detach() if hasattr(a, "detach") else a for a in args), kwargs)


def embedding_bag_padding(make: Maker) -> Calls:
    if make.kind == "float":
        ids, starts = _ids(make, 0, 2, 3, 2, 1, 0), _ids(make, 0, 2, 2, 5)
        for mode in (0, 1, 2):
            yield call(make(4, 3), ids, starts, False, mode, False, None, False, -2)
        yield call(make(4, 3), ids, starts, False, 0, False, make(6), False, None)


def bad_embedding_bag_padding(make: Maker) -> Calls:
    ids, starts = _ids(make, 0, 2, 3), _ids(make, 0, 2)
    yield call(make(4, 3), ids, starts, False, 0, False, None, False, 4)
    yield call(make(4, 3), ids, starts, False, 0, False, None, False, -5)


def embedding_renorm(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(4, 3, grad=False), _ids(make, 0, 2, 2), 1.0, 2.0)
        yield call(make(4, 3, grad=False), make(values=[[1, 3]], dtype="int64"), 0.5, 1.0)


def bad_embedding_renorm(make: Maker) -> Calls:
    yield call(make(4, 3, grad=False), make(2, dtype="float32", grad=False), 1.0, 2.0)
    yield call(make(4, grad=False), _ids(make, 0), 1.0, 2.0)
    yield call(make(4, 3, grad=False), _ids(make, 7), 1.0, 2.0)
