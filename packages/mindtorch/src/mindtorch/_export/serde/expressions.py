"""Expressions of sizes in files: written as sympy represents them; nothing is run to read them."""

from __future__ import annotations

import ast
from typing import Any

import sympy

from ..._subclasses.fake_tensor import FakeTensorMode
from ..._subclasses.symbolic_layout import Symbols
from ...aten.symbolic_numbers import of_node
from ...fx.experimental._shape_env import ShapeEnv
from ...fx.experimental.sym_node import SymNode
from ...utils._sympy import functions
from ...utils._sympy.numbers import int_oo
from ...utils._sympy.value_ranges import ValueRanges

__all__ = ["Expressions", "written"]

_FUNCTIONS: dict[str, Any] = {
    **{
        name: getattr(sympy, name)
        for name in "Add Mul Pow Max Min And Or Not Equality Unequality LessThan StrictLessThan "
        "GreaterThan StrictGreaterThan".split()
    },
    **{
        name: getattr(functions, name)
        for name in "FloorDiv Mod PythonMod IntTrueDiv FloatTrueDiv FloatPow ToFloat CeilToInt "
        "FloorToInt TruncToInt RoundToInt Where".split()
    },
}
_ASSUMED = ("positive", "integer", "real", "nonnegative")
#: Of numbers, others may take for ever.
_EXPONENTS = [[sympy.Integer(n)] for n in range(-4, 9)]
#: Deeper expressions are not read.
_DEPTH = 50


def written(value: Any) -> Any:
    """What a file says of a symbolic number."""
    expr = value.node.expr
    kind = f"as_{value.node.pytype.__name__}"
    if expr.is_number:
        return {kind: value.node.pytype(expr)}
    hint = value.node.hint
    known = None if hint is None else {kind: hint}
    return {"as_expr": {"expr_str": sympy.srepr(expr), "hint": known}}


class Expressions:
    """The symbols of a program that is read."""

    def __init__(self) -> None:
        self.env = ShapeEnv()
        self.mode = FakeTensorMode(shape_env=self.env, static_shapes=True)
        self._known: dict[str, Any] = {}

    def number(self, said: Any, pytype: type = int) -> Any:
        """A number of which a file says *said*."""
        kind, value = next(iter(said.items()))
        if kind != "as_expr":
            return value
        text = value["expr_str"]
        expr = self._known.get(text)
        if expr is None:
            expr = self._known[text] = _read(text)
        if expr.is_Symbol and value["hint"]:
            hint = next(iter(value["hint"].values()))
            self.env.backed_var_to_val.setdefault(expr, sympy.sympify(hint))
        for symbol in expr.free_symbols:
            self.env.var_to_range.setdefault(symbol, ValueRanges(2, int_oo))
        return of_node(SymNode(expr, self.env, pytype))

    def look(self, fake: Any, sizes: list[Any], strides: list[Any]) -> None:
        """Give a fake tensor the sizes and strides of which a file says these."""
        fake.symbols = Symbols(tuple(map(self.number, sizes)), tuple(map(self.number, strides)))

    def ranges(self, said: dict[str, Any]) -> dict[Any, ValueRanges]:
        """The ranges of expressions, by them."""
        exprs = {str(expr): expr for expr in self._known.values()}
        exprs |= {str(s): s for expr in self._known.values() for s in expr.free_symbols}
        found = {}
        for text, limits in said.items():
            low, high = limits["min_val"], limits["max_val"]
            limit = ValueRanges(-int_oo if low is None else low, int_oo if high is None else high)
            expr = exprs.get(
                text, sympy.Symbol(text, integer=True) if text.isidentifier() else None
            )
            if expr is None:
                continue
            found[expr] = limit
            if expr in self.env.var_to_range:
                self.env.var_to_range[expr] = limit
        return found


def _read(text: str) -> Any:
    try:
        return _parsed(ast.parse(text, mode="eval").body, 0)
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError, RecursionError) as error:
        raise RuntimeError(f"torch.export.load: the file holds {text[:100]!r}: {error}") from None


def _parsed(node: ast.AST, depth: int) -> Any:
    """The expression that sympy represents so. Raises RuntimeError for anything else."""
    if depth < _DEPTH and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name == "Symbol" and len(node.args) == 1:
            told = {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg in _ASSUMED}
            return sympy.Symbol(str(ast.literal_eval(node.args[0])), **told)
        if name == "Integer" and len(node.args) == 1:
            return sympy.Integer(int(ast.literal_eval(node.args[0])))
        if name == "Rational" and len(node.args) == 2:
            return sympy.Rational(*(int(ast.literal_eval(arg)) for arg in node.args))
        if name == "Float" and node.args:
            return sympy.Float(str(ast.literal_eval(node.args[0])))
        if name in _FUNCTIONS:
            parts = [_parsed(arg, depth + 1) for arg in node.args]
            if name != "Pow" or parts[1:] in _EXPONENTS:
                return _FUNCTIONS[name](*parts)
    raise RuntimeError("torch.export.load: the file holds an expression that is none of sizes")
