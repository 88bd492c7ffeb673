"""Samples of the rows that copy elements to other places: flips, repeats, pads."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .view import layouts, unary_view

Calls = Iterator[Call]


def clone(make: Maker) -> Calls:
    yield from unary_view(make)
    for x in layouts(make, 2, 3, 4):
        yield call(x, memory_format=make.torch.contiguous_format)
    yield call(make(2, 3).expand(4, 2, 3))
    yield call(make(2, 3, 4, 5), memory_format=make.torch.channels_last)


def bad_clone(make: Maker) -> Calls:
    yield call(make(2, 3), memory_format=make.torch.channels_last)


def flip(make: Maker) -> Calls:
    yield call(make(), ())
    for x in layouts(make, 2, 3, 4):
        yield call(x, (0,))
        yield call(x, (-1, 0))
        yield call(x, ())


def bad_flip(make: Maker) -> Calls:
    yield call(make(2, 3), (0, 0))
    yield call(make(2, 3), (2,))


def roll(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 2)
        yield call(x, -1, 0)
        yield call(x, (1, 5), (0, -1))
    yield call(make(0, 3), 1, 0)


def bad_roll(make: Maker) -> Calls:
    yield call(make(2, 3), (1,), (0, 1))
    yield call(make(2, 3), (1, 2), ())
    yield call(make(2, 3), (), ())
    yield call(make(2, 3), (1,), (3,))


def rot90(make: Maker) -> Calls:
    for x in layouts(make, 3, 4, 2):
        for k in (-1, 0, 1, 2, 3, 5):
            yield call(x, k)
        yield call(x, 1, (2, 0))


def bad_rot90(make: Maker) -> Calls:
    yield call(make(2, 3), 1, (0,))
    yield call(make(2, 3), 1, (0, 0))
    yield call(make(2, 3), 1, (0, 3))
    yield call(make(2, 3), 1, (0, -2))
    yield call(make(2))


def repeat(make: Maker) -> Calls:
    yield call(make(), ())
    yield call(make(), (3,))
    yield call(make(2, 3), (2, 1))
    yield call(make(2, 3, noncontiguous=True), (2, 3, 1))
    yield call(make(2, 3), (0, 2))
    yield call(make(1, 3), (4, 2, 2))


def bad_repeat(make: Maker) -> Calls:
    yield call(make(2, 3), (2,))
    yield call(make(2, 3), (-1, 2))


def tile(make: Maker) -> Calls:
    yield call(make(2, 3), (2,))
    yield call(make(2, 3), (2, 1, 2))
    yield call(make(2, 3), ())


def repeats(make: Maker) -> Calls:
    yield call(make(values=[2, 0, 3], dtype="int64"))
    yield call(make(values=[2, 0, 3], dtype="int32"), output_size=5)


def bad_repeats(make: Maker) -> Calls:
    yield call(make(values=[[2, 1]], dtype="int64"))
    yield call(make(values=[2, -1], dtype="int64"))
    yield call(make(values=[2, 1], dtype="int64"), output_size=4)


def repeat_interleave_tensor(make: Maker) -> Calls:
    two = make(values=[2, 1], dtype="int64")
    yield call(make(2, 3), two, 0)
    yield call(make(3, 2), two, -1)
    yield call(make(2), two)
    yield call(make(2, 3), make(values=2, dtype="int64"))


def bad_repeat_interleave_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), make(values=[1, 2, 3], dtype="int64"), 0)
    yield call(make(2, 3), make(values=[1, -2], dtype="int64"), 0)
    yield call(make(2, 3), make(values=[[1, 2]], dtype="int64"), 0)


def repeat_interleave_int(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(2, 3), 2, 0)
    yield call(make(2, 3), 3, -1)
    yield call(make(2, 3), 0, 1)


def bad_repeat_interleave_int(make: Maker) -> Calls:
    yield call(make(2, 3), -1)
    yield call(make(2, 3), 2, 3)


def constant_pad(make: Maker) -> Calls:
    one = 1 if make.kind != "float" else 1.5
    yield call(make(2, 3), (1, 2))
    yield call(make(2, 3), (1, 2, 0, 1), one)
    yield call(make(2, 4), (-1, 2))
    yield call(make(2, 4), (-1, -2), one)
    yield call(make(4, 2, noncontiguous=True), (0, 0, 1, 1))
    yield call(make(2, 3), ())


def bad_constant_pad(make: Maker) -> Calls:
    yield call(make(2, 3), (1,))
    yield call(make(2, 3), (1, 1, 1, 1, 1, 1))
    yield call(make(2, 3), (-2, -2))


def select_backward(make: Maker) -> Calls:
    yield call(make(3, 4), (2, 3, 4), 0, 1)
    yield call(make(2, 4), (2, 3, 4), 1, -1)
    yield call(make(2, 3), (2, 3, 4), -1, 2)


def slice_backward(make: Maker) -> Calls:
    yield call(make(2, 4), (5, 4), 0, 1, 3, 1)
    yield call(make(5, 2), (5, 4), 1, 0, 9223372036854775807, 2)


def diagonal_backward(make: Maker) -> Calls:
    yield call(make(3), (3, 4), 0, 0, 1)
    yield call(make(3, 2), (3, 3, 4), -1, 0, 2)


def unfold_backward(make: Maker) -> Calls:
    yield call(make(3, 3), (7,), 0, 3, 2)
    yield call(make(2, 4, 3), (2, 6), 1, 3, 1)


def slice_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(2, 5), 0, 1, 3)
    yield call(make(4, 5), make(4, 3), 1, None, None, 2)


def bad_slice_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(2, 4), 0, 1, 3)


def select_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(5), 0, 1)
    yield call(make(5, 4).t(), make(4), -1, -2)


def bad_select_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(4), 0, 1)


def diagonal_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(4))
    yield call(make(2, 3, 4), make(3, 2), 1, 0, 2)


def as_strided_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(2, 2), (2, 2), (1, 2))
    yield call(make(4, 5).t(), make(3, 2), (3, 2), (6, 1), 1)
    yield call(make(4, 5)[1:], make(2, 3), (2, 3), (5, 1), 0)


def bad_as_strided_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(2, 3), (2, 2), (1, 2))
    yield call(make(4, 5), make(2, 9), (2, 9), (15, 1))


def bad_diagonal_scatter(make: Maker) -> Calls:
    yield call(make(4, 5), make(3))
