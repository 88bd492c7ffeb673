"""Sizes that follow from a symbol which is no size itself: how one follows from another."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import sympy

from ..utils._sympy.printers import python_text
from ..utils._sympy.solve import try_solve

__all__ = ["related"]


def related(sizes: Iterable[tuple[str, str, Any]]) -> Iterator[tuple[str, str]]:
    """Conditions as code and as text.

    :param sizes: the code that gives each size, what it is called, and its expression.
    """
    that, this = sympy.symbols("that this", integer=True)
    solved: dict[Any, tuple[Any, str, str]] = {}
    for code, name, expr in sizes:
        symbol = next(iter(expr.free_symbols))
        if symbol not in solved:
            found = try_solve(sympy.Eq(expr, this, evaluate=False), symbol)
            if found is not None:
                solved[symbol] = found[1], code, name
            continue
        definition, other_code, other_name = solved[symbol]
        relation = sympy.Eq(expr.subs({symbol: definition}), that)
        shown = python_text(relation, {this: other_name, that: name})
        actual = python_text(relation, {this: other_code, that: code})
        yield actual, ast.unparse(ast.parse(shown, mode="eval"))
