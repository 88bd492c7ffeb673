"""Numbers that fill a tensor: one element takes them otherwise than many do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .both_frameworks import ours, outcome, torch

DTYPES = (
    "float16 bfloat16 float32 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz "
    "float8_e8m0fnu complex32 complex64 bool int8 int16 uint8"
).split()
NUMBERS = (
    1e30, -1e30, 1e300, 70000, 300, -5, 10**19, float("inf"), float("nan"), -0.0, 1e-60, 2j, True,
)  # fmt: skip
Fill = Callable[[Any, Any, Any], Any]


def agree(program: Callable[[Any], Any], case: object) -> None:
    """Both frameworks give or raise the same; torch's warnings name a line of C++."""
    assert outcome(program, ours)[0] == outcome(program, torch)[0], case


def _set(t: Any, dtype: Any, number: Any) -> Any:
    x = t.zeros(2, dtype=dtype)
    x[0] = number
    return x


WAYS: dict[str, Fill] = {
    "full of one": lambda t, dtype, n: t.full((1,), n, dtype=dtype),
    "full without dims": lambda t, dtype, n: t.full((), n, dtype=dtype),
    "full of many": lambda t, dtype, n: t.full((2,), n, dtype=dtype),
    "full of none": lambda t, dtype, n: t.full((0,), n, dtype=dtype),
    "full in given memory": lambda t, dtype, n: t.full((2,), n, out=t.zeros(2, dtype=dtype)),
    "full like one": lambda t, dtype, n: t.full_like(t.zeros(1, dtype=dtype), n),
    "new full": lambda t, dtype, n: t.zeros(1, dtype=dtype).new_full((1, 1), n),
    "filled one": lambda t, dtype, n: t.zeros(1, dtype=dtype).fill_(n),
    "filled many": lambda t, dtype, n: t.zeros(3, dtype=dtype).fill_(n),
    "filled by a tensor": lambda t, dtype, n: t.zeros(3, dtype=dtype).fill_(t.tensor(n)),
    "an element": _set,
    "padded": lambda t, dtype, n: t.nn.functional.pad(t.zeros(1, dtype=dtype), (1, 0), value=n),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_are_stored_or_refused(way: str, dtype: str) -> None:
    for number in NUMBERS:
        if number == 10**19 and way == "filled by a tensor":
            continue  # torch makes no tensor of it

        def program(t: Any, number: Any = number) -> Any:
            filled = WAYS[way](t, getattr(t, dtype), number)
            return repr(filled.float() if "float8" in dtype else filled)

        agree(program, number)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if "float8" not in d])
def test_numbers_under_a_mask_are_checked(dtype: str) -> None:
    for number in NUMBERS:
        for mask in ([True, False], [[True], [False], [True]]):

            def program(t: Any, number: Any = number, mask: Any = mask) -> Any:
                x = t.zeros(1, 2, dtype=getattr(t, dtype))
                return repr(x.masked_fill(t.tensor(mask), number))

            def in_place(t: Any, number: Any = number, mask: Any = mask) -> Any:
                x = t.zeros(1, 2, dtype=getattr(t, dtype))
                return repr(x.masked_fill_(t.tensor(mask), number))

            agree(program, number)
            agree(in_place, number)
