"""``torch.package.importer``: where modules come from, and what objects are called there."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from contextlib import suppress
from pickle import _getattribute, whichmodule  # type: ignore[attr-defined]  # as pickle looks up
from types import ModuleType
from typing import Any

from ..core.pickling import torch_module
from ..serialization.names import torch_name
from ._mangling import demangle, get_mangle_prefix, is_mangled

__all__ = ["Importer", "ObjMismatchError", "ObjNotFoundError", "OrderedImporter"]


class ObjNotFoundError(Exception):
    """An object is not where its name says."""


class ObjMismatchError(Exception):
    """Another object is where an object's name says."""


class Importer(ABC):
    """Where modules come from."""

    modules: dict[str, ModuleType]

    @abstractmethod
    def import_module(self, module_name: str) -> ModuleType:
        """The module of this name. Raises ImportError if there is none."""

    def get_name(self, obj: Any, name: str | None = None) -> tuple[str, str]:
        """The module and the name by which *obj* is found here, as pickle writes them.

        Raises ObjNotFoundError or ObjMismatchError if it is not.
        """
        if name is None:
            ours = torch_name(obj, None)
            if ours is not None:
                return ours
            name = getattr(obj, "__qualname__", None) or obj.__name__
        home = self.whichmodule(obj, name)
        demangled = demangle(home)
        try:
            module = self.import_module(demangled)
            found = _found(module, name)
        except (ImportError, KeyError, AttributeError):
            raise ObjNotFoundError(f"{obj} was not found as {demangled}.{name}") from None
        if found is obj:
            return torch_module(demangled), name
        raise ObjMismatchError(_mismatch(obj, name, home, module))

    def whichmodule(self, obj: Any, name: str) -> str:
        """The module that *obj* says it lives in, or the first that has it."""
        said = getattr(obj, "__module__", None)
        if said is not None:
            return str(said)
        for module_name, module in self.modules.copy().items():
            try:
                if module_name != "__main__" and _found(module, name) is obj:
                    return module_name
            except AttributeError:
                pass
        return "__main__"


def _found(module: Any, name: str) -> Any:
    found = _getattribute(module, name)
    return found[0] if isinstance(found, tuple) else found


def _mismatch(obj: Any, name: str, home: str, module: ModuleType) -> str:
    """What an ObjMismatchError says."""

    def place(name: str) -> str:
        return get_mangle_prefix(name) if is_mangled(name) else "the current Python environment"

    there = module.__name__
    lists = (
        "'sys_importer'" if not is_mangled(home) else f"the importer for {get_mangle_prefix(home)}"
    )
    before = (
        f"the importer for {get_mangle_prefix(there)}" if is_mangled(there) else "'sys_importer'"
    )
    return (
        f"\n\nThe object provided is from '{home}', which is coming from {place(home)}."
        f"\nHowever, when we import '{there}', it's coming from {place(there)}."
        f"\nTo fix this, make sure this 'PackageExporter's importer lists {lists} before {before}."
    )


class _SysImporter(Importer):
    """The modules of this process."""

    @property
    def modules(self) -> dict[str, ModuleType]:  # type: ignore[override]  # they come and go
        import sys

        return sys.modules

    def import_module(self, module_name: str) -> ModuleType:
        """The module of this name; one of torch's is ours."""
        top, dot, rest = module_name.partition(".")
        return importlib.import_module(f"mindtorch{dot}{rest}" if top == "torch" else module_name)

    def whichmodule(self, obj: Any, name: str) -> str:
        """The module that *obj* lives in, as pickle finds it."""
        return whichmodule(obj, name)


sys_importer = _SysImporter()


class OrderedImporter(Importer):
    """Several places, of which the first that has a module gives it."""

    def __init__(self, *args: Importer) -> None:
        self._importers = list(args)

    @property
    def modules(self) -> dict[str, ModuleType]:  # type: ignore[override]  # they come and go
        return {
            name: module
            for importer in reversed(self._importers)
            for name, module in importer.modules.items()
        }

    def get_name(self, obj: Any, name: str | None = None) -> tuple[str, str]:
        """The module and the name of *obj* in the first place that has it."""
        *first, last = self._importers
        for importer in first:
            with suppress(ObjNotFoundError, ObjMismatchError):
                return importer.get_name(obj, name)
        return last.get_name(obj, name)

    def import_module(self, module_name: str) -> ModuleType:
        """The module of this name in the first place that has it."""
        error: Exception | None = None
        for importer in self._importers:
            if not hasattr(importer, "import_module"):
                raise TypeError(f"{importer} is not a Importer")
            try:
                return importer.import_module(module_name)
            except ModuleNotFoundError as found:
                error = found
        raise error if error is not None else ModuleNotFoundError(module_name)

    def whichmodule(self, obj: Any, name: str) -> str:
        """The module of *obj* in the first place that has it."""
        for importer in self._importers:
            found = importer.whichmodule(obj, name)
            if found != "__main__":
                return found
        return "__main__"
