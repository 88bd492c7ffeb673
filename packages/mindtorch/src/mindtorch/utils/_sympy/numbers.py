"""``torch.utils._sympy.numbers``: the bound of whole numbers that have none."""

from __future__ import annotations

from typing import Any

__all__ = ["IntInfinity", "NegativeIntInfinity", "int_oo"]


class IntInfinity(float):
    """What is above all whole numbers: a bound of sizes."""

    def __new__(cls) -> Any:
        return float.__new__(cls, "inf")

    def __neg__(self) -> NegativeIntInfinity:
        return _BELOW

    def __repr__(self) -> str:
        return "int_oo"

    __str__ = __repr__


class NegativeIntInfinity(float):
    """What is below all whole numbers."""

    def __new__(cls) -> Any:
        return float.__new__(cls, "-inf")

    def __neg__(self) -> IntInfinity:
        return int_oo

    def __repr__(self) -> str:
        return "-int_oo"

    __str__ = __repr__


int_oo: Any = IntInfinity()
_BELOW: Any = NegativeIntInfinity()


def bound(value: Any) -> Any:
    """A number as a bound: one of the infinities, or an int where it is whole."""
    if isinstance(value, (IntInfinity, NegativeIntInfinity)):
        return value
    if isinstance(value, int) or getattr(value, "is_Integer", False):
        return int(value)
    number = float(value)
    if number in (float("inf"), float("-inf")):
        return int_oo if number > 0 else _BELOW
    return int(value) if number == int(value) else number
