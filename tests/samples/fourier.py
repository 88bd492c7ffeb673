"""Samples of Fourier transforms."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def _fft_c2c(make: Maker) -> Calls:
    if make.kind == "complex":
        yield call(make(4, 3, 6), (2,), 0, True)
        yield call(make(4, 3, 6), (0, 2), 1, False)
        yield call(make(4, 3), (0,), 2, True)


def _fft_r2c(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(4, 3, 6), (2,), 0, True)
        yield call(make(4, 3, 5), (0, 2), 1, True)
        yield call(make(4, 3), (0,), 2, False)


def _fft_c2r(make: Maker) -> Calls:
    if make.kind == "complex":
        yield call(make(4, 3, 4), (2,), 0, 6)
        yield call(make(4, 3, 4), (0, 2), 1, 7)
        yield call(make(4, 3), (0,), 2, 6)


def fft_real(make: Maker) -> Calls:
    x = make(4, 6)
    yield call(x)
    yield call(x, 4)
    yield call(x, n=7, dim=0)
    yield call(x, norm="ortho")
    yield call(x.t(), norm="forward")
    yield call(make(5), norm="backward")


fft_one = fft_real


def bad_fft_real(make: Maker) -> Calls:
    x = make(4, 6)
    yield call(x, 0)
    yield call(x, -1)
    yield call(x, dim=2)
    yield call(make())
    yield call(x, norm="x")
    yield call(make(4, dtype="float16"))


def bad_fft_one(make: Maker) -> Calls:
    yield from bad_fft_real(make)


def fft_many_real(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(x)
    yield call(x, (2, 4), (0, 2))
    yield call(x, dim=(0, 1), norm="ortho")
    yield call(x, s=(5, -1), dim=(1, 2), norm="forward")


fft_many = fft_many_real


def bad_fft_many_real(make: Maker) -> Calls:
    x = make(4, 3, 6)
    yield call(x, dim=(0, 0))
    yield call(x, (2,), (0, 1))
    yield call(x, (0, 2), (0, 1))
    yield call(x, norm="x")
    yield call(make(3), dim=(-2, -1))


bad_fft_many = bad_fft_many_real


def fftfreq(make: Maker) -> Calls:
    if make.dtype == "float32":
        yield call(5)
        yield call(4, 0.5)
        yield call(4, d=0.5, dtype=make.type("float64"))
        yield call(0)


def fftshift(make: Maker) -> Calls:
    yield call(make(4, 5))
    yield call(make(4, 5), 0)
    yield call(make(4, 5), dim=(0, 1))
