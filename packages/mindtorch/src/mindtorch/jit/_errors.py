"""Errors of scripts, with the lines of the source that they come from.

Source: torch/csrc/jit/runtime/interpreter.cpp, handleError; frontend/source_range.cpp.
"""

from __future__ import annotations

import ast
from types import TracebackType

from ..core.module_names import living_in

__all__ = ["Error", "ScriptError", "interpreter_text", "told_by_script"]

#: The name in the globals of a script under which the texts of its source files are.
SOURCES = "__sources__"
_FAILED = "The following operation failed in the TorchScript interpreter.\n"
#: Lines that are shown before and after the one that failed.
_AROUND = 2


class Error(Exception):
    """An error that a script raised."""


living_in(__name__.rpartition(".")[0], Error)


class ScriptError(Exception):
    """A ``raise`` of a script; *qualified_name* is that of the class in Python."""

    def __init__(self, message: str, qualified_name: str) -> None:
        super().__init__(message)
        self.qualified_name = qualified_name


def interpreter_text(error: BaseException) -> str:
    """What the interpreter says of an error: where in the source it came up, and its own text."""
    frames = "".join(_frames(error.__traceback__))
    name = error.qualified_name if isinstance(error, ScriptError) else ""
    return (
        _FAILED + "Traceback of TorchScript, serialized code (most recent call last):\n"
        f"{frames}\n{name or 'RuntimeError'}: {error}\n"
    )


def told_by_script(error: Exception) -> str:
    """The text of *error*, which has no type outside of the script that raised it."""
    kind = type(error)
    return f"{_FAILED}{kind.__module__}.{kind.__qualname__}: {error}\n"


def _frames(traceback: TracebackType | None) -> list[str]:
    found = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        source = traceback.tb_frame.f_globals.get(SOURCES, {}).get(code.co_filename)
        if source is not None:
            place = list(code.co_positions())[traceback.tb_lasti // 2]
            found.append(_frame(code.co_filename, code.co_name, source, place))
        traceback = traceback.tb_next
    return found


def _frame(
    file: str, name: str, source: str, place: tuple[int | None, int | None, int | None, int | None]
) -> str:
    lines = source.splitlines()
    line, _, start, end = (each or 0 for each in place)
    shown = [f'  File "{file}", line {line}, in {name}']
    shown += lines[max(0, line - 1 - _AROUND) : line]
    width = max(1, _called(lines[line - 1][start:end]))
    shown.append(" " * start + "~" * width + " <--- HERE")
    shown += lines[line : line + _AROUND]
    return "\n".join(shown) + "\n"


def _called(expression: str) -> int:
    """How long the part of a call is that says what is called; else the whole."""
    try:
        tree = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return len(expression)
    return tree.func.end_col_offset or 0 if isinstance(tree, ast.Call) else len(expression)
