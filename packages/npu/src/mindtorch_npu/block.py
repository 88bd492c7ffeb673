"""Pieces of device memory: the allocator's own `Node` and the `Block` that is handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindtorch_npu.allocator import CachingAllocator
    from mindtorch_npu.pool import Pool
    from mindtorch_npu.segments import Uncached

__all__ = ["Block", "Node", "Segment"]

CACHED, ALLOCATED, PENDING = 0, 1, 2


class Segment:
    """One driver allocation: a chain of nodes that covers it without gaps."""

    __slots__ = ("address", "head", "pool", "site", "size", "stream")

    def __init__(self, address: int, size: int, stream: int, pool: Pool | None) -> None:
        self.address = address
        self.size = size
        self.stream = stream
        self.pool: Any = pool  # None where no pool manages it
        self.head: Node
        self.site: Any = None


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


class Block:
    """Device memory in use. It goes back when :meth:`free` is called or nobody holds it."""

    __slots__ = ("__weakref__", "_allocator", "_node", "data_ptr", "nbytes")

    def __init__(
        self,
        allocator: CachingAllocator | Uncached | None,
        node: Node | None,
        address: int,
        nbytes: int,
    ) -> None:
        self._allocator = allocator
        self._node = node
        self.data_ptr = address
        self.nbytes = nbytes

    def free(self) -> None:
        """Give the memory back; a second call does nothing."""
        node = self._node
        if node is not None:
            self._node = None
            self._allocator.free(node)  # type: ignore[union-attr]

    def __del__(self) -> None:
        # The body of free() again: a method call less for every tensor that dies.
        node = self._node
        if node is not None:
            self._node = None
            self._allocator.free(node)  # type: ignore[union-attr]

    @property
    def size(self) -> int:
        """Bytes that the allocator counts for it: at least ``nbytes``."""
        return 0 if self._node is None else self._node.size

    @property
    def device_index(self) -> int:
        return -1 if self._allocator is None else self._allocator.device_index

    def __repr__(self) -> str:
        state = "" if self._node is not None or not self.nbytes else " freed"
        return f"<Block {self.data_ptr:#x} {self.nbytes} bytes on npu:{self.device_index}{state}>"
