"""``torch.utils._sympy.functions``: what is computed of sizes, as functions of sympy.

Sizes are not negative where it matters, and divisors are not zero.
"""

from __future__ import annotations

import math
from typing import Any

import sympy
from sympy.core.function import Function
from sympy.printing.precedence import PRECEDENCE

__all__ = [
    "CeilToInt",
    "FloatPow",
    "FloorDiv",
    "FloorToInt",
    "IntTrueDiv",
    "Max",
    "Min",
    "Mod",
    "PythonMod",
    "RoundToInt",
    "ToFloat",
    "TruncToInt",
    "Where",
]

Max, Min = sympy.Max, sympy.Min


class FloorDiv(Function):
    """Division of whole numbers, rounded down."""

    nargs = (2,)
    precedence = 35
    is_integer = True

    @property
    def base(self) -> Any:
        """What is divided."""
        return self.args[0]

    @property
    def divisor(self) -> Any:
        """What it is divided by."""
        return self.args[1]

    def _sympystr(self, printer: Any) -> str:
        base = printer.parenthesize(self.base, PRECEDENCE["Atom"] - 0.5)
        divisor = printer.parenthesize(self.divisor, PRECEDENCE["Atom"] - 0.5)
        return f"({base}//{divisor})"

    @classmethod
    def eval(cls, base: Any, divisor: Any) -> Any:
        """The quotient in a simpler form; None if there is none. Raises ZeroDivisionError."""
        if divisor.is_zero:
            raise ZeroDivisionError("integer division or modulo by zero")
        if base.is_zero:
            return sympy.S.Zero
        if base.is_integer and divisor == 1:
            return base
        if isinstance(base, sympy.Integer) and isinstance(divisor, sympy.Integer):
            return sympy.Integer(int(base) // int(divisor))
        if isinstance(base, FloorDiv):
            return FloorDiv(base.args[0], base.args[1] * divisor)
        whole = [t for t in sympy.Add.make_args(base) if (t / divisor).is_integer]
        if whole:
            quotient = sympy.Add(*[t / divisor for t in whole])
            return FloorDiv(base - sympy.Add(*whole), divisor) + quotient
        common = sympy.gcd(base, divisor)
        if common != 1 and not common.has(sympy.Rational(1, 2)):
            return FloorDiv(sympy.simplify(base / common), sympy.simplify(divisor / common))
        return None


class Mod(Function):
    """The remainder of numbers that are not negative."""

    nargs = (2,)
    precedence = 35
    is_integer = True
    is_nonnegative = True

    @classmethod
    def eval(cls, p: Any, q: Any) -> Any:
        """The remainder in a simpler form; None if there is none. Raises ZeroDivisionError."""
        if q.is_zero:
            raise ZeroDivisionError("integer division or modulo by zero")
        if p.is_zero or p == q or q == 1 or p == -q:
            return sympy.S.Zero
        if q.is_Number and p.is_Number:
            return p % q
        if q.is_Number and q == 2 and (p.is_even or p.is_odd):
            return sympy.S.Zero if p.is_even else sympy.S.One
        if (p / q).is_integer:
            return sympy.S.Zero
        if isinstance(q, sympy.Integer) and p.is_Add:
            kept = sympy.Add(*[t for t in p.args if not (t / q).is_integer])
            if kept != p and (kept.is_Number or kept.is_nonnegative):
                return Mod(kept, q)
        return None


class PythonMod(Mod):
    """The remainder as Python has it, also of negative numbers."""


class _TrueDiv(Function):
    is_real = True
    #: What operands are before they are divided.
    kind: type[int] | type[float]

    @classmethod
    def eval(cls, base: Any, divisor: Any) -> Any:
        """The quotient of numbers; None of symbols. Raises ZeroDivisionError."""
        if divisor.is_zero:
            raise ZeroDivisionError("division by zero")
        if base.is_Number and divisor.is_Number:
            return sympy.Float(cls.kind(base) / cls.kind(divisor))
        return None


class IntTrueDiv(_TrueDiv):
    """Division of whole numbers as Python's ``/``."""

    kind = int


class FloatTrueDiv(_TrueDiv):
    """Division of floats."""

    kind = float


class FloatPow(Function):
    """A power of floats."""

    is_real = True

    @classmethod
    def eval(cls, base: Any, exponent: Any) -> Any:
        """The power of numbers; None of symbols."""
        if base.is_Number and exponent.is_Number:
            return sympy.Float(float(base) ** float(exponent))
        return None


class ToFloat(Function):
    """A whole number as a float."""

    is_real = True

    @classmethod
    def eval(cls, number: Any) -> Any:
        """The float of a number; None of symbols."""
        return sympy.Float(int(number)) if number.is_Number else None


def _to_int(name: str, function: Any) -> type[Function]:
    @classmethod  # type: ignore[misc]  # of the class that is made here
    def evaluate(cls: Any, number: Any) -> Any:
        if number.is_integer:
            return number
        if number.is_Number:
            return sympy.Integer(function(float(number)))
        if isinstance(number, ToFloat):
            return number.args[0]
        return None

    said = {"is_integer": True, "eval": evaluate, "__doc__": "A float as a whole number."}
    return type(name, (Function,), {**said, "__module__": __name__})


CeilToInt: Any = _to_int("CeilToInt", math.ceil)
FloorToInt: Any = _to_int("FloorToInt", math.floor)
TruncToInt: Any = _to_int("TruncToInt", math.trunc)
RoundToInt: Any = _to_int("RoundToInt", round)


class Where(Function):
    """The second of three values where the first is true, else the third."""

    nargs = (3,)
    precedence = 35

    @classmethod
    def eval(cls, condition: Any, first: Any, second: Any) -> Any:
        """The value that is known; None if the condition is not."""
        if condition == sympy.true:
            return first
        return second if condition == sympy.false else None


def opaque(name: str) -> type[Function]:
    """The function *name* of Python's math, of one float."""
    found = _OPAQUE.get(name)
    if found is None:
        function = getattr(math, name)

        @classmethod  # type: ignore[misc]  # of the class that is made here
        def evaluate(cls: Any, number: Any) -> Any:
            return sympy.Float(function(float(number))) if number.is_Number else None

        said = {"is_real": True, "eval": evaluate, "__module__": __name__}
        found = _OPAQUE[name] = type(f"OpaqueUnaryFn_{name}", (Function,), said)
    return found


_OPAQUE: dict[str, type[Function]] = {}
