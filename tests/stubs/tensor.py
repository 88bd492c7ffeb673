"""The stub of class ``Tensor``: methods of rows, methods of the sources, and those by hand."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from mindtorch import Tensor

from . import rows
from .hints import definitions
from .layout import define
from .python import parameters_of, returns_of
from .written import of_body

_INDENT = "    "
#: What Python gives a class, in one version or another.
_OF_CLASSES = frozenset(
    "__annotate__ __annotate_func__ __annotations__ __annotations_cache__ __dict__ __doc__ "
    "__firstlineno__ __init_subclass__ __module__ __slots__ __static_attributes__ "
    "__subclasshook__ __weakref__".split()
)


def tensor_class(written: list[str]) -> list[str]:
    """The lines of the class; *written* are those of the class that is written by hand."""
    by_hand = _members(written)
    lines = ["class Tensor:"]
    for name in sorted({*_names(), *by_hand}):
        if name in by_hand:
            lines += by_hand[name]
        else:
            lines += _member(name)
    return lines


def _members(written: list[str]) -> dict[str, list[str]]:
    text = "\n".join(written)
    statement = ast.parse(text).body[0]
    assert isinstance(statement, ast.ClassDef)
    return of_body(statement.body, text)


def _names() -> Iterator[str]:
    for name in dir(Tensor):
        if hasattr(object, name) and getattr(Tensor, name) == getattr(object, name):
            continue
        if name not in _OF_CLASSES:
            yield name


def _member(name: str) -> list[str]:
    value = getattr(Tensor, name)
    static = inspect.getattr_static(Tensor, name)
    if rows.is_method(name, value):
        return definitions(name, rows.methods()[name], _INDENT)
    if isinstance(static, property) and name[0] != "_":
        return _property(name, static)
    if isinstance(static, (classmethod, staticmethod)):
        function = static.__func__
        decorator = "classmethod" if isinstance(static, classmethod) else "staticmethod"
        taken = parameters_of(function)
        if isinstance(static, classmethod):
            taken[0] = "cls"
        return [f"{_INDENT}@{decorator}", *_defined(name, taken, returns_of(function))]
    if isinstance(static, FunctionType) and (name[0] != "_" or name.startswith("__")):
        return _defined(name, parameters_of(static), returns_of(static))
    return [f"{_INDENT}{name}: Any"]


def _defined(name: str, taken: list[str], returns: str) -> list[str]:
    return define(name, taken, returns, _INDENT)


def _property(name: str, value: property) -> list[str]:
    getter: Any = value.fget
    hint = returns_of(getter)
    lines = [f"{_INDENT}@property", f"{_INDENT}def {name}(self) -> {hint}: ..."]
    if value.fset is not None and not re.fullmatch("is_.*|shape|dtype|device|ndim|.?[HT]", name):
        lines += [
            f"{_INDENT}@{name}.setter",
            f"{_INDENT}def {name}(self, value: {hint}, /) -> None: ...",
        ]
    return lines
