"""What an elementwise row computes of one element of each operand: ``scalar`` of the row.

A text in Python's own syntax, so that :mod:`ast` reads it: ``"self + log1p(exp(other - self)) if
self > other else …"``. It may name the row's arguments, ``inf``, ``nan`` and ``pi``, and call
numpy's elementwise functions by their names, and those of :data:`SPECIAL`. It holds for real
numbers, computed in the dtype that the row's kernel computes in; an argument that is None, a bool
or a string is known before a loop is made, and may decide between expressions.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

__all__ = ["SPECIAL", "expression", "of_ufunc"]

#: Functions that numpy lacks, as ``scipy.special`` has them.
SPECIAL = ("erf", "erfc", "gammaln")
_CONSTANTS = ("inf", "nan", "pi", "None")
_OPERATORS: dict[Any, str] = {
    np.add: "{} + {}",
    np.subtract: "{} - {}",
    np.multiply: "{} * {}",
    np.divide: "{} / {}",
    np.negative: "-{}",
    np.equal: "{} == {}",
    np.not_equal: "{} != {}",
    np.less: "{} < {}",
    np.less_equal: "{} <= {}",
    np.greater: "{} > {}",
    np.greater_equal: "{} >= {}",
    np.bitwise_and: "{} & {}",
    np.bitwise_or: "{} | {}",
    np.bitwise_xor: "{} ^ {}",
    np.invert: "~{}",
}
_ALLOWED = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Call, ast.IfExp, ast.Compare),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
)


def of_ufunc(ufunc: Any, names: tuple[str, ...]) -> str:
    """The expression of a row whose ``ufunc`` is called with its tensors *names* alone."""
    if not isinstance(ufunc, np.ufunc):
        return ""
    operator = _OPERATORS.get(ufunc)
    return operator.format(*names) if operator else f"{ufunc.__name__}({', '.join(names)})"


def expression(row: Any) -> ast.Expression:
    """The row's ``scalar``, parsed. Raises ValueError for what is none."""
    tree = ast.parse(row.scalar, mode="eval")
    arguments = row.schema[row.schema.index("(") + 1 : row.schema.rindex(") -> ")]
    names = {piece.partition("=")[0].rpartition(" ")[2] for piece in arguments.split(", ")}
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise ValueError(f"{row.name}: no scalar expression has a {type(node).__name__}")
        if not isinstance(node, ast.Name):
            continue
        if node in called:
            known = node.id in SPECIAL or isinstance(getattr(np, node.id, None), np.ufunc)
        else:
            known = node.id in names or node.id in _CONSTANTS
        if not known:
            raise ValueError(f"{row.name}: {node.id} is no argument and no function")
    return tree
