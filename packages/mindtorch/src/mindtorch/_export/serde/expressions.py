"""Expressions of sizes in files: written as sympy represents them; nothing is run to read them."""

from __future__ import annotations

import ast
from typing import Any

import sympy

from ..._subclasses.fake_tensor import FakeTensorMode
from ..._subclasses.symbolic_layout import Symbols
from ...aten.symbolic_numbers import SymInt, of_node
from ...fx import Node
from ...fx.experimental._shape_env import ShapeEnv
from ...fx.experimental._unbacked_bindings import bindings_of
from ...fx.experimental.sym_node import SymNode
from ...utils._sympy import functions
from ...utils._sympy.numbers import int_oo
from ...utils._sympy.symbol import SymT, symbol_is_type
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
    """The symbols of a program that is read.

    :param limits: what the file says of their ranges, by their names.
    """

    def __init__(self, limits: dict[str, Any]) -> None:
        self._limits = {name: _range(said) for name, said in limits.items()}
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
        for symbol in sorted(expr.free_symbols - self.env.var_to_range.keys(), key=str):
            self._meet(symbol)
        return of_node(SymNode(expr, self.env, pytype))

    def _meet(self, symbol: Any) -> None:
        """Know a symbol that the file did not name before."""
        if symbol_is_type(symbol, SymT.UNBACKED_FLOAT):
            self.env.add_unbacked(symbol, -sympy.oo, sympy.oo)
        elif symbol_is_type(symbol, SymT.UNBACKED_INT):
            known = self._limits.get(symbol.name, _range({"min_val": None, "max_val": None}))
            self.env.add_unbacked(symbol, known.lower, known.upper)
        else:
            self.env.var_to_range[symbol] = ValueRanges(2, int_oo)

    def layout(self, meta: dict[str, Any]) -> Symbols:
        """The layout of a tensor of which a file says *meta*."""
        sizes, strides = (tuple(map(self.number, meta[key])) for key in ("sizes", "strides"))
        offset = self.number(meta["storage_offset"])
        return Symbols(sizes, strides, offset if isinstance(offset, SymInt) else None)

    def bind(self, node: Node) -> None:
        """Let *node* know which symbols it makes: those that its value is the first to have."""
        pending = self.env.pending_fresh_unbacked_symbols
        found = bindings_of(self.env, node.meta["val"], peek=True) if pending else None
        if found:
            node.meta["unbacked_bindings"] = found
            pending[:] = [symbol for symbol in pending if symbol not in found]

    def ranges(self) -> dict[Any, ValueRanges]:
        """The ranges of expressions, by them."""
        exprs = {str(expr): expr for expr in self._known.values()}
        exprs |= {str(s): s for expr in self._known.values() for s in expr.free_symbols}
        found = {}
        for text, limit in self._limits.items():
            expr = exprs.get(text)
            if expr is None and text.isidentifier():
                expr = sympy.Symbol(text, integer=True)
                if symbol_is_type(expr, (SymT.UNBACKED_INT, SymT.UNBACKED_FLOAT)):
                    continue  # no value of the program has it
            if expr is None:
                continue
            found[expr] = limit
            if expr in self.env.var_to_range:
                self.env.var_to_range[expr] = limit
        return found


def _range(said: dict[str, Any]) -> ValueRanges:
    low, high = said["min_val"], said["max_val"]
    return ValueRanges(-int_oo if low is None else low, int_oo if high is None else high)


def _read(text: str) -> Any:
    try:
        return _parsed(ast.parse(text, mode="eval").body, 0)
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError, RecursionError) as error:
        raise RuntimeError(f"torch.export.load: the file holds {text[:100]!r}: {error}") from None


def _parsed(node: ast.AST, depth: int) -> Any:
    """The expression that sympy represents so. Raises RuntimeError for anything else."""
    if depth < _DEPTH and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name == "Piecewise":
            pairs = [part.args for part in node.args if isinstance(part, ast.Call)]
            return sympy.Piecewise(*([_parsed(part, depth + 1) for part in pair] for pair in pairs))
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
    if isinstance(node, ast.Name) and node.id in ("true", "false"):
        return sympy.true if node.id == "true" else sympy.false
    raise RuntimeError("torch.export.load: the file holds an expression that is none of sizes")
