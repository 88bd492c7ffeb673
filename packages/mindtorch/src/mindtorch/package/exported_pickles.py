"""Pickles of an archive of ``torch.package``: what writes them, and the modules that they name."""

from __future__ import annotations

import pickle
import pickletools
from typing import Any

from ..serialization.pickler import Storages, storage_bytes
from .importer import ObjMismatchError, ObjNotFoundError

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


class Pickler(pickle._Pickler):  # type: ignore[name-defined]  # pickle's own, in Python
    """A pickler that asks the exporter's importer for names."""

    storages: ArchivedStorages

    def save_global(self, obj: Any, name: str | None = None) -> None:
        """Write the name of a class or function."""
        try:
            home, name = self.storages.exporter.importer.get_name(obj, name)
        except ObjMismatchError as error:
            raise pickle.PicklingError(f"Can't pickle {obj}: {error}") from None
        except ObjNotFoundError:
            said = f"{getattr(obj, '__module__', '__main__')}.{getattr(obj, '__qualname__', name)}"
            raise pickle.PicklingError(f"Can't pickle {obj}: it's not found as {said}") from None
        if self.proto >= 4:
            self.save(home)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(f"c{home}\n{name}\n".encode())
        self.memoize(obj)

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
