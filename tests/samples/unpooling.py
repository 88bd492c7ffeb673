"""Samples of unpooling and of pooling in drawn windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def _places(make: Maker, *shape: int) -> Any:
    import numpy as np

    last = int(np.prod(shape[-2:]))
    row = np.arange(last) * 3 % (4 * last)
    return make(values=np.broadcast_to(row.reshape(shape[-2:]), shape).copy(), dtype="int64")


def max_unpool2d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 2, 3), _places(make, 2, 3, 2, 3), (4, 6))
        yield call(make(3, 2, 3), _places(make, 3, 2, 3), (4, 6))
        yield call(make(0, 3, 2, 3), make(0, 3, 2, 3, dtype="int64"), (4, 6))


def bad_max_unpool2d(make: Maker) -> Calls:
    x, at = make(2, 3, 2, 3), _places(make, 2, 3, 2, 3)
    yield call(x, at.int(), (4, 6))
    yield call(x, at[0], (4, 6))
    yield call(make(2, 3), at, (4, 6))
    yield call(make(2, 0, 2, 3), make(2, 0, 2, 3, dtype="int64"), (4, 6))


def max_unpool3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 2, 2, 3), _places(make, 2, 3, 1, 12).view(2, 3, 2, 2, 3),
                   (4, 4, 6), (2, 2, 2), (0, 0, 0))  # fmt: skip
        yield call(make(3, 2, 2, 3), _places(make, 3, 1, 12).view(3, 2, 2, 3),
                   (4, 4, 6), (2, 2, 2), (0, 0, 0))  # fmt: skip


def bad_max_unpool3d(make: Maker) -> Calls:
    x, at = make(3, 2, 2, 3), _places(make, 3, 1, 12).view(3, 2, 2, 3)
    yield call(x, at.int(), (4, 4, 6), (2, 2, 2), (0, 0, 0))
    yield call(x, at[:2], (4, 4, 6), (2, 2, 2), (0, 0, 0))
    yield call(make(2, 3), at, (4, 4, 6), (2, 2, 2), (0, 0, 0))
    yield call(x, at, (4, 4, 6), (2, 0, 2), (0, 0, 0))


def _chances(make: Maker, *shape: int) -> Any:
    return make(*shape, low=0, high=1, grad=False)


def fractional_max_pool2d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 7, 8), (2, 3), (3, 4), _chances(make, 2, 3, 2))
        yield call(make(3, 7, 8), (2, 2), (1, 5), _chances(make, 1, 3, 2))


def bad_fractional_max_pool2d(make: Maker) -> Calls:
    x, u = make(2, 3, 7, 8), _chances(make, 2, 3, 2)
    yield call(x, (2, 2), (8, 3), u)
    yield call(x, (2, 2), (3, 8), u)
    yield call(make(2, 3), (2, 2), (3, 3), u)
    yield call(make(2, 3, 0, 8), (2, 2), (3, 3), u)
    yield call(x, (2, 2), (3, 3), u.double())
    yield call(x, (2, 2), (3, 3), u[0])
    yield call(x, (2, 2), (3, 3), u[:1])
    yield call(x, (2, 2), (3, 3), u[:, :2])
    yield call(x, (2, 2), (3, 3), u[..., :1])


def fractional_max_pool3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 7, 8, 6), (2, 3, 2), (3, 4, 2), _chances(make, 2, 3, 3))
        yield call(make(3, 7, 8, 6), (2, 2, 2), (1, 5, 3), _chances(make, 1, 3, 3))


def bad_fractional_max_pool3d(make: Maker) -> Calls:
    x, u = make(2, 3, 7, 8, 6), _chances(make, 2, 3, 3)
    yield call(x, (2, 2, 2), (8, 3, 3), u)
    yield call(x, (2, 2, 2), (3, 8, 3), u)
    yield call(x, (2, 2, 2), (3, 3, 8), u)
    yield call(x, (2, 2, 2), (6, 3, 3), u)
    yield call(x, (2, 2, 2), (3, 3, 5), u)
    yield call(make(2, 3), (2, 2, 2), (3, 3, 3), u)
    yield call(make(2, 3, 0, 8, 6), (2, 2, 2), (3, 3, 3), u)
    yield call(x, (2, 2, 2), (3, 3, 3), u.double())
    yield call(x, (2, 2, 2), (3, 3, 3), u[0])


def fractional_max_backward2d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 2, 3), make(2, 3, 7, 8), (2, 2), (2, 3), _places(make, 2, 3, 2, 3))


def fractional_max_backward3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        at = _places(make, 2, 3, 1, 12).view(2, 3, 2, 2, 3)
        yield call(make(2, 3, 2, 2, 3), make(2, 3, 5, 7, 8), (2, 2, 2), (2, 2, 3), at)
