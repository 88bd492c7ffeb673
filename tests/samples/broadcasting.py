"""Samples of rows that make shapes fit each other, and of choices of elements."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def ranks(make: Maker) -> Calls:
    yield call(make())
    yield call(make(3))
    yield call(make(0))
    yield call(make(3, noncontiguous=True))
    yield call(make(2, 3))
    yield call(make(3, 2).t())
    yield call(make(2, 3, 4))
    yield call(make(1, 2, 3, 4))


def bad_ranks(make: Maker) -> Calls:
    yield call(1)


def lists_of_ranks(make: Maker) -> Calls:
    yield call([make(), make(3), make(2, 3)])
    yield call((make(3, 2).t(), make(3, noncontiguous=True), make(2, 3, 4)))
    yield call([make(2, dtype="int32")])
    yield call([])


def bad_lists_of_ranks(make: Maker) -> Calls:
    yield call([make(), 1])


def broadcast_tensors(make: Maker) -> Calls:
    yield call([make(2, 1), make(3)])
    yield call([make(2, 3), make(3, 2).t()])
    yield call([make(), make(1, dtype="int32"), make(2, 3)])
    yield call([make(2, 3, noncontiguous=True)])
    yield call([])


def bad_broadcast_tensors(make: Maker) -> Calls:
    yield call([make(2, 3), make(2)])
    yield call([make(2, 3), 1])


def sum_to_size(make: Maker) -> Calls:
    yield call(make(2, 3, 4), (2, 3, 4))
    yield call(make(2, 3, 4), (1, 3, 1))
    yield call(make(2, 3, 4), (3, 1))
    yield call(make(2, 3, 4, noncontiguous=True), ())
    yield call(make(3, 2).t(), (2, 1))
    yield call(make(0, 3), (1, 3))


def bad_sum_to_size(make: Maker) -> Calls:
    yield call(make(2, 3), (2,))
    yield call(make(2, 3), (1, 2, 3))
    yield call(make(2, 3), 1.5)


def cartesian_prod(make: Maker) -> Calls:
    yield call([make(2), make(3)])
    yield call([make(2), make(3, noncontiguous=True), make(1)])
    yield call([make(3)])
    yield call([make(0), make(2)])


def bad_cartesian_prod(make: Maker) -> Calls:
    yield call([make(2, 3)])
    yield call([make(2), make()])
    yield call([])
    yield call([make(2), make(2, dtype="uint8")])


def combinations(make: Maker) -> Calls:
    yield call(make(4))
    yield call(make(4), 3)
    yield call(make(3, noncontiguous=True), 2, True)
    yield call(make(3), 0)
    yield call(make(3), 1, with_replacement=True)
    yield call(make(0), 2)


def bad_combinations(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(3), -1)
