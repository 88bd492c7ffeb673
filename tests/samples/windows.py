"""Samples of window functions."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def _with(make: Maker, *more: float) -> Calls:
    for length in (0, 1, 2, 7, 10):
        yield call(length, *more)
    if make.kind == "float":
        yield call(9, *more, dtype=make.type(make.dtype))


def _bad(make: Maker, *more: float) -> Calls:
    yield call(-1, *more)
    yield call(3, *more, dtype=make.type("int64"))


def window0(make: Maker) -> Calls:
    yield from _with(make)


def bad_window0(make: Maker) -> Calls:
    yield from _bad(make)


def window1(make: Maker) -> Calls:
    yield from _with(make, True)
    yield from _with(make, False)


def bad_window1(make: Maker) -> Calls:
    yield from _bad(make, False)


def window2(make: Maker) -> Calls:
    yield from _with(make, False, 0.7)


def window3(make: Maker) -> Calls:
    yield from _with(make, True, 0.7, 0.3)
