"""Pieces of device memory: the allocator's own `Node`, the `Place` and `Block` that are handed out.

A node comes and goes with splits and merges. A place is what a user of the memory knows: the same
object whenever the same bytes are given out for a request of the same size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindtorch_npu.allocator import CachingAllocator
    from mindtorch_npu.pool import Pool
    from mindtorch_npu.segments import Uncached

__all__ = ["Block", "Node", "Place", "Segment"]

CACHED, ALLOCATED, PENDING = 0, 1, 2


class Segment:
    """One driver allocation: a chain of nodes that covers it without gaps."""

    __slots__ = ("address", "head", "pool", "site", "size", "stream", "token")

    def __init__(self, address: int, size: int, stream: int, pool: Pool | None) -> None:
        self.address = address
        self.size = size
        self.stream = stream
        self.pool: Any = pool  # None where no pool manages it
        self.head: Node
        self.site: Any = None
        self.token = 0  # see walk.py


class Node:
    """A contiguous piece of a segment. It is *split* when it has a neighbour."""

    __slots__ = (
        "address",
        "age",
        "delta",
        "events",
        "next",
        "prev",
        "requested",
        "segment",
        "site",
        "size",
        "state",
        "uses",
    )

    def __init__(self, segment: Segment, address: int, size: int) -> None:
        self.segment = segment
        self.address = address
        self.size = size
        self.state = CACHED
        self.prev: Node | None = None
        self.next: Node | None = None
        self.requested = 0
        self.delta = 0  # what malloc added to the packed counters
        self.uses: dict[int, Any] | None = None  # other streams that used it, in first-use order
        self.events = 0  # outstanding
        self.age = 0  # search counter of the pool when it entered the cache
        self.site: Any = None  # stack of the allocation, where history is recorded


class Place:
    """Memory in use, as long as nobody gives it back to *allocator*."""

    __slots__ = ("address", "allocator", "nbytes", "size", "stream", "token")

    def __init__(
        self,
        allocator: CachingAllocator | Uncached,
        address: int,
        size: int,
        nbytes: int,
        stream: int,
        token: int,
    ) -> None:
        self.allocator: Any = allocator
        self.address = address
        self.size = size  # bytes that count for it
        self.nbytes = nbytes  # bytes that were asked for
        self.stream = stream
        self.token = token  # see walk.py


class Block:
    """Device memory in use. It goes back when :meth:`free` is called or nobody holds it.

    The place of a block that is empty or was freed is None.
    """

    __slots__ = ("__weakref__", "data_ptr", "device_index", "nbytes", "place")

    def __init__(self, place: Place | None, device_index: int = -1) -> None:
        self.place = place
        self.device_index = device_index
        self.data_ptr = 0 if place is None else place.address
        self.nbytes = 0 if place is None else place.nbytes

    def free(self) -> None:
        """Give the memory back; a second call does nothing."""
        place = self.place
        if place is not None:
            self.place = None
            place.allocator.give(place)

    def __del__(self) -> None:
        # The body of free() again: a method call less for every tensor that dies.
        place = self.place
        if place is not None:
            self.place = None
            place.allocator.give(place)

    @property
    def size(self) -> int:
        """Bytes that the allocator counts for it: at least ``nbytes``."""
        return 0 if self.place is None else self.place.size

    def __repr__(self) -> str:
        state = "" if self.place is not None or not self.nbytes else " freed"
        return f"<Block {self.data_ptr:#x} {self.nbytes} bytes on npu:{self.device_index}{state}>"
