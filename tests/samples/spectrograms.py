"""Samples of spectrograms and their inverses."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]
_TRANSFORMED = ("float32", "float64")


def stft(make: Maker) -> Calls:
    if make.dtype in _TRANSFORMED:
        window = make(8)
        yield call(make(2, 24), 8, 2, 8, window, False, True, True)
        yield call(make(24), 8, 4, 6, make(6), True, False, True, False)
        yield call(make(2, 24), 8, 4, 6, make(6), False, None, True, True)
    if make.kind == "complex":
        yield call(make(2, 24), 8, 2, 8, make(8))


def stft_center(make: Maker) -> Calls:
    if make.dtype in _TRANSFORMED:
        yield call(make(2, 24), 8, 2, 8, make(8), return_complex=True)
        yield call(make(24), 8, window=make(8), pad_mode="constant", return_complex=True)
        yield call(make(24), 7, 3, window=make(7), center=False, return_complex=True)
    if make.kind == "complex":
        yield call(make(2, 24), 8, 2, 8, make(8))


def bad_stft_center(make: Maker) -> Calls:
    window, x = make(8), make(2, 24)
    yield call(x, 8, window=window)
    yield call(x, 0, window=window, return_complex=True)
    yield call(x, 60, window=window, return_complex=True)
    yield call(x, 60, window=window, return_complex=True, center=False)
    yield call(x, 8, 0, window=window, return_complex=True)
    yield call(x, 8, 2, 9, window=window, return_complex=True)
    yield call(x, 8, 2, 6, window=window, return_complex=True)
    yield call(x, 8, 2, window=window, return_complex=True, align_to_window=True)
    yield call(make(2, 2, 24), 8, window=window, return_complex=True)


def istft(make: Maker) -> Calls:
    if make.kind != "complex":
        return
    window = make(8, dtype="float32" if make.dtype == "complex64" else "float64").abs().add(0.5)
    yield call(make(2, 5, 7), 8, 2, 8, window)
    yield call(make(5, 7), 8, window=window, length=9)
    yield call(make(5, 7), 8, 4, window=window, center=False, normalized=True)
    yield call(make(2, 8, 7), 8, 4, window=window, return_complex=True)
    yield call(make(2, 8, 7), 8, 4, window=window, onesided=False)


def bad_istft(make: Maker) -> Calls:
    window = make(8)
    x = make(2, 5, 7)
    yield call(x, 8, 9, window=window)
    yield call(x, 8, 2, 9, window=window)
    yield call(x, 8, 2, 6, window=window)
    yield call(x, 10, 2, window=window)
    yield call(x, 8, 2, window=window, onesided=False)
    yield call(x, 8, 2, window=window, return_complex=True)
    yield call(make(2, 2, 5, 7), 8, 2, window=window)
    yield call(make(0, 5, 7), 8, 2, window=window)
