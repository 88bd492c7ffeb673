"""Samples of outer products, chains of products, and copies of parts."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def addr(make: Maker) -> Calls:
    yield call(make(3, 4), make(3), make(4))
    if make.kind != "bool":
        yield call(make(3, 4), make(3), make(4), beta=2, alpha=3)
        yield call(make(3, 4), make(3), make(4), beta=0, alpha=3)
    if make.kind in ("float", "complex"):
        yield call(make(3, 4), make(3), make(4), beta=0.5, alpha=-1.5)


def bad_addr(make: Maker) -> Calls:
    yield call(make(3, 4), make(3, 1), make(4))
    yield call(make(3, 4), make(3), make(4, 1))
    yield call(make(3, 4, dtype="int64"), make(3, dtype="int64"), make(4, dtype="int64"), beta=0.5)
    yield call(make(3, 4), make(3), make(4), beta=1j)


def vander_powers(make: Maker) -> Calls:
    # The oracle's forgets the gradient of what it changes in place.
    yield call(make(4, grad=False))
    if make.kind != "bool":
        yield call(make(4, grad=False), 3)
        yield call(make(3, grad=False), 5, True)
        yield call(make(3, grad=False), 0)


def bad_vander_powers(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(3), -1)


def frobenius_norm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64", "complex64"):
        yield call(make(3, 4), (0,))
        yield call(make(2, 3, 4), (1, 2), True)
        yield call(make(2, 3), ())


def nuclear_norm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4))
        yield call(make(4, 3), True)


def nuclear_norm_dim(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 4), (0, 2))
        yield call(make(2, 3, 4), (1, 2), True)


def narrow_copy(make: Maker) -> Calls:
    yield call(make(4, 3), 0, 1, 2)
    yield call(make(4, 3, grad=False), 1, -2, 2)  # the oracle forgets where it begins
    yield call(make(4, 3), -1, 3, 0)
    yield call(make(3, 4).t(), 0, 1, 2)


def bad_narrow_copy(make: Maker) -> Calls:
    yield call(make(), 0, 0, 1)
    yield call(make(4, 3), 2, 0, 1)
    yield call(make(4, 3), 0, 5, 1)
    yield call(make(4, 3), 0, 3, 2)
    yield call(make(4, 3), 0, 1, -1)


def sizes_permuted(make: Maker) -> Calls:
    yield call((2, 3, 4), (0, 2, 1))
    yield call((2, 3, 4), (2, 1, 0), dtype=make.type(make.dtype))
    yield call((), ())


def bad_sizes_permuted(make: Maker) -> Calls:
    yield call((2, 3, 4), (0, 2))
    yield call((2, 3, 4), (0, 2, 2))
    yield call((2, 3, 4), (0, 2, 3))
    yield call((2, -3), (0, 1))
