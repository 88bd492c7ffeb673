"""Calls of tensors without elements, and which of two mistakes is told of."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from .both_frameworks import agree, ours, outcome, refuse, same, torch

SHAPES = [(0,), (3,), (2, 0), (0, 2), (2, 3)]


def look(x: Any) -> Any:
    return tuple(x.shape), x.stride(), x.storage_offset()


@pytest.mark.parametrize("method", ["repeat", "tile"])
def test_what_is_repeated_is_memory_of_its_own(method: str) -> None:
    for shape, times in product(SHAPES, product(range(3), repeat=3)):

        def program(t: Any, shape: Any = shape, times: Any = times) -> Any:
            x = t.ones(5, 5)[1:, 2:].as_strided(shape, (7, 1)[-len(shape) :], 3)
            return look(getattr(x, method)(times))

        agree(program)


@pytest.mark.parametrize("dim", [-3, 0, 1, 3])
def test_vectors_of_nothing_are_joined_along_any_dim(dim: int) -> None:
    for parts in ([(0,)], [(0,), (0,)], [(0,), (2, 3)], [(2, 3), (0,)], [(0,), (2,)]):
        same(lambda t, parts=parts: look(t.cat([t.ones(*part) for part in parts], dim)))


@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_the_median_of_nothing_is_nan_as_the_dtype_has_it(name: str) -> None:
    for dtype in (
        "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
    ).split():
        for shape in [(0,), (2, 0, 3)]:
            agree(
                lambda t, dtype=dtype, shape=shape: repr(
                    getattr(t.ones(shape, dtype=getattr(t, dtype)), name)()
                )
            )
            same(
                lambda t, dtype=dtype, shape=shape: [
                    look(r) for r in getattr(t.ones(shape, dtype=getattr(t, dtype)), name)(0)
                ]
            )


def test_powers_that_the_kernel_lacks_are_refused() -> None:
    for base, dtype in [(True, "bool"), (False, "bool")]:
        for count in (0, 2):
            refuse(lambda t, b=base, d=dtype, n=count: b ** t.ones(n, dtype=getattr(t, d)))
    for base, dtype in [(1, "bool"), (2, "bool")]:
        agree(lambda t, b=base, d=dtype: repr(b ** t.ones(2, dtype=getattr(t, d))))


HALF_COMPLEX = {
    "a power of a number": lambda t: 2j ** t.ones(2, dtype=t.float16),
    "a power of nothing": lambda t: 2j ** t.ones(0, dtype=t.float16),
    "a power of one": lambda t: (1 + 0j) ** t.ones(2, dtype=t.float16),
    "a power": lambda t: t.ones(2, dtype=t.float16) ** 2j,
    "the first power": lambda t: t.ones(2, dtype=t.float16) ** (1 + 0j),
    "under a mask": lambda t: t.zeros(2, dtype=t.complex32).masked_fill(
        t.tensor([True, False]), 2j
    ),
}


@pytest.mark.parametrize("call", HALF_COMPLEX)
def test_half_complex_numbers(call: str) -> None:
    """Results and errors; the oracle warns of the dtype once for each process."""

    def program(t: Any) -> Any:
        return repr(HALF_COMPLEX[call](t))

    assert outcome(program, ours)[0] == outcome(program, torch)[0]


MISTAKES = {
    "a scalar's index of floats": lambda t: t.ones(()).index_select(0, t.ones(4)),
    "a scalar's index of two": lambda t: t.ones(()).index_select(0, t.zeros(2, dtype=t.int64)),
    "a vector's index of floats": lambda t: t.ones(3).index_select(0, t.ones(2)),
    "complex of nothing": lambda t: t.view_as_complex(t.empty_strided((3, 0, 2), (2, 2, 2))),
    "complex, odd strides": lambda t: t.view_as_complex(t.empty_strided((3, 0, 2), (1, 3, 3))),
    "exponents of bools": lambda t: t.ldexp(t.ones(2), t.ones(2, dtype=t.bool)),
    "exponents, sizes": lambda t: t.ldexp(t.ones(1, 4), t.ones(0, dtype=t.bool)),
    "a mask that is larger": lambda t: t.zeros(1, 4).masked_fill_(t.ones(3, 1) > 0, 2j),
    "a mask of floats": lambda t: t.zeros(1, 4).masked_fill_(t.ones(3, 1), 2j),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_first_mistake_is_told_of(mistake: str) -> None:
    refuse(MISTAKES[mistake])
