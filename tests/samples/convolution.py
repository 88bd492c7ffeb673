"""Samples of convolutions, pooling, embedding and padding."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .arguments import factor, targets

Calls = Iterator[Call]


def convolution(make: Maker) -> Calls:
    m = factor
    one, zero = (1, 1), (0, 0)
    x = (2, 4, 7, 6)
    yield call(m(make, *x), m(make, 6, 4, 3, 3), m(make, 6), one, zero, one, False, zero, 1)
    yield call(m(make, *x), m(make, 6, 4, 3, 2), None, (2, 1), (1, 2), (1, 2), False, zero, 1)
    yield call(m(make, *x), m(make, 6, 2, 3, 3), m(make, 6), one, one, one, False, zero, 2)
    yield call(m(make, *x), m(make, 8, 1, 3, 3), m(make, 8), (2, 2), one, one, False, zero, 4)
    yield call(m(make, *x), m(make, 6, 4, 1, 1), None, one, zero, one, False, zero, 1)
    yield call(m(make, *x), m(make, 6, 4, 1, 1), None, (2, 2), zero, one, False, zero, 1)
    yield call(m(make, 2, 4, 9), m(make, 5, 4, 3), m(make, 5), (1,), (1,), (1,), False, (0,), 1)
    yield call(m(make, 3, 16, 5, 4), m(make, 17, 16, 3, 2), None, one, one, one, False, zero, 1)
    yield call(
        m(make, 2, 2, 4, 5, 4), m(make, 3, 2, 2, 2, 2), None, (1,), (0,), (1,), False, (0,), 1
    )
    if make.kind == "float" and make.dtype in ("float32", "float64"):
        yield call(m(make, *x), m(make, 4, 3, 3, 3), m(make, 3), (2, 2), one, one, True, one, 1)
        yield call(m(make, *x), m(make, 4, 3, 3, 3), m(make, 6), one, one, (2, 1), True, zero, 2)


def bad_convolution(make: Maker) -> Calls:
    im, k = make(2, 3, 8, 8), make(4, 3, 3, 3)
    yield call(im, k, None, (1, 1, 1), (0, 0), (1, 1), False, (0, 0), 1)
    yield call(im, k, None, (1, 1), (0, 0), (1, 1), True, (0, 0), 1)
    yield call(im, k, None, (1, 1), (-1, 0), (1, 1), False, (0, 0), 1)
    yield call(im, k, None, (1, 1), (0, 0), (1, 1), False, (0, 0), 0)


def convolution_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        m, mask = factor, (True, True, True)
        yield call(
            m(make, 2, 6, 5, 4), m(make, 2, 4, 7, 6), m(make, 6, 4, 3, 3), (6,), (1, 1), (0, 0),
            (1, 1), False, (0, 0), 1, mask,
        )  # fmt: skip
        yield call(
            m(make, 2, 6, 4, 3), m(make, 2, 4, 7, 6), m(make, 6, 2, 3, 3), (6,), (2, 2), (1, 1),
            (1, 1), False, (0, 0), 2, mask,
        )  # fmt: skip


def conv2d(make: Maker) -> Calls:
    m = factor
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 3, 3))
    yield call(m(make, 3, 6, 6), m(make, 4, 3, 3, 3), m(make, 4), (2,), (1,))
    yield call(m(make, 0, 3, 6, 6), m(make, 4, 3, 3, 3))


def bad_conv2d(make: Maker) -> Calls:
    im, k = make(2, 3, 8, 8), make(4, 3, 3, 3)
    yield call(im, make(4, 2, 3, 3))
    yield call(im, make(4, 3, 3))
    yield call(im, k, make(5))
    yield call(im, k, make(4, 1))
    yield call(im, k, None, (0,))
    yield call(im, k, None, (1,), (0,), (0,))
    yield call(im, make(4, 3, 9, 9))
    yield call(im, make(0, 3, 3, 3))
    yield call(make(2, 3), k)
    yield call(im, k, None, (1,), (0,), (1,), 2)
    yield call(im, make(5, 1, 3, 3), None, (1,), (0,), (1,), 3)


def conv2d_padding(make: Maker) -> Calls:
    m = factor
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 3, 3), m(make, 4), (1,), "same")
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 2, 4), None, (1,), "same", (2,))
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 3, 3), None, (2,), "valid")


def _convolution_mode(make: Maker) -> Calls:
    one = (1, 1)
    yield call(factor(make, 2, 3, 6, 6), factor(make, 4, 3, 3, 3), None, one, "same", one, 1)
    yield call(factor(make, 2, 3, 6, 6), factor(make, 4, 3, 3, 3), None, (2, 2), "valid", one, 1)


def bad__convolution_mode(make: Maker) -> Calls:
    one = (1, 1)
    yield call(make(2, 3, 6, 6), make(4, 3, 3, 3), None, one, "other", one, 1)
    yield call(make(3, 6, 6), make(4, 3, 3, 3), None, one, "same", one, 1)
    yield call(make(2, 3, 6, 6), make(4, 3, 3, 3), None, (2, 2), "same", one, 1)


def bad_conv2d_padding(make: Maker) -> Calls:
    im, k = make(2, 3, 8, 8), make(4, 3, 3, 3)
    yield call(im, k, None, (2,), "same")
    yield call(im, k, None, (1,), "foo")


def conv1d(make: Maker) -> Calls:
    m = factor
    yield call(m(make, 2, 3, 8), m(make, 4, 3, 3), m(make, 4), (2,), (1,))
    yield call(m(make, 3, 8), m(make, 4, 3, 3))


def bad_conv1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8, 8), make(4, 3, 3))
    yield call(make(3), make(4, 3, 3))


def conv1d_padding(make: Maker) -> Calls:
    yield call(factor(make, 2, 3, 8), factor(make, 4, 3, 4), None, (1,), "same")


def conv3d(make: Maker) -> Calls:
    yield call(factor(make, 2, 2, 4, 4, 4), factor(make, 3, 2, 2, 2, 2))


def conv3d_padding(make: Maker) -> Calls:
    yield call(factor(make, 2, 2, 4, 4, 4), factor(make, 3, 2, 3, 3, 3), None, (1,), "same")


def conv_transpose1d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(factor(make, 2, 3, 8), factor(make, 3, 4, 3), make(4), (2,), (1,), (1,))


def conv_transpose2d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(factor(make, 2, 4, 5, 5), factor(make, 4, 3, 3, 3), make(6), (2,), (1,), (1,), 2)
        yield call(factor(make, 4, 5, 5), factor(make, 4, 3, 3, 3))


def conv_transpose3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(factor(make, 2, 2, 3, 3, 3), factor(make, 2, 3, 2, 2, 2))


def max_pool2d(make: Maker) -> Calls:
    x = (2, 3, 7, 6)
    yield call(make(*x), (2,))
    yield call(make(*x), (3, 2), (2, 1), (1,))
    yield call(make(*x), (3,), (2,), (1,), (2,))
    yield call(make(*x), (3,), (2,), (0,), (1,), True)
    yield call(make(3, 7, 6), (2,), (2,), (1,), (1,), True)
    yield call(make(3, 6, 7, 2).permute(3, 0, 1, 2), (2,))
    if make.kind == "float":
        nan, low = float("nan"), float("-inf")
        yield call(make(values=[[[1.0, nan, 2.0], [3.0, 4.0, 0.0], [low, low, 5.0]]]), (2,), (1,))


def bad_max_pool2d(make: Maker) -> Calls:
    im = make(2, 3, 8, 8)
    yield call(im, (9,))
    yield call(im, (0,))
    yield call(im, (2,), (0,))
    yield call(im, (2,), (), (2,))
    yield call(im, (2,), (), (-1,))
    yield call(im, (2,), (), (0,), (0,))
    yield call(make(2, 3), (2,))
    yield call(make(2, 3, 8, 0), (2,))


def max_pool1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8), (2,))
    yield call(make(2, 3, 8), (3,), (2,), (1,), (1,), True)
    yield call(make(3, 8), (3,), (2,), (1,))


def bad_max_pool1d(make: Maker) -> Calls:
    yield call(make(0, 8), (2,))
    yield call(make(1, 8, 0), (2,))
    yield call(make(2, 3, 8), (9,))
    yield call(make(3), (2,))


def avg_pool2d(make: Maker) -> Calls:
    x = (2, 3, 7, 6)
    yield call(make(*x), (2,))
    yield call(make(*x), (3, 2), (2, 1), (1,))
    yield call(make(*x), (3,), (2,), (1,), True, False)
    yield call(make(*x), (3,), (2,), (1,), True, True)
    yield call(make(*x), (2,), (), (0,), False, True, 3)
    yield call(make(*x), (2,), (), (0,), False, True, -2)
    yield call(make(3, 7, 6), (2,))


def bad_avg_pool2d(make: Maker) -> Calls:
    im = make(2, 3, 8, 8)
    yield call(im, (9,))
    yield call(im, (0,))
    yield call(im, (2,), (), (2,))
    yield call(make(2, 3), (2,))
    yield call(im, (2,), (), (0,), False, True, 0)


def avg_pool1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8), (2,))
    yield call(make(3, 8), (3,), (2,), (1,))


def bad_avg_pool1d(make: Maker) -> Calls:
    yield call(make(3), (2,))
    yield call(make(2, 3, 8), (9,))


def adaptive_avg_pool2d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 7, 6), (3, 2))
        yield call(make(3, 7, 6), (2, 2))
        yield call(make(2, 3, 3, 3), (4, 5))


def bad_adaptive_avg_pool2d(make: Maker) -> Calls:
    yield call(make(2, 3, 0, 8), (2, 2))


def adaptive_avg_pool1d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 7), (3,))
        yield call(make(2, 3, 7), (1,))


def bad_adaptive_avg_pool1d(make: Maker) -> Calls:
    yield call(make(3), (2,))


def embedding(make: Maker) -> Calls:
    yield call(make(5, 3), targets(make, 0, 4, 0))
    yield call(make(5, 3), make(values=[[1, 2], [3, 1]], dtype="int64"), 1)
    yield call(make(5, 3), make(values=[1, 1], dtype="int32"), -1, True)
    yield call(make(5, 3), make(values=2, dtype="int64"))


def bad_embedding(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, targets(make, 2))
    yield call(x, targets(make, -1))
    yield call(x, make(1, dtype="float32", grad=False))
    yield call(x, make(values=[0], dtype="int16"))
    yield call(make(3), targets(make, 0))


def embedding_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4), targets(make, 0, 4, 0), 5, -1, False)
        yield call(make(3, 4), targets(make, 0, 4, 0), 5, 0, False)
        yield call(make(2, 2, 4), make(values=[[1, 2], [3, 1]], dtype="int64"), 5, -1, True)


def one_hot(make: Maker) -> Calls:
    yield call(make(values=[[0, 2], [1, 0]], dtype="int64"))
    yield call(make(values=[0, 2], dtype="int64"), 5)


def bad_one_hot(make: Maker) -> Calls:
    yield call(make(2, dtype="float32", grad=False), 3)
    yield call(targets(make, -1), 3)
    yield call(targets(make, 3), 3)
    yield call(make(0, dtype="int64"))


def pad1d(make: Maker) -> Calls:
    """Edges that are mirrored or repeated; no sizes below zero, which few dtypes take."""
    yield call(make(2, 3, 5), (1, 2))
    yield call(make(3, 4), (0, 3))


def pad2d(make: Maker) -> Calls:
    yield call(make(2, 3, 4, 5), (1, 2, 3, 0))
    yield call(make(3, 4, 4), (2, 1, 0, 1))


def pad3d(make: Maker) -> Calls:
    yield call(make(2, 3, 3, 4, 5), (1, 2, 3, 0, 2, 1))
    yield call(make(2, 3, 2, 3), (2, 1, 0, 1, 1, 2))


def pad(make: Maker) -> Calls:
    yield call(make(2, 3), (1, 2))
    yield call(make(2, 3), (1, 2, 0, 1), "constant", 1.0)
    for mode in ("reflect", "replicate", "circular"):
        yield call(make(2, 3, 5, 6), (1, 2, 3, 0), mode)
        yield call(make(2, 5), (2, 1), mode)


def bad_pad(make: Maker) -> Calls:
    x, im = make(2, 3), make(2, 3, 8, 8)
    yield call(x, (1,))
    yield call(x, (1, 1), "foo")
    yield call(x, (1, 1), "reflect", 1.0)
    yield call(x, (3, 3), "reflect")
    yield call(x, (1, 1, 1, 1), "replicate")
    yield call(im, (1, 1), "reflect")
    yield call(x, (1, 1, 1, 1, 1, 1))
    yield call(im, (9, 1, 1, 1), "circular")
    yield call(make(0, 3), (1, 1), "reflect")


def _pad_enum(make: Maker) -> Calls:
    yield call(make(2, 3), (1, 2), 3)
    yield call(make(2, 3), (1, 2, 0, 1), 3, 1.0)
    for mode in range(3):
        yield call(make(2, 3, 5, 6), (1, 2, 3, 0), mode)


def bad__pad_enum(make: Maker) -> Calls:
    yield call(make(2, 3), (1,), 0)
    yield call(make(2, 3, 5, 6), (1, 2, 3, 0), 4)
    yield call(make(2, 3), (1, 1), 0, 1.0)


def _pad_circular(make: Maker) -> Calls:
    yield call(make(2, 3, 5, 6), (1, 2, 3, 0))
    yield call(make(2, 5), (2, 1))
    yield call(make(2, 3, 5, 6), (1, 2, 3, 0, 1, 1))


def bad__pad_circular(make: Maker) -> Calls:
    yield call(make(2, 3, 5, 6), (1, 2))
    yield call(make(2, 3, 4, 4), (9, 1, 1, 1))


def pixel_shuffle(make: Maker) -> Calls:
    yield call(make(2, 8, 2, 3), 2)
    yield call(make(9, 1, 2), 3)
    yield call(make(2, 1, 4, 2, 2), 1)
    yield call(make(0, 4, 2, 2), 2)


def bad_pixel_shuffle(make: Maker) -> Calls:
    yield call(make(2, 2), 2)
    yield call(make(1, 3, 2, 2), 2)
    yield call(make(1, 4, 2, 2), 0)


def pixel_unshuffle(make: Maker) -> Calls:
    yield call(make(2, 2, 4, 6), 2)
    yield call(make(1, 3, 6), 3)
    yield call(make(2, 0, 4, 4), 2)


def bad_pixel_unshuffle(make: Maker) -> Calls:
    yield call(make(2, 2), 2)
    yield call(make(1, 3, 2), 2)
    yield call(make(1, 2, 3), 2)
    yield call(make(1, 4, 2, 2), -1)
