"""The host's allocator: aligned memory from numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import storage_errors

ALIGNMENT = 64
"""Addresses are multiples of this, as torch's are: a cache line, and the widest vector."""


class HostBlock:
    """Host memory; ``array`` is the same bytes as numpy sees them."""

    __slots__ = ("__weakref__", "array")

    def __init__(self, array: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        self.array = array

    @property
    def data_ptr(self) -> int:
        return int(self.array.ctypes.data) if self.array.size else 0

    @property
    def nbytes(self) -> int:
        return self.array.size

    def free(self) -> None:
        """Let go of the memory; views that numpy handed out keep theirs until they die."""
        self.array = self.array[:0].copy()


class HostAllocator:
    """Gives `HostBlock`s."""

    __slots__ = ()

    def allocate(self, nbytes: int) -> HostBlock:
        return HostBlock(empty_bytes(nbytes))


def empty_bytes(nbytes: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """*nbytes* aligned bytes of undefined content.

    Raises RuntimeError, with torch's texts, for a negative number or one too large.
    """
    if nbytes < 0:
        raise storage_errors.allocation_negative(nbytes)
    try:
        raw = np.empty(nbytes + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError, OverflowError):
        raise storage_errors.allocation_failed(nbytes) from None
    start = -raw.__array_interface__["data"][0] % ALIGNMENT
    return bytes_over(raw.data[start : start + nbytes])


def bytes_over(memory: memoryview) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The same bytes as numpy sees them, as an array that every view of it keeps alive.

    Its ``base`` is no array: who looks for the owner of a view finds this one and not what lies
    around it.
    """
    return np.asarray(memory)
