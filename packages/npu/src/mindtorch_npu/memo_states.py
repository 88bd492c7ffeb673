"""What an allocator knows of its states and of the ways between them.

See the notes in ``allocator_memo.py``.

A state, a step and a leap can each be what an allocator did last: the books brought it to the
state, or it took the step or the leap. So each has a ``target``, the state in which the allocator
is then, and what came ``next`` the last time, with the ``nbytes`` of the request that it served.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import length_hint
from typing import Any

from mindtorch_npu.block import Place

__all__ = ["NO_LEAP", "Arrival", "Leap", "State", "Step"]

#: More often than anything is done.
_EVER = 1 << 62
_NONE: dict[Any, Any] = {}


class State:
    """What is known of a state."""

    __slots__ = ("before", "currents", "first", "leaps", "next", "steps", "target")

    def __init__(self, currents: tuple[int, int]) -> None:
        self.target = self
        self.first, self.before = self, None  # it is the same whatever came before
        self.next: Step | Leap = NO_LEAP
        #: By request (``nbytes + (stream << 64)``) or place.
        self.steps: dict[Any, Step] = {}
        #: By the request and all that is freed before it.
        self.leaps: dict[tuple[int, tuple[Any, ...]], Leap] = {}
        self.currents = currents  # of the tallies, in the order of Walk.tallies


class Step:
    """An allocation or a free, from one state to another."""

    nbytes = -1  # it serves no request at one look

    __slots__ = (
        *("before", "count", "first", "following", "freed", "next", "place", "takes"),
        "target",
    )

    def __init__(self, target: State, place: Place, takes: bool) -> None:
        self.target = target
        self.first, self.before = self, None
        self.next: Step | Leap = NO_LEAP
        self.place = place
        self.takes = takes
        #: What it adds to the tallies' totals of what was taken away.
        self.freed: tuple[int, ...] = ()
        self.count = 0  # how often it was taken and not counted yet
        self.following: Step | Leap | None = None  # the next with a count; see Walk.active

    @property
    def steps(self) -> Sequence[Step]:
        """What there is to write down."""
        return (self,)

    def rest(self) -> None:
        """It was counted."""
        self.count = 0


class Leap:
    """Frees of all that waits, in order, and an allocation; see Note [Leaps].

    There is one for each of a few ways that lead to it, as what comes next depends on what came
    before: a loop that keeps its last result has its memory in two places by turns.

    :param before: what was done before it, and *earlier* before that; of leaps the first ones, or
        there would be ever more ways.
    :param first: that of the first way, of which this one is another.
    """

    __slots__ = (
        *("_rested", "arena", "before", "deferred", "earlier", "first", "following", "nbytes"),
        *("next", "others", "place", "releases", "source", "span", "steps", "target"),
    )

    def __init__(
        self,
        source: State | None,
        deferred: list[Place],
        steps: Sequence[Step],
        before: Any = None,
        earlier: Any = None,
        first: Leap | None = None,
    ) -> None:
        self.source: Any = source
        self.first = first or self
        self.before, self.earlier = before, earlier
        #: Those of other ways, where there are any.
        self.others: dict[tuple[Any, Any], Leap] = _NONE
        self.deferred = deferred  # what is freed
        #: Where that stands in the list of what waits; one place by itself is quicker taken out.
        self.span: Any = 0 if len(deferred) == 1 else slice(len(deferred))
        self.steps = steps
        self.target: Any = steps[-1].target if steps else None
        self.place: Any = steps[-1].place if steps else None
        self.next: Any = self if source is None else NO_LEAP
        #: Gives what gives the memory back, each time that the leap is taken; and so counts these
        #: times, in a third of the time in which a number is added to another.
        self.releases: Iterator[Any] = repeat(self.place and self.place.release, _EVER)
        self._rested = _EVER  # of these when it was counted
        self.following: Step | Leap | None = None
        #: The bytes of the request while there is a count, so that it may be taken at one look by
        #: who asks for as many of the same arena, a number that is compared by its identity.
        self.nbytes = -1
        self.arena: int | None = None

    def tell_apart(self, way: tuple[Any, Any]) -> Leap:
        """Make another one for this way."""
        if self.others is _NONE:
            self.others = {}
        made = self.others[way] = Leap(self.source, self.deferred, self.steps, *way, self)
        return made

    @property
    def count(self) -> int:
        """How often it was taken and not counted yet."""
        return self._rested - length_hint(self.releases)

    def rest(self) -> None:
        """It was counted."""
        self._rested = length_hint(self.releases)
        self.nbytes = -1


#: Stands where no leap is known, and in :attr:`Walk.last` while somebody has the books.
NO_LEAP = Leap(None, [], ())

#: What the allocator did last.
Arrival = State | Step | Leap
