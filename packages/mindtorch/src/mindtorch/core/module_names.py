"""Where torch has what is defined elsewhere here: what programs print and pickle names that place.

``module_names.txt`` lists torch's modules, and below each our modules and the names in them. Under
torch's name a definition says that it lives where torch has it, so that real torch finds it in a
pickle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar
from weakref import WeakSet

__all__ = [
    "adopt",
    "as_called",
    "definitions",
    "is_home",
    "is_listed",
    "living_in",
    "module_of",
    "move",
    "name_parts",
    "settle",
    "spelled_out",
]

T = TypeVar("T")
_OURS = "mindtorch"
_FUNCTIONS = (FunctionType, type(cache(lambda: None)))
_LIST = Path(__file__).with_name("module_names.txt")


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


def is_home(module: str, name: str) -> bool:
    """Whether torch's *module* has what is called *name* in another of ours."""
    return any(names.get(name) == module for names in _homes().values())


def as_called(module: str) -> str:
    """A *module* of ours by the name that it has now: torch's, where mindtorch is called torch."""
    return sys.modules[_OURS].__name__ + module[len(_OURS) :]


def settle(module: ModuleType, ours: str) -> None:
    """Let what *module*, by our name *ours*, defines say where torch has it."""
    homes = _homes().get(ours, {})
    for name in list(vars(module)) if "*" in homes else homes:
        value = vars(module).get(name)
        if issubclass(type(value), (type, *_FUNCTIONS)):
            # Others may have said already where a listed name lives.
            if name in homes or module_of(value) == module.__name__:
                home = homes.get(name) or homes["*"]
                living_in(home, value, *_parts(value))


def _parts(value: Any) -> Iterator[type]:
    """Bases of a class that one of the packages below has for itself."""
    for base in value.__mro__[1:] if isinstance(value, type) else ():
        module = str(module_of(base))
        if module.startswith(f"{_OURS}_") and base.__name__ not in _homes().get(module, ()):
            yield base


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


def living_in(module: str, *objects: Any) -> None:
    """Say of classes and functions that are defined elsewhere that *module* has them.

    ``repr`` and ``pickle`` tell it of them: the module is the one that torch has them in.
    """
    for found in objects:
        before, within = module_of(found), f"{found.__qualname__}."
        for definition in definitions(found):
            if module_of(definition) == before or definition.__qualname__.startswith(within):
                definition.__module__ = module


def name_parts(whole: type, *parts: type) -> None:
    """Name what *parts* of *whole*, by default its bases, define as its own: nobody else has them.

    Python's errors and what programs print name methods by the class that they were written in.
    """
    for part in parts or whole.__bases__:
        before = f"{part.__qualname__}."
        for definition in definitions(part):
            if definition.__qualname__.startswith(before):
                definition.__module__ = whole.__module__
                name = definition.__qualname__.removeprefix(before)
                definition.__qualname__ = f"{whole.__qualname__}.{name}"


def spelled_out(*names: str) -> Callable[[type[T]], type[T]]:
    """Decorates a base class: the classes that derive from it get its methods as their own.

    Python's errors and what programs print name the method by the class that has it. *names* are
    the methods; without any, all that are defined in the base.
    """

    def decorate(base: type[T]) -> type[T]:
        before: Any = base.__init_subclass__.__func__ if "__init_subclass__" in vars(base) else None

        def __init_subclass__(cls: type, **kwargs: Any) -> None:
            if before is None:
                super(base, cls).__init_subclass__(**kwargs)
            else:
                before(cls, **kwargs)
            for name, method in list(vars(base).items()) if base in cls.__bases__ else ():
                if name in vars(cls) or names and name not in names:
                    continue
                if isinstance(method, FunctionType):
                    setattr(cls, name, _copy(method, cls))
                elif isinstance(method, classmethod) and name != "__init_subclass__":
                    setattr(cls, name, classmethod(_copy(method.__func__, cls)))

        base.__init_subclass__ = classmethod(__init_subclass__)  # type: ignore[assignment]  # each base has its own
        return base

    return decorate


def _copy(method: FunctionType, cls: type) -> FunctionType:
    """*method* as one of *cls*."""
    code, scope, name = method.__code__, method.__globals__, method.__name__
    copy = FunctionType(code, scope, name, method.__defaults__, method.__closure__)
    copy.__kwdefaults__, copy.__annotations__ = method.__kwdefaults__, method.__annotations__
    copy.__doc__, copy.__module__ = method.__doc__, cls.__module__
    copy.__qualname__ = f"{cls.__qualname__}.{name}"
    vars(copy).update(vars(method))
    return copy


def definitions(value: Any, seen: WeakSet[type] | None = None) -> Iterator[Any]:
    """The class or function *value* and those in it: methods, and what properties call.

    Classes in *seen* are left out, and put there.
    """
    kind = type(value)  # isinstance would ask the value, and some warn of being asked
    if issubclass(kind, type):
        seen = WeakSet() if seen is None else seen
        if value not in seen:
            seen.add(value)
            yield value
            for each in list(vars(value).values()):
                yield from definitions(each, seen)
    elif issubclass(kind, property):
        for function in (value.fget, value.fset, value.fdel):
            yield from definitions(function)
    elif issubclass(kind, (classmethod, staticmethod)):
        yield from definitions(value.__func__)
    elif issubclass(kind, _FUNCTIONS):
        yield value


def adopt(public: str, *parts: ModuleType) -> None:
    """Let what *parts* of a public module define say that it lives in the module *public*."""
    for part in parts:
        for value in vars(part).values():
            # Not isinstance, which would ask an object that warns of being asked.
            if issubclass(type(value), (type, FunctionType)) and value.__module__ == part.__name__:
                living_in(public, value)
