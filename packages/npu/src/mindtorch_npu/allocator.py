"""The caching allocator of one device: CUDA's algorithm, so that its numbers are CUDA's.

A request is rounded, served from a cached block where one fits, else from a new segment of the
driver; a freed block merges with its free neighbours and stays cached. Words and rules are those of
torch c10/cuda/CUDACachingAllocator.cpp (native backend).

Note [Frees never wait]. A block may die anywhere: in a worker thread that drops a kernel's
arguments, or when the garbage collector runs in the middle of an allocation of the same thread. So
``free`` only *tries* the lock. Where it is taken, the node joins ``_late``, and whoever holds the
lock frees it before or right after giving the lock back.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from heapq import heappop
from typing import TYPE_CHECKING, Any

from mindtorch_npu import config as configuration
from mindtorch_npu import errors, faults, observer, reclaim, supply
from mindtorch_npu.block import ALLOCATED, PENDING, Block, Node, Segment
from mindtorch_npu.cache import Bin, Cache
from mindtorch_npu.config import UNLIMITED, config
from mindtorch_npu.history import History, describe_segments
from mindtorch_npu.pending import PendingFrees
from mindtorch_npu.pool import MIN_BLOCK, SMALL_LIMIT, Plan, Pool, round_size
from mindtorch_npu.segments import Uncached
from mindtorch_npu.splitting import merge, split
from mindtorch_npu.statistics import (
    ACTIVE,
    ACTIVE_SIZE,
    ALLOCATED_SIZE,
    IDLE_SIZE,
    REQUESTED,
    SIZE,
    USE,
    USED_TOPS,
    Statistics,
)
from mindtorch_npu.statistics import ALLOCATED as ALLOCATED_COUNT

if TYPE_CHECKING:
    from mindtorch_npu.protocols import Driver, Queue

__all__ = ["CachingAllocator", "out_of_memory_observers"]

EXABYTE = 1024**6
_PLANS = 4096

# Called with (device, size, limit or total, free) before an OutOfMemoryError is raised.
out_of_memory_observers: list[Callable[[int, int, int, int], object]] = []


class CachingAllocator:
    """See the module. Streams are named by their handle; 0 is the default stream."""

    __slots__ = (
        *("__weakref__", "_fits_exactly", "_late", "_observed", "_pending", "_plans"),
        *("_total_used", "_unusual", "_waiting", "collects", "device_index", "driver"),
        *("enabled", "fraction", "history", "large", "limit", "lock", "reserved", "segments"),
        *("small", "statistics"),
    )

    def __init__(self, driver: Driver, device_index: int) -> None:
        configuration.read_environment()
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
        self.lock = threading.Lock()
        self._late: deque[Node] = deque()
        self._plans: dict[tuple[int, int], Plan] = {}  # by request and stream
        self._fits_exactly = True  # no max_split_size, which may refuse a block that fits
        self._observed = False  # by the history or the oversize counters
        self.collects = False  # garbage collection is on
        self.enabled = True  # memory goes through the cache
        self._unusual = EXABYTE  # requests of at least so many bytes are looked at first
        if config.per_process_memory_fraction < 1.0:
            self.set_fraction(config.per_process_memory_fraction)
        self.refresh()
        configuration.listeners.add(self)

    def refresh(self) -> None:
        """Settings changed: work out what the hot paths ask."""
        self._unusual = EXABYTE if self.enabled and not faults.allocations else 0
        unlimited = config.max_split_size == UNLIMITED
        self._fits_exactly = unlimited
        watched = self.history.enabled or observer.current is not None
        self._observed = watched or not unlimited
        self.collects = self.limit is not None and config.garbage_collection_threshold > 0.0
        self._drop_plans()

    def _drop_plans(self) -> None:
        for exact, *_ in self._plans.values():
            exact.planned = False
        self._plans.clear()

    # ---- public

    def allocate(self, nbytes: int, stream: int = 0) -> Block:
        """Memory for *nbytes*, for use on *stream*; 0 bytes have address 0 and count nowhere."""
        if nbytes == 0:
            return Block(None, None, 0, 0)
        if nbytes >= self._unusual:
            block = self._unusual_request(nbytes)
            if block is not None:
                return block
        try:
            with self.lock:
                node = self._malloc(nbytes, stream)
        except errors.OutOfMemoryError as error:
            self._observers_see(error)
            raise
        if self._late:
            self.free_late()
        return Block(self, node, node.address, nbytes)

    def _unusual_request(self, nbytes: int) -> Block | None:
        """Refuse it, or serve it without the cache; None leaves it to the usual way."""
        if nbytes >= EXABYTE:
            raise errors.more_than_an_exabyte()
        if faults.allocations and faults.next_allocation_fails(self.device_index):
            size = round_size(nbytes + self.driver.padding)
            pool = self.small if size <= SMALL_LIMIT else self.large
            with self.lock:
                error = supply.out_of_memory(self, size, pool.segment_size(size), 0)
            self._observers_see(error)
            raise error
        if self.enabled:
            return None
        block = Uncached(self.driver, self.device_index).block(nbytes)
        if block is None:
            raise errors.driver_out_of_memory()
        return block

    @staticmethod
    def _observers_see(error: errors.OutOfMemoryError) -> None:
        # Without the lock: an observer may ask for statistics, or free something.
        for tell in out_of_memory_observers:
            tell(*error.facts)

    def enable(self, value: bool) -> None:
        """Serve requests from the cache, or each from the driver."""
        with self.lock:
            self.enabled = value
            self.refresh()

    def free(self, node: Node) -> None:
        """Take back what :meth:`allocate` gave; never waits and never raises."""
        lock = self.lock
        if lock.acquire(False):
            try:
                self._free(node)
            finally:
                lock.release()
            if not self._late:
                return
        else:
            self._late.append(node)
        self.free_late()

    def record_stream(self, block: Block, queue: Queue) -> None:
        """The block is used on another stream too: reuse it only when that work has finished."""
        node = block._node
        if node is None or block._allocator is not self:
            return
        with self.lock:
            if queue.handle == node.segment.stream:
                return
            if node.uses is None:
                node.uses = {}
            node.uses[queue.handle] = queue

    def empty_cache(self) -> None:
        """Return every segment that is wholly unused to the driver."""
        with self.lock:
            self.flush()
        if self._late:
            self.free_late()

    def set_fraction(self, fraction: float) -> None:
        """Allow at most this part of the total memory; 1.0 takes the limit away."""
        self.fraction = fraction
        total = self.driver.memory_info(self.device_index)[1]
        self.limit = None if fraction == 1.0 else int(fraction * total)
        self.collects = self.limit is not None and config.garbage_collection_threshold > 0.0

    def record_history(
        self,
        enabled: str | None,
        context: str | None,
        max_entries: int,
        **how: Any,
    ) -> None:
        """Start, change or stop the history of this device; see :meth:`History.configure`."""
        with self.lock:
            self.history.configure(enabled, context, max_entries, **how)
            self.refresh()

    def stats(self) -> dict[str, Any]:
        """The nested statistics."""
        if self._late:
            self.free_late()
        with self.lock:
            return self.statistics.as_nested_dict()

    def reset_peak(self) -> None:
        with self.lock:
            self.statistics.reset_peak()

    def reset_accumulated(self) -> None:
        with self.lock:
            self.statistics.reset_accumulated()

    def snapshot_segments(self) -> list[dict[str, Any]]:
        """What ``memory_snapshot`` shows of this device; notes the snapshot in the history."""
        with self.lock:
            found = describe_segments(self.device_index, self.segments.values())
            self.history.note("snapshot", 0, self.statistics.active_bytes(), 0)
            return found

    def trace(self) -> list[dict[str, Any]]:
        """The entries of the history, oldest first."""
        with self.lock:
            return self.history.trace()

    # ---- for the modules that share the work; the lock is held

    def flush(self) -> None:
        """Wait for pending frees, then return whole free segments to the driver."""
        self.statistics.num_sync_all_streams += 1
        self._pending.wait_all()
        reclaim.whole_segments(self, (self.large, self.small))

    # ---- malloc

    def _plan(self, nbytes: int, stream: int) -> Plan:
        """What is the same for every request of *nbytes* on *stream*."""
        if len(self._plans) >= _PLANS:
            self._drop_plans()
        size = round_size(nbytes + self.driver.padding)
        pool = self.small if size <= SMALL_LIMIT else self.large
        cache = pool.cache(stream)
        found = cache.bins.get(size)
        if found is None:
            found = cache.bins[size] = Bin()
        found.planned = True
        delta = USE + size * SIZE + nbytes * REQUESTED
        plan = self._plans[nbytes, stream] = (found, pool, delta, 1 + size * IDLE_SIZE, size)
        return plan

    def _malloc(self, nbytes: int, stream: int) -> Node:
        """The hot path. Calls are written out where a cached block fits exactly."""
        if self._waiting:
            self._pending.poll()
        plan = self._plans.get((nbytes, stream))
        if plan is None:
            plan = self._plan(nbytes, stream)
        exact, pool, delta, idle_delta, size = plan
        if exact.nodes and self._fits_exactly:
            if self.collects:
                pool.searches += 1
            heap = exact.heap
            node = exact.nodes.pop(heap[0], None)
            while node is None:  # a stale address
                heappop(heap)
                node = exact.nodes.pop(heap[0], None)
            if node.prev is not None or node.next is not None:
                idle = pool.idle
                idle.current -= idle_delta
                idle.freed += idle_delta
        else:
            node = self._malloc_inexact(pool, size, stream)
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

    def _malloc_inexact(self, pool: Pool, size: int, stream: int) -> Node:
        """A larger cached block or a new segment, split where the rules say so."""
        cache = pool.cache(stream)
        node = cache.best_fit(size) if self._fits_exactly else self._permitted(cache, size)
        if self.collects:
            pool.searches += 1
        if node is None:
            node = supply.obtain(self, pool, size, stream)
        else:
            del cache.bins[node.size].nodes[node.address]
        rest = node.size - size
        before = node.prev
        was_split = before is not None or node.next is not None
        if (
            rest < MIN_BLOCK
            if pool.is_small
            else rest <= SMALL_LIMIT or size >= config.max_split_size
        ):
            if was_split:
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

    def free_late(self) -> None:
        """Do the frees that could not wait for the lock."""
        late = self._late
        lock = self.lock
        while late and lock.acquire(False):
            try:
                while late:
                    self._free(late.popleft())
            finally:
                lock.release()

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
            self._release(node)
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
        self._release(node)

    def _release(self, node: Node) -> None:
        """Merge with free neighbours and cache."""
        if self._observed and self.history.enabled:
            self.history.note_free("free_completed", node)
            node.site = None
        merge(node)
