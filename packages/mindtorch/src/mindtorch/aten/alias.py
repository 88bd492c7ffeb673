"""Second names of ops (``absolute``, ``multiply``, …), each an op of its own, as in torch.

An alias decomposes into the op it stands for: the functional, in-place and ``out=`` overloads of
the one into those of the other. The families that define them are imported first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.dispatch_entry import OVERLOADS, run
from ..call.overload import inplace_schema, out_schema
from ..call.row import ROWS, Row, op
from . import (  # noqa: F401  (what is named again)
    binary,
    clamp,
    comparison,
    division,
    pointwise,
    rounding,
    signs,
    special_functions,
    ternary,
    unary,
)

__all__: list[str] = []

ALIASES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "clip": "clamp",
    "divide": "div",
    "fix": "trunc",
    "greater": "gt",
    "greater_equal": "ge",
    "less": "lt",
    "less_equal": "le",
    "multiply": "mul",
    "negative": "neg",
    "not_equal": "ne",
    "subtract": "sub",
    "true_divide": "div",
}


def _calling(name: str) -> Callable[..., Any]:
    def composite(*args: Any) -> Any:
        return run(OVERLOADS[name], args)

    return composite


def _also(row: Row) -> str:
    """What a second name of *row*'s op does."""
    says = row.says.partition("\n\n")[0]
    return f"{says} Another name of :func:`{row.base}`." if says else ""


def _alias(row: Row, alias: str) -> None:
    forms = [row.schema]
    if row.inplace:
        forms.append(inplace_schema(row))
    if row.out and row.variants:
        forms.append(out_schema(row))
    for form in forms:
        head, paren, rest = form.partition("(")
        base, dot, overload = head.partition(".")
        renamed = alias + ("_" if base.endswith("_") else "")
        if f"{renamed}{dot}{overload}" in ROWS:
            continue
        op(
            f"{renamed}{dot}{overload}{paren}{rest}",
            says=_also(row),
            composite=_calling(f"aten::{head}"),
            # Where the op takes numbers as tensors, its second name has an overload for them.
            variants=row.variants or "function, method",
            samples=row.samples if form is row.schema else "",
            tags=("alias", *(tag for tag in row.tags if tag == "takes_numbers")),
        )


for _name, _of in ALIASES.items():
    _rows = [r for r in ROWS.values() if r.base == _of and "(a!)" not in r.schema]
    assert _rows, f"{_name}: {_of} is not defined by any family imported above"
    for _row in _rows:
        if _name == "true_divide" and _row.overload.endswith("_mode"):
            continue  # torch has none
        _alias(_row, _name)
