"""Samples of the factory rows. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .pointwise import INF, NAN, NUMBERS


def sizes(make: Maker) -> Iterator[Call]:
    for size in ((), (3,), (2, 0), (2, 3, 4)):
        yield call(size)
        yield call(size, dtype=make.type(make.dtype))


def bad_sizes(make: Maker) -> Iterator[Call]:
    yield call((-1,))
    yield call((2, -3))
    yield call((2**62, 8))
    yield call(2.5)
    yield call((2, "a"))
    yield call()
    yield call((2,), dtype="float32")


def sizes_strides(make: Maker) -> Iterator[Call]:
    yield call((2, 3), (1, 2))
    yield call((0, 3), (1, 2))
    yield call((2, 3), (4, 1), dtype=make.type(make.dtype))


def bad_sizes_strides(make: Maker) -> Iterator[Call]:
    yield call((2, 3), (1,))
    yield call((2, 3), (1, -2))
    yield call((2, -3), (1, 2))


def full(make: Maker) -> Iterator[Call]:
    for value in (1, 1.5, True, 1j, NUMBERS[make.kind]):
        yield call((2, 3), value)
    yield call((2,), NUMBERS[make.kind], dtype=make.type(make.dtype))
    yield call((2,), 1.5, dtype=make.type(make.dtype))


def bad_full(make: Maker) -> Iterator[Call]:
    yield call((2,), 300, dtype=make.type("uint8"))
    yield call((2,), 1e300, dtype=make.type("float32"))
    yield call((2,), 1j, dtype=make.type("float32"))
    yield call((2,), NAN, dtype=make.type("int32"))
    yield call((2, -1), 1)
    yield call((2,), 2**63)


def scalar_tensor(make: Maker) -> Iterator[Call]:
    yield call(3)
    yield call(True)
    yield call(3.5, dtype=make.type(make.dtype))


def _sources(make: Maker) -> Iterator[Any]:
    yield make(3, 4)
    yield make()
    yield make(2, 3).transpose(0, 1)
    yield make(4, 3, noncontiguous=True)
    yield make(3, 2).transpose(0, 1).expand(4, 2, 3)
    yield make(2, 3, 4, 5).permute(0, 3, 1, 2)
    yield make(2, 0, 3)


def like(make: Maker) -> Iterator[Call]:
    for x in _sources(make):
        yield call(x)
        yield call(x, dtype=make.type("int8"))
    yield call(make(2, 3).transpose(0, 1), memory_format=make.torch.contiguous_format)
    yield call(make(2, 3, 4, 5), memory_format=make.torch.channels_last)


def bad_like(make: Maker) -> Iterator[Call]:
    yield call(make(2, 3), memory_format=make.torch.channels_last)
    yield call(3)


def full_like(make: Maker) -> Iterator[Call]:
    for x in _sources(make):
        yield call(x, NUMBERS[make.kind])
    yield call(make(2), 3, dtype=make.type("float64"))


def new(make: Maker) -> Iterator[Call]:
    yield call(make(2), (3, 2))
    yield call(make(2), (), dtype=make.type("int16"))


def bad_new(make: Maker) -> Iterator[Call]:
    yield call(make(2), (-1,))


def new_full(make: Maker) -> Iterator[Call]:
    yield call(make(2), (3, 2), NUMBERS[make.kind])
    yield call(make(2), (2,), 3.7, dtype=make.type("int32"))


def new_strided(make: Maker) -> Iterator[Call]:
    yield call(make(2), (3, 2), (1, 3))


def arange(make: Maker) -> Iterator[Call]:
    yield call(5)
    yield call(5.0)
    yield call(2, 5)
    if make.kind == "float":  # into an integer out= the step would be cut to zero: torch crashes
        yield call(1, 2, 0.3)
        yield call(-3.3, 70, 0.37)
        yield call(0, 10, 0.1, dtype=make.type("float64"))
    yield call(5, 0, -2)
    yield call(0)
    yield call(2**40, 2**40 + 3)
    if make.dtype not in ("bool", "uint16") and make.kind != "complex":
        yield call(0, 7, 2, dtype=make.type(make.dtype))


def bad_arange(make: Maker) -> Iterator[Call]:
    yield call(0, -1)
    yield call(0, 5, 0)
    yield call(0, 5, -1)
    yield call(0, INF)
    yield call(NAN)
    yield call(3, dtype=make.type("bool"))
    yield call(0, 1, 0.25, dtype=make.type("int64"))
    yield call(2**63)
    yield call("a")


def closed_range(make: Maker) -> Iterator[Call]:
    yield call(1, 3)
    if make.kind == "float":
        yield call(0, 2.5, 0.5)
    yield call(5, 1, -2)


def linspace(make: Maker) -> Iterator[Call]:
    for steps in (0, 1, 2, 5, 100):
        yield call(-3.3, 7.1, steps)
    yield call(0, 1j, 3)
    if make.kind != "bool" and make.dtype != "uint16":
        yield call(0, 10, 4, dtype=make.type(make.dtype))
        yield call(7, 1, 5, dtype=make.type(make.dtype))


def bad_linspace(make: Maker) -> Iterator[Call]:
    yield call(0, 1, -1)
    yield call(0, 1, 3, dtype=make.type("bool"))
    yield call(0, 1j, 3, dtype=make.type("float32"))
    yield call(0, 300, 3, dtype=make.type("uint8"))
    yield call(0, 1)


def logspace(make: Maker) -> Iterator[Call]:
    yield call(0, 2, 3)
    yield call(-2, 2, 20, 2.0)
    yield call(0, 2, 3, dtype=make.type("int64"))
    yield call(0, 1, 1)


def bad_logspace(make: Maker) -> Iterator[Call]:
    yield call(0, 1, -2)


def space_tensors(make: Maker) -> Iterator[Call]:
    yield call(make(values=0.0), make(values=1.0), 3)
    yield call(make(values=0.0), 1.0, 3)
    yield call(0.0, make(values=1.0), 3)


def bad_space_tensors(make: Maker) -> Iterator[Call]:
    yield call(make(1), make(values=1.0), 3)


def eye(make: Maker) -> Iterator[Call]:
    for n in (0, 1, 3):
        yield call(n)
        yield call(n, 2)
    yield call(2, dtype=make.type(make.dtype))


def bad_eye(make: Maker) -> Iterator[Call]:
    yield call(-1)
    yield call(2, -1)
    yield call(2.5)


def triangle_indices(make: Maker) -> Iterator[Call]:
    for row, col in ((3, 3), (3, 2), (2, 4), (0, 3)):
        for offset in (-5, -1, 0, 1, 5):
            yield call(row, col, offset)
    yield call(3, 3, dtype=make.type("int32"))


def bad_triangle_indices(make: Maker) -> Iterator[Call]:
    yield call(-1, 3)
    yield call(1, -3)
    yield call(3, 3, dtype=make.type("float32"))
