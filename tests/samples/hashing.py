"""Samples of hashes, and of places in results of a given size. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def hash_tensor(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3, 2))
    yield call(make(2, 3, 2, noncontiguous=True), 1)
    yield call(make(2, 3, 2), (0, -1), keepdim=True)
    yield call(make(2, 0, 3), 0)
    if make.kind == "float":
        yield call(make(values=[0.0, -0.0, float("nan"), float("inf")]), mode=0)


def bad_hash_tensor(make: Maker) -> Calls:
    yield call(make(0))
    yield call(make(2, 0), 1)
    yield call(make(2, 3), mode=1)
    yield call(make(2, 3), 2)
    yield call(make(2, 3), (0, 0))
    yield call(make(2, 3, dtype="complex64"))


def nonzero_static(make: Maker) -> Calls:
    for size in (0, 2, 20):
        yield call(make(3, 4), size=size)
        yield call(make(3, 4, noncontiguous=True), size=size, fill_value=7)
        yield call(make(), size=size)
        yield call(make(0, 3), size=size)


def bad_nonzero_static(make: Maker) -> Calls:
    yield call(make(2, 3), size=-1)
    yield call(make(2, 3))
    yield call(make(2, 3), 2)
