"""Places in the source of a program that is compiled, and errors that show them.

Source: torch/csrc/jit/frontend/source_range.cpp.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

__all__ = ["Source", "SourceRange", "compile_error"]

#: Lines of a program that an error shows before and after those that are wrong.
_AROUND = 2


class Source(NamedTuple):
    """The text of a function.

    :ivar indent: how many characters were taken off each line.
    """

    text: str
    file: str
    first_line: int
    indent: int = 0

    def range_of(self, node: ast.AST) -> SourceRange:
        """The place of *node*."""
        if isinstance(node, ast.Call):  # what is called says where the call is
            return self.range_of(node.func)
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end = getattr(node, "end_lineno", line) or line
        last = getattr(node, "end_col_offset", column + 1) or column + 1
        final = getattr(node, "value", None) if isinstance(node, ast.Return) else node
        if isinstance(final, ast.Constant) and isinstance(final.value, str):
            last = final.col_offset + len(final.value) + 1  # as torch counts a text
        return SourceRange(self, line, column, end, last)


class SourceRange(NamedTuple):
    """A part of a text: lines count from 1, columns from 0."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        line = self.source.first_line + self.line - 1
        return f"{self.source.file}:{line}:{self.column + self.source.indent}"

    def highlight(self) -> str:
        """The lines around the place, with a mark below it."""
        source = self.source
        lines = source.text.splitlines()
        shown = [f'  File "{source.file}", line {source.first_line + self.line - 1}']
        before = max(0, self.line - 1 - _AROUND)
        pad = " " * source.indent
        shown += [pad + text for text in lines[before : self.line - 1]]
        for number in range(self.line, self.end_line + 1):
            text = lines[number - 1]
            start = self.column if number == self.line else len(text) - len(text.lstrip())
            end = self.end_column if number == self.end_line else len(text)
            mark = pad + " " * start + "~" * max(1, end - start)
            shown += [pad + text, mark + (" <--- HERE" if number == self.end_line else "")]
        shown += [pad + text for text in lines[self.end_line : self.end_line + _AROUND]]
        return "\n".join(shown) + "\n"


def compile_error(where: SourceRange | None, text: str) -> RuntimeError:
    """The error for a program that has no meaning in a script."""
    shown = f":\n{where.highlight()}" if where is not None else ""
    return RuntimeError(f"\n{text}{shown}")
