"""Segments of driver memory that come and go.

The caller of ``ask_driver`` and ``release`` holds the allocator's lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindtorch_npu.block import ALLOCATED, Node, Place, Segment
from mindtorch_npu.config import config
from mindtorch_npu.walk import token

if TYPE_CHECKING:
    from mindtorch_npu.allocator import CachingAllocator
    from mindtorch_npu.books import Books
    from mindtorch_npu.cache import Cache
    from mindtorch_npu.pool import Pool
    from mindtorch_npu.protocols import Driver

__all__ = ["Uncached", "ask_driver", "block_at", "release"]


def ask_driver(allocator: Books, pool: Pool, size: int, stream: int) -> Node | None:
    """A new segment as one free block; None where the limit or the device has no room."""
    limit = allocator.limit
    if limit is not None and allocator.reserved + size > limit:
        return None
    address = allocator.driver.allocate_segment(allocator.device_index, size)
    if address is None:
        return None
    allocator.reserved += size
    segment = Segment(address, size, stream, pool)
    segment.head = node = Node(segment, address, size)
    allocator.segments[address] = segment
    segment.token = token(128)
    allocator.walk.number ^= segment.token
    statistics = allocator.statistics
    statistics.hold(pool.counters, size)
    if size >= config.max_split_size:
        statistics.oversize_segments.increase()
    history = allocator.history
    if history.enabled:
        segment.site = history.allocation_site()
        history.note("segment_alloc", address, size, stream, segment.site)
    return node


class Uncached:
    """Stands in for the allocator of a place that came straight from the driver.

    No statistic counts such memory.
    """

    __slots__ = ("_driver", "device_index")

    def __init__(self, driver: Driver, device_index: int) -> None:
        self._driver = driver
        self.device_index = device_index

    def take(self, nbytes: int) -> Place | None:
        """Memory of the driver; None where it has no room."""
        address = self._driver.allocate_segment(self.device_index, nbytes)
        if address is None:
            return None
        return Place(self, address, nbytes, nbytes, 0, 0)

    def give(self, place: Place) -> None:
        self._driver.free_segment(self.device_index, place.address, place.size)


def block_at(allocator: CachingAllocator, address: int) -> Node | None:
    """The block in use that starts at *address*."""
    with allocator.books():
        for segment in allocator.segments.values():
            if segment.address <= address < segment.address + segment.size:
                node: Node | None = segment.head
                while node is not None:
                    if node.address == address:
                        return node if node.state == ALLOCATED else None
                    node = node.next
    return None


def release(allocator: Books, node: Node, cache: Cache) -> None:
    """Return the segment that a free, unsplit node covers to the driver."""
    cache.discard(node)
    segment = node.segment
    size = segment.size
    del allocator.segments[segment.address]
    allocator.walk.number ^= segment.token
    allocator.driver.free_segment(allocator.device_index, segment.address, size)
    allocator.reserved -= size
    statistics = allocator.statistics
    statistics.let_go(segment.pool.counters, size)
    if size >= config.max_split_size:
        statistics.oversize_segments.decrease()
    history = allocator.history
    if history.enabled:
        history.note_segment_free(segment)
