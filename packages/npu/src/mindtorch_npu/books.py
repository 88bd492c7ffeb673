"""The books of one device: what is in use, what is free, and the counters.

This is CUDA's algorithm: a request is rounded, served from a cached block where one fits, else from
a new segment of the driver; a freed block merges with its free neighbours and stays cached. Words
and rules are those of torch c10/cuda/CUDACachingAllocator.cpp (native backend). The caller of every
method holds the allocator's lock.
"""

from __future__ import annotations

from heapq import heappop
from typing import TYPE_CHECKING

from mindtorch_npu import observer, reclaim, supply
from mindtorch_npu.block import ALLOCATED, PENDING, Node, Segment
from mindtorch_npu.cache import Cache
from mindtorch_npu.config import UNLIMITED, config
from mindtorch_npu.history import History
from mindtorch_npu.pending import PendingFrees
from mindtorch_npu.pool import MIN_BLOCK, SMALL_LIMIT, Plan, Pool, round_size
from mindtorch_npu.splitting import merge, split
from mindtorch_npu.statistics import (
    ACTIVE,
    ACTIVE_SIZE,
    ALLOCATED_SIZE,
    FIELD,
    IDLE_SIZE,
    REQUESTED,
    SIZE,
    USE,
    USED_TOPS,
    Statistics,
)
from mindtorch_npu.statistics import ALLOCATED as ALLOCATED_COUNT
from mindtorch_npu.walk import Walk

if TYPE_CHECKING:
    from mindtorch_npu.protocols import Driver

__all__ = ["Books"]

_PLANS = 4096


class Books:
    """See the module. Streams are named by their handle; 0 is the default stream."""

    __slots__ = (
        *("_fits_exactly", "_observed", "_pending", "_plans", "_total_used", "_waiting"),
        *("collects", "device_index", "driver", "fraction", "history", "large", "limit"),
        *("reserved", "segments", "small", "statistics", "walk"),
    )

    def __init__(self, driver: Driver, device_index: int) -> None:
        self.device_index = device_index
        self.history = History()
        self.driver = driver
        limit = config.max_split_size
        self.statistics = Statistics(-1 if limit == UNLIMITED else limit)
        self.small = Pool(True, self.statistics.small)
        self.large = Pool(False, self.statistics.large)
        self._total_used = self.statistics.used
        self.segments: dict[int, Segment] = {}
        self.reserved = 0
        self.limit: int | None = None
        self.fraction = 1.0
        self._pending = PendingFrees(self._release_pending)
        self._waiting = self._pending.by_stream  # what the hot path asks
        self._plans: dict[int, Plan] = {}  # by request
        self._fits_exactly = True  # no max_split_size, which may refuse a block that fits
        self._observed = False  # by the history or the oversize counters
        self.collects = False  # garbage collection is on
        self.walk = Walk(self.statistics)

    def flush(self) -> None:
        """Wait for pending frees, then return whole free segments to the driver."""
        self.statistics.num_sync_all_streams += 1
        self._pending.wait_all()
        reclaim.whole_segments(self, (self.large, self.small))

    # ---- malloc

    def _plan(self, nbytes: int) -> Plan:
        """What is the same for every request of *nbytes*."""
        if len(self._plans) >= _PLANS:
            self._plans.clear()
        size = round_size(nbytes + self.driver.padding)
        pool = self.small if size <= SMALL_LIMIT else self.large
        plan = self._plans[nbytes] = (size, pool, USE + size * SIZE + nbytes * REQUESTED)
        return plan

    def _malloc(self, nbytes: int, stream: int) -> Node:
        """Calls are written out for what most programs do."""
        if self._waiting:
            self._pending.poll()
        size, pool, delta = self._plans.get(nbytes) or self._plan(nbytes)
        cache = pool.caches.get(stream) or pool.cache(stream)
        exact = cache.bins.get(size)
        if exact is not None and exact.nodes and self._fits_exactly:
            if self.collects:
                pool.searches += 1
            heap = exact.heap
            node = exact.nodes.pop(heap[0], None)
            while node is None:  # a stale address
                heappop(heap)
                node = exact.nodes.pop(heap[0], None)
            if node.prev is not None or node.next is not None:
                idle = pool.idle
                idle_delta = 1 + (size << FIELD)
                idle.current -= idle_delta
                idle.freed += idle_delta
        else:
            node = self._malloc_inexact(pool, cache, size, stream)
            if node.size != size:
                delta = USE + node.size * SIZE + nbytes * REQUESTED
        node.state = ALLOCATED
        node.requested = nbytes
        node.delta = delta
        # Note [Packed counters] in statistics.py.
        used = pool.used
        current = used.current = used.current + delta
        if (used.ceiling - current) & USED_TOPS != USED_TOPS:
            used.raise_ceiling(current)
        total = self._total_used
        current += used.other.current
        if (total.ceiling - current) & USED_TOPS != USED_TOPS:
            total.raise_ceiling(current)
        if self._observed:
            if node.size >= config.max_split_size:
                self.statistics.oversize_allocations.increase()
            if self.history.enabled:
                node.site = self.history.allocation_site()
                self.history.note("alloc", node.address, nbytes, stream, node.site)
            if observer.current is not None:
                observer.current.allocated(node.address, nbytes, self.device_index, stream)
        return node

    def _malloc_inexact(self, pool: Pool, cache: Cache, size: int, stream: int) -> Node:
        """A larger cached block or a new segment, split where the rules say so."""
        node = cache.best_fit(size) if self._fits_exactly else self._permitted(cache, size)
        if self.collects:
            pool.searches += 1
        if node is None:
            node = supply.obtain(self, pool, size, stream)
        else:
            del cache.bins[node.size].nodes[node.address]
        rest = node.size - size
        if (
            rest < MIN_BLOCK
            if pool.is_small
            else rest <= SMALL_LIMIT or size >= config.max_split_size
        ):
            if node.prev is not None or node.next is not None:
                idle_delta = 1 + node.size * IDLE_SIZE
                pool.idle.current -= idle_delta
                pool.idle.freed += idle_delta
            return node
        return split(node, size, pool, cache)

    def _permitted(self, cache: Cache, size: int) -> Node | None:
        """The best fit, unless max_split_size forbids it; no other candidate is looked at."""
        node = cache.best_fit(size)
        limit = config.max_split_size
        if node is not None and (
            node.size >= limit
            if size < limit
            else node.size >= size + config.max_non_split_rounding
        ):
            return None
        return node

    # ---- free

    def _free(self, node: Node) -> None:
        if self._observed:
            if observer.current is not None:
                observer.current.freed(node.address, self.device_index)
            if self.history.enabled:
                self.history.note_free("free_requested", node)
            if node.size >= config.max_split_size:
                self.statistics.oversize_allocations.decrease()
        used = node.segment.pool.used
        if node.uses is None:
            delta = node.delta
            used.current -= delta
            used.freed += delta
            if self._observed:
                self._note_release(node)
            merge(node)
            return
        delta = ALLOCATED_COUNT + node.size * ALLOCATED_SIZE
        used.current -= delta
        used.freed += delta
        node.state = PENDING
        uses, node.uses = node.uses, None
        self._pending.add(node, uses)

    def _release_pending(self, node: Node) -> None:
        """All events of a freed block are complete."""
        delta = ACTIVE + node.size * ACTIVE_SIZE + node.requested * REQUESTED
        used = node.segment.pool.used
        used.current -= delta
        used.freed += delta
        self._note_release(node)
        merge(node)

    def _note_release(self, node: Node) -> None:
        if self._observed and self.history.enabled:
            self.history.note_free("free_completed", node)
            node.site = None
