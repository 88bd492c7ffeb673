"""The caching allocator of one device: CUDA's algorithm, so that its numbers are CUDA's.

:class:`BestFitAllocator` is the algorithm, :class:`LockedAllocator` lets one thread at a time work
with it, :class:`DivertingAllocator` has private pools. Here is what stands in front: the public
methods, and ``take`` and ``give``, which go to the books only where their answer is not known from
the last time (see ``allocator_memo.py``).

Note [Frees never wait]. A block may die anywhere: in a worker thread that drops a kernel's
arguments, or when the garbage collector runs in the middle of an allocation of the same thread. So
``give`` only *tries* the lock. Where it is taken, the place joins ``deferred``, and whoever holds
the lock, or allocates next, takes it back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from mindtorch_npu import allocator_config, errors, faults, observer
from mindtorch_npu.allocator_config import UNLIMITED, config
from mindtorch_npu.allocator_memo import SEEN, Walk
from mindtorch_npu.block import NOWHERE, UNBOOKED, Block, Handle, Place
from mindtorch_npu.block_pool import (
    ALLOCATED,
    DEFAULT_POOL,
    SMALL_LIMIT,
    Node,
    PoolId,
    round_size,
)
from mindtorch_npu.diverting_allocator import DivertingAllocator
from mindtorch_npu.locked_allocator import node_of
from mindtorch_npu.memo_states import NO_LEAP, Arrival, Step
from mindtorch_npu.memory_history import describe_segments
from mindtorch_npu.protocols import Driver, Queue
from mindtorch_npu.segments import Uncached
from mindtorch_npu.splitting import hand_out, hand_out_part, take_back

__all__ = ["CachingAllocator", "out_of_memory_observers"]

EXABYTE = 1024**6

# Called with (device, size, limit or total, free) before an OutOfMemoryError is raised.
out_of_memory_observers: list[Callable[[int, int, int, int], object]] = []


class CachingAllocator(DivertingAllocator):
    """See the module."""

    __slots__ = ("__weakref__", "_unusual", "enabled")

    def __init__(self, driver: Driver, device_index: int) -> None:
        allocator_config.read_environment()
        super().__init__(driver, device_index)
        self.enabled = True  # memory goes through the cache
        self._unusual = EXABYTE  # requests of at least so many bytes are looked at first
        if config.per_process_memory_fraction < 1.0:
            self.set_fraction(config.per_process_memory_fraction)
        self.refresh()
        allocator_config.listeners.add(self)

    def refresh(self) -> None:
        """Settings changed: work out what the hot paths ask."""
        with self.books():
            self._refresh()

    def _refresh(self) -> None:
        self._unusual = EXABYTE if self.enabled and not faults.allocations else 0
        unlimited = config.max_split_size == UNLIMITED
        self._fits_exactly = unlimited
        watched = self.history.enabled or observer.current is not None
        self._observed = watched or not unlimited
        self.collects = self.limit is not None and config.garbage_collection_threshold > 0.0
        helped = any(private.use_on_oom for private in self.private.values())
        looks_beyond = self._observed or self.collects or self.routes or helped
        self._plain = self._unusual == EXABYTE and not looks_beyond
        self._plans.clear()
        self.walk.forget()
        self._lead_frees_to(self.give if self._observed else self.deferred.append)

    # ---- public

    def allocate(self, nbytes: int, arena: int = 0) -> Block:
        """Memory for *nbytes* of an arena; 0 bytes have address 0 and count nowhere.

        :param arena: for a queue its ``arena``, which says also where nothing is diverted that it
            is for use on that stream; default the default stream.
        """
        block = Block(self.device_index)
        if nbytes:
            # First of all the block has it, with no call in between: nothing is lost.
            place = block.place = self.take(nbytes, arena)
            block.__del__ = place.release
            block.data_ptr = place.address
            block.nbytes = place.nbytes
        return block

    def take(self, nbytes: int, arena: int = 0) -> Handle:
        """The same of at least one byte, for somebody who gives it back himself."""
        deferred = self.deferred
        walk = self.walk
        unknown = walk.unknown
        before = walk.last
        key = nbytes
        if arena:
            if arena < 0:
                if arena == NOWHERE:
                    return UNBOOKED
                arena = self.arena_meant(arena)
            key += arena << 64
        if before is not unknown and before is not NO_LEAP:
            place = self._leap(before, key, nbytes, arena)
            if place is not None:
                return place
            before = walk.last
        if deferred:
            self.settle()
            before = NO_LEAP if deferred else walk.last
        if before is unknown and self._plain and not self._waiting and walk.take_out(unknown):
            # Nothing is known, so nothing can be learnt: by the books, without the lock.
            has_state_of: Walk | None = walk  # see Walk.own
            node: Node | None = None
            try:
                plan = self._plans[key]
                cache = plan.cache
                keys = cache.keys
                if keys is None:
                    keys, nodes, i = cache.seek(plan.span)
                else:
                    nodes = cache.nodes
                    i = bisect_left(keys, plan.span)
                arrived = unknown
                node = nodes[i]
                if node is not None:
                    rest_key = keys[i] - plan.cut
                    if rest_key < cache.least:
                        hand_out(node, plan, keys, nodes, i)
                    else:
                        hand_out_part(node, plan, keys, nodes, i, rest_key)
                    number = walk.number = walk.number ^ node.token
                    if number in walk.seen:
                        arrived = self._arrive()
                    else:
                        walk.seen.add(number)
            except BaseException as error:
                if node is not None and node.state == ALLOCATED:
                    deferred += (node,)
                walk.inconsistent = True
                self._observers_see(error)
                raise
            walk.last = arrived
            if node is not None:
                return node
            # The driver is asked, and waited for: that is for who has the lock.
            has_state_of = None  # noqa: F841 - see Walk.own
        return self.take_slowly(nbytes, arena)

    def _leap(self, before: Arrival, key: int, nbytes: int, arena: int) -> Handle | None:
        """Serve the request *key* by a leap from where *before* led, if one is known."""
        deferred = self.deferred
        walk = self.walk
        leap = walk.leap(before, deferred, key)
        turn = walk.turn
        place: Handle | None = None
        if not turn.take():  # see Note [Who holds the state]
            return None
        try:
            same = leap.source is before.target and walk.last is before
            if same and deferred == leap.deferred:
                place = leap.place
                del deferred[leap.span]
                for _ in leap.releases:
                    break
                leap.arena = arena
                if leap.nbytes < 0:
                    leap.nbytes = nbytes
                    leap.following = walk.active
                    walk.active = leap
                before.next = walk.last = leap
            turn.free = True
        except BaseException:
            if place is not None:
                deferred += (place,)
            raise
        return place

    def give(self, handle: Handle) -> None:
        """Take back what :meth:`take` gave; never waits and never raises."""
        deferred = self.deferred
        walk = self.walk
        if walk.last is walk.unknown and not deferred and self._plain:
            # What ``settle`` does, where nothing else waits: no list, no loop.
            node: Any = handle
            plan = node.plan  # a place has none
            if plan is not None and node.uses is None and walk.take_out(walk.unknown):
                has_state_of: Walk | None = walk  # noqa: F841 - see Walk.own
                arrived = walk.unknown
                seen = walk.seen
                try:
                    take_back(node, plan.back)
                    number = walk.number = walk.number ^ node.token
                    if number in seen:
                        arrived = self._arrive()
                    else:
                        seen.add(number)
                        if len(seen) > SEEN:
                            seen.clear()
                except BaseException:
                    walk.inconsistent = True
                    if node.state == ALLOCATED:
                        deferred += (node,)
                    raise
                walk.last = arrived
                if deferred:
                    self.settle()
                return
        deferred.append(handle)
        self.settle()

    def settle(self) -> None:
        """Take back what has waited in ``deferred``, in order, unless somebody has the books."""
        deferred, walk = self.deferred, self.walk
        unknown = walk.unknown
        while deferred:
            at = walk.last
            if at is NO_LEAP:
                return
            if not walk.take_out(at):
                continue
            has_state_of: Walk | None = walk  # see Walk.own
            done = 0  # so many of ``deferred``, which only who has the state takes away from
            node: Any = None  # while it is taken back
            stuck = False
            try:
                for handle in deferred:
                    state = at.target
                    if state is unknown:
                        known: Any = handle.node if handle.__class__ is Place else handle
                        if known.uses is not None or not self._plain:
                            stuck = True
                            break
                        node = known
                        take_back(node, node.plan.back)
                        number = walk.number = walk.number ^ node.token
                        seen = walk.seen
                        if number in seen:
                            at = self._arrive()
                        else:
                            seen.add(number)
                            if len(seen) > SEEN:
                                seen.clear()
                        node = None
                    elif handle in state.steps:
                        step = state.steps[handle]
                        if step.count:
                            step.count += 1
                        else:
                            step.count = 1
                            step.following = walk.active
                            walk.active = step
                        at.next = step
                        at = step
                    else:
                        stuck = True
                        break
                    done += 1
            except BaseException:
                if node is None:
                    walk.last = at
                else:
                    walk.inconsistent = True
                    done += node.state != ALLOCATED  # the exception came after the free
                del deferred[:done]
                raise
            del deferred[:done]
            walk.last = at
            if stuck:
                has_state_of = None  # noqa: F841 - see Walk.own
                self.free_deferred()
                return

    def record_stream(self, block: Block, queue: Queue) -> None:
        """The block is used on another stream too: reuse it only when that work has finished."""
        place = block.place
        if place is None or place.allocator is not self or queue.handle == place.stream:
            return
        with self.books():
            node = node_of(place)
            if node.uses is None:
                node.uses = {}
                self._may_not_wait(place)
            node.uses[queue.handle] = queue
            if self.routes:
                self._pending.told(node, queue.handle)

    def erase_stream(self, block: Block, stream: int) -> None:
        """Take :meth:`record_stream` back."""
        place = block.place
        if place is None or place.allocator is not self:
            return
        with self.books():
            node = node_of(place)
            if node.uses is not None and node.uses.pop(stream, None) and not node.uses:
                node.uses = None
                self._may_wait_again(place)

    def empty_cache(self) -> None:
        """Return every segment that is wholly unused to the driver."""
        with self.books():
            self.flush()

    def enable(self, value: bool) -> None:
        """Serve requests from the cache, or each from the driver."""
        with self.books():
            self.enabled = value
            self._refresh()

    def set_fraction(self, fraction: float) -> None:
        """Allow at most this part of the total memory; 1.0 takes the limit away."""
        with self.books():
            self.fraction = fraction
            total = self.driver.memory_info(self.device_index)[1]
            self.limit = None if fraction == 1.0 else int(fraction * total)
            self._refresh()

    def record_history(
        self,
        enabled: str | None,
        context: str | None,
        max_entries: int,
        **how: Any,
    ) -> None:
        """Start, change or stop the history of this device; see :meth:`History.configure`."""
        with self.books():
            self.history.configure(enabled, context, max_entries, **how)
            self._refresh()

    def stats(self) -> dict[str, Any]:
        """The nested statistics."""
        if self.deferred:
            self.free_deferred()
        if self._left:
            with self.books():
                return self.statistics.as_nested_dict()
        with self.lock:
            state = self._own()
            try:
                if not self.deferred:
                    self.walk.count(state)
                    return self.statistics.as_nested_dict()
            finally:
                self.walk.put_back()
        with self.books():  # somebody had the lock a moment ago
            return self.statistics.as_nested_dict()

    def reset_peak(self) -> None:
        with self.books():
            self.statistics.reset_peak()

    def reset_accumulated(self) -> None:
        with self.books():
            self.statistics.reset_accumulated()

    def snapshot_segments(self, pool_id: PoolId = DEFAULT_POOL) -> list[dict[str, Any]]:
        """What ``memory_snapshot`` shows of this device; notes the snapshot in the history.

        :param pool_id: show the segments of this private pool; by default those of all pools.
        """
        with self.books():
            shown = list(self.segments.values())
            if pool_id != DEFAULT_POOL:
                shown = [segment for segment in shown if segment.pool.id == pool_id]
            found = describe_segments(self.device_index, shown)
            self.history.note("snapshot", 0, self.statistics.active_bytes(), 0)
            return found

    def trace(self) -> list[dict[str, Any]]:
        """The entries of the history, oldest first."""
        with self.lock:
            return self.history.trace()

    # ---- the long way

    def take_slowly(self, nbytes: int, arena: int) -> Handle:
        """:meth:`take` by the books. Raises OutOfMemoryError."""
        if nbytes >= self._unusual:
            place = self._unusual_request(nbytes)
            if place is not None:
                return place
        try:
            handle = self._take_by_books(nbytes, arena)
        except errors.OutOfMemoryError as error:
            self._observers_see(error)
            raise
        if self.deferred:
            try:
                self.free_deferred()
            except BaseException:
                self.deferred.append(handle)
                raise
        return handle

    def _take_by_books(self, nbytes: int, arena: int) -> Handle:
        walk = self.walk
        handle: Handle | None = None
        try:
            with self.lock:
                state = source = self._own()
                try:
                    self._catch_up(source)
                    if self.deferred:
                        source = self._take_back_deferred(source)
                    freed, number = walk.freed(), walk.number
                    handle = node = self._booked(nbytes, arena)
                    if source is not walk.unknown:
                        self._make_room()
                    target = self._arrive()
                    # A step that is learnt asks nothing of the driver: no segment came or went.
                    known = source is not walk.unknown and target is not walk.unknown
                    if known and number ^ node.token == walk.number:
                        handle = self._place(node)
                        key = nbytes + (arena << 64) if arena else nbytes
                        walk.learn(source, key, Step(target, handle, True), freed)
                    walk.last = target
                except BaseException as error:
                    self._put_back(state, error)
                    raise
        except BaseException:
            if handle is not None:
                self.deferred.append(handle)
            raise
        return handle

    def _unusual_request(self, nbytes: int) -> Handle | None:
        """Refuse it, or serve it without the cache; None leaves it to the usual way."""
        if nbytes >= EXABYTE:
            raise errors.more_than_an_exabyte()
        if faults.allocations and faults.next_allocation_fails(self.device_index):
            size = round_size(nbytes + self.driver.padding)
            pool = self.small if size <= SMALL_LIMIT else self.large
            with self.books():
                error = self.out_of_memory(size, pool.segment_size(size), 0)
            self._observers_see(error)
            try:
                raise error
            finally:
                del error  # a frame that holds its own error keeps all that it sees alive
        if self.enabled:
            return None
        place = Uncached(self.driver, self.device_index).take(nbytes)
        if place is None:
            raise errors.driver_out_of_memory()
        return place

    @staticmethod
    def _observers_see(error: BaseException) -> None:
        if not isinstance(error, errors.OutOfMemoryError):
            return
        # Without the lock: an observer may ask for statistics, or free something.
        for tell in out_of_memory_observers:
            tell(*error.facts)
