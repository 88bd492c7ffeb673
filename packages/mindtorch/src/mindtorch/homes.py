"""Where torch has what is defined elsewhere here: what programs print and pickle names that place.

``homes.txt`` lists torch's modules, and below each our modules and the names in them. Under torch's
name a definition says that it lives where torch has it, so that real torch finds it in a pickle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakSet

__all__ = ["as_called", "definitions", "is_listed", "module_of", "move", "name_parts", "settle"]

_OURS = "mindtorch"
_FUNCTIONS = (FunctionType, type(cache(lambda: None)))
_LIST = Path(__file__).with_name("homes.txt")


@cache
def _homes() -> dict[str, dict[str, str]]:
    """By our module and the name in it, torch's module."""
    found: dict[str, dict[str, str]] = {}
    home = ""
    for line in _LIST.read_text("utf-8").splitlines():
        if line.startswith("["):
            home = line[1:-1]
        elif line[:1] not in ("", "#"):
            module, *names = line.split()
            found.setdefault(module, {}).update(dict.fromkeys(names, home))
    return found


def is_listed(module: str) -> bool:
    """Whether torch has something elsewhere that our *module* defines."""
    return module in _homes()


def as_called(module: str) -> str:
    """A *module* of ours by the name that it has now: torch's, where mindtorch is called torch."""
    return sys.modules[_OURS].__name__ + module[len(_OURS) :]


def settle(module: ModuleType, ours: str) -> None:
    """Let what *module*, by our name *ours*, defines say where torch has it."""
    homes = _homes().get(ours, {})
    for name in list(vars(module)) if "*" in homes else homes:
        found = list(definitions(vars(module).get(name)))
        said = found and module_of(found[0])  # others may have said already where they live
        if said and (name in homes or said == module.__name__):
            new = {said: homes.get(name) or homes["*"]}
            for definition in found:
                move(definition, new.get)


def move(definition: Any, home: Callable[[str], str | None]) -> None:
    """Let a class or function say that it lives in the *home* of the module that it says now."""
    said = module_of(definition)
    new = home(said) if said else None
    if new is not None:
        definition.__module__ = new


def module_of(definition: Any) -> str | None:
    """Where a class or function says that it lives: what it says itself, not its base."""
    if isinstance(definition, type):
        return vars(definition).get("__module__")
    return definition.__module__  # type: ignore[no-any-return]


def name_parts(whole: type) -> None:
    """Name what the bases of *whole* define as its own: they are parts that nobody else has.

    Python's errors and what programs print name methods by the class that they were written in.
    """
    for part in whole.__bases__:
        before = f"{part.__qualname__}."
        for definition in definitions(part):
            if definition.__qualname__.startswith(before):
                definition.__module__ = whole.__module__
                name = definition.__qualname__.removeprefix(before)
                definition.__qualname__ = f"{whole.__qualname__}.{name}"


def definitions(value: Any, seen: WeakSet[type] | None = None) -> Iterator[Any]:
    """The class or function *value* and those in it: methods, and what properties call.

    Classes in *seen* are left out, and put there.
    """
    if isinstance(value, type):
        seen = WeakSet() if seen is None else seen
        if value not in seen:
            seen.add(value)
            yield value
            for each in list(vars(value).values()):
                yield from definitions(each, seen)
    elif isinstance(value, property):
        for function in (value.fget, value.fset, value.fdel):
            yield from definitions(function)
    else:
        if isinstance(value, (classmethod, staticmethod)):
            value = value.__func__
        if isinstance(value, _FUNCTIONS):
            yield value
