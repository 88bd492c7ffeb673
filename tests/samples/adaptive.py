"""Samples of pooling to a given size."""

from __future__ import annotations

import math
from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def adaptive_max_pool1d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 7), (3,))
        yield call(make(3, 7), (7,))


def bad_adaptive_max_pool1d(make: Maker) -> Calls:
    yield call(make(7), (3,))
    yield call(make(1, 2, 3, 4), (3,))
    yield call(make(2, 0, 4), (3,))
    yield call(make(2, 3, 4), (3, 3))


def adaptive_max_pool2d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 6, 5), (3, 2))
        yield call(make(3, 6, 5), (4, 5))
        yield call(make(0, 3, 6, 5), (3, 2))
        yield call(make(values=[[[1.0, math.nan, math.nan, 2.0, -math.inf]]], grad=False), (1, 2))
        x = make(2, 3, 6, 5, grad=False)
        yield call(x.contiguous(memory_format=make.torch.channels_last), (3, 2))


def bad_adaptive_max_pool2d(make: Maker) -> Calls:
    for shape in ((5, 4), (1, 2, 3, 4, 5), (2, 0, 4, 4), (2, 3, 0, 4)):
        yield call(make(*shape), (3, 2))
    yield call(make(2, 3, 6, 5), (3, 2, 2))
    yield call(make(2, 3, 6, 5), (-1, 2))


def adaptive_max_pool3d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 6, 5, 4), (3, 2, 2))
        yield call(make(3, 4, 5, 3), (2, 5, 2))


def bad_adaptive_max_pool3d(make: Maker) -> Calls:
    for shape in ((5, 4, 3), (2, 0, 4, 4, 3), (2, 3, 0, 4, 3)):
        yield call(make(*shape), (3, 2, 2))
    yield call(make(2, 3, 6, 5, 4), (3, 2))


def adaptive_max_backward2d(make: Maker) -> Calls:
    if make.kind == "float":
        places = make(2, 3, 3, 2, dtype="int64", low=0, high=29)
        yield call(make(2, 3, 3, 2), make(2, 3, 6, 5), places)


def bad_adaptive_max_backward2d(make: Maker) -> Calls:
    places = make(2, 3, 3, 2, dtype="int64", low=0, high=29)
    yield call(make(2, 2, 3, 2), make(2, 3, 6, 5), places)
    yield call(make(3, 2), make(2, 3, 6, 5), places)


def adaptive_max_backward3d(make: Maker) -> Calls:
    if make.kind == "float":
        places = make(2, 3, 3, 2, 2, dtype="int64", low=0, high=23)
        yield call(make(2, 3, 3, 2, 2), make(2, 3, 4, 3, 2), places)


def adaptive_avg_pool3d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 6, 5, 4), (3, 2, 2))
        yield call(make(3, 4, 5, 3), (1, 1, 1))
        yield call(make(3, 4, 5, 3), (4, 3, 2))


def bad_adaptive_avg_pool3d(make: Maker) -> Calls:
    for shape in ((5, 4, 3), (2, 0, 4, 4, 3), (2, 3, 0, 4, 3)):
        yield call(make(*shape), (3, 2, 2))
    yield call(make(2, 3, 6, 5, 4), (3, 2))


def adaptive_avg_backward3d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 3, 2, 2), make(2, 3, 6, 5, 4))
