"""Samples of losses with a margin between classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .arguments import targets

Calls = Iterator[Call]

_REDUCTIONS = (0, 1, 2)


def _signs(make: Maker, *shape: int) -> Any:
    return make(*shape, grad=False).sign()


def soft_margin_loss(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), _signs(make, 3, 4), reduction)
        yield call(make(3, 4), _signs(make, 4), 1)
        yield call(make(), _signs(make), 1)


def bad_soft_margin_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3, dtype="bool"))
    yield call(make(2, 3, dtype="int64"), make(2, 3, dtype="int64"))


def soft_margin_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4), _signs(make, 3, 4), 0)
        yield call(make(), make(3, 4), _signs(make, 3, 4), 1)
        yield call(make(), make(3, 4), _signs(make, 3, 4), 2)


def multi_margin_loss(make: Maker) -> Calls:
    if make.kind == "float":
        t = targets(make, 0, 3, 1)
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), t, 1, 1, None, reduction)
            yield call(make(3, 4), t, 2, 0.5, make(4, grad=False), reduction)
        yield call(make(4), make(values=2, dtype="int64"), 1, 1, None, 1)
        yield call(make(4), targets(make, 2), 1, 1, None, 0)


def bad_multi_margin_loss(make: Maker) -> Calls:
    x, t = make(3, 4), targets(make, 0, 3, 1)
    yield call(x, targets(make, 0, 3))
    yield call(x, targets(make, 0, 4, 1))
    yield call(x, targets(make, 0, -1, 1))
    yield call(x, make(3, dtype="int32"))
    yield call(make(3, 0), t)
    yield call(make(1, 3, 4), t)
    yield call(make(4), targets(make, 0, 1))
    yield call(x, t, 3)
    yield call(x, t, 1, 1, make(3))
    yield call(x, t, 1, 1, make(4, dtype="float64"))


def multi_margin_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        t = targets(make, 0, 3, 1)
        yield call(make(3), make(3, 4), t, 1, 1, None, 0)
        yield call(make(), make(3, 4), t, 2, 0.5, make(4, grad=False), 1)
        yield call(make(), make(3, 4), t, 1, 1, None, 2)


def _labels(make: Maker) -> Any:
    return make(values=[[1, 0, -1, 2], [3, -1, 0, 1], [0, 1, 2, 3], [-1, 2, 2, 2]], dtype="int64")


def multilabel_margin_loss(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(4, 4), _labels(make), reduction)
            yield call(make(4), make(values=[1, 1, 3, -1], dtype="int64"), reduction)


def bad_multilabel_margin_loss(make: Maker) -> Calls:
    x, t = make(4, 4), _labels(make)
    yield call(x, t[:2])
    yield call(x, t + 3)
    yield call(x, t - 3)
    yield call(x, make(4, 4, dtype="int32"))
    yield call(make(4, 0), make(4, 0, dtype="int64"))
    yield call(make(1, 4, 4), t)


def multilabel_margin_forward(make: Maker) -> Calls:
    yield from multilabel_margin_loss(make)


def multilabel_margin_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        t = _labels(make)
        mask = make(values=[[1, 1, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]], grad=False)
        yield call(make(4), make(4, 4), t, 0, mask)
        yield call(make(), make(4, 4), t, 1, mask)
        yield call(make(), make(4, 4), t, 2, mask)


def poisson_nll_loss(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), make(3, 4, low=0, high=5), True, False, 1e-8, reduction)
            positive = make(3, 4, low=0.1, high=3)
            yield call(positive, make(3, 4, low=0.1, high=5), False, True, 1e-8, reduction)
