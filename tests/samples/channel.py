"""Samples of ops on channels: their slopes, their order, dropout of whole ones."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def prelu(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(4))
        yield call(make(3, 4), make(1))
        yield call(make(2, 3, 4), make(3))
        yield call(make(5), make(1))
        yield call(make(2, 3), make())
        yield call(make(4, 3).t(), make(4))
        yield call(make(0, 3), make(3))


def bad_prelu(make: Maker) -> Calls:
    yield call(make(3, 4), make(3))
    yield call(make(3, 4), make(2, 2))
    yield call(make(), make(2))
    yield call(make(3, dtype="float32"), make(1, dtype="float64"))


def prelu_kernel(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(1, 4))
        yield call(make(3, 4), make(1, 1))


def prelu_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4), make(1, 4))


def channel_shuffle(make: Maker) -> Calls:
    yield call(make(1, 4, 2, 3), 2)
    yield call(make(2, 6, 2), 3)
    yield call(make(2, 4, 3), 1)
    yield call(make(2, 3, 4).transpose(1, 2), 2)


def bad_channel_shuffle(make: Maker) -> Calls:
    yield call(make(2, 4), 2)
    yield call(make(1, 3, 2), 2)
    yield call(make(1, 3, 2), 0)


def channel_dropout(make: Maker) -> Calls:
    if make.kind == "float":
        for p in (0.0, 0.3, 1.0):
            yield call(make(3, 14, 2), p, True)
            yield call(make(3, 14), p, False)


def bad_channel_dropout(make: Maker) -> Calls:
    yield call(make(3, 4, dtype="float32"), 1.5, True)
