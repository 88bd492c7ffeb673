"""The text of a function without branches: line after line, and no line that is not needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..call.code import function
from .stand_in import DROPPED

__all__ = ["StraightLineCode"]

_WORD: Final = re.compile(r"[A-Za-z_]\w*")


class StraightLineCode:
    """Lines that are noted one by one.

    :ivar lines: the lines so far, each with what it makes; nothing: it is never left out; DROPPED:
        the name in it is dropped, if a line has made it.
    :ivar cells: the names in them of what is made elsewhere.
    """

    def __init__(self, cells: Mapping[str, Any]) -> None:
        self.lines: list[tuple[str, str]] = []
        self.cells: dict[str, Any] = {**cells}
        self._count = 0

    def name(self, letter: str) -> str:
        """A new name that begins with *letter*."""
        self._count += 1
        return f"{letter}_{self._count}"

    def cell(self, letter: str, value: Any) -> str:
        """A name for *value*."""
        for known, other in self.cells.items():
            if other is value and known[0] == letter:
                return known
        name = self.name(letter)
        self.cells[name] = value
        return name

    def put(self, target: str, text: str) -> str:
        """Note that *target* is *text*; *target* again. Left out if nothing needs it."""
        self.lines.append((target, f"{target} = {text}"))
        return target

    def values(self, letter: str, text: str, result: Any) -> list[str]:
        """Note that *text* gives what *result* is; names of its members. Left out if not needed."""
        if type(result) not in (tuple, list):
            return [self.put(self.name(letter), text)]
        names = [self.name(letter) for _ in result]
        joined = ", ".join(names)
        self.lines.append((joined, f"{joined}, = {text}" if names else text))
        return names

    def constant(self, value: Any) -> str:
        """The text of a plain value."""
        if value is None or value is True or value is False:
            return str(value)
        return self.cell("k", value)

    def needed(self, result: str) -> list[str]:
        """The lines that were noted, without those that are not needed for *result*."""
        needed = set(_WORD.findall(result))
        kept = []
        for target, text in reversed(self.lines):
            if target is DROPPED:
                kept.append((target, text))
            elif not target or not needed.isdisjoint(target.split(", ")):
                needed.update(_WORD.findall(text))
                kept.append((target, text))
        made: set[str] = set()
        lines = []
        for target, text in reversed(kept):
            if target is not DROPPED:
                made.update(target.split(", "))
                lines.append(text)
            elif text in made:
                lines.append(f"del {text}")
        return lines

    def compiled(self, parameters: str, result: str) -> Callable[..., Any]:
        """The function whose lines were noted, which returns *result*."""
        lines = [*self.needed(result), f"return {result}"]
        body = [f"    {line}" for line in lines]
        text = "\n".join([f"def plan({parameters}):", *body, "return plan"])
        made: Callable[..., Any] = function(text, self.cells)
        return made
