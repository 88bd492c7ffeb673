"""Samples of bilinear maps, distances of pairs and norms of slices."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def bilinear(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(4, 2), make(4, 3), make(5, 2, 3), make(5))
        yield call(make(2, 4, 2), make(2, 4, 3), make(5, 2, 3))
        yield call(make(2), make(3), make(5, 2, 3), make(5))


def bad_bilinear(make: Maker) -> Calls:
    yield call(make(4, 2), make(4, 3), make(5, 2, 3), make(4))
    yield call(make(4, 2), make(1, 4, 3), make(5, 2, 3))
    yield call(make(4, 2), make(5, 3), make(5, 2, 3))
    yield call(make(4, 3), make(4, 3), make(5, 2, 3))
    yield call(make(4, 2), make(4, 2), make(5, 2, 3))


def trilinear(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(4, 2), make(5, 2, 3), make(4, 3), (1, 3), (0,), (1, 2), (2, 3))


def norm_except_dim(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 4, grad=False), 2, -1)
        for dim in (0, 1, 2):
            yield call(make(2, 3, 4), 2, dim)
        yield call(make(3, 4), 1, 1)


def pdist(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for p in (2.0, 1.0, 3.0, 0.0, float("inf"), 0.5):
            yield call(make(4, 3), p)
        yield call(make(1, 3))


def bad_pdist(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3, 2, dtype="int64"))
    yield call(make(3, 2), -1.0)
    yield call(make(3, 2).half())
