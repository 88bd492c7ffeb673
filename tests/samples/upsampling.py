"""Samples of interpolation: larger, smaller, by sizes and by factors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]

#: Input and output sizes of the last axes: of three, of which fewer are the last ones.
_SIZES = (((3, 4, 5), (6, 8, 10)), ((3, 7, 5), (5, 3, 9)), ((2, 4, 6), (2, 4, 6)))


def _calls(make: Maker, n: int, *corners: bool) -> Calls:
    if make.kind != "float":
        return
    for size, out in _SIZES:
        yield call(make(2, 3, *size[-n:]), list(out[-n:]), *corners)
    scales = (1.7, 0.6, 2.3)[-n:]
    size = (3, 7, 5)[-n:]
    out = [int(s * f) for s, f in zip(size, scales, strict=True)]
    yield call(make(1, 2, *size), out, *corners, *scales)
    if n == 2:
        x = make(2, 3, 4, 5, grad=False)
        yield call(x.contiguous(memory_format=make.torch.channels_last), [6, 7], *corners)


def _bad_calls(make: Maker, n: int, *corners: bool) -> Calls:
    size = (3, 4, 5)[-n:]
    x = make(2, 3, *size)
    yield call(x, [3] * (n + 1), *corners)
    yield call(x[0], [3] * n, *corners)
    yield call(x, [0] * n, *corners)
    yield call(make(1, 0, *size), [3] * n, *corners)
    yield call(make(1, 2, *size, dtype="int64"), [3] * n, *corners)


def _vec_calls(make: Maker, n: int, *corners: bool) -> Calls:
    if make.kind == "float":
        x = make(2, 3, *(3, 4, 5)[-n:])
        yield call(x, [5] * n, *corners, None)
        yield call(x, None, *corners, [1.7, 0.7, 2.0][-n:])


def _bad_vec_calls(make: Maker, n: int, *corners: bool) -> Calls:
    x = make(2, 3, *(3, 4, 5)[-n:])
    yield call(x, [5] * n, *corners, [1.0] * n)
    yield call(x, None, *corners, None)
    yield call(x, [5] * (n + 1), *corners, None)
    yield call(x, None, *corners, [1.0] * (n + 1))


def _backward_calls(make: Maker, n: int, *corners: bool) -> Calls:
    if make.kind == "float":
        for size, out in _SIZES:
            shape = [2, 3, *size[-n:]]
            yield call(make(2, 3, *out[-n:]), list(out[-n:]), shape, *corners)


def _bad_backward_calls(make: Maker, n: int, *corners: bool) -> Calls:
    shape = [2, 3, *(3, 4, 5)[-n:]]
    yield call(make(2, 3, *[6] * n), [5] * n, shape, *corners)
    yield call(make(3, *[5] * n), [5] * n, shape, *corners)
    yield call(make(2, 3, *[5] * n, dtype="int64"), [5] * n, shape, *corners)


def _generators() -> dict[str, Any]:
    """A generator for every op: by number of axes, with and without ``align_corners``."""
    kinds = {
        "upsample{}": _calls,
        "upsample_vec{}": _vec_calls,
        "upsample{}_backward": _backward_calls,
    }
    bad = {
        "upsample{}": _bad_calls,
        "upsample_vec{}": _bad_vec_calls,
        "upsample{}_backward": _bad_backward_calls,
    }
    made: dict[str, Any] = {}
    for prefix, group in (("", kinds), ("bad_", bad)):
        for pattern, function in group.items():
            for n in (1, 2, 3):
                for corners in (False, True):
                    name = prefix + pattern.format("_corners" if corners else "") + f"{n}d"
                    made[name] = _generator(function, n, corners)
    return made


def _generator(function: Any, n: int, corners: bool) -> Any:
    def generator(make: Maker) -> Calls:
        if corners:
            yield from function(make, n, False)
            yield from function(make, n, True)
        else:
            yield from function(make, n)

    return generator


globals().update(_generators())
