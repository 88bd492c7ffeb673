"""The caching allocator's algorithm: best fit with splitting and merging.

This is CUDA's algorithm: a request is rounded, served from a cached block where one fits, else from
a new segment of the driver; a freed block merges with its free neighbours and stays cached. Words
and rules are those of torch c10/cuda/CUDACachingAllocator.cpp (native backend). The caller of every
method holds the allocator's lock.
"""

from __future__ import annotations

from mindtorch_npu import errors, observer, reclaim
from mindtorch_npu.allocator_config import config
from mindtorch_npu.allocator_state import AllocatorState
from mindtorch_npu.block_pool import ADDRESS, DEFAULT_POOL, PENDING, Node, Pool, PoolId
from mindtorch_npu.completion import Ticket
from mindtorch_npu.pending_frees import PendingFrees
from mindtorch_npu.protocols import Driver
from mindtorch_npu.request_plan import ARENA, Plan
from mindtorch_npu.segments import ask_driver
from mindtorch_npu.splitting import hand_out, hand_out_part, take_back
from mindtorch_npu.statistics import (
    ACTIVE,
    ACTIVE_SIZE,
    ALLOCATED,
    ALLOCATED_SIZE,
    IDLE_SIZE,
    REQUESTED,
    fallen,
)

__all__ = ["BestFitAllocator"]


class BestFitAllocator(AllocatorState):
    """See the module."""

    __slots__ = ("_pending", "_waiting")

    def __init__(self, driver: Driver, device_index: int) -> None:
        super().__init__(driver, device_index)
        self._pending = PendingFrees(self._release_pending)
        self._waiting = self._pending.by_stream  # what the hot path asks

    def flush(self, pool_id: PoolId = DEFAULT_POOL) -> None:
        """Wait for pending frees, then return whole free segments to the driver.

        Those of private pools too which nobody uses any more; while requests are diverted only
        those. With a *pool_id* only those of that pool.
        """
        if pool_id == DEFAULT_POOL and not self.routes:
            self._await_all()
            reclaim.whole_segments(self, (self.large, self.small))
        for private in tuple(self.private.values()):
            if private.use_count or pool_id not in (DEFAULT_POOL, private.id):
                continue
            if pool_id != DEFAULT_POOL and not self.routes:
                self._await_all()
            reclaim.whole_segments(self, private.pools)
            if not any(each.pool.number == private.number for each in self.segments.values()):
                del self.private[private.id]
                self._forget_plans()
                del self._plans.pools[private.number]

    def _await_all(self) -> None:
        self.statistics.num_sync_all_streams += 1
        self._pending.wait_all(self._await)

    def _forget_plans(self) -> None:
        """Pools came, went, or have other rules from now on."""
        self._plans.clear()
        self.walk.forget()

    def _await(self, ticket: Ticket) -> None:
        ticket[4].finish(ticket)

    # ---- malloc

    def _malloc(self, nbytes: int, arena: int) -> Node:
        if self._waiting and not self.routes:
            self._poll()
        plan = self._plans[nbytes + (arena << ARENA)]
        size = plan.size
        cache = plan.cache
        pool = cache.pool
        if self.collects:
            pool.searches += 1
        # The best fit is the first key from this one on.
        keys, nodes, i = cache.seek(plan.span)
        node: Node | None = nodes[i]
        if node is None or not (self._fits_exactly or self._permits(node.size, size)):
            node = self._obtain(plan)
            if node.cache is not cache:
                return self._malloc(nbytes, node.cache.arena)
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
            pool = node.cache.pool.id
            self.history.note("alloc", node.address, node.nbytes, node.stream, node.site, pool)
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

    def _obtain(self, plan: Plan) -> Node:
        """A free block for a request that no block of its cache serves.

        It is a whole new segment, after giving back more and more of the cache; or where there is
        no room that of a private pool which helps out. Raises OutOfMemoryError when nothing helps.
        """
        history = self.history
        history.serves = True
        try:
            return self._obtain_segment(plan.cache.pool, plan.size, plan.cache.stream)
        finally:
            history.serves = False

    def _help_out(self, pool: Pool, size: int, stream: int) -> Node | None:
        """A free block of a private pool that may serve others than its own, where one fits."""
        if pool.number:
            return None
        for private in self.private.values():
            if private.use_on_oom:
                helping = private.small if pool.is_small else private.large
                keys, nodes, i = helping.cache(stream).seek(size << ADDRESS)
                node: Node | None = nodes[i]
                if node is not None and (self._fits_exactly or self._permits(node.size, size)):
                    return node
        return None

    def _obtain_segment(self, pool: Pool, size: int, stream: int) -> Node:
        segment_size = pool.segment_size(size)
        if self.collects:
            reclaim.garbage(self, self.large, self.reserved, self.limit or 0)
        node = ask_driver(self, pool, segment_size, stream)
        if node is None:
            node = self._help_out(pool, size, stream)
        if node is None and reclaim.oversize(self, pool, size, stream):
            node = ask_driver(self, pool, segment_size, stream)
        if node is None and not self.routes:
            self.flush()
            self.statistics.num_alloc_retries += 1
            node = ask_driver(self, pool, segment_size, stream)
        if node is None:
            raise self.out_of_memory(size, segment_size, stream, pool.id)
        return node

    def out_of_memory(
        self, size: int, segment_size: int, stream: int, pool_id: PoolId = DEFAULT_POOL
    ) -> errors.OutOfMemoryError:
        """Count the failure and word it. *size* is the rounded request."""
        index = self.device_index
        free, total = self.driver.memory_info(index)
        limit = self.limit
        statistics = self.statistics
        statistics.num_ooms += 1
        history = self.history
        if history.enabled:
            history.note("oom", free, size, stream, history.allocation_site(), pool_id)
        error = errors.out_of_memory(
            device=index,
            size=segment_size,
            total=total,
            free=free,
            limit=limit,
            allocated=statistics.allocated_bytes(),
            reserved=statistics.reserved_bytes(),
            private=sum(
                node.size
                for private in self.private.values()
                for pool in private.pools
                for cache in pool.caches.values()
                for node in cache.ordered()
            ),
        )
        error.facts = (index, segment_size, total if limit is None else limit, free)
        return error

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
        if self.routes:
            self._pending.put_off(node, uses)
        else:
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
