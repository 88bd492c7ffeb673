"""What a module has that is looked for only when a program asks for it.

``import torch`` loads all of it in torch; here a program pays for what it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

__all__ = ["computed", "reached"]

_NOTHING: Mapping[str, str] = MappingProxyType({})


def _absent(module: str, name: str) -> AttributeError:
    shown = module.replace("mindtorch", "torch", 1)
    return AttributeError(f"module '{shown}' has no attribute '{name}'")


def reached(
    package: str, names: Collection[str] = (), homes: Mapping[str, str] = _NOTHING
) -> Callable[[str], Any]:
    """The ``__getattr__`` of *package* that loads the modules of these *names*.

    :param homes: names of other things, each with the module that has it, relative to *package*.
    """

    def __getattr__(name: str) -> Any:
        if name in names:
            return import_module(f".{name}", package)
        home = homes.get(name)
        if home is None:
            raise _absent(package, name)
        found = getattr(import_module(home, package), name)
        setattr(import_module(package), name, found)
        return found

    return __getattr__


def computed(
    module: str, names: Collection[str], compute: Callable[[str], Any]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of *module*, in which *compute* finds what *names* names."""

    def __getattr__(name: str) -> Any:
        found = compute(name) if name in names else None
        if found is None:
            raise _absent(module, name)
        setattr(import_module(module), name, found)
        return found

    def __dir__() -> list[str]:
        return sorted(names)

    return __getattr__, __dir__
