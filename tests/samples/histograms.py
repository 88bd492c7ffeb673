"""Samples of the rows of histograms and of factors of symmetric matrices."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .linalg import matrix_of

Calls = Iterator[Call]


def histogram_bin_ct(make: Maker) -> Calls:
    yield call(make(20), 4)
    yield call(make(3, 4), 5, range=[-1.0, 2.0])
    yield call(make(20), 3, weight=make(20), density=True)
    yield call(make(values=[1.0, 1.0]), 3)


def bad_histogram_bin_ct(make: Maker) -> Calls:
    x = make(6, dtype="float32")
    yield call(x, 0)
    yield call(x, 2, range=[0.0])
    yield call(x, 2, range=[2.0, 1.0])
    yield call(x, 2, weight=make(5, dtype="float32"))
    yield call(x, 2, weight=make(6, dtype="float64"))


def histogram_bins_tensor(make: Maker) -> Calls:
    edges = make(values=[-2.0, 0.0, 0.5, 3.0])
    yield call(make(20), edges)
    yield call(make(4, 5), edges, weight=make(4, 5), density=True)


def bad_histogram_bins_tensor(make: Maker) -> Calls:
    x = make(6, dtype="float32")
    yield call(x, make(3, dtype="float64"))
    yield call(x, make(2, 2, dtype="float32"))
    yield call(x, make(0, dtype="float32"))
    yield call(x, make(1, dtype="float32"))


def histogramdd_counts(make: Maker) -> Calls:
    yield call(make(12, 2), [3, 2])
    yield call(make(2, 6, 1), [4], range=[-1.0, 1.0], density=True)


def histogramdd_count(make: Maker) -> Calls:
    yield call(make(12, 2), 3)


def histogramdd_edges(make: Maker) -> Calls:
    edges = make(values=[-2.0, 0.0, 0.5, 3.0])
    yield call(make(12, 2), [edges, edges])


def linalg_ldl_factor(make: Maker) -> Calls:
    a = matrix_of(make, 3, 3)
    yield call(a)
    yield call(matrix_of(make, 2, 4, 4), hermitian=True)


def linalg_ldl_solve(make: Maker) -> Calls:
    pivots = make(values=[1, 2, 3], dtype="int32")
    yield call(matrix_of(make, 3, 3), pivots, matrix_of(make, 3, 2))
    yield call(matrix_of(make, 3, 3), pivots, matrix_of(make, 2, 3, 1), hermitian=True)
