"""Ops of which there is the schema alone: a library may name them as keys of a table of its own.

``declared.txt`` has them, a line each; a word before the schema is the ``torch._C`` module that has
the op's function, as in a row's ``module``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["Declared", "declared"]


class Declared(NamedTuple):
    """One overload."""

    schema: str
    module: str


@cache
def declared() -> dict[str, list[Declared]]:
    """The overloads by the name of their op."""
    found: dict[str, list[Declared]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            head, paren, rest = line.partition("(")
            module, _, name = head.rpartition(" ")
            one = Declared(name + paren + rest, module)
            found.setdefault(name.partition(".")[0], []).append(one)
    return found
