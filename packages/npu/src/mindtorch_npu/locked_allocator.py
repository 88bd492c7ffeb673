"""The allocator that one thread at a time works with, brought up to date before anybody looks.

The books of :class:`BestFitAllocator` stay behind: frees wait in ``deferred``, and steps of the
walk are not written down (``allocator_memo.py``). Whoever needs them takes the lock and the walk's
state, writes down what is missing, and puts back the state in which the books are then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from operator import call
from typing import Any

from mindtorch_npu import errors
from mindtorch_npu.best_fit import BestFitAllocator
from mindtorch_npu.block import Handle, Place
from mindtorch_npu.block_pool import ALLOCATED, Node
from mindtorch_npu.completion import Ticket
from mindtorch_npu.memo_states import State, Step
from mindtorch_npu.protocols import Driver
from mindtorch_npu.signal_safe_lock import Guard

__all__ = ["LockedAllocator", "node_of"]

_PLACES = 1 << 17
_run: Callable[[Any], object] = call


class LockedAllocator(BestFitAllocator):
    """See the module."""

    settle: Callable[[], None]  # takes back what waits, unless somebody has the books

    __slots__ = (*("_at_once", "_places", "_plain", "deferred", "lock", "taker_back"),)

    def __init__(self, driver: Driver, device_index: int) -> None:
        super().__init__(driver, device_index)
        self.lock = Guard()
        self.deferred: list[Handle] = []
        #: What :attr:`Place.release` calls. No Python runs there as a rule: frees wait until
        #: somebody looks or allocates, which is soon enough but for who watches them.
        self.taker_back: Callable[[Handle], object] = self.deferred.append
        self._places: dict[tuple[int, int, int, int], Place] = {}
        self._at_once: set[Handle] = set()  # in use, and other streams used it as well
        self._plain = True  # a state of the walk may say all

    def _lead_frees_to(self, function: Callable[[Handle], object]) -> None:
        """Frees go there from now on."""
        if function == self.taker_back:
            return
        self.taker_back = function
        handles: list[Handle] = [*self.nodes(), *self._places.values()]
        for handle in handles:
            if handle not in self._at_once:
                lead_free_to(function, handle)

    def _may_not_wait(self, handle: Handle) -> None:
        """Another stream uses it: at its free, not later, an event is recorded there.

        First it is put where it cannot be lost, by C: Ctrl-C might come where ``settle`` begins.
        """
        self._at_once.add(handle)
        freed = map(_run, (partial(self.deferred.append, handle), self.settle))
        handle.release.__setstate__((deque(maxlen=0).extend, (freed,), {}, None))

    def _may_wait_again(self, handle: Handle) -> None:
        """No other stream uses it, if ever one did."""
        if handle in self._at_once:
            lead_free_to(self.taker_back, handle)
            self._at_once.remove(handle)

    def mend(self) -> None:
        super().mend()
        for handle in tuple(self._at_once):
            if node_of(handle).uses is None:
                self._may_wait_again(handle)

    @contextmanager
    def books(self) -> Iterator[None]:
        """Hold the lock, with all that was given back and every step of the walk written down."""
        with self.lock:
            state = self._own()
            try:
                self._catch_up(state)
                self._take_back_deferred(state)
                yield
            except BaseException as error:
                self._put_back(state, error)
                raise
            self.walk.last = self._arrive()
        if self.deferred:
            self.free_deferred()

    def free_deferred(self) -> None:
        """Take back what could not wait for the lock."""
        deferred = self.deferred
        lock = self.lock
        while deferred and lock.acquire(False):
            try:
                source = self._own()
                try:
                    self._catch_up(source)
                    self.walk.last = self._take_back_deferred(source)
                except BaseException as error:
                    self._put_back(source, error)
                    raise
            finally:
                lock.mutex.release()
                lock.deliver()

    def _own(self) -> State:
        """The state, which nobody else has then, with the books in order, if they are behind.

        The caller holds the lock.
        """
        walk = self.walk
        state = walk.own()
        if walk.inconsistent:
            self.mend()
            walk.inconsistent = False
        return state

    def _take_back_deferred(self, source: State) -> State:
        deferred = self.deferred
        while deferred:
            waiting = deferred[:]
            del deferred[: len(waiting)]  # other threads may have added some
            done = 0
            try:
                for handle in waiting:
                    source = self._take_back(source, handle)
                    done += 1
            except BaseException:
                done += node_of(waiting[done]).state != ALLOCATED  # it came after the free
                raise
            finally:
                deferred[:0] = waiting[done:]
        return source

    def _take_back(self, source: State, handle: Handle) -> State:
        """Free by the books, which are in *source*; where they are then."""
        walk = self.walk
        node = node_of(handle)
        freed = walk.freed()
        self._free(node)
        if self._at_once:
            self._may_wait_again(handle)
        walk.number ^= node.token
        target = self._arrive()
        if source is not walk.unknown and type(handle) is Place:
            walk.learn(source, handle, Step(target, handle, False), freed)
        return target

    def _catch_up(self, state: State) -> None:
        """Write down the steps up to *state*."""
        walk = self.walk
        if walk.active is None and walk.books is state:
            return
        walk.count(state)
        with walk.tallies_kept():
            for step in walk.path(state):
                place = step.place
                if step.takes:
                    place.node = self._booked(place.nbytes, place.arena)
                else:
                    self._free(place.node)
                    walk.number ^= place.node.token
                walk.books = step.target

    def _arrive(self) -> State:
        walk = self.walk
        walk.owned = None
        if self._at_once or self._waiting or not self._plain:
            walk.books = walk.unknown
            return walk.unknown
        return walk.arrive()

    def _await(self, ticket: Ticket) -> None:
        lock = self.lock
        try:
            lock.waits = True
            lock.deliver()
            super()._await(ticket)
        finally:
            lock.waits = False

    def _put_back(self, source: State, error: BaseException) -> None:
        """An exception came in the middle of the books: let nothing be half done.

        :param source: where the allocator was before; the books may not have arrived there.
        """
        walk = self.walk
        if not isinstance(error, errors.OutOfMemoryError):
            walk.inconsistent = True
            self.mend()
        owned = walk.owned
        last = self._arrive() if owned is None or walk.books is source else owned
        walk.inconsistent = False
        walk.last = last

    def _booked(self, nbytes: int, arena: int) -> Node:
        node = self._malloc(nbytes, arena)
        self.walk.number ^= node.token
        return node

    def _make_room(self) -> None:
        """Forget the places that nobody has, and with them the states that lead to them."""
        if len(self._places) >= _PLACES or self.walk.is_full():
            self._places = {
                key: each
                for key, each in self._places.items()
                if each.node is not None and each.node.state == ALLOCATED
            }
            self.walk.forget()

    def _place(self, node: Node) -> Place:
        """The place that *node* is."""
        key = node.address, node.size, node.nbytes, node.cache.arena
        place = self._places.get(key)
        if place is None:
            place = Place(self, *key)
            self._places[key] = place
        place.node = node
        return place


def lead_free_to(function: Callable[[Handle], object], handle: Handle) -> None:
    """The free of *handle* goes there from now on."""
    handle.release.__setstate__((function, (handle,), {}, None))


def node_of(handle: Handle) -> Node:
    """The node of a handle, by books that are up to date."""
    node: Node = handle.node if isinstance(handle, Place) else handle
    return node
