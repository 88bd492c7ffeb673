"""Switches of saving and loading."""

from __future__ import annotations

import enum
from typing import Any


class LoadEndianness(enum.Enum):
    """The byte order of files that do not name theirs."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class _Options:
    __slots__ = ("compute_crc32", "endianness", "mmap_flags", "skip_data", "storage_alignment")

    def __init__(self) -> None:
        self.compute_crc32 = True
        self.endianness: LoadEndianness | None = None
        self.mmap_flags: int | None = None
        self.skip_data = False
        self.storage_alignment = 64


OPTIONS = _Options()


def get_crc32_options() -> bool:
    """Whether ``save`` computes checksums."""
    return OPTIONS.compute_crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Whether ``save`` computes checksums: other zip tools want them, ``load`` does not."""
    OPTIONS.compute_crc32 = compute_crc32


def get_default_load_endianness() -> LoadEndianness | None:
    """The byte order of files that do not name theirs; None: little."""
    return OPTIONS.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Set the byte order of files that do not name theirs."""
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    OPTIONS.endianness = endianness


def get_default_mmap_options() -> int:
    """The flags of ``load(mmap=True)``: ``mmap.MAP_PRIVATE`` unless set otherwise."""
    import mmap

    return mmap.MAP_PRIVATE if OPTIONS.mmap_flags is None else OPTIONS.mmap_flags


class set_default_mmap_options:
    """Set the flags of ``load(mmap=True)``; as a context manager, for its body.

    :param flags: ``mmap.MAP_PRIVATE``, or ``mmap.MAP_SHARED``: changes reach the file.
    """

    def __init__(self, flags: int) -> None:
        import mmap

        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected "
                f"mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got {flags}"
            )
        self.prev = OPTIONS.mmap_flags
        OPTIONS.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: Any) -> None:
        OPTIONS.mmap_flags = self.prev


class skip_data:
    """While open, ``save`` leaves zeros in place of numbers and ``load`` reads none."""

    def __init__(self, materialize_fake_tensors: bool = False) -> None:
        self.materialize_fake_tensors = materialize_fake_tensors
        self._before = False

    def __enter__(self) -> None:
        self._before = OPTIONS.skip_data
        OPTIONS.skip_data = True

    def __exit__(self, *exc_info: Any) -> None:
        OPTIONS.skip_data = self._before
