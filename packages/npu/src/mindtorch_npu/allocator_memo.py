"""What an allocator does again: its states and the steps between them.

Note [Walks]. Programs repeat themselves. A loop asks for the same sizes in the same order, so its
allocator comes back to states in which it was before, and what an allocation or a free does in a
state that is known needs no search, no split and no merge: it is one look into a dictionary. A
*state* is everything the rules depend on: the segments, and which bytes of them are in use. (Free
neighbours are always merged, so the free blocks follow from those in use.) It is named by a number
that is exclusive-or'ed with a *token* for each block that is taken or given back: its address and
size, spread over more than 128 bits by a random factor that depends on what was asked for.
A state that is met for the second time becomes a :class:`State`; a :class:`Step` leads from one to
another.

While an allocator *walks* from state to state, its real books (nodes, keys, counters) stay where
the walk began. They catch up when somebody needs them: an unknown step, a snapshot, a flush. Then
the shortest way is taken: after each step the one that came last, which leaves out every circle.
Counters need no order: each step knows how often it was taken, and every current value belongs to a
state, so peaks are those of the states that were visited.

What looks beyond a state (history, garbage collection by age, blocks that wait for other streams,
faults) makes all states unknown; then every request takes the long way.

Note [Leaps]. A free is ``deferred`` until the next allocation, unless other streams used the
memory: then events are recorded where it dies (``LockedAllocator._may_not_wait``). A Leap is those
frees and that allocation, all known steps, taken at once: programs that repeat themselves drop the
same tensors before the same request. What was done last says which leap came next the last time,
so that a request costs one look. As that may depend on what was done before, there is more than one
leap with the same frees and request, up to a bound: programs without order would make ever more.

Note [Who holds the state]. ``Walk.last`` holds the current state: what led there last. Who takes a
step or a leap has ``Walk.turn`` while it reads that, looks at what waits and what is known, and
writes what leads on. In between it calls no function and makes no container: so no Ctrl-C comes in
(CPython looks for it at calls and at the turns of loops), and nothing that the collector finalises.
Who works with the books takes the state out first, and leaves NO_LEAP; who then finds that waits
for the allocator's lock. Who has no lock and is thrown out says that the books are
``inconsistent``, with one store and no call, and leaves the mending to whoever owns the state next:
he has the lock, and no Ctrl-C comes in between.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from mindtorch_npu import errors
from mindtorch_npu.memo_states import NO_LEAP, Arrival, Leap, State, Step
from mindtorch_npu.statistics import Statistics
from mindtorch_npu.turn import Turn

__all__ = ["SEEN", "SPREAD", "Walk"]

_STATES = 8192  # so many states are remembered, then all are forgotten
SEEN = 32768  # so many numbers of states that were met once
_LEAPS = 64  # so many from one state
_ALL_LEAPS = 16384  # so many, gone ones too, as what came next may hold them
_WAYS = 4  # so many more that are the same but for what came before
_ALL_WAYS = 2048  # so many of these
_NOT_TOLD_APART = 262144  # after so many for which there was no room these are forgotten
_LONGEST = 64  # so many frees in one leap
_LOST = 20_000  # so many looks for a state that somebody should give back at once
_OWN = 100  # after so many the thread looks at itself

token = random.Random().getrandbits


#: A request of n bytes multiplies its block's address by ``n * SPREAD[0] + SPREAD[1]``.
SPREAD = token(128), token(128)


def _refuse_to_wait_for_oneself(walk: Walk) -> None:
    """Raise RuntimeError where a frame of this thread has taken the state out of *walk*'s cell."""
    at: FrameType | None = sys._getframe(2)
    while at is not None:
        if "has_state_of" in at.f_code.co_varnames and at.f_locals.get("has_state_of") is walk:
            raise errors.reentered()
        at = at.f_back


class Walk:
    """The states of one allocator. See the module."""

    __slots__ = (
        *("_leaps", "_states", "_not_told_apart", "_told_apart", "active", "books", "inconsistent"),
        *("last", "number", "owned", "seen", "tallies", "total", "turn", "unknown"),
    )

    def __init__(self, statistics: Statistics) -> None:
        #: See Note [Who holds the state].
        self.turn = Turn()
        self.total = statistics.moved
        self.tallies = self.total.small, self.total.large
        #: A state from which no step is known. Many states look like this.
        self.unknown = State((0, 0))
        self.books = self.unknown  # the state in which the real books are
        self.last: Arrival = self.unknown
        self.owned: Arrival | None = None  # by who took it away and has not moved on
        #: Who had taken the state was thrown out, and has left the books to be mended.
        self.inconsistent = False
        self.active: Step | Leap | None = None  # what has a count: the first of a chain
        self.number = 0  # of the state in which the real books are
        self._states: dict[int, State] = {}
        self._leaps = 0  # that were made
        self._told_apart: list[Leap] = []  # of which there are others, once for each
        self._not_told_apart = 0
        self.seen: set[int] = set()

    def own(self) -> State:
        """Take the state away. The caller holds the lock, and puts one back.

        Where the books are inconsistent it mends them first. Raises RuntimeError where this
        thread's own frames are in the middle of them.
        """
        tries = 0
        while True:
            last = self.last
            if last is not NO_LEAP and self.take_out(last):
                self.owned = last
                return last.target
            # A thread works with the books, or was thrown out or killed there.
            tries += 1
            if tries > _LOST:  # so has a thread that was killed or forked
                self.turn.free = True
            if self.inconsistent or tries > _LOST:
                self.inconsistent = True
                if self.owned is None:
                    self.owned = self.books
                return self.owned.target
            if tries == _OWN:
                _refuse_to_wait_for_oneself(self)
            time.sleep(0 if tries < _OWN else 1e-4)

    def take_out(self, last: Arrival) -> bool:
        """Take the state away if *last* led there; whether it did."""
        turn = self.turn
        if not turn.take():  # another thread is on its way from there
            return False
        done = self.last is last
        if done:
            self.last = NO_LEAP
        turn.free = True  # no call: who has the state cannot be broken off here
        return done

    def put_back(self) -> None:
        """Who has the state has not moved on."""
        assert self.owned is not None
        self.last = self.owned
        self.owned = None

    def path(self, state: State) -> list[Step]:
        """The steps from the books to *state*."""
        found: list[Step] = []
        at: Arrival = self.books
        while at.target is not state:
            at = at.next
            assert at is not NO_LEAP
            found += at.steps
        return found

    def count(self, state: State) -> None:
        """Let the tallies be those of *state*, with the peaks on the way to it."""
        if self.active is None:
            return
        self.total.crest()
        while self.active is not None:
            taken = self.active
            times = taken.count
            for step in taken.steps:
                self._add(step, times)
            taken.rest()
            self.active = taken.following
            taken.following = None
        for tally, current in zip(self.tallies, state.currents, strict=True):
            tally.count(current, 0)

    def _add(self, step: Step, times: int) -> None:
        """*step* was taken so often."""
        tallies = self.tallies
        currents = step.target.currents
        for tally, freed, current in zip(tallies, step.freed, currents, strict=True):
            tally.count(current, freed * times)
            tally.reach(current)
        self.total.reach(sum(currents))

    def freed(self) -> tuple[int, ...]:
        """The totals of what was taken away from the tallies."""
        a, b = self.tallies
        return a.freed, b.freed

    @contextmanager
    def tallies_kept(self) -> Iterator[None]:
        """What is done inside is counted already."""
        kept = [(t, t.books, t.ceiling) for t in self.tallies]
        ceiling = self.total.ceiling
        try:
            yield
        finally:
            for tally, books, highest in kept:
                tally.books, tally.ceiling = books, highest
            self.total.ceiling = ceiling

    def learn(self, source: State, key: Any, step: Step, freed: tuple[int, ...]) -> None:
        """From *source* this request or place leads to where the books are now."""
        if step.target is self.unknown:
            return
        a, b = self.tallies
        step.freed = a.freed - freed[0], b.freed - freed[1]
        source.steps[key] = step

    def leap(self, before: Arrival, deferred: list[Any], key: int) -> Leap:
        """After *before* over what waits to the request *key*; NO_LEAP where a step is not known.

        A hint: by the time it is looked at something else may wait.
        """
        waiting = tuple(deferred)
        state = before.target
        leaps = state.leaps
        first = leaps.get((key, waiting))
        way = before.first, before.before
        if first is not None:
            if way[0] is first.before and way[1] is first.earlier:
                return first
            found = first.others.get(way)
            if found is None and len(first.others) < _WAYS:
                found = self._tell_apart(first, way)
            return found or first
        if len(waiting) > _LONGEST or self.is_full():
            return NO_LEAP
        steps = []
        at = state
        for each in (*waiting, key):
            step = at.steps.get(each)
            if step is None:
                return NO_LEAP
            steps.append(step)
            at = step.target
        if len(leaps) >= _LEAPS:
            leaps.clear()
        self._leaps += 1
        found = leaps[key, waiting] = Leap(state, [*waiting], steps, *way)
        return found

    def _tell_apart(self, first: Leap, way: tuple[Any, Any]) -> Leap | None:
        """Another leap like *first*, for this way; None while there are too many."""
        if len(self._told_apart) >= _ALL_WAYS:
            self._not_told_apart += 1
            if self._not_told_apart < _NOT_TOLD_APART:
                return None
            self._forget_ways()
        self._told_apart.append(first)
        return first.tell_apart(way)

    def _forget_ways(self) -> None:
        for each in self._told_apart:
            each.others.clear()
        self._told_apart.clear()
        self._not_told_apart = 0

    def is_full(self) -> bool:
        """Whether so much is known that it is better forgotten."""
        return self._leaps >= _ALL_LEAPS

    def arrive(self) -> State:
        """The books have changed: the state in which they are now."""
        number = self.number
        found = self._states.get(number)
        if found is None:
            if number not in self.seen:
                if len(self.seen) >= SEEN:
                    self.seen.clear()
                self.seen.add(number)
                self.books = self.unknown
                return self.unknown
            if len(self._states) >= _STATES:
                self._states.clear()
            a, b = self.tallies
            found = State((a.current, b.current))
            self._states[number] = found
        self.books = found
        return found

    def forget(self) -> None:
        """The rules have changed, or there is too much."""
        self._leaps = 0
        self._forget_ways()
        self._states.clear()
        self.seen.clear()
