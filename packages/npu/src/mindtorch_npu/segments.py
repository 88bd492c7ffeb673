"""Segments of driver memory that come and go.

The caller of ``ask_driver`` and ``release`` holds the allocator's lock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_npu.allocator_config import config
from mindtorch_npu.allocator_memo import token
from mindtorch_npu.allocator_state import AllocatorState
from mindtorch_npu.block import Place
from mindtorch_npu.block_pool import ADDRESS, Cache, Node, Pool, Segment
from mindtorch_npu.protocols import Driver
from mindtorch_npu.statistics import HELD_SIZE, fallen

__all__ = ["Uncached", "ask_driver", "release"]


def ask_driver(allocator: AllocatorState, pool: Pool, size: int, stream: int) -> Node | None:
    """A new segment as one cached block; None where the limit or the device has no room."""
    limit = allocator.limit
    if limit is not None and allocator.reserved + size > limit:
        return None
    address = allocator.driver.allocate_segment(allocator.device_index, size)
    if address is None:
        return None
    try:
        segment = Segment(address, size, stream, pool)
        cache = pool.cache(stream)
        node = Node(cache, size << ADDRESS | address)
        node.prev = node.next = segment
        segment.token = token(128)
    except BaseException:  # Ctrl-C
        allocator.driver.free_segment(allocator.device_index, address, size)
        raise
    statistics = allocator.statistics
    held = pool.counters.held
    # See Note [Index first, truth last] in splitting.py: no call from here on ...
    segment.next = segment.prev = node
    allocator.segments[address] = segment
    allocator.walk.number ^= segment.token
    allocator.reserved += size
    held.books += 1 + size * HELD_SIZE
    statistics.num_device_alloc += 1
    # ... but here the index comes last, for nobody looks the node up until it is in.
    cache.insert(node.key, node)
    if size >= config.max_split_size:
        statistics.oversize_segments.increase()
    if pool.number:
        statistics.count_private(pool.id, pool.is_small, size)
    history = allocator.history
    if history.enabled:
        segment.site = history.allocation_site()
        history.note("segment_alloc", address, size, stream, segment.site, pool.id)
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
        return Place(self, address, nbytes, nbytes, 0)

    @property
    def taker_back(self) -> Callable[[Any], object]:
        return self.give

    def settle(self) -> None:
        """Nothing waits here."""

    def give(self, place: Place) -> None:
        self._driver.free_segment(self.device_index, place.address, place.size)


def release(allocator: AllocatorState, node: Node, cache: Cache) -> None:
    """Return the segment that a free, unsplit node covers to the driver."""
    segment: Segment = node.prev
    size = segment.size
    statistics = allocator.statistics
    held = segment.pool.counters.held
    held.total.crest()
    fall = fallen(1 + size * HELD_SIZE, held.fields)
    cache.remove(node.key)
    # See Note [Index first, truth last] in splitting.py.
    del allocator.segments[segment.address]
    allocator.walk.number ^= segment.token
    allocator.reserved -= size
    held.books += fall
    statistics.num_device_free += 1
    allocator.driver.free_segment(allocator.device_index, segment.address, size)
    if size >= config.max_split_size:
        statistics.oversize_segments.decrease()
    if segment.pool.number:
        statistics.count_private(segment.pool.id, segment.pool.is_small, -size)
    history = allocator.history
    if history.enabled:
        history.note_segment_free(segment)
