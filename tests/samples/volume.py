"""Samples of the pooling of volumes."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]

_SHAPE = (2, 3, 6, 5, 4)


def max_pool3d(make: Maker) -> Calls:
    if make.kind != "complex":
        yield call(make(*_SHAPE), (2,))
        yield call(make(*_SHAPE), (3, 2, 2), (2, 1, 2), (1, 1, 0))
        yield call(make(3, 6, 7, 5), (2, 2, 2), (2,), (1,), (2,), True)
        yield call(make(0, 3, 6, 5, 4), (2,))
        x = make(*_SHAPE, grad=False)
        yield call(x.contiguous(memory_format=make.torch.channels_last_3d), (2,))


def bad_max_pool3d(make: Maker) -> Calls:
    x = make(*_SHAPE)
    for shape in ((6, 5, 4), (1, *_SHAPE), (2, 0, 6, 5, 4), (2, 3, 0, 5, 4)):
        yield call(make(*shape), (2,))
    yield call(x, (2, 2))
    yield call(x, (2,), (2, 2))
    yield call(x, (2,), (2,), (1, 1))
    yield call(x, (2,), (2,), (0,), (1, 1))
    yield call(x, (2,), (0,))
    yield call(x, (2,), (-1, 1, 1))
    yield call(x, (2,), (2,), (-1,))
    yield call(x, (2,), (2,), (2,))
    yield call(x, (2,), (2,), (0,), (0,))
    yield call(x, (9,))


def max_pool3d_backward(make: Maker) -> Calls:
    if make.kind == "float":
        places = make(2, 3, 3, 2, 2, dtype="int64", low=0, high=119)
        yield call(make(2, 3, 3, 2, 2), make(*_SHAPE), (2, 2, 2), (), (0,), (1,), False, places)


def avg_pool3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64", "int64"):
        yield call(make(*_SHAPE), (2,))
        yield call(make(*_SHAPE), (3, 2, 2), (2, 1, 2), (1, 1, 0), False, False)
        yield call(make(*_SHAPE), (3, 2, 2), (2, 1, 2), (1, 1, 0), True)
        yield call(make(3, 6, 7, 5), (2, 2, 2), (2,), (1,), True, True, 3)


def bad_avg_pool3d(make: Maker) -> Calls:
    x = make(*_SHAPE)
    for shape in ((6, 5, 4), (1, *_SHAPE), (2, 0, 6, 5, 4), (2, 3, 0, 5, 4)):
        yield call(make(*shape), (2,))
    yield call(x, (2, 2))
    yield call(x, (2,), (2, 2))
    yield call(x, (2,), (2,), (1, 1))
    yield call(x, (2,), (0,))
    yield call(x, (2,), (-1, 1, 1))
    yield call(x, (2,), (2,), (-1,))
    yield call(x, (2,), (2,), (2,))
    yield call(x, (9,))
    yield call(x, (9,), (2,), (4,))  # padding makes it no larger
    yield call(make(2, 3, 6, 5, 1), (2,), (2,), (1,))
    yield call(x, (2,), (2,), (0,), False, True, 0)


def avg_pool3d_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 3, 2, 2), make(*_SHAPE), (2, 2, 2), (), (0,), False, True, None)
