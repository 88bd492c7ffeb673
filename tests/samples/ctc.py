"""Samples of the loss over sequences of labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def _targets(make: Maker) -> Any:
    return make(values=[[1, 2, 2], [3, 1, 4]], dtype="int64")


def _probs(make: Maker, *shape: int) -> Any:
    return make(*shape, low=-3, high=-0.5)


def ctc_row(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_probs(make, 6, 2, 5), _targets(make), (6, 6), (3, 3))
        yield call(_probs(make, 6, 2, 6), _targets(make), (6, 6), (3, 3), 5, True)


def bad_ctc_row(make: Maker) -> Calls:
    x, t = _probs(make, 6, 2, 5), _targets(make)
    yield call(x, t.double(), (6, 6), (3, 3))
    yield call(x[0], t, (6, 6), (3, 3))
    yield call(x, t, (6, 6), (3, 3), 5)
    yield call(x, t, (6,), (3, 3))
    yield call(x, t, (6, 6), (3,))
    yield call(x, t, (7, 6), (3, 3))
    yield call(x, t, (6, 6), (4, 3))
    yield call(x, t, (6, 6), (-1, 3))
    yield call(x, t[0], (6, 6), (3, 3))
    yield call(x, t[:1], (6, 6), (3, 3))
    yield call(x.half(), t, (6, 6), (3, 3))


def ctc_loss(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for reduction in (0, 1, 2):
            yield call(_probs(make, 6, 2, 5), _targets(make), (6, 5), (3, 2), 0, reduction)
        yield call(_probs(make, 6, 2, 5), _targets(make), (6, 2), (3, 3), 0, 1, True)
        yield call(_probs(make, 6, 2, 5), _targets(make), (6, 2), (3, 3), 0, 0, False)
        yield call(_probs(make, 6, 2, 5), _targets(make), (6, 0), (0, 0), 0, 0, False)
        yield call(_probs(make, 6, 5), make(values=[1, 2, 2], dtype="int64"), (6,), (3,))


def bad_ctc_loss(make: Maker) -> Calls:
    yield from bad_ctc_row(make)


def ctc_loss_tensors(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        six, three = make(values=[6, 5], dtype="int64"), make(values=[3, 2], dtype="int32")
        yield call(_probs(make, 6, 2, 5), _targets(make), six, three)


def bad_ctc_loss_tensors(make: Maker) -> Calls:
    six = make(values=[6, 5], dtype="int64")
    yield call(_probs(make, 6, 2, 5), _targets(make), six.float(), six)
    yield call(_probs(make, 6, 2, 5), _targets(make), six, six.float())
