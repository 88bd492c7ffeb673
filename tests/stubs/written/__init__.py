"""Hints written by hand, for what neither a row nor the source says.

``NAME.pyi`` beside this file is for the module of that name (``mindtorch.tensor.pyi``). What stands
there goes into the stub as it stands; of class ``Tensor``, member by member.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def fragments(module: str) -> dict[str, list[str]]:
    """The definitions that are written by hand for *module*: lines by name."""
    path = Path(__file__).with_name(f"{module}.pyi")
    if not path.exists():
        return {}
    text = path.read_text("utf-8")
    return of_body(ast.parse(text).body, text)


def of_body(body: list[ast.stmt], text: str) -> dict[str, list[str]]:
    """The statements of *body* as lines, by the names that they define."""
    found: dict[str, list[str]] = {}
    lines = text.splitlines()
    for statement in body:
        first = statement.lineno
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            name = statement.name
            first = min([first, *[d.lineno for d in statement.decorator_list]])
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
        else:
            continue
        found.setdefault(name, []).extend(lines[first - 1 : statement.end_lineno])
    return found
