"""Samples of the pointwise and comparison rows. See the package's docstring."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

NAN, INF = math.nan, math.inf

#: What each kind of dtype under test takes as a Python number of its own category.
NUMBERS: dict[str, Any] = {"float": 1.5, "complex": 0.5 + 1j, "int": 3, "bool": True}


def specials(make: Maker) -> Any:
    if make.kind == "complex":
        return make(values=[complex(NAN, 1), complex(1, INF), complex(-INF, 0), 0j, 1 - 1j])
    if make.kind == "float":
        return make(values=[NAN, INF, -INF, 0.0, -0.0, 1.0, -2.5])
    if make.kind == "bool":
        return make(values=[True, False])
    return make(values=[0, 1, 2, 7, 100])


# ------------------------------------------------------------------------- one tensor


def unary(make: Maker) -> Iterator[Call]:
    yield call(make(3, 5))
    yield call(make())
    yield call(make(0, 2))
    yield call(make(4, 3, noncontiguous=True))
    yield call(make(2, 3, 4).transpose(0, 2))
    yield call(make(37))


def unary_numbers(make: Maker) -> Iterator[Call]:
    if make.kind != "bool":
        yield from unary(make)


def unary_specials(make: Maker) -> Iterator[Call]:
    yield from unary(make)
    yield call(specials(make))


def unary_positive(make: Maker) -> Iterator[Call]:
    yield call(make(3, 5, low=0.1, high=9))
    yield call(make(low=0.5, high=2))
    yield call(make(0))
    yield call(make(4, 3, low=0.1, high=3, noncontiguous=True))


def unary_unit(make: Maker) -> Iterator[Call]:
    yield call(make(3, 5, low=-0.9, high=0.9))
    yield call(make(low=-0.5, high=0.5))
    yield call(make(4, 3, low=-0.9, high=0.9, noncontiguous=True))


def unary_above_one(make: Maker) -> Iterator[Call]:
    yield call(make(3, 5, low=1.1, high=9))
    yield call(make(low=2, high=3))


def unary_complex(make: Maker) -> Iterator[Call]:
    if make.kind == "complex":
        yield call(make(3, 5))
        yield call(make())
        yield call(make(2, 3).transpose(0, 1))


def pairs(make: Maker) -> Iterator[Call]:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 2))
        yield call(make(2, 3, 2).transpose(0, 1))
        yield call(make(2))


def bad_pairs(make: Maker) -> Iterator[Call]:
    yield call(make())
    yield call(make(3))
    yield call(make(2, 3).transpose(0, 1))
    yield call(make(3, 3)[:, :2])


def polygamma(make: Maker) -> Iterator[Call]:
    for n in (0, 1, 2, 3):
        yield call(n, make(3, 4, low=0.5, high=5))


def polygamma_in_place(make: Maker) -> Iterator[Call]:
    for n in (0, 1, 2, 3):
        yield call(make(3, 4, low=0.5, high=5), n)


def bad_polygamma(make: Maker) -> Iterator[Call]:
    yield call(-1, make(3))


def logit(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4, low=0.1, high=0.9))
    yield call(make(3, 4, low=-0.5, high=1.5), 0.1)
    yield call(make(3, 4, low=-0.5, high=1.5), eps=0.1)


def round_decimals(make: Maker) -> Iterator[Call]:
    for decimals in (0, 1, 3, -1):
        yield call(make(3, 4, low=-50, high=50), decimals=decimals)


def nan_to_num(make: Maker) -> Iterator[Call]:
    yield call(specials(make))
    yield call(specials(make), 1.0)
    yield call(specials(make), nan=2.0, posinf=3.0, neginf=-4.0)
    yield call(make(2, 3))


# ------------------------------------------------------------------------- two tensors


def _shapes(make: Maker, **options: Any) -> Iterator[tuple[Any, Any]]:
    yield make(3, 4, **options), make(3, 4, **options)
    yield make(3, 4, **options), make(4, **options)
    yield make(2, 1, 3, **options), make(4, 1, **options)
    yield make(3, **options), make(**options)
    yield make(**options), make(**options)
    yield make(0, 3, **options), make(3, **options)
    yield make(3, 4, noncontiguous=True, **options), make(4, 3, **options).transpose(0, 1)


def _mixed(make: Maker, **options: Any) -> Iterator[tuple[Any, Any]]:
    """The dtype under test with other dtypes, with and without dimensions."""
    for other in ("int64", "float64", "uint8", "bool", "float16"):
        yield make(3, **options), make(3, dtype=other, **options)
        yield make(3, **options), make(dtype=other, **options)
        yield make(**options), make(3, dtype=other, **options)


def binary(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make):
        yield call(a, b)


def bad_binary(make: Maker) -> Iterator[Call]:
    yield call(make(3), make(4))
    yield call(make(2, 3), make(3, 2))
    yield call(make(2))
    yield call(make(2), "x")
    yield call(make(2), None)
    yield call()


def binary_alpha(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make):
        yield call(a, b)
    for a, b in _mixed(make):
        yield call(a, b)
    yield call(make(3, 4), make(4), alpha=1 if make.kind == "bool" else 2)
    if make.kind in ("float", "complex"):
        yield call(make(20), make(20), alpha=-0.3)
        yield call(make(3), 2.5)
    if make.kind != "bool":
        yield call(make(3), 2)


def bad_binary_alpha(make: Maker) -> Iterator[Call]:
    yield from bad_binary(make)
    yield call(make(2), make(2), alpha="x")
    yield call(make(2, dtype="int64"), make(2, dtype="int64"), alpha=1.5)
    yield call(make(2, dtype="int64"), make(2, dtype="int64"), alpha=True)
    yield call(make(2, dtype="float32"), make(2, dtype="float32"), alpha=1j)
    yield call(make(2, dtype="uint16"), make(2, dtype="uint16"))


def add_relu(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make):
        yield call(a, b)
    if make.kind != "bool":
        yield call(make(3, 4), make(4), alpha=2)
    yield call(make(3), make(values=[float("nan"), 1.0, -3.0], dtype="float32"))


def bad_add_relu(make: Maker) -> Iterator[Call]:
    yield call(make(3), make(4))
    yield call(make(2, dtype="int64"), make(2, dtype="int64"), alpha=1.5)


def add_relu_number(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), 1)
    yield call(make(3, 4), 2.5)
    yield call(make(4, 3).t(), -1, 2)


def binary_nonzero(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make, low=1, high=7):
        yield call(a, b)
        if make.kind != "bool" and not make.dtype.startswith("u"):
            yield call(a, -b)
            yield call(-a, b)


def bad_binary_nonzero(make: Maker) -> Iterator[Call]:
    yield from bad_binary(make)


def binary_positive(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make, low=0.5, high=7):
        yield call(a, b)


def binary_ties(make: Maker) -> Iterator[Call]:
    yield from binary(make)
    a = make(3, 4)
    yield call(a, a.detach().clone().requires_grad_(a.requires_grad))
    values = specials(make)
    yield call(values, values.detach().flip(0))


def binary_rounding(make: Maker) -> Iterator[Call]:
    for mode in (None, "floor", "trunc"):
        yield call(make(3, 4, low=1, high=9), make(4, low=1, high=4), rounding_mode=mode)
        if make.kind == "float":
            yield call(make(3, 4, low=-9, high=9), make(4, low=1, high=4), rounding_mode=mode)


def bad_binary_rounding(make: Maker) -> Iterator[Call]:
    yield call(make(3), make(3), rounding_mode="x")
    yield call(make(3), make(3), rounding_mode=1)


def binary_number(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4, low=1, high=9), NUMBERS[make.kind])
    yield call(make(3, 4, low=1, high=9, noncontiguous=True), 2)
    yield call(make(low=1, high=9), 2)
    yield call(make(3, low=1, high=9), 2.5)
    yield call(make(3, low=1, high=9), True)


def binary_number_rounding(make: Maker) -> Iterator[Call]:
    for mode in (None, "floor", "trunc"):
        yield call(make(3, 4, low=1, high=9), 2, rounding_mode=mode)
        yield call(make(3, 4, low=1, high=9), 2.5, rounding_mode=mode)


def number_binary(make: Maker) -> Iterator[Call]:
    yield call(NUMBERS[make.kind], make(3, 4, low=1, high=9))
    yield call(2.5, make(3, 4, low=1, high=9))
    yield call(7, make(low=1, high=9))


def power(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4, low=0.5, high=3), make(3, 4, low=-2, high=3))
    yield call(make(3, 4, low=0.5, high=3), make(4, low=0, high=3))
    yield call(make(low=0.5, high=3), make(3, low=0, high=3))


def power_number(make: Maker) -> Iterator[Call]:
    for exponent in (0, 1, 2, 3, 5, 0.5, 2.5) + (
        (-1, -2, -0.5, 1 / 3) if make.kind in ("float", "complex") else ()
    ):
        yield call(make(3, 4, low=0.5, high=3), exponent)
        yield call(make(low=0.5, high=3), exponent)


def bad_power_number(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="int64"), -1)
    yield call(make(3, dtype="uint16"), 2)


def number_power(make: Maker) -> Iterator[Call]:
    for base in (2, 0.5, 1, 0):
        yield call(base, make(3, 4, low=0, high=3))


# ------------------------------------------------------------------------- three tensors


def clamp_tensors(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), make(3, 4), make(4))
    yield call(make(3, 4), make(4), None)
    yield call(make(3, 4), max=make(3, 1))


def clamp_numbers(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), 0)
    yield call(make(3, 4), max=1)
    yield call(make(3, 4), 0, 1)
    yield call(make(3, 4), 2, 1)
    yield call(make(3, 4), 0.5, 1.5)
    yield call(specials(make), 0, 1)
    if make.kind == "float":
        yield call(make(3), NAN)


def bad_clamp_numbers(make: Maker) -> Iterator[Call]:
    yield call(make(3))
    yield call(make(3, dtype="uint8"), -500, 300)
    yield call(make(3, dtype="complex64"), 0, 1)
    yield call(make(3), "a")


def lerp_number(make: Maker) -> Iterator[Call]:
    for weight in (0.0, 0.3, 0.5, 0.7, 1.0, 2):
        yield call(make(3, 4), make(3, 4), weight)
    yield call(make(3, 4), make(4), 0.25)


def ternary(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), make(3, 4), make(3, 4))
    yield call(make(3, 1), make(4), make(3, 4, low=0, high=1))
    yield call(make(3), make(3), make())


def bad_ternary(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="float32"), make(3, dtype="float64"), make(3, dtype="float32"))
    yield call(make(3), make(4), make(3))


def ternary_value(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), make(3, 4, low=1, high=3), make(3, 4, low=1, high=3))
    yield call(make(3, 1), make(4, low=1, high=3), make(3, 4, low=1, high=3))
    yield call(make(40), make(40, low=1, high=3), make(40, low=1, high=3), value=2)
    if make.kind in ("float", "complex"):
        yield call(make(40), make(40, low=1, high=3), make(40, low=1, high=3), value=-0.3)


def where(make: Maker) -> Iterator[Call]:
    mask = make(3, 4, dtype="bool")
    yield call(mask, make(3, 4), make(3, 4))
    yield call(mask, make(4), make(3, 1))
    yield call(mask, make(3, 4), make(dtype="float64"))
    yield call(mask, make(3, 4), make(4, dtype="int64"))
    yield call(mask, make(3, 4), 0)
    yield call(mask, 1.5, make(3, 4))
    yield call(mask, 1, 0)
    yield call(mask, 1.0, 0)
    yield call(make(4, dtype="bool"), make(), make(3, 4).transpose(0, 1)[:, :1])


def where_nonzero(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4, dtype="bool"))
    yield call(make(5))
    yield call(make())


def bad_where(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="int64"), make(3), make(3))
    yield call(make(3, dtype="bool"), make(3), make(4))
    yield call(make(3, dtype="bool"), make(3))
    yield call(make(3, dtype="bool"), make(3), "x")


# ------------------------------------------------------------------------- comparison


def compare(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make):
        yield call(a, b)
    for a, b in _mixed(make):
        yield call(a, b)
    values = specials(make)
    yield call(values, values.detach().flip(0))


def bad_compare(make: Maker) -> Iterator[Call]:
    yield from bad_binary(make)


def compare_number(make: Maker) -> Iterator[Call]:
    for number in (0, 1, 1.5, True, -3, 300):
        yield call(make(3, 4), number)
        yield call(make(), number)


def isclose(make: Maker) -> Iterator[Call]:
    a = make(3, 4)
    yield call(a, a)
    yield call(a, make(3, 4))
    if make.kind == "float":
        yield call(a, (a * 1.000001).to(make.type(make.dtype)))
    values = specials(make)
    yield call(values, values)
    yield call(values, values, equal_nan=True)
    yield call(a, make(4), rtol=0.5, atol=0.1)
    yield call(a, a, 0, 0)


def bad_isclose(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="float32"), make(3, dtype="float64"))
    yield call(make(3), make(3), -1)
    yield call(make(3), make(3), 1e-5, -0.5)
    yield call(make(3), make(4))


def equal(make: Maker) -> Iterator[Call]:
    a = make(3, 4)
    yield call(a, a)
    yield call(a, make(3, 4))
    yield call(a, make(4))
    yield call(make(0), make(0))


def bad_equal(make: Maker) -> Iterator[Call]:
    yield call(make(3), 1)


def bitwise(make: Maker) -> Iterator[Call]:
    for a, b in _shapes(make, low=0, high=20):
        yield call(a, b)
    if make.kind == "int":
        yield call(make(3, low=0, high=20), make(3, low=0, high=6, dtype="uint8"))
        yield call(make(3, low=0, high=20), make(3, low=60, high=70, dtype="int64"))


def bad_bitwise(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="float32"), make(3, dtype="int64"))
    yield call(make(3, dtype="int64"), make(4, dtype="int64"))


def bitwise_number(make: Maker) -> Iterator[Call]:
    for number in (0, 1, 3, 7, 9):
        yield call(make(3, 4, low=0, high=20), number)


def integer_bitwise(make: Maker) -> Iterator[Call]:
    if make.kind in ("int", "bool"):
        yield from bitwise(make)


def integer_bitwise_number(make: Maker) -> Iterator[Call]:
    if make.kind in ("int", "bool"):
        yield from bitwise_number(make)


def number_bitwise(make: Maker) -> Iterator[Call]:
    yield call(5, make(3, 4, low=0, high=6))


# ------------------------------------------------------------------------- activations


def complex_parts(make: Maker) -> Iterator[Call]:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4, low=0.1, high=2), make(3, 4))
        yield call(make(3, 1, low=0.1, high=2), make(4))


def bad_complex_parts(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="int64"), make(3, dtype="int64"))
    yield call(make(3, dtype="float32"), make(3, dtype="float64"))


def one_element(make: Maker) -> Iterator[Call]:
    yield call(make())
    yield call(make(1, 1))
    yield call(make(values=[0]))


def bad_one_element(make: Maker) -> Iterator[Call]:
    yield call(make(2))
    yield call(make(0))
    yield call(3)
