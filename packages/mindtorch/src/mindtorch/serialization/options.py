"""Switches of saving and loading."""

from __future__ import annotations

import enum
import mmap
import sys
import threading
from typing import Any

from .._utils import RESTORING


class LoadEndianness(enum.Enum):
    """The byte order of files that do not name theirs."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class Section:
    """A part of ``torch.utils.serialization.config``: only what it has can be set."""

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Any:
        raise missing(f"{self._name}.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise missing(f"{self._name}.{name}")
        self.__dict__[name] = value


def missing(name: str) -> AttributeError:
    """torch utils/_config_module.py, ConfigModule."""
    return AttributeError(f"torch.utils.serialization.config.{name} does not exist")


LOAD = Section(
    "load",
    {
        "mmap": False,
        "endianness": None,
        "mmap_flags": None if sys.platform == "win32" else 2,  # MAP_PRIVATE
        # Offsets are always taken from the archive's directory, which is read anyway.
        "calculate_storage_offsets": False,
    },
)
SAVE = Section(
    "save", {"compute_crc32": True, "use_pinned_memory_for_d2h": False, "storage_alignment": 64}
)


class _Local(threading.local):
    """What is switched for the block of one thread."""

    skip_data = False
    materialize_fake_tensors = False

    @property
    def map_location(self) -> Any:
        """Where the ``load`` that runs puts things; None outside of one."""
        return RESTORING.map_location


LOCAL = _Local()


def get_crc32_options() -> bool:
    """Whether ``save`` computes checksums."""
    return SAVE.compute_crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Whether ``save`` computes checksums: other zip tools want them, ``load`` does not."""
    SAVE.compute_crc32 = compute_crc32


def get_default_load_endianness() -> LoadEndianness | None:
    """The byte order of files that do not name theirs; None: little."""
    return LOAD.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Set the byte order of files that do not name theirs."""
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    LOAD.endianness = endianness


def get_default_mmap_options() -> int | None:
    """The flags of ``load(mmap=True)``: ``mmap.MAP_PRIVATE`` unless set otherwise."""
    return LOAD.mmap_flags


class set_default_mmap_options:
    """Set the flags of ``load(mmap=True)``; as a context manager, for its body.

    :param flags: ``mmap.MAP_PRIVATE``, or ``mmap.MAP_SHARED``: changes reach the file.
    """

    def __init__(self, flags: int) -> None:
        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected "
                f"mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got {flags}"
            )
        self.prev = LOAD.mmap_flags
        LOAD.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: Any) -> None:
        LOAD.mmap_flags = self.prev


class skip_data:
    """While open, this thread's ``save`` leaves zeros for numbers and its ``load`` reads none."""

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors
        self._before = (False, False)

    def __enter__(self) -> None:
        self._before = LOCAL.skip_data, LOCAL.materialize_fake_tensors
        LOCAL.skip_data, LOCAL.materialize_fake_tensors = True, self.materialize_fake_tensors

    def __exit__(self, *exc_info: Any) -> None:
        LOCAL.skip_data, LOCAL.materialize_fake_tensors = self._before
