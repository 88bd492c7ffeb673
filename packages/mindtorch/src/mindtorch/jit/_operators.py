"""The operators that a script may call, by name: their schemas, in the order of choice.

Those of the library come first, then those that only scripts have (``_operators.txt``).
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mindtorch_dispatch import registry

from .._ops import ops
from ._types import Type, parsed

__all__ = ["Argument", "Schema", "overloads", "schema_of"]

MISSING: Any = object()


class Argument(NamedTuple):
    """One argument.

    :ivar length: how many elements one number is repeated for, where a list is wanted.
    """

    name: str
    type: Type
    default: Any = MISSING
    kwarg_only: bool = False
    length: int = 0
    text: str = ""

    @property
    def has_default(self) -> bool:
        """Whether it may be left out."""
        return self.default is not MISSING

    def __str__(self) -> str:
        return self.text or f"{self.type} {self.name}"


class Schema(NamedTuple):
    """The signature of an operator, a function or a method."""

    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Type, ...]
    vararg: bool = False
    text: str = ""

    def __str__(self) -> str:
        if self.text:
            return self.text
        given = ", ".join(map(_shown, self.arguments))
        result = self.returns[0]
        shown = f"({result})" if result.base == "Tuple" else str(result)
        return f"{self.name}({given}) -> {shown}"


def _shown(argument: Argument) -> str:
    text = f"{argument.type} {argument.name}"
    if not argument.has_default:
        return text
    value = argument.default
    return f"{text}={f'{chr(34)}{value}{chr(34)}' if isinstance(value, str) else value}"


def schema_of(text: str) -> Schema:
    """The schema that *text* writes."""
    head, _, rest = text.partition("(")
    name, _, overload = head.strip().partition(".")
    end = _closing(rest)
    arguments, results = rest[:end], rest[end + 1 :].partition("->")[2].strip()
    parts = _split(arguments)
    found, named = [], False
    for part in parts:
        if part == "*":
            named = True
        elif part != "...":
            found.append(_argument(part, named))
    returns = _split(results[1:-1]) if results.startswith("(") else [results]
    kinds = tuple(parsed(_unnamed(each))[0] for each in returns if each not in ("", "..."))
    return Schema(name, overload, tuple(found), kinds, "..." in parts, text)


def _argument(text: str, named: bool) -> Argument:
    declared, equals, default = text.partition("=")
    kind, _, name = declared.rpartition(" ")
    value = _default(default) if equals else MISSING
    type_, length = parsed(kind)
    return Argument(name, type_, value, named, length, text)


def _default(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return _WORDS.get(text, text)


_WORDS = {"inf": float("inf"), "nan": float("nan"), "contiguous_format": 0, "Mean": 1}


def _unnamed(text: str) -> str:
    """A type of a result, without the result's name."""
    return re.sub(r"(?<=[\w\])?])\s+\w+$", "", text)


def _closing(text: str) -> int:
    depth = 0
    for i, each in enumerate(text):
        depth += (each == "(") - (each == ")")
        if depth < 0:
            return i
    return len(text)


def _split(text: str) -> list[str]:
    """The parts of *text* between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for i, each in enumerate(text):
        depth += (each in "([") - (each in ")]")
        if each == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


@cache
def _of_scripts() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name = re.split(r"[.(]", line, maxsplit=1)[0]
            found.setdefault(name, []).append(line)
    return found


@cache
def overloads(name: str) -> tuple[Schema, ...]:
    """All schemas of the operator ``library::name``; none if there is no such operator."""
    library, _, own = name.partition("::")
    getattr(getattr(ops, library, None), own, None)  # rows come when they are asked for
    texts = [str(each.schema) for each in registry.overloads(name)]
    texts.sort(key=lambda text: bool(re.match(r"[\w:]+\.\w*out\(|[^(]*\(.*\(a!\) out", text)))
    return tuple(map(schema_of, [*texts, *_of_scripts().get(name, [])]))
