"""The records of an archive of a script, as torch reads them.

Source: torch/csrc/jit/serialization/pickler.cpp, export_module.cpp.
"""

from __future__ import annotations

import copyreg
import pickle
from functools import cache
from typing import Any, NamedTuple

from ..serialization.pickler import dump, storage_bytes
from ..serialization.saving import opened_to_write
from ..serialization.writer import ArchiveWriter

__all__ = ["Member", "ScriptClass", "Tagged", "script_class", "write_archive"]


class ScriptClass(type):
    """A class of the archive, in which pickles know it by its name."""

    script_name = ""


class Member(NamedTuple):
    """A member of an enum of the archive's source."""

    script_name: str
    value: Any


class Tagged(NamedTuple):
    """A list or dict whose type the archive says."""

    value: Any
    type: str


class _Pickler(pickle._Pickler):  # type: ignore[name-defined,misc]  # pickle's, in Python
    """Writes classes of an archive by their names in it."""

    def __init__(self, file: Any, protocol: int) -> None:
        # Python 2's names of builtins are none that C++ knows.
        super().__init__(file, protocol, fix_imports=False)

    def save_global(self, obj: Any, name: str | None = None) -> None:
        """Write the name of a class."""
        if isinstance(obj, ScriptClass):
            module, _, own = obj.script_name.rpartition(".")
            self.write(f"c{module}\n{own}\n".encode())
            self.memoize(obj)
        else:
            super().save_global(obj, name)

    def save_member(self, member: Member) -> None:
        """Write a member of an enum: its class, and its value alone."""
        self.save_global(script_class(member.script_name))
        self.save(member.value)
        self.write(pickle.REDUCE)

    def save_tagged(self, tagged: Tagged) -> None:
        """Write a list or dict with its type."""
        self.write(b"ctorch.jit._pickle\nrestore_type_tag\n")
        self.save(tuple(tagged))
        self.write(pickle.REDUCE)

    dispatch = {**pickle._Pickler.dispatch, Member: save_member, Tagged: save_tagged}  # type: ignore[attr-defined]


class _PicklesClasses:
    """What stands for a module of pickle."""

    Pickler = _Pickler


def _reduced(self: Any, protocol: Any) -> Any:
    """How a pickle makes the object: as one of its class, with that state."""
    return copyreg.__newobj__, (type(self),), self.script_state


@cache
def script_class(name: str) -> Any:
    """A class of objects that pickles know by *name*, as one of the archive's source.

    Its objects have a ``script_state``: what they are made of again.
    """
    own = name.rpartition(".")[2]
    return ScriptClass(own, (), {"script_name": name, "__reduce_ex__": _reduced})


def write_archive(
    file: Any,
    data: Any,
    constants: tuple[Any, ...],
    sources: dict[str, str],
    extra_files: dict[str, Any] | None,
) -> None:
    """Write an archive to a path or an open file.

    :param data: the object that stands for the module.
    :param constants: the tensors that the source names as ``CONSTANTS``.
    :param sources: the texts of source files, by their records.
    :param extra_files: further records, texts or bytes by name.
    """
    with opened_to_write(file) as (write, folder):
        writer = ArchiveWriter(write, folder)
        for record, content in (("data", data), ("constants", constants)):
            pickled, storages = dump(content, _PicklesClasses, 2)
            writer.write(f"{record}.pkl", pickled)
            for key, storage in storages.by_key.items():
                writer.write(f"{record}/{key}", storage_bytes(storage))
        for record, text in sources.items():
            writer.write(record, text.encode())
        for name, extra in (extra_files or {}).items():
            writer.write(f"extra/{name}", extra.encode() if isinstance(extra, str) else extra)
        writer.close()
