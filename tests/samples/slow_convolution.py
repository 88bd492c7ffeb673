"""Samples of the convolutions that torch computes by loops of its own, and of what chooses them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .arguments import factor
from .convolution import bad_convolution, convolution

Calls = Iterator[Call]


def _with_choices(calls: Calls, *choices: bool) -> Calls:
    for args, _ in calls:
        yield call(*args, *choices)


def _convolution(make: Maker) -> Calls:
    yield from _with_choices(convolution(make), False, False, True, True)


def bad__convolution(make: Maker) -> Calls:
    yield from _with_choices(bad_convolution(make), False, False, True, True)


def _convolution_deprecated(make: Maker) -> Calls:
    yield from _with_choices(convolution(make), False, False, True)


def bad__convolution_deprecated(make: Maker) -> Calls:
    yield from _with_choices(bad_convolution(make), False, False, True)


def _image(make: Maker, n: int, channels: int = 3, size: int = 5) -> Any:
    return factor(make, 2, channels, *[size, 4, 3][:n])


def _plain(make: Maker, n: int) -> Calls:
    """Images, a weight, its sizes, and the rest."""
    k = (2, 3, 2)[:n]
    w = (4, 3, *k)
    yield call(_image(make, n), factor(make, *w), k, factor(make, 4), (1,) * n, (0,) * n)
    yield call(_image(make, n), factor(make, *w), k, None, (2, 1, 2)[:n], (1, 2, 0)[:n])


def slow_conv2d_forward(make: Maker) -> Calls:
    yield from _plain(make, 2)


def slow_conv3d_forward(make: Maker) -> Calls:
    yield from _plain(make, 3)


def thnn_conv2d(make: Maker) -> Calls:
    yield from _plain(make, 2)
    x, w = _image(make, 2), factor(make, 4, 3, 2, 2)
    yield call(x, w, (2, 2))
    yield call(factor(make, 0, 3, 5, 4), w, (2, 2), factor(make, 4))


def slow_conv3d(make: Maker) -> Calls:
    yield from _plain(make, 3)
    yield call(_image(make, 3), factor(make, 4, 3, 2, 2, 2), (2, 2, 2))


def _bad_plain(make: Maker, n: int) -> Calls:
    x, k, b = make(2, 3, *[5] * n), (2,) * n, make(4)
    w = make(4, 3, *k)
    yield call(x, w, (0,) * n, b)
    yield call(x, w, (9,) * n, b)
    yield call(x, make(4, 2, *k), k, b)
    yield call(x, w, k, make(3))
    yield call(x, w, k, make(4, 1))
    yield call(x, w[:0], k)
    yield call(x, w[:, :0], k)
    yield call(x, w[0], k)
    yield call(x[0], w, k)
    yield call(x[..., :0], w, k)
    yield call(x[..., :1], w, k)
    yield call(x, w, k, b, (0,) * n)
    yield call(x, w, k, b, (1,) * n, (-2,) * n)
    yield call(x, w, (2,), b)
    yield call(x, w, k, b, (1,) * (n + 1))
    yield call(x, w, k, b, (1,) * n, (1,))


def bad_thnn_conv2d(make: Maker) -> Calls:
    yield from _bad_plain(make, 2)


def bad_slow_conv3d(make: Maker) -> Calls:
    yield from _bad_plain(make, 3)


def slow_conv2d_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        m, mask = factor, (True, True, True)
        x, w = _image(make, 2), factor(make, 4, 3, 2, 2)
        yield call(m(make, 2, 4, 4, 3), x, w, (2, 2), (1, 1), (0, 0), mask)
        yield call(m(make, 2, 4, 3, 5), x, w, (2, 2), (2, 1), (1, 1), mask)


def _dilated(make: Maker, n: int) -> Calls:
    k, one = (2, 3, 2)[:n], (1,) * n
    w = (4, 3, *k)
    yield call(_image(make, n), factor(make, *w), k, factor(make, 4))
    yield call(_image(make, n), factor(make, *w), k, None, (2, 1, 2)[:n], one, (2, 1, 2)[:n])
    yield call(_image(make, n)[:0], factor(make, *w), k)


def slow_conv_dilated2d(make: Maker) -> Calls:
    yield from _dilated(make, 2)


def slow_conv_dilated3d(make: Maker) -> Calls:
    yield from _dilated(make, 3)


def _bad_dilated(make: Maker, n: int) -> Calls:
    x, k, b, one, zero = make(2, 3, *[5] * n), (2,) * n, make(4), (1,) * n, (0,) * n
    w = make(4, 3, *k)
    yield call(x, w, zero, b)
    yield call(x, w, (3,) * n, b)
    yield call(x, w[0], k, b)
    yield call(x, make(4, 2, *k), k, b)
    yield call(x[0], make(4, 2, *k), k, b)
    yield call(x, w, k, make(3))
    yield call(x, w, k, make(4, 1))
    yield call(x[0, 0], w, k, b)
    yield call(x[..., :0], w, k, b)
    yield call(x, w, k, b, zero)
    yield call(x, w, k, b, one, zero, zero)
    yield call(x, w, k, b, one, (-3,) * n)
    yield call(x, w, (2,), b)
    yield call(x, w, k, b, (1,))
    yield call(x, w, k, b, one, (1,))
    yield call(x, w, k, b, one, one, (1,))


def bad_slow_conv_dilated2d(make: Maker) -> Calls:
    yield from _bad_dilated(make, 2)


def bad_slow_conv_dilated3d(make: Maker) -> Calls:
    yield from _bad_dilated(make, 3)


def _transposed(make: Maker, n: int) -> Calls:
    k, one, zero = (2, 3, 2)[:n], (1,) * n, (0,) * n
    w = (3, 4, *k)
    yield call(_image(make, n), factor(make, *w), k, factor(make, 4))
    yield call(
        _image(make, n), factor(make, *w), k, None, (2, 1, 2)[:n], one, (1, 0, 1)[:n], (1, 2, 2)[:n]
    )
    yield call(_image(make, n), factor(make, *w), k, factor(make, 4), one, zero, zero)


def slow_conv_transpose2d(make: Maker) -> Calls:
    yield from _transposed(make, 2)


def slow_conv_transpose3d(make: Maker) -> Calls:
    yield from _transposed(make, 3)


def _bad_transposed(make: Maker, n: int) -> Calls:
    x, k, b, one, zero = make(2, 3, *[5] * n), (2,) * n, make(4), (1,) * n, (0,) * n
    w = make(3, 4, *k)
    if n == 2:
        yield call(x, w, zero, b)
        yield call(x, w, zero, b, zero)
    yield call(x, w, k, b, zero)
    yield call(x, w, k, b, one, zero, zero, zero)
    yield call(x, w, k, b, one, zero, one)
    yield call(x, w[0], k, b)
    yield call(x, w[:0], k, b)
    yield call(x, w[:, :0], k, b)
    yield call(x, make(2, 4, *k), k, b)
    yield call(x, w, k, make(3))
    yield call(x, w, k, make(4, 1))
    yield call(x[0, 0], w, k, b)
    yield call(x[:0], w, k, b)
    yield call(x, w, k, b, one, (3,) * n)
    yield call(x, w, (2,), b)
    yield call(x, w, k, b, (1,))
    yield call(x, w, k, b, one, (1,))
    yield call(x, w, k, b, one, zero, (1,))
    yield call(x, w, k, b, one, zero, zero, (1,))


def bad_slow_conv_transpose2d(make: Maker) -> Calls:
    yield from _bad_transposed(make, 2)


def bad_slow_conv_transpose3d(make: Maker) -> Calls:
    yield from _bad_transposed(make, 3)
