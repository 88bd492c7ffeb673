"""Samples of questions about tensors and dtypes."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def overlapping(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(2, 3).t())
    yield call(make(2, 3, noncontiguous=True))
    yield call(make(1).expand(1))
    yield call(make(0).expand(3, 0))
    yield call(make(5).unfold(0, 3, 1))


def result_type(make: Maker) -> Calls:
    for name in ("float32", "int64", "complex64", "bool", "uint8", "float64"):
        yield call(make(2), make(3, dtype=name))
        yield call(make(2), make(dtype=name))
        yield call(make(), make(2, dtype=name))


def bad_result_type(make: Maker) -> Calls:
    yield call(make(2), "a")


def result_type_of_number(make: Maker) -> Calls:
    for number in (True, 1, 2.5, 1j):
        yield call(make(2), number)
        yield call(make(), number)


def result_type_after_number(make: Maker) -> Calls:
    for number in (True, 1, 2.5, 1j):
        yield call(number, make(2))


def result_type_of_numbers(make: Maker) -> Calls:
    yield call(1, 2)
    yield call(True, 2.5)
    yield call(1j, 2.5)
    yield call(True, False)


def two_types(make: Maker) -> Calls:
    for name in ("float32", "int64", "complex64", "bool", "uint8", "bfloat16"):
        yield call(make.type(make.dtype), make.type(name))
