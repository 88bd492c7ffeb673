"""Samples of packed sequences and of weights taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def _pack_padded_sequence(make: Maker) -> Calls:
    lengths = make(values=[4, 2, 1], dtype="int64")
    yield call(make(4, 3, 2), lengths, False)
    yield call(make(3, 5), lengths, True)


def bad__pack_padded_sequence(make: Maker) -> Calls:
    x = make(4, 3, 2)
    for values in ([2, 4, 1], [4, 2], [4, 2, 0]):
        yield call(x, make(values=values, dtype="int64"), False)
    yield call(x, make(values=[[4, 2, 1]], dtype="int64"), False)
    yield call(make(0, 3), make(values=[4, 2, 1], dtype="int64"), False)


def _pad_packed_sequence(make: Maker) -> Calls:
    sizes = make(values=[3, 2, 1, 1], dtype="int64")
    yield call(make(7, 2), sizes, False, 0.0, -1)
    yield call(make(7), sizes, True, -1.0, 6)


def pad_sequence(make: Maker) -> Calls:
    yield call([make(2, 2), make(3, 2)])
    yield call([make(2), make(3), make(1)], True, 7.0, "left")


def bad_pad_sequence(make: Maker) -> Calls:
    yield call([])
    yield call([make(2)], padding_side="x")


def _weight_norm_interface(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4), make(3, 1), 0)
        yield call(make(3, 4, 2), make(1, 1, 2), 2)


def _weight_norm(make: Maker) -> Calls:
    yield from _weight_norm_interface(make)
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4, 2), make(1, 4, 1), 1)
