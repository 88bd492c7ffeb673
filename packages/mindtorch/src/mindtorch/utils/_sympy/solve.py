"""``torch.utils._sympy.solve``: a relation of sizes with one of them alone on the left."""

from __future__ import annotations

from typing import Any

import sympy

from .functions import FloorDiv, Mod

__all__ = ["mirror_rel_op", "try_solve"]

_MIRRORED = {
    sympy.Eq: sympy.Eq, sympy.Ne: sympy.Ne, sympy.Ge: sympy.Le,
    sympy.Gt: sympy.Lt, sympy.Le: sympy.Ge, sympy.Lt: sympy.Gt,
}  # fmt: skip


def mirror_rel_op(kind: Any) -> Any:
    """The relation with its sides changed."""
    return _MIRRORED.get(kind)


def try_solve(
    expr: Any, thing: Any, trials: int = 5, floordiv_inequality: bool = True
) -> tuple[Any, Any] | None:
    """``(relation, right side)`` with *thing* alone on the left; None if that cannot be.

    :param floordiv_inequality: take floor divisions apart, too.
    """
    kind = type(expr)
    if kind not in _MIRRORED:
        return None
    if expr.lhs == thing and not expr.rhs.has(thing):
        return expr, expr.rhs
    found = None
    for _ in range(trials):
        left, right = expr.lhs, expr.rhs
        if right.has(thing) and not left.has(thing):
            left, right, kind = right, left, _MIRRORED[kind]
        if right.has(thing):
            left, right = left - right, sympy.S.Zero
            left = sympy.expand(left)
        moved = _step(left, right, kind, thing, floordiv_inequality)
        if moved is None:
            break
        left, right, kind = moved
        if left == thing:
            found = (kind(left, right, evaluate=False), right)
            break
        expr = kind(left, right, evaluate=False)
    return found


def _step(left: Any, right: Any, kind: Any, thing: Any, floordiv: bool) -> Any:
    """One move of what is beside *thing* to the right; None if there is none."""
    if left == thing:
        return left, right, kind
    if left.is_Add:
        kept = [a for a in left.args if a.has(thing)]
        moved = sympy.Add(*[a for a in left.args if not a.has(thing)])
        if len(kept) == len(left.args):
            return None
        return sympy.Add(*kept), right - moved, kind
    if left.is_Mul:
        kept = [a for a in left.args if a.has(thing)]
        factor = sympy.Mul(*[a for a in left.args if not a.has(thing)])
        if len(kept) == len(left.args) or factor.is_zero is not False:
            return None
        if kind not in (sympy.Eq, sympy.Ne):
            if factor.is_negative:
                kind = _MIRRORED[kind]
            elif not factor.is_positive:
                return None
        return sympy.Mul(*kept), right / factor, kind
    if isinstance(left, FloorDiv) and floordiv and left.divisor.is_positive:
        base, divisor = left.args
        if base.has(thing) and not divisor.has(thing) and right.is_integer:
            if kind in (sympy.Ge, sympy.Lt):
                return base, right * divisor, kind
            if kind in (sympy.Gt, sympy.Le):
                other = sympy.Ge if kind is sympy.Gt else sympy.Lt
                return base, (right + 1) * divisor, other
    if isinstance(left, Mod):
        return None
    return None
