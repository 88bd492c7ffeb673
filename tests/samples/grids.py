"""Samples of images read between their elements."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def grid_sampler_2d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for mode in (0, 1, 2):
            for padding in (0, 1, 2):
                for align in (False, True):
                    grid = make(2, 3, 2, 2, low=-1.4, high=1.4)
                    yield call(make(2, 3, 4, 5), grid, mode, padding, align)
        yield call(make(1, 2, 1, 3), make(1, 2, 2, 2, low=-3, high=3), 0, 2, True)
        yield call(make(0, 2, 3, 3), make(0, 2, 2, 2), 0, 0, True)


def bad_grid_sampler_2d(make: Maker) -> Calls:
    x, grid = make(2, 3, 4, 5), make(2, 3, 2, 2)
    yield call(x, make(1, 3, 2, 2), 0, 0, True)
    yield call(x, make(2, 3, 2, 3), 0, 0, True)
    yield call(x, make(2, 3, 2), 0, 0, True)
    yield call(make(2, 3, 0, 5), grid, 0, 0, True)
    yield call(make(2, 3, 4, 5, 2), make(2, 3, 2, 2, 3), 0, 0, True)


def grid_sampler_3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for mode in (0, 1):
            for padding in (0, 1, 2):
                for align in (False, True):
                    grid = make(2, 2, 3, 2, 3, low=-1.4, high=1.4)
                    yield call(make(2, 3, 4, 5, 3), grid, mode, padding, align)


def bad_grid_sampler_3d(make: Maker) -> Calls:
    x, grid = make(2, 3, 4, 5, 3), make(2, 2, 3, 2, 3)
    yield call(x, grid, 2, 0, True)
    yield call(x, make(1, 2, 3, 2, 3), 0, 0, True)
    yield call(x, make(2, 2, 3, 2, 2), 0, 0, True)
    yield call(make(2, 3, 4, 5), make(2, 3, 2, 2), 0, 0, True)


def grid_sampler(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 4, 5), make(2, 3, 2, 2), 0, 0, False)
        yield call(make(2, 3, 4, 5, 3), make(2, 2, 3, 2, 3), 0, 0, False)


def bad_grid_sampler(make: Maker) -> Calls:
    yield call(make(2, 3, 4), make(2, 3, 1), 0, 0, True)
    yield call(make(2, 3, 4, 5, 3), make(2, 2, 3, 2, 3), 2, 0, True)
    yield from bad_grid_sampler_2d(make)


def affine_grid_generator(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for align in (False, True):
            yield call(make(2, 2, 3), (2, 3, 4, 5), align)
            yield call(make(2, 3, 4), (2, 3, 4, 5, 2), align)
            yield call(make(2, 2, 3), (2, 3, 1, 5), align)


def bad_affine_grid_generator(make: Maker) -> Calls:
    yield call(make(2, 2, 3), (2, 3, 4), True)
