"""Modules of archives that ``torch.jit.save`` wrote: their source, constants and attributes.

Source: torch/csrc/jit/serialization/import.cpp.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from mindtorch_storage import Device

from ..serialization.allowed import lookup
from ..serialization.errors import record_missing
from ..serialization.loader import Loader, opened
from ..serialization.reader import ArchiveReader
from . import _pickle
from ._export_loaded import Loaded
from ._import_source import LoadedModule, SourceImporter
from ._script import RecursiveScriptModule

__all__ = ["import_module"]


class _Unpickler(pickle._Unpickler):  # type: ignore[misc,name-defined]  # pickle's, in Python
    """Makes what an archive holds: tensors, plain data, and instances of the archive's classes."""

    dispatch = dict(pickle._Unpickler.dispatch)  # type: ignore[attr-defined]  # likewise

    def __init__(self, data: bytes, loader: Loader, importer: SourceImporter | None) -> None:
        super().__init__(io.BytesIO(data))
        self._loader = loader
        self._importer = importer

    def persistent_load(self, pid: Any) -> Any:
        """The storage that a persistent id names."""
        return self._loader.persistent_load(pid)

    def load_reduce(self) -> None:
        """Call what the file names; a member of an enum comes with its value alone."""
        stack = self.stack
        given = stack.pop()
        stack[-1] = stack[-1](*(given if isinstance(given, tuple) else (given,)))

    dispatch[pickle.REDUCE[0]] = load_reduce

    def find_class(self, module: str, name: str) -> Any:
        """A class of the archive, or one of the names that tensors and plain data are made with.

        Raises UnpicklingError for any other, and NotImplementedError for a class of C++.
        """
        if module.startswith("__torch__.torch.classes."):
            raise NotImplementedError(
                f"the archive holds a {name} of torch's library in C++, which is not here"
            )
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

    :param map_location: the device where tensors go; None: where they were.
    :param extra_files: names of further records, which get their contents, no bytes where there is
        no such record.

    Raises ValueError for any other *map_location*.
    """
    if not (map_location is None or isinstance(map_location, (str, Device))):
        raise ValueError(
            "map_location should be either None, string or torch.device, but got type: "
            f"{type(map_location)}"
        )
    with opened(file) as source:
        archive = ArchiveReader(source)
        records = set(archive.records())
        if "constants.pkl" not in records:
            raise record_missing("constants.pkl")
        constants = _read(archive, "constants", map_location, None)
        importer = SourceImporter(_sources(archive, records), constants)
        module = _read(archive, "data", map_location, importer)
        if extra_files is not None:
            for name in extra_files:
                record = f"extra/{name}"
                extra_files[name] = archive.read(record) if record in records else b""
    if not isinstance(module, LoadedModule):
        raise RuntimeError("the archive holds no module")
    made = RecursiveScriptModule(module)
    made.__dict__["_writer"] = Loaded(importer)
    return made


def _read(
    archive: ArchiveReader, name: str, map_location: Any, importer: SourceImporter | None
) -> Any:
    loader = Loader(archive, map_location, None, f"{name}.pkl", name)
    return _Unpickler(archive.read(f"{name}.pkl"), loader, importer).load()


def _sources(archive: ArchiveReader, records: set[str]) -> dict[str, str]:
    """The texts of the archive's source files, by their names in it."""
    return {
        record: archive.read(record).decode()
        for record in records
        if record.startswith("code/") and record.endswith(".py")
    }
