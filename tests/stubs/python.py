"""Functions of Python as their sources write them: parameters with hints and defaults."""

from __future__ import annotations

import inspect
import re
from types import FunctionType
from typing import Any

_BUILTIN = re.compile(r"\b(bool|int|float|complex|str)\b")


def parameters_of(function: FunctionType) -> list[str]:
    """The parameters of a Python function as its source writes them."""
    made, starred, before = [], False, None
    parameters = list(inspect.signature(function).parameters.values())
    for i, p in enumerate(parameters):
        kind = p.kind
        if before is p.POSITIONAL_ONLY and kind is not p.POSITIONAL_ONLY:
            made.append("/")
        if kind is p.KEYWORD_ONLY and not starred:
            made.append("*")
            starred = True
        starred = starred or kind is p.VAR_POSITIONAL
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(kind, "")
        hint = "" if i == 0 and p.name == "self" else f": {hint_of(p.annotation)}"
        default = "" if p.default is p.empty else f" = {_default(p.default)}"
        made.append(f"{stars}{p.name}{hint}{default if hint else default.replace(' ', '')}")
        before = kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        made.append("/")
    return made


def returns_of(function: FunctionType) -> str:
    """What a Python function returns, as its source writes it."""
    return hint_of(inspect.signature(function).return_annotation)


def hint_of(annotation: Any) -> str:
    """A hint of a source, in the names of the stubs; Any where it uses names of its own."""
    if not isinstance(annotation, str):
        return "Any"
    return _BUILTIN.sub(r"_\1", annotation.strip("'"))


def _default(value: Any) -> str:
    if value is None or type(value) in (bool, int, str):
        return repr(value).replace("'", '"')
    if type(value) is float and value == value and abs(value) != float("inf"):
        return repr(value)
    return "..."
