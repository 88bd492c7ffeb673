"""What is known of an expression of sizes: by ranges of its symbols, and by what was assumed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sympy

from ...utils._sympy.functions import FloorDiv, Mod
from ...utils._sympy.solve import try_solve
from ...utils._sympy.value_ranges import ValueRanges, bound_sympy

__all__ = ["known_truth", "matters", "whole"]


_FAR = 1 << 61


def whole(expr: Any) -> Any:
    """*expr* if all of it is whole numbers; None otherwise."""
    return expr if all(part.is_integer for part in sympy.preorder_traversal(expr)) else None


def known_truth(
    expr: Any, ranges: Mapping[Any, ValueRanges], axioms: Collection[Any]
) -> bool | None:
    """Whether *expr* is true whatever the sizes; None where that depends on them."""
    if expr in (sympy.true, sympy.false):
        return bool(expr)
    if expr in axioms:
        return True
    if isinstance(expr, sympy.Not):
        inner = known_truth(expr.args[0], ranges, axioms)
        return None if inner is None else not inner
    if isinstance(expr, (sympy.And, sympy.Or)):
        return _of_several(expr, ranges, axioms)
    if not isinstance(expr, sympy.Rel):
        return None
    if expr.negated in axioms:
        return False
    difference = sympy.expand(expr.lhs - expr.rhs)
    constant = difference.as_coeff_Add()[0]
    if abs(constant) >= _FAR:  # no size is as large, nor is a number of elements
        return _of_range(expr, ValueRanges(constant, constant))
    if difference.has(sympy.nan, sympy.zoo):
        return None
    return _of_range(expr, _range(difference, ranges))


def _of_several(expr: Any, ranges: Any, axioms: Any) -> bool | None:
    found = [known_truth(arg, ranges, axioms) for arg in expr.args]
    decisive = isinstance(expr, sympy.Or)
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def _range(difference: Any, ranges: Mapping[Any, ValueRanges]) -> ValueRanges:
    """The range of a difference, with symbols counted from the least that they can be.

    That says more of ``a * b - a`` than the ranges of its terms do.
    """
    found = bound_sympy(difference, ranges)
    if not difference.has(sympy.Mul) or difference.has(FloorDiv, Mod):
        return found
    counted, shifted = {}, {}
    for symbol in difference.free_symbols:
        known = ranges.get(symbol)
        if known is None or not known.is_int or known.lower == float("-inf"):
            return found
        above = sympy.Dummy(integer=True, nonnegative=True)
        counted[symbol] = above + known.lower
        shifted[above] = ValueRanges(0, known.upper - known.lower)
    return found & bound_sympy(sympy.expand(difference.xreplace(counted)), shifted)


def _of_range(expr: Any, found: ValueRanges) -> bool | None:
    """The truth of a relation whose sides differ by a number in *found*."""
    low, high = found.lower, found.upper
    if isinstance(expr, (sympy.Eq, sympy.Ne)):
        if low > 0 or high < 0:
            return isinstance(expr, sympy.Ne)
        return isinstance(expr, sympy.Eq) if low == high == 0 else None
    if isinstance(expr, sympy.Lt):
        return True if high < 0 else False if low >= 0 else None
    if isinstance(expr, sympy.Le):
        return True if high <= 0 else False if low > 0 else None
    if isinstance(expr, sympy.Gt):
        return True if low > 0 else False if high <= 0 else None
    return True if low >= 0 else False if high < 0 else None


def matters(expr: Any) -> bool:
    """Whether what an operator asked is needed for its result to look as it does.

    That sizes are equal is, and that one is large enough. All else chooses among kernels, or among
    layouts that do the same.
    """
    if isinstance(expr, (sympy.Ne, sympy.Not, sympy.Or)):
        return False
    if not isinstance(expr, sympy.Rel) or isinstance(expr, sympy.Eq):
        return True
    if len(expr.free_symbols) != 1:
        return False
    solved = try_solve(expr, next(iter(expr.free_symbols)))
    return solved is not None and isinstance(solved[0], (sympy.Ge, sympy.Gt))
