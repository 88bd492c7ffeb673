"""Symbols that depend on data: how they come to be, and what is promised of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import count
from typing import Any

import sympy

from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt
from ...utils._sympy.numbers import int_oo
from ...utils._sympy.symbol import SymT, make_symbol
from ...utils._sympy.value_ranges import ValueRanges, bound_sympy
from ._representatives import Representatives
from ._symbolic_context import LARGEST_SIZE, RuntimeAssert
from .sym_node import SymNode

__all__ = ["UnbackedSymbols", "canonicalize_bool_expr"]


class UnbackedSymbols:
    """A part of environments: their symbols without a value in this run."""

    var_to_range: dict[Any, ValueRanges]
    backed_var_to_val: dict[Any, Any]
    axioms: set[Any]
    replacements: dict[Any, Any]

    def __init__(self) -> None:
        #: What is checked in each run, by the last of its symbols that depend on data.
        self.deferred_runtime_asserts: dict[Any, list[RuntimeAssert]] = {}
        #: The symbols that no node of a graph is known to make yet.
        self.pending_fresh_unbacked_symbols: list[Any] = []
        self.size_like: set[Any] = set()
        #: The names that symbols have by now.
        self.renamed: dict[Any, Any] = {}
        self.representatives = Representatives(self)
        #: Whether there is a symbol that depends on data.
        self.depends_on_data = False
        self._unbacked = count()
        self._unbacked_floats = count()

    def create_unbacked_symint(self, source: Any = None) -> SymInt:
        """A whole number that depends on data."""
        symbol = make_symbol(SymT.UNBACKED_INT, next(self._unbacked), integer=True)
        return SymInt(SymNode(self.add_unbacked(symbol, -int_oo, int_oo), self, int))

    def create_unbacked_symfloat(self) -> SymFloat:
        """A float that depends on data."""
        symbol = make_symbol(SymT.UNBACKED_FLOAT, next(self._unbacked_floats), real=True)
        return SymFloat(SymNode(self.add_unbacked(symbol, -sympy.oo, sympy.oo), self, float))

    def create_unbacked_symbool(self) -> SymBool:
        """A truth that depends on data."""
        symbol = make_symbol(SymT.UNBACKED_INT, next(self._unbacked), integer=True)
        return SymBool(SymNode(sympy.Eq(self.add_unbacked(symbol, 0, 1), 1), self, bool))

    def add_unbacked(self, symbol: Any, low: Any, high: Any) -> Any:
        """A symbol that depends on data and is in a range."""
        self.depends_on_data = True
        self.var_to_range[symbol] = ValueRanges(low, high)
        self.pending_fresh_unbacked_symbols.append(symbol)
        return symbol

    def create_unbacked_size(self, most: Any = None) -> SymInt:
        """A size that depends on data.

        :param most: a number that it does not exceed; a symbol's greatest value counts.
        """
        made = self.create_unbacked_symint()
        limit: Any = int_oo if most is None else most
        if isinstance(most, SymInt):
            limit = min(bound_sympy(most.node.expr, self.var_to_range).upper, LARGEST_SIZE)
        self._constrain_range_for_size(made.node.expr, max=limit)
        return made

    @contextmanager
    def ignore_fresh_unbacked_symbols(self) -> Iterator[None]:
        """Inside, no node is to make the symbols that come to be."""
        before = len(self.pending_fresh_unbacked_symbols)
        try:
            yield
        finally:
            del self.pending_fresh_unbacked_symbols[before:]

    def make_same(self, new: Any, old: Any) -> None:
        """Let a symbol be another one, or a number, from now on: the same is known of both."""
        if new == old:
            return
        old = sympy.sympify(old)
        if old.is_Symbol and self.is_unbacked_symint(old):
            self.renamed[new] = old
            self.var_to_range[old] = self.var_to_range.get(old, self.var_to_range[new])
        self.replacements[new] = old

    def is_unbacked_symint(self, symbol: Any) -> bool:
        """Whether a symbol depends on data."""
        return symbol not in self.backed_var_to_val

    def unbacked_ranges(self) -> dict[Any, ValueRanges]:
        """The ranges of symbols that depend on data, in the order in which they were made."""
        return {s: r for s, r in self.var_to_range.items() if self.is_unbacked_symint(s)}

    def _constrain_range_for_size(
        self, a: Any, min: int | None = None, max: int | None = None
    ) -> None:
        """Let a symbol be a size. Raises ValueError where *max* is less than *min*."""
        low, high = 0 if min is None else min, int_oo if max is None else max
        if high < low:
            raise ValueError(
                "Maximum value to constrain_as_size can't be less than the specified min value, "
                f"received min={low} and max={high}"
            )
        self.constrain_symbol_range(a, low, high)
        self.size_like.add(a)

    def constrain_symbol_range(self, s: Any, compiler_min: Any, compiler_max: Any) -> None:
        """Let a symbol be between two numbers."""
        known = self.var_to_range.get(s, ValueRanges(-int_oo, int_oo))
        self.var_to_range[s] = known & ValueRanges(compiler_min, compiler_max)

    def _defer(self, expr: Any, msg: str) -> None:
        """Let *expr* be checked in each run, behind what makes the last of its symbols."""
        told = canonicalize_bool_expr(expr)
        symbols = [s for s in told.free_symbols if self.is_unbacked_symint(s)]
        last = max(symbols, key=_number_of, default=None)
        self.deferred_runtime_asserts.setdefault(last, []).append(RuntimeAssert(told, msg))


def _number_of(symbol: Any) -> tuple[int, str]:
    kind = symbol.name.rstrip("0123456789")
    return int(symbol.name[len(kind) :] or 0), kind


def canonicalize_bool_expr(expr: Any) -> Any:
    """A truth as ``<``, ``<=`` or an equation, without terms below zero and without a factor."""
    if isinstance(expr, sympy.Not):
        expr = sympy.logic.boolalg.to_cnf(expr)
    if isinstance(expr, (sympy.And, sympy.Or)):
        return type(expr)(*map(canonicalize_bool_expr, expr.args))
    if not isinstance(expr, sympy.Rel):
        return expr
    if isinstance(expr, (sympy.Gt, sympy.Ge)):
        expr = expr.reversed
    difference = expr.rhs - expr.lhs
    if difference.is_Number:
        return expr.func(0, difference, evaluate=False)
    terms = sympy.Add.make_args(difference)
    counts = [abs(term.as_coeff_Mul()[0]) for term in terms]
    factor = reduce(sympy.gcd, counts) if all(count.is_Integer for count in counts) else 1
    sides: tuple[list[Any], list[Any]] = ([], [])
    for term in terms:
        below = term.as_coeff_Mul()[0].is_negative
        sides[not below].append((-term if below else term) / factor)
    return expr.func(sympy.Add(*sides[0]), sympy.Add(*sides[1]), evaluate=False)
