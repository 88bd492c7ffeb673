"""Samples of the rows that join tensors."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def cat(make: Maker) -> Calls:
    yield call([make(2, 3), make(1, 3)])
    yield call([make(2, 3), make(2, 1), make(2, 0)], 1)
    yield call([make(3, 2).t(), make(2, 3, noncontiguous=True)], -1)
    yield call([make(2), make(0), make(3)])
    yield call([make(2, 3), make(values=[], dtype="float32")])
    yield call([make(2, 3), make(2, 3, dtype="int32")])
    yield call([make(2, 3, dtype="uint8"), make(2, 3)])
    yield call([make(2, 3, 4).permute(2, 0, 1), make(2, 3, 4).permute(2, 0, 1)], 1)


def block_diag(make: Maker) -> Calls:
    yield call([make(2, 3), make(3), make()])
    yield call([make(3, 2).t(), make(1, 2, dtype="int32")])
    yield call([make(2, 0), make(1, 1), make(0)])
    yield call([make(0, 2), make(2)])
    yield call([])


def bad_block_diag(make: Maker) -> Calls:
    yield call([make(2), make(2, 2, 2)])


def bad_cat(make: Maker) -> Calls:
    x = make(2, 3)
    yield call([])
    yield call([make(), make()])
    yield call([x, make(2, 4)])
    yield call([x, make(2, 3, 1)])
    yield call([x, x], 2)
    yield call([x, make(3, 4)], 1)


def stack(make: Maker) -> Calls:
    yield call([make(), make()])
    for dim in (-1, 0, 1, 2):
        yield call([make(2, 3), make(3, 2).t()], dim)
    yield call([make(2), make(2, dtype="int64")])


def bad_stack(make: Maker) -> Calls:
    yield call([])
    yield call([make(2, 3), make(3)])
    yield call([make(2, 3), make(2, 3)], 4)


def _stack(make: Maker) -> Calls:
    yield from stack(make)


def bad__stack(make: Maker) -> Calls:
    yield call([make(2, 3), make(3)])
    yield call([make(2, 3), make(2, 3)], 4)


def stacks(make: Maker) -> Calls:
    yield call([make(3), make(3)])
    yield call([make(2, 3), make(2, 3)])
    yield call([make(), make()])
    yield call([make(2, 3, 4), make(2, 3, 4)])


def bad_stacks(make: Maker) -> Calls:
    yield call([])


def meshgrid(make: Maker) -> Calls:
    yield call([make(2), make(3)])
    yield call([make(2), make(), make(3)])


def meshgrid_indexing(make: Maker) -> Calls:
    yield call([make(2), make(3)], indexing="ij")
    yield call([make(2), make(3), make(4)], indexing="xy")


def bad_meshgrid_indexing(make: Maker) -> Calls:
    yield call([make(2), make(3)], indexing="xx")
    yield call([make(2), make(3, dtype="complex64")], indexing="ij")
