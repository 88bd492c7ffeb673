"""Modules of archives that ``torch.jit.save`` wrote: their source, constants and attributes.

Source: torch/csrc/jit/serialization/import.cpp.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from ..serialization.allowed import lookup
from ..serialization.loading import Loader, opened
from ..serialization.location import default_restore_location
from ..serialization.reader import ArchiveReader
from . import _pickle
from ._import_source import LoadedModule, SourceImporter
from ._script import RecursiveScriptModule

__all__ = ["import_module"]


class _Unpickler(pickle.Unpickler):
    """Makes what an archive holds: tensors, plain data, and instances of the archive's classes."""

    def __init__(self, data: bytes, loader: Loader, importer: SourceImporter | None) -> None:
        super().__init__(io.BytesIO(data))
        self._loader = loader
        self._importer = importer

    def persistent_load(self, pid: Any) -> Any:
        """The storage that a persistent id names."""
        return self._loader.persistent_load(pid)

    def find_class(self, module: str, name: str) -> Any:
        """A class of the archive, or one of the names that tensors and plain data are made with.

        Raises UnpicklingError for any other.
        """
        if module == "__torch__" or module.startswith("__torch__."):
            found = self._importer and self._importer.find(f"{module}.{name}")
        elif module == "torch.jit._pickle":
            found = getattr(_pickle, name, None)
        else:
            found = lookup(f"{module}.{name}")
        if found is None:
            raise pickle.UnpicklingError(f"a script's archive may not name {module}.{name}")
        return found


def import_module(file: Any, map_location: Any, extra_files: dict[str, Any] | None) -> Any:
    """The module of an archive, a path or a seekable file.

    :param map_location: where tensors go; None: where they were.
    :param extra_files: names of further records, which get their contents.
    """
    with opened(file) as source:
        archive = ArchiveReader(source)
        records = set(archive.records())
        if "constants.pkl" not in records:
            raise RuntimeError(
                "PytorchStreamReader failed locating file constants.pkl: file not found"
            )
        constants = _read(archive, "constants", map_location, None)
        importer = SourceImporter(lambda module: _source(archive, records, module), constants)
        module = _read(archive, "data", map_location, importer)
        for name in extra_files or ():
            record = f"extra/{name}"
            if record in records:
                assert extra_files is not None
                extra_files[name] = archive.read(record)
    if not isinstance(module, LoadedModule):
        raise RuntimeError("the archive holds no module")
    return RecursiveScriptModule(module)


def _read(
    archive: ArchiveReader, name: str, map_location: Any, importer: SourceImporter | None
) -> Any:
    loader = Loader(archive, map_location, None, f"{name}.pkl", name)
    return _Unpickler(archive.read(f"{name}.pkl"), loader, importer).load()


def _source(archive: ArchiveReader, records: set[str], module: str) -> str | None:
    record = "code/" + module.replace(".", "/") + ".py"
    return archive.read(record).decode() if record in records else None
