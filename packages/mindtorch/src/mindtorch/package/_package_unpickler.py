"""Reads pickles whose classes and functions come from an importer."""

from __future__ import annotations

import pickle
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from typing import Any

from .importer import Importer

__all__ = ["PackageUnpickler"]


class PackageUnpickler(pickle._Unpickler):  # type: ignore[name-defined]  # pickle's own, in Python
    """An unpickler that gets modules from an importer that is handed in.

    :param importer: who imports the modules that the pickle names.
    """

    def __init__(self, importer: Importer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._importer = importer

    def find_class(self, module: str, name: str) -> Any:
        """The class or function *name* of the importer's module."""
        if self.proto < 3 and self.fix_imports:
            # Pickles of protocols that Python 2 knew have its names.
            module, name = NAME_MAPPING.get((module, name), (module, name))
            module = IMPORT_MAPPING.get(module, module)
        found: Any = self._importer.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        return found
