"""Samples of the activation with drawn slopes."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def rrelu(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4))
    if make.kind == "float" and make.dtype != "float16":
        yield call(make(3, 4), 0.1, 0.3, True)
        yield call(make(3, 4), 0.2, 0.2, True)
        yield call(make(5, 6).t(), 0.1, 0.5, True)


def bad_rrelu(make: Maker) -> Calls:
    yield call(make(3, 4), 0.5, 0.1, True)


def rrelu_with_noise(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4, grad=False))
    if make.kind == "float" and make.dtype != "float16":
        yield call(make(3, 4), make(3, 4, grad=False), 0.1, 0.3, True)
