"""Samples of functions of two whole numbers."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call


def integer_pairs(make: Maker) -> Iterator[Call]:
    if make.kind == "int":
        yield call(make(3, 4, low=-20, high=20), make(3, 4, low=-20, high=20))
        yield call(make(3, 1, low=-6, high=6), make(4, low=0, high=6))
        yield call(make(values=[0, 0, 4, 100]), make(values=[0, 5, 0, 7]))
        yield call(make(4, 3, low=1, high=30).t(), make(low=1, high=30))


def bad_integer_pairs(make: Maker) -> Iterator[Call]:
    yield call(make(2, 3), make(4))
