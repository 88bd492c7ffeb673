"""Samples of special functions, and of numbers taken apart. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .pointwise import INF, NAN, specials, unary


def unary_bessel(make: Maker) -> Iterator[Call]:
    yield from unary(make)
    yield call(specials(make))
    if make.kind == "float":
        yield call(make(40, low=-60, high=60))
        yield call(make(values=[85.0, -85.0, 29.99, 30.01, 1e-3, 0.0]))


def frexp(make: Maker) -> Iterator[Call]:
    yield from unary(make)
    if make.kind == "float":
        yield call(make(values=[0.0, -0.0, INF, -INF, NAN, -3.0, 1e-40, 1e30]))


def ldexp(make: Maker) -> Iterator[Call]:
    """By whole exponents, where there is a kernel; by others, where a power is multiplied."""
    yield call(make(3, 4), make(3, 4, dtype="int64", low=-5, high=5))
    yield call(make(3, 4), make(4))
    yield call(make(3, 1, noncontiguous=True), make(4, dtype="int32", low=-5, high=5))
    yield call(make(2, 3, 4).permute(2, 0, 1), make())
    yield call(make(), make(values=[2, 3], dtype="int64"))
    yield call(make(0, 3), make(3))
    if make.kind == "float":
        yield call(make(values=[1e-30, 1.0, NAN, INF, 0.0]),
                   make(values=[90, -130, 3, 2, 300], dtype="int64"))  # fmt: skip


def incomplete_gamma(make: Maker) -> Iterator[Call]:
    """Around the parameter, far below it and far above it."""
    yield call(make(3, 4, low=0.1, high=9, grad=False), make(3, 4, low=0.1, high=9))
    yield call(make(2, 3, low=0.1, high=3), make(low=0.5, high=3, grad=False))
    yield call(make(0, 3, grad=False), make(3))
    yield call(make(3, 1, low=0.1, high=3, grad=False), make(4, low=0.1, high=3))
    if make.kind == "float":
        a = [0.01, 0.5, 2.0, 15.0, 25.0, 120.0, 50.0, 300.0, 19.9, 0.0, 1.0, -1.0, INF, 1.0, NAN]
        x = [3.0, 1e-3, 40.0, 14.0, 40.0, 60.0, 5.0, 450.0, 20.5, 1.0, 0.0, 1.0, 1.0, INF, 1.0]
        yield call(make(values=a, grad=False), make(values=x, grad=False))


def unary_special(make: Maker) -> Iterator[Call]:
    yield call(make(3, 5, low=0.1, high=0.9))
    yield call(make(4, 3, low=0.1, high=0.9, noncontiguous=True))
    yield call(make(0, 2))


def mvlgamma(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4, low=2, high=9), 1)
    yield call(make(4, 3, low=2, high=9, noncontiguous=True), 4)
    yield call(make(low=3, high=9), 3)
    yield call(make(0, 3), 2)
    if make.kind == "float":
        yield call(make(values=[0.5, -0.3, 2.0, 1.5]), 2)


def bad_mvlgamma(make: Maker) -> Iterator[Call]:
    yield call(make(3), 0)


def special_log_softmax(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), 1)
    yield call(make(3, 4), -2, dtype=make.type("float64"))


def polynomials(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        yield call(make(5, 1, low=-1.5, high=1.5, grad=False), make(values=[0.0, 1, 2, 5, 9]))
        yield call(make(values=[-1.0, 1.0, 0.0]), make(values=[3.0, 4.0, 7.0]))
        yield call(make(0, 2), make(2))


def polynomials_of_number(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        yield call(0.3, make(values=[0.0, 1, 2, 5, 9], grad=False))


def polynomials_of_degree(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        for n in (-1, 0, 1, 4, 10):
            yield call(make(5, low=-1.5, high=1.5, grad=False), n)
