"""Pieces of device memory: the allocator's own `Node`, the `Place` and `Block` that are handed out.

A node comes and goes with splits and merges. Who asks for memory gets a *handle* of it: the node
itself, or where the allocator walks (see ``walk.py``) a place, which is the same object whenever
the same bytes are given out for a request of the same size. Both say where the memory is and who
takes it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from mindtorch_npu.cache import ADDRESS

if TYPE_CHECKING:
    from mindtorch_npu.cache import Cache
    from mindtorch_npu.pool import Pool
    from mindtorch_npu.segments import Uncached
    from mindtorch_npu.shared_books import SharedBooks

__all__ = ["Block", "Handle", "Node", "Place", "Segment"]

CACHED, ALLOCATED, PENDING, _EDGE = 0, 1, 2, 3

_nothing = bool


class Segment:
    """One driver allocation: a chain of nodes that covers it without gaps.

    It stands before the first of them and after the last, so that every node has two neighbours.
    """

    __slots__ = ("address", "next", "pool", "prev", "site", "size", "state", "stream", "token")

    def __init__(self, address: int, size: int, stream: int, pool: Pool | None) -> None:
        self.address = address
        self.size = size
        self.stream = stream
        self.pool: Any = pool  # None where no pool manages it
        self.state = _EDGE
        self.next: Any = self  # the first node
        self.prev: Any = self  # and the last
        self.site: Any = None
        self.token = 0  # see walk.py

    def nodes(self) -> Iterator[Node]:
        """By address."""
        node = self.next
        while node is not self:
            yield node
            node = node.next


class Node:
    """A contiguous piece of a segment. It is *split* when the segment has others too.

    Its neighbours are nodes, or the segment itself: if both are that, it is the only one.
    """

    __slots__ = (
        *("address", "age", "allocator", "cache", "events", "key", "next", "plan", "prev"),
        *("release", "site", "state", "stream", "token", "uses"),
    )

    def __init__(self, cache: Cache, key: int) -> None:
        #: Where it lies when it is free. A node that was merged away is used again for a piece of
        #: the same pool and stream.
        self.cache = cache
        self.allocator = cache.allocator
        self.stream = cache.stream
        self.key = key  # while it is free; see cache.py
        self.address = key & (1 << ADDRESS) - 1
        self.state = CACHED
        self.prev: Any
        self.next: Any
        self.plan: Any = None  # of who has it, or had it last
        self.token = 0  # while in use; see walk.py
        self.uses: dict[int, Any] | None = None  # other streams that used it, in first-use order
        self.events = 0  # outstanding
        #: Search counter of the pool when it entered the cache, if it is a whole segment.
        self.age = cache.pool.searches
        self.site: Any = None  # stack of the allocation, where history is recorded
        self.release: Any = partial(cache.allocator.taker_back, self)

    @property
    def size(self) -> int:
        """Bytes that count for it."""
        size: int = self.plan.size if self.state else self.key >> ADDRESS
        return size

    @property
    def nbytes(self) -> int:
        """What was asked for last."""
        nbytes: int = self.plan.nbytes if self.plan else 0
        return nbytes


class Place:
    """Memory in use, as long as nobody gives it back to *allocator*."""

    __slots__ = ("address", "allocator", "nbytes", "node", "release", "size", "stream")

    plan = None  # who has the state knows it, without a plan

    def __init__(
        self,
        allocator: SharedBooks | Uncached,
        address: int,
        size: int,
        nbytes: int,
        stream: int,
    ) -> None:
        self.allocator: Any = allocator
        self.address = address
        self.size = size  # bytes that count for it
        self.nbytes = nbytes  # bytes that were asked for
        self.stream = stream
        self.node: Any = None  # where the books are up to date and it is in use
        #: Gives it back, now or when somebody looks; see ``SharedBooks.taker_back``.
        self.release: Any = partial(allocator.taker_back, self)


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
