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
from collections.abc import Callable, Iterable
from heapq import heappop
from typing import TYPE_CHECKING, Any

from mindtorch_npu import config as configuration
from mindtorch_npu import errors, reclaim
from mindtorch_npu.block import ALLOCATED, CACHED, PENDING, Block, Node, Segment
from mindtorch_npu.cache import Bin, Cache
from mindtorch_npu.config import UNLIMITED, config
from mindtorch_npu.history import History, describe_segments
from mindtorch_npu.pool import MIN_BLOCK, SMALL_LIMIT, Plan, Pool, round_size
from mindtorch_npu.statistics import (
    ACTIVE,
    ACTIVE_SIZE,
    ALLOCATED_SIZE,
    IDLE_SIZE,
    IDLE_TOPS,
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
        *("__weakref__", "_collects", "_driver", "_events", "_fits_exactly", "_large", "_late"),
        *("_limit", "_lock", "_observed", "_plans", "_reserved", "_small", "_spare"),
        *("_total_idle", "_total_used", "device_index", "fraction", "history", "segments"),
        "statistics",
    )

    def __init__(self, driver: Driver, device_index: int) -> None:
        configuration.read_environment()
        self.device_index = device_index
        self.history = History()
        self._driver = driver
        limit = config.max_split_size
        self.statistics = Statistics(-1 if limit == UNLIMITED else limit)
        self._small = Pool(True, self.statistics.small)
        self._large = Pool(False, self.statistics.large)
        self._total_used = self.statistics.used
        self._total_idle = self.statistics.idle
        self.segments: dict[int, Segment] = {}
        self._reserved = 0
        self._limit: int | None = None
        self.fraction = 1.0
        # Per stream that used foreign blocks: (ticket or None, node), oldest first.
        self._events: dict[int, deque[tuple[list[Any] | None, Node]]] = {}
        self._lock = threading.Lock()
        self._late: deque[Node] = deque()
        self._plans: dict[tuple[int, int], Plan] = {}  # by request and stream
        self._spare: list[Node] = []  # nodes that were merged away, for the next split
        self._fits_exactly = True  # no max_split_size, which may refuse a block that fits
        self._observed = False  # by the history or the oversize counters
        self._collects = False  # garbage collection is on
        if config.per_process_memory_fraction < 1.0:
            self.set_fraction(config.per_process_memory_fraction)
        self.refresh()
        configuration.listeners.add(self)

    def refresh(self) -> None:
        """Settings changed: work out what the hot paths ask."""
        unlimited = config.max_split_size == UNLIMITED
        self._fits_exactly = unlimited
        self._observed = self.history.enabled or not unlimited
        self._collects = self._limit is not None and config.garbage_collection_threshold > 0.0
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
        if nbytes >= EXABYTE:
            raise errors.more_than_an_exabyte()
        try:
            with self._lock:
                node = self._malloc(nbytes, stream)
        except errors.OutOfMemoryError as error:
            # Without the lock: an observer may ask for statistics, or free something.
            for observer in out_of_memory_observers:
                observer(*error.facts)
            raise
        if self._late:
            self._free_late()
        return Block(self, node, node.address, nbytes)

    def free(self, node: Node) -> None:
        """Take back what :meth:`allocate` gave; never waits and never raises."""
        lock = self._lock
        if lock.acquire(False):
            try:
                self._free(node)
            finally:
                lock.release()
            if not self._late:
                return
        else:
            self._late.append(node)
        self._free_late()

    def record_stream(self, block: Block, queue: Queue) -> None:
        """The block is used on another stream too: reuse it only when that work has finished."""
        node = block._node
        if node is None or block._allocator is not self:
            return
        with self._lock:
            if queue.handle == node.segment.stream:
                return
            if node.uses is None:
                node.uses = {}
            node.uses[queue.handle] = queue

    def empty_cache(self) -> None:
        """Return every segment that is wholly unused to the driver."""
        with self._lock:
            self._flush()
        if self._late:
            self._free_late()

    def set_fraction(self, fraction: float) -> None:
        """Allow at most this part of the total memory; 1.0 takes the limit away."""
        self.fraction = fraction
        total = self._driver.memory_info(self.device_index)[1]
        self._limit = None if fraction == 1.0 else int(fraction * total)
        self._collects = self._limit is not None and config.garbage_collection_threshold > 0.0

    def record_history(
        self,
        enabled: str | None,
        context: str | None,
        max_entries: int,
        *,
        clear: bool = False,
        skip: Iterable[str] = (),
    ) -> None:
        """Start, change or stop the history of this device."""
        with self._lock:
            self.history.configure(enabled, context, max_entries, clear=clear, skip=skip)
            self.refresh()

    def stats(self) -> dict[str, Any]:
        """The nested statistics."""
        if self._late:
            self._free_late()
        with self._lock:
            return self.statistics.as_nested_dict()

    def reset_peak(self) -> None:
        with self._lock:
            self.statistics.reset_peak()

    def reset_accumulated(self) -> None:
        with self._lock:
            self.statistics.reset_accumulated()

    def snapshot_segments(self) -> list[dict[str, Any]]:
        """What ``memory_snapshot`` shows of this device; notes the snapshot in the history."""
        with self._lock:
            found = describe_segments(self.device_index, self.segments.values())
            self.history.note("snapshot", 0, self.statistics.active_bytes(), 0)
            return found

    # ---- malloc

    def _plan(self, nbytes: int, stream: int) -> Plan:
        """What is the same for every request of *nbytes* on *stream*."""
        if len(self._plans) >= _PLANS:
            self._drop_plans()
        size = round_size(nbytes)
        pool = self._small if size <= SMALL_LIMIT else self._large
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
        if self._events:
            self._poll()
        plan = self._plans.get((nbytes, stream))
        if plan is None:
            plan = self._plan(nbytes, stream)
        exact, pool, delta, idle_delta, size = plan
        if exact.nodes and self._fits_exactly:
            if self._collects:
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
        return node

    def _malloc_inexact(self, pool: Pool, size: int, stream: int) -> Node:
        """A larger cached block or a new segment, split where the rules say so."""
        cache = pool.cache(stream)
        node = cache.best_fit(size) if self._fits_exactly else self._permitted(cache, size)
        if self._collects:
            pool.searches += 1
        if node is None:
            node = self._new_segment(pool, size, stream)
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
        # Split: the low part is new, the high part keeps its identity and is cached.
        spare = self._spare
        if spare:
            low = spare.pop()
            low.segment = node.segment
            low.address = node.address
            low.size = size
        else:
            low = Node(node.segment, node.address, size)
        low.prev = before
        if before is None:
            node.segment.head = low
        else:
            before.next = low
        low.next = node
        node.prev = low
        node.address += size
        node.size = rest
        node.age = pool.searches
        cache.add(node)
        if was_split:
            pool.idle.current -= size * IDLE_SIZE
            pool.idle.freed += size * IDLE_SIZE
        else:
            self._raise_idle(pool, 1 + rest * IDLE_SIZE)
        return low

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

    def _new_segment(self, pool: Pool, size: int, stream: int) -> Node:
        """Ask the driver, after giving back more and more of the cache."""
        segment_size = pool.segment_size(size)
        if self._collects:
            reclaim.garbage(self, self._large, self._reserved, self._limit or 0)
        node = self._driver_try(pool, segment_size, stream)
        if node is None and reclaim.oversize(self, pool, size, stream):
            node = self._driver_try(pool, segment_size, stream)
        if node is None:
            self._flush()
            self.statistics.num_alloc_retries += 1
            node = self._driver_try(pool, segment_size, stream)
        if node is None:
            raise self._out_of_memory(size, segment_size, stream)
        return node

    def _driver_try(self, pool: Pool, size: int, stream: int) -> Node | None:
        if self._limit is not None and self._reserved + size > self._limit:
            return None
        address = self._driver.allocate_segment(self.device_index, size)
        if address is None:
            return None
        self._reserved += size
        segment = Segment(address, size, stream, pool)
        segment.head = node = Node(segment, address, size)
        self.segments[address] = segment
        statistics = self.statistics
        statistics.hold(pool.counters, size)
        if size >= config.max_split_size:
            statistics.oversize_segments.increase()
        if self.history.enabled:
            segment.site = self.history.allocation_site()
            self.history.note("segment_alloc", address, size, stream, segment.site)
        return node

    def _raise_idle(self, pool: Pool, delta: int) -> None:
        idle = pool.idle
        current = idle.current = idle.current + delta
        if (idle.ceiling - current) & IDLE_TOPS != IDLE_TOPS:
            idle.raise_ceiling(current)
        total = self._total_idle
        current += idle.other.current
        if (total.ceiling - current) & IDLE_TOPS != IDLE_TOPS:
            total.raise_ceiling(current)

    def _out_of_memory(self, size: int, segment_size: int, stream: int) -> Exception:
        free, total = self._driver.memory_info(self.device_index)
        limit = self._limit
        statistics = self.statistics
        statistics.num_ooms += 1
        if self.history.enabled:
            self.history.note("oom", free, size, stream, self.history.allocation_site())
        error = errors.out_of_memory(
            device=self.device_index,
            size=segment_size,
            total=total,
            free=free,
            limit=limit,
            allocated=statistics.allocated_bytes(),
            reserved=statistics.reserved_bytes(),
        )
        error.facts = (self.device_index, segment_size, total if limit is None else limit, free)
        return error

    # ---- free

    def _free_late(self) -> None:
        late = self._late
        lock = self._lock
        while late and lock.acquire(False):
            try:
                while late:
                    self._free(late.popleft())
            finally:
                lock.release()

    def _free(self, node: Node) -> None:
        if self._observed:
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
        for handle, queue in uses.items():
            node.events += 1
            self._events.setdefault(handle, deque()).append((queue.last(), node))

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
        segment = node.segment
        pool = segment.pool
        cache = pool.caches[segment.stream]
        node.state = CACHED
        node.age = pool.searches
        before = node.prev
        after = node.next
        if (before is None or before.state) and (after is None or after.state):
            cache.add(node)
            if before is not None or after is not None:
                self._raise_idle(pool, 1 + node.size * IDLE_SIZE)
            return
        # A free neighbour was counted as idle. Only the net change counts: a counter that ends
        # where it was is not touched.
        count = nbytes = 0
        if before is not None and not before.state:
            del cache.bins[before.size].nodes[before.address]
            count -= 1
            nbytes -= before.size
            node.address = before.address
            node.size += before.size
            self._spare.append(before)
            before = node.prev = before.prev
            if before is None:
                segment.head = node
            else:
                before.next = node
        if after is not None and not after.state:
            del cache.bins[after.size].nodes[after.address]
            count -= 1
            nbytes -= after.size
            node.size += after.size
            self._spare.append(after)
            after = node.next = after.next
            if after is not None:
                after.prev = node
        cache.add(node)
        if before is not None or after is not None:
            count += 1
            nbytes += node.size
        if nbytes < 0:
            down = nbytes * -IDLE_SIZE - count  # the segment is whole: count is negative too
            pool.idle.current -= down
            pool.idle.freed += down
        else:
            if count:
                pool.idle.current += count  # two neighbours merged: -1
                pool.idle.freed -= count
            self._raise_idle(pool, nbytes * IDLE_SIZE)

    # ---- events of other streams

    def _poll(self) -> None:
        """Release what other streams have finished with; stop at each first unfinished event."""
        for handle in tuple(self._events):
            waiting = self._events[handle]
            while waiting:
                ticket, node = waiting[0]
                if ticket is not None and ticket[0] is not None:
                    break
                waiting.popleft()
                self._event_done(node)
            if not waiting:
                del self._events[handle]

    def _synchronize_events(self) -> None:
        self.statistics.num_sync_all_streams += 1
        while self._events:
            handle = next(iter(self._events))
            waiting = self._events.pop(handle)
            for ticket, node in waiting:
                if ticket is not None and ticket[0] is not None:
                    ticket[4].finish(ticket)
                self._event_done(node)

    def _event_done(self, node: Node) -> None:
        node.events -= 1
        if node.events == 0:
            self._release_pending(node)

    # ---- giving memory back to the driver

    def _flush(self) -> None:
        self._synchronize_events()
        reclaim.whole_segments(self, (self._large, self._small))

    def release_segment(self, node: Node, cache: Cache) -> None:
        """Return the segment that a free, unsplit node covers to the driver. Needs the lock."""
        cache.discard(node)
        segment = node.segment
        size = segment.size
        del self.segments[segment.address]
        self._driver.free_segment(self.device_index, segment.address, size)
        self._reserved -= size
        statistics = self.statistics
        statistics.let_go(segment.pool.counters, size)
        if size >= config.max_split_size:
            statistics.oversize_segments.decrease()
        if self.history.enabled:
            self.history.note("segment_free", segment.address, size, segment.stream, segment.site)
