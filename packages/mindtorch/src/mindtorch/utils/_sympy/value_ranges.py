"""``torch.utils._sympy.value_ranges``: between which numbers an expression of sizes lies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from .functions import CeilToInt, FloorDiv, FloorToInt, IntTrueDiv, Mod, ToFloat, TruncToInt
from .numbers import bound, int_oo

__all__ = ["ValueRangeError", "ValueRanges", "bound_sympy"]


class ValueRangeError(RuntimeError):
    """No number lies in a range."""


#: The ends of the range of a float of which nothing is known.
_OF_FLOATS = (sympy.oo, -sympy.oo)


class ValueRanges:
    """The numbers from *lower* to *upper*, both among them.

    Raises ValueRangeError if there are none.
    """

    __slots__ = ("is_bool", "is_float", "is_int", "lower", "upper")

    def __init__(self, lower: Any, upper: Any) -> None:
        self.lower, self.upper = _bound(lower), _bound(upper)
        self.is_bool = False
        ends = self.lower, self.upper
        self.is_float = any(type(end) is float or end in _OF_FLOATS for end in ends)
        self.is_int = not self.is_float
        if self.lower > self.upper:
            raise ValueRangeError(f"Invalid ranges [{self.lower}:{self.upper}]")

    def __repr__(self) -> str:
        return f"VR[{self.lower}, {self.upper}]"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ValueRanges):
            return NotImplemented
        return bool(self.lower == other.lower and self.upper == other.upper)

    def __hash__(self) -> int:
        return hash((self.lower, self.upper))

    def __contains__(self, x: Any) -> bool:
        return bool(self.lower <= x <= self.upper)

    def issubset(self, other: ValueRanges) -> bool:
        """Whether all its numbers are in *other*."""
        return bool(other.lower <= self.lower and self.upper <= other.upper)

    def is_singleton(self) -> bool:
        """Whether it is one number."""
        return bool(self.lower == self.upper)

    def __and__(self, other: ValueRanges) -> ValueRanges:
        return ValueRanges(max(self.lower, other.lower), min(self.upper, other.upper))

    def __or__(self, other: ValueRanges) -> ValueRanges:
        return ValueRanges(min(self.lower, other.lower), max(self.upper, other.upper))

    @staticmethod
    def wrap(value: Any) -> ValueRanges:
        """A range as it is, and that of one number."""
        return value if isinstance(value, ValueRanges) else ValueRanges(value, value)

    @staticmethod
    def unknown() -> ValueRanges:
        """All numbers."""
        return ValueRanges(-int_oo, int_oo)


def _bound(value: Any) -> Any:
    if isinstance(value, (bool, sympy.logic.boolalg.BooleanAtom)) or value in _OF_FLOATS:
        return value
    return bound(value)


def _product(a: Any, b: Any) -> Any:
    return 0 if not a or not b else bound(a * b)


def _mul(a: ValueRanges, b: ValueRanges) -> ValueRanges:
    ends = [_product(x, y) for x in (a.lower, a.upper) for y in (b.lower, b.upper)]
    return ValueRanges(min(ends), max(ends))


def _add(a: ValueRanges, b: ValueRanges) -> ValueRanges:
    return ValueRanges(bound(a.lower + b.lower), bound(a.upper + b.upper))


def _floor_div(a: ValueRanges, b: ValueRanges) -> ValueRanges:
    if b.lower <= 0:
        return ValueRanges.unknown()

    def quotient(x: Any, y: Any) -> Any:
        if math.isinf(y):
            return 0 if x >= 0 else -1
        return x if math.isinf(x) else x // y

    ends = [quotient(x, y) for x in (a.lower, a.upper) for y in (b.lower, b.upper)]
    return ValueRanges(min(ends), max(ends))


def _mod(a: ValueRanges, b: ValueRanges) -> ValueRanges:
    if b.lower <= 0:
        return ValueRanges.unknown()
    if a.lower >= 0 and a.upper < b.lower:
        return a
    return ValueRanges(0, b.upper - 1 if not math.isinf(b.upper) else int_oo)


def _pow(a: ValueRanges, b: ValueRanges) -> ValueRanges:
    if b.is_singleton() and b.lower > 0 and a.lower >= 0 and b.is_int:
        high = a.upper if math.isinf(a.upper) else a.upper**b.lower
        return ValueRanges(a.lower**b.lower, high)
    return ValueRanges.unknown()


_MONOTONE: dict[Any, Callable[[Any], Any]] = {
    CeilToInt: math.ceil, FloorToInt: math.floor, TruncToInt: math.trunc, ToFloat: lambda x: x,
}  # fmt: skip


def bound_sympy(expr: Any, ranges: Mapping[Any, ValueRanges] | None = None) -> ValueRanges:
    """The range of an expression, for those of its symbols; all numbers where it is not known."""
    expr = sympy.sympify(expr)
    if expr.is_Number:
        return ValueRanges(expr, expr)
    if expr.is_Symbol:
        found = (ranges or {}).get(expr)
        if found is not None:
            return found
        return ValueRanges(1, int_oo) if expr.is_positive else ValueRanges.unknown()
    if isinstance(expr, sympy.Rel) or not isinstance(expr, sympy.Expr):
        return ValueRanges.unknown()
    parts = [bound_sympy(arg, ranges) for arg in expr.args]
    if expr.is_Add or expr.is_Mul:
        made = parts[0]
        for part in parts[1:]:
            made = _add(made, part) if expr.is_Add else _mul(made, part)
        return made
    if expr.is_Pow:
        return _pow(*parts)
    if isinstance(expr, FloorDiv):
        return _floor_div(*parts)
    if isinstance(expr, Mod):
        return _mod(*parts)
    if isinstance(expr, sympy.Max):
        return ValueRanges(max(p.lower for p in parts), max(p.upper for p in parts))
    if isinstance(expr, sympy.Min):
        return ValueRanges(min(p.lower for p in parts), min(p.upper for p in parts))
    if isinstance(expr, IntTrueDiv) and parts[0].lower >= 0 and parts[1].lower > 0:
        return ValueRanges(0, int_oo)
    for kind, function in _MONOTONE.items():
        if isinstance(expr, kind):
            ends = [x if math.isinf(x) else function(x) for x in (parts[0].lower, parts[0].upper)]
            return ValueRanges(*ends)
    return ValueRanges.unknown()
