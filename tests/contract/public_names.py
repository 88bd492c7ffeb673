"""The public modules and names of a framework, and what kind of thing each is."""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
import sys
import types
import typing
from collections.abc import Iterator

#: What is not the framework: its tests and tools of its build.
_SKIPPED = ("torch.utils.hipify", "torch.utils.viz", "torch.lib", "torch.fx.passes.tests")
#: Modules of the compiler that an import of takes seconds: they import all of it.
_SLOW = frozenset(("torch.compiler.config", "torch.jit.supported_ops"))
#: Modules that are not public by their names, which libraries import.
PRIVATE = ("torch.utils._pytree", "torch.utils._python_dispatch", "torch._functorch.apis")
#: Values of a module that are not for others: what it logs to, its types, its flags.
_STRANGE = (logging.Logger, typing.TypeVar, type(sys.flags))
_FOREIGN = ("typing", "typing_extensions", "collections.abc")


def modules(package: types.ModuleType) -> list[str]:
    """The names of the public modules below *package*, found without importing them."""

    def below(path: list[str], prefix: str) -> Iterator[str]:
        for found in pkgutil.iter_modules(path):
            name = f"{prefix}{found.name}"
            if found.name[0] == "_" or found.name == "test" or name.startswith(_SKIPPED):
                continue
            yield name
            if found.ispkg:
                yield from below([f"{folder}/{found.name}" for folder in path], f"{name}.")

    names = [package.__name__, *below(list(package.__path__), f"{package.__name__}.")]
    return [name for name in names if name not in _SLOW]


def kind(value: object) -> str:
    """Class, module, function or value."""
    if isinstance(value, type):
        return "class"
    if isinstance(value, types.ModuleType):
        return "module"
    return "function" if callable(value) else "value"


def parameters(function: object) -> list[str] | None:
    """The names of the parameters, if Python knows them."""
    try:
        return list(inspect.signature(function).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def names(module: types.ModuleType) -> list[str]:
    """What *module* offers: ``__all__``, and what is defined in it, or below it.

    A module that defines nothing and has no ``__all__`` offers what it takes from elsewhere.
    """
    listed = getattr(module, "__all__", None)
    root = module.__name__ == "torch"
    if listed is not None and not hasattr(module, "__path__"):
        return [name for name in listed if isinstance(name, str)]
    own = any(getattr(v, "__module__", None) == module.__name__ for v in vars(module).values())
    wide = hasattr(module, "__path__") or not own
    below = "torch." if listed is None or root else f"{module.__name__}."
    found = dict.fromkeys(name for name in listed or () if isinstance(name, str))
    for name, value in vars(module).items():
        if name[0] == "_" or name == "TYPE_CHECKING" or isinstance(value, types.ModuleType):
            continue
        home = str(getattr(value, "__module__", None))
        if isinstance(value, type) or callable(value):
            if home == module.__name__ or (wide and f"{home}.".startswith(below)):
                found[name] = None
        elif listed is None or root:
            strange = home in _FOREIGN or isinstance(value, _STRANGE)
            if not strange and type(value).__name__ != "_Feature":
                found[name] = None
    return list(found)


def imported(name: str) -> types.ModuleType | None:
    """The module *name*, or None where what it needs is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None
