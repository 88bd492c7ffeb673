"""Errors for syntax that scripts have not, as ``torch.jit.frontend`` raises them."""

from __future__ import annotations

import ast
from typing import Any

from ._source_range import Source
from .frontend import NotSupportedError, UnsupportedNodeError

__all__ = ["not_supported", "unsupported"]

#: The words in which torch names a node, where that is not the class's name.
_WORDS = {
    "FunctionDef": "function definitions", "AsyncFunctionDef": "async function definitions",
    "ClassDef": "class definitions", "Try": "try blocks", "Import": "import statements",
    "ImportFrom": "import statements", "Global": "global variables",
    "Nonlocal": "nonlocal variables", "AsyncFor": "async for loops",
    "AsyncWith": "async with statements", "Delete": "del statements",
}  # fmt: skip


def unsupported(source: Source, node: ast.AST, reason: str = "") -> UnsupportedNodeError:
    """The error for a node that scripts have not."""
    if isinstance(node, ast.Expr):
        node = node.value
    where = source.range_of(node)
    name = _WORDS.get(type(node).__name__, type(node).__name__)
    text = reason or f"{name} aren't supported"
    length = 1
    if isinstance(node, ast.stmt):
        first = source.text.splitlines()[where.line - 1][where.column :]
        length = len(first) - len(first.lstrip("abcdefghijklmnopqrstuvwxyz")) or 1
    where = where._replace(end_line=where.line, end_column=where.column + length)
    return UnsupportedNodeError(where, text)


def not_supported(source: Source, node: Any, text: str) -> NotSupportedError:
    """The error for what scripts do not have: *node* may be arguments that vary."""
    if isinstance(node, ast.stmt):
        where = unsupported(source, node).source_range
        return NotSupportedError(where, text)
    where = source.range_of(node)
    if isinstance(node, ast.arguments):
        rest: Any = node.vararg or node.kwarg
        stars = 1 if node.vararg else 2
        where = source.range_of(rest)
        where = where._replace(column=where.column - stars)
    return NotSupportedError(where, text)
