"""The caching allocator of one device: CUDA's algorithm, so that its numbers are CUDA's.

:class:`Books` is the algorithm. Here is what stands in front of it: the lock, the public methods,
and ``take`` and ``give``, which go to the books only where their answer is not known from the last
time (see ``walk.py``).

Note [Frees never wait]. A block may die anywhere: in a worker thread that drops a kernel's
arguments, or when the garbage collector runs in the middle of an allocation of the same thread. So
``give`` only *tries* the lock. Where it is taken, the place joins ``late``, and whoever holds the
lock, or allocates next, takes it back.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mindtorch_npu import config as configuration
from mindtorch_npu import errors, faults, observer, supply
from mindtorch_npu.block import Block, Node, Place
from mindtorch_npu.books import Books
from mindtorch_npu.config import UNLIMITED, config
from mindtorch_npu.history import describe_segments
from mindtorch_npu.pool import SMALL_LIMIT, round_size
from mindtorch_npu.segments import Uncached
from mindtorch_npu.walk import State, Step, token

if TYPE_CHECKING:
    from mindtorch_npu.protocols import Driver, Queue

__all__ = ["CachingAllocator", "out_of_memory_observers"]

EXABYTE = 1024**6
_PLACES = 1 << 17

# Called with (device, size, limit or total, free) before an OutOfMemoryError is raised.
out_of_memory_observers: list[Callable[[int, int, int, int], object]] = []


class CachingAllocator(Books):
    """See the module."""

    __slots__ = (
        *("__weakref__", "_foreign", "_live", "_places", "_plain", "_unusual"),
        *("enabled", "late", "lock", "pop", "push"),
    )

    def __init__(self, driver: Driver, device_index: int) -> None:
        configuration.read_environment()
        super().__init__(driver, device_index)
        self.lock = threading.Lock()
        self.late: deque[Place] = deque()
        #: The operations of ``walk.cell``.
        self.pop: Callable[[], State] = self.walk.cell.pop
        self.push: Callable[[State], None] = self.walk.cell.append
        self._live: dict[int, Node] = {}  # by address: what is in use, as the books say
        self._places: dict[tuple[int, int, int], Place] = {}
        self._foreign = 0  # blocks in use that other streams used as well
        self._plain = True  # a state of the walk may say all
        self.enabled = True  # memory goes through the cache
        self._unusual = EXABYTE  # requests of at least so many bytes are looked at first
        if config.per_process_memory_fraction < 1.0:
            self.set_fraction(config.per_process_memory_fraction)
        self.refresh()
        configuration.listeners.add(self)

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
        self._plain = self._unusual == EXABYTE and not (self._observed or self.collects)
        self._plans.clear()
        self.walk.forget()

    # ---- public

    def allocate(self, nbytes: int, stream: int = 0) -> Block:
        """Memory for *nbytes*, for use on *stream*; 0 bytes have address 0 and count nowhere."""
        return Block(self.take(nbytes, stream) if nbytes else None, self.device_index)

    def take(self, nbytes: int, stream: int = 0) -> Place:
        """The same of at least one byte, for somebody who gives it back himself."""
        if not self.late:
            try:
                state = self.pop()
            except IndexError:  # another thread has it
                return self.take_slowly(nbytes, stream)
            step = state[nbytes + (stream << 64) if stream else nbytes]
            if step is not None:
                walk = self.walk
                if not step.count:
                    walk.active.append(step)
                step.count += 1
                state.last = walk.latest = step
                self.push(step.target)
                return step.place
            self.push(state)
        return self.take_slowly(nbytes, stream)

    def give(self, place: Place) -> None:
        """Take back what :meth:`take` gave; never waits and never raises."""
        try:
            state = self.pop()
        except IndexError:
            self.late.append(place)
            return
        step = state[place]
        if step is not None:
            walk = self.walk
            if not step.count:
                walk.active.append(step)
            step.count += 1
            state.last = walk.latest = step
            self.push(step.target)
            return
        self.push(state)
        lock = self.lock
        if not lock.acquire(False):
            self.late.append(place)
            return
        try:
            walk = self.walk
            source = walk.own()
            if walk.latest is not None:
                self._catch_up(source)
            if self.late:
                source = self._take_back_late(source)
            self.push(self._take_back(source, place))
        finally:
            lock.release()
        if self.late:
            self.free_late()

    def free_late(self) -> None:
        """Take back what could not wait for the lock."""
        late = self.late
        lock = self.lock
        while late and lock.acquire(False):
            try:
                source = self.walk.own()
                try:
                    source = self._take_back_late(source)
                finally:
                    self.push(source)
            finally:
                lock.release()

    @contextmanager
    def books(self) -> Iterator[None]:
        """Hold the lock, with all that was given back and every step of the walk written down."""
        with self.lock:
            state = self.walk.own()
            try:
                self._catch_up(state)
                self._take_back_late(state)
                yield
            finally:
                self.push(self._arrive())
        if self.late:
            self.free_late()

    def record_stream(self, block: Block, queue: Queue) -> None:
        """The block is used on another stream too: reuse it only when that work has finished."""
        place = block.place
        if place is None or place.allocator is not self or queue.handle == place.stream:
            return
        with self.books():
            node = self._live[place.address]
            if node.uses is None:
                node.uses = {}
                self._foreign += 1
            node.uses[queue.handle] = queue

    def erase_stream(self, block: Block, stream: int) -> None:
        """Take :meth:`record_stream` back."""
        place = block.place
        if place is None or place.allocator is not self:
            return
        with self.books():
            node = self._live[place.address]
            if node.uses is not None and node.uses.pop(stream, None) and not node.uses:
                node.uses = None
                self._foreign -= 1

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
        if self.late:
            self.free_late()
        with self.lock:
            state = self.walk.own()
            try:
                self.walk.count(state)
                return self.statistics.as_nested_dict()
            finally:
                self.push(state)

    def reset_peak(self) -> None:
        with self.books():
            self.statistics.reset_peak()

    def reset_accumulated(self) -> None:
        with self.books():
            self.statistics.reset_accumulated()

    def snapshot_segments(self) -> list[dict[str, Any]]:
        """What ``memory_snapshot`` shows of this device; notes the snapshot in the history."""
        with self.books():
            found = describe_segments(self.device_index, self.segments.values())
            self.history.note("snapshot", 0, self.statistics.active_bytes(), 0)
            return found

    def trace(self) -> list[dict[str, Any]]:
        """The entries of the history, oldest first."""
        with self.lock:
            return self.history.trace()

    # ---- the long way

    def take_slowly(self, nbytes: int, stream: int) -> Place:
        """:meth:`take` by the books. Raises OutOfMemoryError."""
        if nbytes >= self._unusual:
            place = self._unusual_request(nbytes)
            if place is not None:
                return place
        walk = self.walk
        try:
            with self.lock:
                source = walk.own()
                try:
                    if walk.latest is not None:
                        self._catch_up(source)
                    if self.late:
                        source = self._take_back_late(source)
                    if source is walk.nowhere:
                        place = self._booked(nbytes, stream)
                    else:
                        freed, number = walk.freed(), walk.number
                        place = self._booked(nbytes, stream)
                except BaseException:
                    self.push(self._arrive())
                    raise
                target = self._arrive()
                # A step that is learnt asks nothing of the driver: no segment came or went.
                if source is not walk.nowhere and number ^ place.token == walk.number:
                    key = nbytes + (stream << 64) if stream else nbytes
                    walk.learn(source, key, Step(target, place, True), freed)
                self.push(target)
        except errors.OutOfMemoryError as error:
            self._observers_see(error)
            raise
        if self.late:
            self.free_late()
        return place

    def _take_back_late(self, source: State) -> State:
        late = self.late
        while late:
            source = self._take_back(source, late.popleft())
        return source

    def _take_back(self, source: State, place: Place) -> State:
        """Free by the books, which are in *source*; where they are then."""
        walk = self.walk
        node = self._live.pop(place.address)
        walk.number ^= place.token
        if source is walk.nowhere:
            if node.uses is not None:
                self._foreign -= 1
            self._free(node)
            return self._arrive()
        freed = walk.freed()
        self._free(node)
        target = self._arrive()
        walk.learn(source, place, Step(target, place, False), freed)
        return target

    def _arrive(self) -> State:
        walk = self.walk
        walk.latest = None
        if self._foreign or self._waiting or not self._plain:
            walk.books = walk.nowhere
            return walk.nowhere
        return walk.arrive()

    def _catch_up(self, state: State) -> None:
        """Write down the steps up to *state*."""
        walk = self.walk
        if walk.latest is None:
            return
        walk.count(state)
        with walk.tallies_kept():
            for step in walk.path(state):
                place = step.place
                if step.takes:
                    self._booked(place.nbytes, place.stream)
                else:
                    self.walk.number ^= place.token
                    self._free(self._live.pop(place.address))
        walk.books = state
        walk.latest = None

    def _booked(self, nbytes: int, stream: int) -> Place:
        node = self._malloc(nbytes, stream)
        address = node.address
        size = node.size
        place = self._places.get((address, size, nbytes))
        if place is None:
            if len(self._places) >= _PLACES:
                self._places.clear()
                self.walk.forget()
            place = Place(self, address, size, nbytes, stream, token(128))
            self._places[address, size, nbytes] = place
        self._live[address] = node
        self.walk.number ^= place.token
        return place

    def _unusual_request(self, nbytes: int) -> Place | None:
        """Refuse it, or serve it without the cache; None leaves it to the usual way."""
        if nbytes >= EXABYTE:
            raise errors.more_than_an_exabyte()
        if faults.allocations and faults.next_allocation_fails(self.device_index):
            size = round_size(nbytes + self.driver.padding)
            pool = self.small if size <= SMALL_LIMIT else self.large
            with self.books():
                error = supply.out_of_memory(self, size, pool.segment_size(size), 0)
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
    def _observers_see(error: errors.OutOfMemoryError) -> None:
        # Without the lock: an observer may ask for statistics, or free something.
        for tell in out_of_memory_observers:
            tell(*error.facts)
