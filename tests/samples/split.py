"""Samples of the views that come several at a time: splits, chunks."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .view import layouts

Calls = Iterator[Call]


def split(make: Maker) -> Calls:
    for x in layouts(make, 5, 4):
        yield call(x, 2)
        yield call(x, 3, -1)
    yield call(make(5), 9)
    yield call(make(0, 2), 0)
    yield call(make(0, 2), 3)


def bad_split(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(2, 3), -1)
    yield call(make(), 1)
    yield call(make(2, 3), 1, 3)


def split_sizes(make: Maker) -> Calls:
    for x in layouts(make, 5, 4):
        yield call(x, (2, 0, 3))
        yield call(x, (1, 3), -1)


def bad_split_sizes(make: Maker) -> Calls:
    yield call(make(2, 3), (1, 2))
    yield call(make(2, 3), (-1, 3))
    yield call(make(), (1,))


def dim(make: Maker) -> Calls:
    for x in layouts(make, 2, 3, 4):
        yield call(x)
        yield call(x, -1)
    yield call(make(3, 0), 0)


def bad_dim(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3), 2)


def chunk(make: Maker) -> Calls:
    yield call(make(5, 4), 2)
    yield call(make(5, 4), 3, -1)
    yield call(make(5), 9)
    yield call(make(0, 2), 3)


def bad_chunk(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(), 1)
    yield call(make(2, 3), -1)


def tensor_split_indices(make: Maker) -> Calls:
    yield call(make(5, 4), (1, 3))
    yield call(make(5, 4), (3, 1, 9), 1)
    yield call(make(5, 4), (), 1)


def hsplit(make: Maker) -> Calls:
    yield call(make(4), 2)
    yield call(make(3, 4), 2)


def bad_hsplit(make: Maker) -> Calls:
    yield call(make(), 1)
    yield call(make(2, 3), 2)


def vsplit(make: Maker) -> Calls:
    yield call(make(4, 3), 2)


def bad_vsplit(make: Maker) -> Calls:
    yield call(make(3), 1)
    yield call(make(2, 3), 3)


def dsplit(make: Maker) -> Calls:
    yield call(make(2, 2, 4), 2)


def bad_dsplit(make: Maker) -> Calls:
    yield call(make(2, 3), 1)
    yield call(make(1, 1, 3), 2)
