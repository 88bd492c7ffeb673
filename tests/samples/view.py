"""Samples of the rows that rename elements: views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def layouts(make: Maker, *shape: int) -> list[Any]:
    """The same shape contiguous, with gaps, and with its dims in another order."""
    out = [make(*shape), make(*shape, noncontiguous=True)]
    if len(shape) > 1:
        turned = make(*shape[1:], shape[0])
        out.append(turned.permute(len(shape) - 1, *range(len(shape) - 1)))
    return out


def unary_view(make: Maker) -> Calls:
    yield call(make())
    yield call(make(0, 3))
    for x in layouts(make, 2, 3, 4):
        yield call(x)


def view(make: Maker) -> Calls:
    yield call(make(2, 3, 4), (6, 4))
    yield call(make(2, 3, 4), (-1, 2))
    yield call(make(2, 3, 4), (2, 3, 2, 2, 1))
    yield call(make(), (1, 1))
    yield call(make(0, 3), (3, 0, 2))
    yield call(make(2, 3, 4, noncontiguous=True), (6, 4))
    yield call(make(4, 3).t(), (3, 2, 2))


def bad_view(make: Maker) -> Calls:
    yield call(make(2, 3), (4,))
    yield call(make(2, 3), (-1, -1))
    yield call(make(2, 3), (-1, 4))
    yield call(make(2, 3), (-2, 3))
    yield call(make(2, 3).t(), (6,))
    yield call(make(0, 3), (-1, 0))


def reshape(make: Maker) -> Calls:
    yield from view(make)
    yield call(make(2, 3).t(), (6,))
    yield call(make(2, 3, 4).transpose(0, 2), (-1,))


def bad_reshape(make: Maker) -> Calls:
    yield call(make(2, 3), (4,))
    yield call(make(2, 3), (-1, -1))
    yield call(make(2, 3), (-2, 3))


def view_dtype(make: Maker) -> Calls:
    for name in ("float32", "int64", "uint8", "int16", "bool"):
        yield call(make(2, 8), make.type(name))
    yield call(make(4, 8, 8)[1:, ::2], make.type("uint8"))


def bad_view_dtype(make: Maker) -> Calls:
    to = make.type("complex128")
    yield call(make(2, 3), to)
    yield call(make(), to)
    yield call(make(2, 4).t(), to)
    yield call(make(16)[1:9], to)
    yield call(make(3, 5)[:, :4], to)
    yield call(make(4, 3).t(), make.type("int8"))


def flatten(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3, 4))
    yield call(make(2, 3, 4), 1)
    yield call(make(2, 3, 4), 1, 1)
    yield call(make(2, 3, 4).transpose(0, 1), 0, 1)
    yield call(make(2, 0, 4), 0, -2)


def bad_flatten(make: Maker) -> Calls:
    yield call(make(2, 3), 1, 0)
    yield call(make(2, 3), 0, 3)


def unflatten(make: Maker) -> Calls:
    yield call(make(2, 12), 1, (3, 4))
    yield call(make(2, 12), -1, (3, -1, 2))


def bad_unflatten(make: Maker) -> Calls:
    yield call(make(2, 3), 1, (2, 2))
    yield call(make(2, 3), 1, ())
    yield call(make(2, 3), 1, (-1, 2))
    yield call(make(2, 3), 1, (-1, -1))


def transpose(make: Maker) -> Calls:
    for x in layouts(make, 2, 3, 4):
        yield call(x, 0, 2)
        yield call(x, -1, 1)
    yield call(make(), 0, -1)
    yield call(make(3), 0, 0)


def bad_transpose(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 2)
    yield call(make(), 0, 1)


def t(make: Maker) -> Calls:
    yield call(make())
    yield call(make(3))
    yield call(make(2, 3))


def bad_t(make: Maker) -> Calls:
    yield call(make(1, 2, 3))


def matrix(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(4, 2, 3))


def bad_matrix(make: Maker) -> Calls:
    yield call(make(2))


def flipud(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(2, 3))


def bad_flipud(make: Maker) -> Calls:
    yield call(make())


def permute(make: Maker) -> Calls:
    yield call(make(), ())
    yield call(make(2, 3, 4), (2, 0, 1))
    yield call(make(2, 3, 4, noncontiguous=True), (-1, 1, 0))


def bad_permute(make: Maker) -> Calls:
    yield call(make(2, 3), (0,))
    yield call(make(2, 3), (0, 0))
    yield call(make(2, 3), (0, 2))


def movedim_intlist(make: Maker) -> Calls:
    yield call(make(2, 3, 4), (0, 1), (1, 2))
    yield call(make(2, 3, 4), (), ())
    yield call(make(2, 3, 4), (-1,), (0,))


def bad_movedim_intlist(make: Maker) -> Calls:
    yield call(make(2, 3), (0, 1), (0,))
    yield call(make(2, 3), (0, 0), (0, 1))
    yield call(make(2, 3), (0, 1), (1, 1))
    yield call(make(2, 3), (3,), (1,))


def expand(make: Maker) -> Calls:
    yield call(make(), (2, 3))
    yield call(make(3, 1), (2, 3, 4))
    yield call(make(3, 1), (-1, 5))
    yield call(make(1, 3).t(), (3, 0))
    yield call(make(2, 3), (2, 3))


def bad_expand(make: Maker) -> Calls:
    yield call(make(2, 3), (3,))
    yield call(make(2, 3), (2, 4))
    yield call(make(2, 3), (-1, 2, 3))
    yield call(make(2, 3), (2, -2))


def squeeze(make: Maker) -> Calls:
    yield call(make())
    yield call(make(1, 3, 1, 2))
    yield call(make(1, 1))


def squeeze_dim(make: Maker) -> Calls:
    yield call(make(), 0)
    yield call(make(1, 3, 1, 2), 0)
    yield call(make(1, 3, 1, 2), -2)
    yield call(make(1, 3), 1)


def bad_squeeze_dim(make: Maker) -> Calls:
    yield call(make(1, 3), 2)


def squeeze_dims(make: Maker) -> Calls:
    yield call(make(1, 3, 1, 2), (0, 2))
    yield call(make(1, 3, 1, 2), (0, 1))
    yield call(make(1, 3), ())
    yield call(make(), (0,))


def bad_squeeze_dims(make: Maker) -> Calls:
    yield call(make(1, 3), (0, 0))
    yield call(make(1, 3), (5,))


def unsqueeze(make: Maker) -> Calls:
    yield call(make(), 0)
    yield call(make(), -1)
    for x in layouts(make, 2, 3):
        for dim in range(-3, 3):
            yield call(x, dim)


def bad_unsqueeze(make: Maker) -> Calls:
    yield call(make(2, 3), 4)
    yield call(make(2, 3), -4)


def select(make: Maker) -> Calls:
    for x in layouts(make, 2, 3, 4):
        yield call(x, 0, 1)
        yield call(x, -1, -2)


def bad_select(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 2)
    yield call(make(2, 3), 1, -4)
    yield call(make(2, 3), 3, 0)
    yield call(make(), 0, 0)


def slice(make: Maker) -> Calls:
    for x in layouts(make, 4, 5):
        yield call(x)
        yield call(x, 1, 1, 4)
        yield call(x, 1, -3, -1)
        yield call(x, 0, 1, None, 2)
        yield call(x, 0, 3, 1, 2)
        yield call(x, 0, -9, 99, 3)
        yield call(x, 0, 9)


def bad_slice(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 0, 1, 0)
    yield call(make(2, 3), 0, 0, 1, -1)
    yield call(make(), 0)
    yield call(make(2, 3), 4)


def narrow(make: Maker) -> Calls:
    yield call(make(4, 5), 1, 1, 3)
    yield call(make(4, 5), -2, -3, 2)
    yield call(make(4, 5), 0, 4, 0)


def bad_narrow(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 1, 2)
    yield call(make(2, 3), 0, 3, 0)
    yield call(make(2, 3), 0, -3, 1)
    yield call(make(), 0, 0, 1)
    yield call(make(2, 3), 0, 0, -1)
    yield call(make(2, 3), 2, 0, 1)


def as_strided(make: Maker) -> Calls:
    yield call(make(3, 4), (2, 2), (1, 2))
    yield call(make(3, 4), (3, 3), (1, 2), 1)
    yield call(make(3, 4)[1:], (2, 3), (4, 1))
    yield call(make(3, 4)[1:], (2, 3), (4, 1), 0)
    yield call(make(3, 4).t(), (5, 2), (2, 2))
    yield call(make(3, 4), (), ())


def bad_as_strided(make: Maker) -> Calls:
    yield call(make(2, 3), (2, 2), (1,), 0)
    yield call(make(2, 3), (4, 4), (4, 1), 0)
    yield call(make(2, 3), (2,), (-1,), 0)
    yield call(make(2, 3), (2,), (1,), -1)


def unfold(make: Maker) -> Calls:
    yield call(make(), 0, 1, 1)
    yield call(make(7), 0, 3, 2)
    for x in layouts(make, 5, 6):
        yield call(x, 0, 2, 1)
        yield call(x, -1, 3, 3)
    yield call(make(3, 4), 1, 0, 1)


def bad_unfold(make: Maker) -> Calls:
    yield call(make(2, 3), 1, 4, 1)
    yield call(make(2, 3), 1, 2, 0)
    yield call(make(2, 3), 1, -1, 1)
    yield call(make(2, 3), 2, 1, 1)
    yield call(make(), 0, 2, 1)


def diagonal(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x)
        yield call(x, 1)
        yield call(x, -2)
        yield call(x, 5)
    yield call(make(2, 3, 4), 1, -1, 0)
    yield call(make(2, 3, 4), -1, 2, 1)


def bad_diagonal(make: Maker) -> Calls:
    yield call(make(2, 3), 0, 0, 0)
    yield call(make(2, 3), 0, 1, -1)
    yield call(make(3))
