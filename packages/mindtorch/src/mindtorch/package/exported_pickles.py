"""Pickles of an archive of ``torch.package``: what writes them, and the modules that they name."""

from __future__ import annotations

import pickle
import pickletools
from typing import Any

from ..serialization.pickler import Storages, storage_bytes
from ._package_pickler import _NamingPickler
from .importer import Importer

__all__ = ["ArchivedStorages", "Pickler", "globals_of"]


class ArchivedStorages(Storages):
    """The storages of all pickles of an archive."""

    refuses_as_pickle = False

    def __init__(self, exporter: Any) -> None:
        super().__init__()
        self.exporter = exporter
        self.written: set[str] = set()
        self.reduced: dict[int, Any] = {}

    def number(self, storage: Any, dtype: Any, kind: Any) -> tuple[Any, ...]:
        """The persistent id of *storage*, which is written when it first comes up."""
        identity = super().number(storage, dtype, kind)
        key = identity[2]
        if key not in self.written:
            self.written.add(key)
            self.exporter._write(f".data/{key}.storage", storage_bytes(storage).tobytes())
        return identity


def globals_of(data: bytes) -> dict[str, dict[str, None]]:
    """The modules that a pickle names, each with what it names of it."""
    found: dict[str, dict[str, None]] = {}
    texts: list[str] = []
    for opcode, argument, _ in pickletools.genops(data):
        if opcode.name == "GLOBAL":
            home, _, name = str(argument).partition(" ")
        elif opcode.name == "STACK_GLOBAL" and len(texts) > 1:
            home, name = texts[-2:]
        else:
            if isinstance(argument, str):
                texts.append(argument)
            continue
        found.setdefault(home, {})[name.partition(".")[0]] = None
    return found


class Pickler(_NamingPickler):
    """A pickler that asks the exporter's importer for names."""

    storages: ArchivedStorages

    @property
    def importer(self) -> Importer:  # type: ignore[override]  # the exporter's
        """Who knows the modules that the pickle names."""
        return self.storages.exporter.importer  # type: ignore[no-any-return]

    def save(self, obj: Any, save_persistent_id: bool = True) -> None:
        """Write *obj*; one with ``__reduce_package__`` as that says, once in an archive."""
        reduce = getattr(type(obj), "__reduce_package__", None)
        if reduce is None or not save_persistent_id:
            super().save(obj, save_persistent_id)
            return
        known = self.storages.reduced
        if id(obj) not in known:
            said = ("reduce_package", id(obj), *reduce(obj, self.storages.exporter))
            known[id(obj)] = (obj, said)  # the object is kept, so that its id stays its own
        self.save(known[id(obj)][1], save_persistent_id=False)
        self.write(pickle.BINPERSID)
