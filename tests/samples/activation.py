"""Samples of activations."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .pointwise import specials, unary, unary_specials


def threshold(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), 0.5, 20)
    yield call(make(3, 4), 1, -1)
    if make.kind == "float":
        yield call(specials(make), 0, 1)


def gelu(make: Maker) -> Iterator[Call]:
    # No infinities: torch gives inf or nan for them, depending on the number of elements.
    yield from unary(make)
    for c in unary(make):
        yield call(*c.args, approximate="tanh")


def bad_gelu(make: Maker) -> Iterator[Call]:
    yield call(make(3), approximate="x")
    yield call(make(3, dtype="int64"))


def softplus(make: Maker) -> Iterator[Call]:
    yield from unary_specials(make)
    yield call(make(3, 4, low=-5, high=30), 2, 10)


def elu(make: Maker) -> Iterator[Call]:
    yield from unary_specials(make)
    yield call(make(3, 4), 0.5)
    yield call(make(3, 4), 2, 3, 0.5)


def celu(make: Maker) -> Iterator[Call]:
    yield from unary_specials(make)
    yield call(make(3, 4), 0.5)


def bad_celu(make: Maker) -> Iterator[Call]:
    yield call(make(3), 0)


def leaky_relu(make: Maker) -> Iterator[Call]:
    yield from unary_specials(make)
    yield call(make(3, 4), 0.5)


def hardtanh(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4, low=-3, high=3), 0, 2)
    if not make.dtype.startswith("u"):
        yield call(make(3, 4, low=-3, high=3))
        yield call(make(3, 4, low=-3, high=3), -0.5, 2)


def bad_hardtanh(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="uint8"), -1, 2)
    yield call(make(3, dtype="bool"))
    yield call(make(3, dtype="complex64"))
