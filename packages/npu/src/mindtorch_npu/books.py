"""The books of one device: what is in use, what is free, and the counters.

This is CUDA's algorithm: a request is rounded, served from a cached block where one fits, else from
a new segment of the driver; a freed block merges with its free neighbours and stays cached. Words
and rules are those of torch c10/cuda/CUDACachingAllocator.cpp (native backend). The caller of every
method holds the allocator's lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindtorch_npu import observer, reclaim, supply
from mindtorch_npu.block import CACHED, PENDING, Node, Segment
from mindtorch_npu.cache import Cache
from mindtorch_npu.config import UNLIMITED, config
from mindtorch_npu.history import History
from mindtorch_npu.pending import PendingFrees
from mindtorch_npu.plan import STREAM, Plans
from mindtorch_npu.pool import Pool
from mindtorch_npu.splitting import hand_out, hand_out_part, take_back
from mindtorch_npu.statistics import (
    ACTIVE,
    ACTIVE_SIZE,
    ALLOCATED,
    ALLOCATED_SIZE,
    IDLE_SIZE,
    REQUESTED,
    Statistics,
    fallen,
)
from mindtorch_npu.tickets import Ticket
from mindtorch_npu.walk import Walk

if TYPE_CHECKING:
    from mindtorch_npu.protocols import Driver

__all__ = ["Books"]


class Books:
    """See the module. Streams are named by their handle; 0 is the default stream."""

    __slots__ = (
        *("_fits_exactly", "_observed", "_pending", "_plans", "_waiting"),
        *("collects", "device_index", "driver", "fraction", "history", "large", "limit"),
        *("reserved", "segments", "small", "statistics", "walk"),
    )

    def __init__(self, driver: Driver, device_index: int) -> None:
        self.device_index = device_index
        self.history = History()
        self.driver = driver
        limit = config.max_split_size
        self.statistics = Statistics(-1 if limit == UNLIMITED else limit)
        self.small = Pool(True, self.statistics.small, self)
        self.large = Pool(False, self.statistics.large, self)
        self.segments: dict[int, Segment] = {}
        self.reserved = 0
        self.limit: int | None = None
        self.fraction = 1.0
        self._pending = PendingFrees(self._release_pending)
        self._waiting = self._pending.by_stream  # what the hot path asks
        self._plans = Plans(driver.padding, self.small, self.large)
        self._fits_exactly = True  # no max_split_size, which may refuse a block that fits
        self._observed = False  # by the history or the oversize counters
        self.collects = False  # garbage collection is on
        self.walk = Walk(self.statistics)

    def flush(self) -> None:
        """Wait for pending frees, then return whole free segments to the driver."""
        self.statistics.num_sync_all_streams += 1
        self._pending.wait_all(self._await)
        reclaim.whole_segments(self, (self.large, self.small))

    def _await(self, ticket: Ticket) -> None:
        ticket[4].finish(ticket)

    def mend(self) -> None:
        """After an exception in the middle: make anew what follows from the chain of nodes.

        That is the index of free blocks and the number of the state; as often as one likes. See
        Note [Index first, truth last] in ``splitting.py``.
        """
        number = 0
        free: dict[Cache, list[Node]] = {}
        for pool in (self.small, self.large):
            for cache in pool.caches.values():
                free[cache] = []
                cache.spare.clear()
        for segment in self.segments.values():
            number ^= segment.token
            for node in segment.nodes():
                if node.state == CACHED:
                    free[node.cache].append(node)
                elif node.state != PENDING:
                    number ^= node.token
        for cache, nodes in free.items():
            cache.rebuild(nodes)
        self.walk.number = number

    def nodes(self) -> Iterator[Node]:
        """All of them, those too that were merged away."""
        for segment in self.segments.values():
            yield from segment.nodes()
        for pool in (self.small, self.large):
            for cache in pool.caches.values():
                yield from cache.spare

    # ---- malloc

    def _malloc(self, nbytes: int, stream: int) -> Node:
        if self._waiting:
            self._poll()
        plan = self._plans[nbytes + (stream << STREAM)]
        size = plan.size
        cache = plan.cache
        pool = cache.pool
        if self.collects:
            pool.searches += 1
        # The best fit is the first key from this one on.
        keys, nodes, i = cache.seek(plan.span)
        node: Node | None = nodes[i]
        if node is None or not (self._fits_exactly or self._permits(node.size, size)):
            node = supply.obtain(self, pool, size, stream)
            keys, nodes, i = cache.seek(node.key)
        rest_key = node.key - plan.cut
        may_be_cut = self._fits_exactly or pool.is_small or size < config.max_split_size
        if rest_key >= cache.least and may_be_cut:
            hand_out_part(node, plan, keys, nodes, i, rest_key)
        else:
            hand_out(node, plan, keys, nodes, i)
        if self._observed:
            self._note_allocation(node)
        return node

    def _poll(self) -> None:
        """Release what other streams have finished with, for an allocation."""
        history = self.history
        history.serves = True
        try:
            self._pending.poll()
        finally:
            history.serves = False

    def _note_allocation(self, node: Node) -> None:
        if node.size >= config.max_split_size:
            self.statistics.oversize_allocations.increase()
        if self.history.enabled:
            node.site = self.history.allocation_site()
            self.history.note("alloc", node.address, node.nbytes, node.stream, node.site)
        if observer.current is not None:
            observer.current.allocated(node.address, node.nbytes, self.device_index, node.stream)

    @staticmethod
    def _permits(found: int, size: int) -> bool:
        """Whether max_split_size lets a block of *found* bytes serve *size*.

        Where it does not, no other block is looked at.
        """
        limit = config.max_split_size
        if size < limit:
            return found < limit
        return found < size + config.max_non_split_rounding

    # ---- free

    def _free(self, node: Node) -> None:
        if self._observed:
            if observer.current is not None:
                observer.current.freed(node.address, self.device_index)
            if self.history.enabled:
                self.history.note_free("free_requested", node)
            if node.size >= config.max_split_size:
                self.statistics.oversize_allocations.decrease()
        if node.uses is None:
            if self._observed:
                self._note_release(node)
            take_back(node, node.plan.back)
            return
        node.cache.tally.fall(ALLOCATED + node.size * ALLOCATED_SIZE)
        node.state = PENDING
        uses, node.uses = node.uses, None
        self._pending.add(node, uses)

    def _release_pending(self, node: Node) -> None:
        """All events of a freed block are complete."""
        self._note_release(node)
        fall = ACTIVE + node.size * ACTIVE_SIZE + node.nbytes * REQUESTED
        take_back(node, fallen(fall) + node.size * IDLE_SIZE)

    def _note_release(self, node: Node) -> None:
        if self._observed and self.history.enabled:
            self.history.note_free("free_completed", node)
            node.site = None
