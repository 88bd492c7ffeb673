"""Samples of sliding blocks."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]

_ONE, _NONE = (1, 1), (0, 0)


def im2col(make: Maker) -> Calls:
    yield call(make(2, 3, 6, 5), (2, 3), _ONE, _NONE, _ONE)
    yield call(make(2, 3, 6, 5), (2, 2), (2, 1), (1, 2), (3, 2))
    yield call(make(3, 6, 5), (1, 2), _ONE, _NONE, (2, 2))
    yield call(make(2, 5, 6, 3).transpose(1, 3), (2, 2), _ONE, _ONE, _ONE)
    yield call(make(0, 3, 6, 5), (2, 3), _ONE, _NONE, _ONE)


def bad_im2col(make: Maker) -> Calls:
    x = make(2, 3, 6, 5)
    for shape in ((6, 5), (1, 2, 3, 6, 5), (2, 0, 6, 5), (2, 3, 0, 5)):
        yield call(make(*shape), (2, 2), _ONE, _NONE, _ONE)
    yield call(x, (0, 2), _ONE, _NONE, _ONE)
    yield call(x, (2, 2), (0, 1), _NONE, _ONE)
    yield call(x, (2, 2), _ONE, (-1, 0), _ONE)
    yield call(x, (2, 2), _ONE, _NONE, (0, 1))
    yield call(x, (7, 7), _ONE, _NONE, _ONE)
    yield call(x, (2, 2, 2), _ONE, _NONE, _ONE)
    yield call(x, (2, 2), (1, 1, 1), _NONE, _ONE)
    yield call(x, (2, 2), _ONE, (1, 1, 1), _ONE)
    yield call(x, (2, 2), _ONE, _NONE, (1, 1, 1))


def col2im(make: Maker) -> Calls:
    yield call(make(2, 18, 15), (6, 5), (2, 3), _ONE, _NONE, _ONE)
    yield call(make(2, 12, 8), (6, 5), (2, 2), (2, 1), (1, 2), (3, 2))
    yield call(make(6, 12), (6, 5), (1, 2), _ONE, _NONE, (2, 1))
    yield call(make(15, 18, 2).transpose(0, 2), (6, 5), (2, 3), _ONE, _NONE, _ONE)
    yield call(make(0, 18, 15), (6, 5), (2, 3), _ONE, _NONE, _ONE)


def bad_col2im(make: Maker) -> Calls:
    x = make(2, 18, 15)
    for shape in ((15,), (2, 0, 15), (2, 5, 15), (2, 18, 5)):
        yield call(make(*shape), (6, 5), (2, 3), _ONE, _NONE, _ONE)
    yield call(x, (2, 2), (2, 3), _ONE, _NONE, _ONE)
    yield call(x, (2, 2, 2), (2, 3), _ONE, _NONE, _ONE)
    yield call(x, (6, 5), (0, 3), _ONE, _NONE, _ONE)
    yield call(x, (6, 5), (2, 3), (0, 1), _NONE, _ONE)
    yield call(x, (6, 5), (2, 3), _ONE, (-1, 1), _ONE)
    yield call(x, (6, 5), (2, 3), _ONE, _NONE, (0, 1))
    yield call(x, (6, 5), (2, 3, 1), _ONE, _NONE, _ONE)
