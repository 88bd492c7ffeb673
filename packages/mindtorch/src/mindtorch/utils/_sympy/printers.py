"""``torch.utils._sympy.printers``: expressions of sizes as code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy.printing.precedence import PRECEDENCE, precedence
from sympy.printing.str import StrPrinter

__all__ = ["PythonPrinter", "python_text"]


#: What binds less than atoms do is put into parentheses.
_BELOW_ATOMS = PRECEDENCE["Atom"] - 0.5


class PythonPrinter(StrPrinter):
    """Prints expressions as Python's code."""

    printmethod = "_pythonstr"

    def __init__(self, names: Mapping[Any, str] | None = None) -> None:
        super().__init__()
        self.names = names or {}

    def _print_Symbol(self, expr: Any) -> str:
        return self.names.get(expr, expr.name)

    def _infix(self, expr: Any, sign: str) -> str:
        return f" {sign} ".join(self.parenthesize(arg, _BELOW_ATOMS) for arg in expr.args)

    def _print_FloorDiv(self, expr: Any) -> str:
        return self._infix(expr, "//")

    def _print_Mod(self, expr: Any) -> str:
        return self._infix(expr, "%")

    _print_PythonMod = _print_Mod

    def _print_IntTrueDiv(self, expr: Any) -> str:
        return self._infix(expr, "/")

    _print_FloatTrueDiv = _print_IntTrueDiv

    def _print_ToFloat(self, expr: Any) -> str:
        return f"float({self._print(expr.args[0])})"

    def _print_Max(self, expr: Any) -> str:
        return f"max({', '.join(map(self._print, expr.args))})"

    def _print_Min(self, expr: Any) -> str:
        return f"min({', '.join(map(self._print, expr.args))})"

    def _print_Add(self, expr: Any, order: Any = None) -> str:
        return " + ".join(self.parenthesize(arg, precedence(expr)) for arg in expr.args)

    def _print_Mul(self, expr: Any) -> str:
        return "*".join(self.parenthesize(arg, precedence(expr)) for arg in expr.args)

    def _print_Integer(self, expr: Any) -> str:
        return str(int(expr)) if expr >= 0 else f"({int(expr)})"

    def _print_Relational(self, expr: Any) -> str:
        left, right = (self.parenthesize(side, _BELOW_ATOMS) for side in (expr.lhs, expr.rhs))
        return f"{left} {expr.rel_op} {right}"

    def _print_And(self, expr: Any) -> str:
        return " and ".join(self.parenthesize(arg, PRECEDENCE["And"]) for arg in expr.args)

    def _print_Or(self, expr: Any) -> str:
        return " or ".join(self.parenthesize(arg, PRECEDENCE["Or"]) for arg in expr.args)

    def _print_Not(self, expr: Any) -> str:
        return f"not ({self._print(expr.args[0])})"


def python_text(expr: Any, names: Mapping[Any, str]) -> str:
    """*expr* as Python's code, with *names* for symbols."""
    return str(PythonPrinter(names).doprint(expr))
