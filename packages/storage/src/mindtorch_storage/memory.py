"""Memory under arrays, and parts of an accelerator's."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from .protocols import Block

Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]


# Where the memory came from, when that matters for resizing and sharing.
ORDINARY: Final = None
FIXED: Final = "fixed"  # part of another storage, or somebody else's array
LENT: Final = "lent"  # ours, and somebody else sees it
PINNED: Final = "pinned"
SHARED: Final = "shared"
MADE_SHARED: Final = "made shared"  # from the beginning, here or in another process
FILE: Final = "file"  # mapped for this process only
SHARED_FILE: Final = "shared file"
MAPPED: Final = frozenset((SHARED, MADE_SHARED, FILE, SHARED_FILE))

#: The ways in which processes share memory.
STRATEGIES: Final = frozenset(("file_descriptor", "file_system"))


class Strategy:
    """Which way `share_memory_` goes; ``torch.multiprocessing.set_sharing_strategy`` sets it."""

    current = "file_descriptor"


class PartOfBlock:
    """A `Block` inside another, which it keeps."""

    __slots__ = ("_start", "_whole", "nbytes")

    def __init__(self, whole: Block, start: int, nbytes: int) -> None:
        self._whole = whole
        self._start = start
        self.nbytes = nbytes

    @property
    def data_ptr(self) -> int:
        return self._whole.data_ptr + self._start

    def free(self) -> None:
        """The memory belongs to the whole block."""


def extent(array: np.ndarray[Any, Any]) -> int:
    """How many bytes lie between the first and the last element of *array*, both included."""
    if not array.size:
        return 0
    reach: int = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True))
    return reach + array.itemsize


def byte_view(array: np.ndarray[Any, Any]) -> Bytes:
    """The memory under *array*, gaps included, as bytes that keep it alive.

    Strides may be in any order, or 0, but not negative: torch has no such tensors.
    """
    if array.flags.c_contiguous:
        return array.reshape(-1).view(np.uint8)
    return np.asarray(_Memory(array))


class _Memory:
    """Lets numpy see the extent of an array of any strides as plain bytes."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (extent(array),),
            "data": (array.ctypes.data, not array.flags.writeable),
        }
