"""Device memory that is handed out: the `Block` of a user, and the `Place` behind it.

The allocator's own node comes and goes with splits and merges. Who asks for memory gets a *handle*
of it: the node itself, or where the allocator walks (see ``allocator_memo.py``) a place, which is
the same object whenever the same bytes are given out for a request of the same size. Both say where
the memory is and who takes it back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from mindtorch_npu.arenas import HANDLE
from mindtorch_npu.block_pool import Node

__all__ = ["NOWHERE", "UNBOOKED", "Block", "Handle", "Place", "PlaceOwner"]

_nothing = bool
#: The handle of a stream whose memory is not booked, see ``aside.py``.
NOWHERE = -1


class PlaceOwner(Protocol):
    """What a place asks of the allocator that it came from."""

    @property
    def taker_back(self) -> Callable[[Any], object]:
        """Takes the place back."""
        ...

    def settle(self) -> None:
        """Take back what waits, unless somebody is at it."""
        ...


class Place:
    """Memory in use, as long as nobody gives it back to *allocator*."""

    __slots__ = ("address", "allocator", "arena", "nbytes", "node", "release", "size")

    plan = None  # who has the state knows it, without a plan

    def __init__(
        self,
        allocator: PlaceOwner,
        address: int,
        size: int,
        nbytes: int,
        arena: int,
    ) -> None:
        self.allocator: Any = allocator
        self.address = address
        self.size = size  # bytes that count for it
        self.nbytes = nbytes  # bytes that were asked for
        self.arena = arena  # what the request named
        self.node: Any = None  # where the books are up to date and it is in use
        #: Gives it back, now or when somebody looks; see ``LockedAllocator.taker_back``.
        self.release: Any = partial(allocator.taker_back, self)

    @property
    def stream(self) -> int:
        """The handle of the stream that it was asked for."""
        return self.arena & HANDLE


class _NoOwner:
    """Stands for the allocator of memory that is not booked."""

    taker_back = staticmethod(bool)

    def settle(self) -> None:
        """Nothing waits."""


#: All memory that is not booked.
UNBOOKED = Place(_NoOwner(), 0, 0, 0, NOWHERE)

#: Memory in use, as its user knows it.
Handle = Node | Place


class Block:
    """Device memory in use. It goes back when :meth:`free` is called or nobody holds it.

    The place of a block that is empty or was freed is None.

    When it dies, Python calls ``__del__``, which here is a slot with the ``release`` of the place:
    Ctrl-C might cut a function of Python off before it has begun.
    """

    __slots__ = ("__del__", "__weakref__", "data_ptr", "device_index", "nbytes", "place")

    def __init__(self, device_index: int = -1) -> None:
        """An empty one. To whom memory is given is told by ``place`` and ``__del__``, at once."""
        self.device_index = device_index
        self.data_ptr = 0
        self.nbytes = 0
        self.place: Handle | None = None
        self.__del__: Any = _nothing

    def free(self) -> None:
        """Give the memory back; a second call does nothing."""
        place = self.place
        release = self.__del__
        # No call in between: Ctrl-C never finds memory that nobody gives back.
        self.place = None
        self.__del__ = _nothing
        release()
        if place is not None:
            place.allocator.settle()

    @property
    def size(self) -> int:
        """Bytes that the allocator counts for it: at least ``nbytes``."""
        return 0 if self.place is None else self.place.size

    def __repr__(self) -> str:
        state = "" if self.place is not None or not self.nbytes else " freed"
        return f"<Block {self.data_ptr:#x} {self.nbytes} bytes on npu:{self.device_index}{state}>"
