"""What an allocator knows of its states and of the ways between them.

See the notes in ``allocator_memo.py``.

A state, a step and a leap can each be what an allocator did last: the books brought it to the
state, or it took the step or the leap. So each has a ``target``, the state in which the allocator
is then, and what came ``next`` the last time, with a ``key`` that says for which request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_npu.block import Place

__all__ = ["NO_LEAP", "Arrival", "Leap", "State", "Step"]


class State:
    """What is known of a state."""

    __slots__ = ("currents", "leaps", "next", "steps", "target")

    def __init__(self, currents: tuple[int, int]) -> None:
        self.target = self
        self.next: Step | Leap = NO_LEAP
        #: By request (``nbytes + (stream << 64)``) or place.
        self.steps: dict[Any, Step] = {}
        #: By the request and all that is freed before it.
        self.leaps: dict[tuple[int, tuple[Any, ...]], Leap] = {}
        self.currents = currents  # of the tallies, in the order of Walk.tallies


class Step:
    """An allocation or a free, from one state to another."""

    key = -1  # it serves no request at one look

    __slots__ = ("count", "following", "freed", "next", "place", "takes", "target")

    def __init__(self, target: State, place: Place, takes: bool) -> None:
        self.target = target
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
    """Frees of all that waits, in order, and an allocation; see Note [Leaps]."""

    __slots__ = (
        *("count", "deferred", "following", "key", "next", "place", "release", "request"),
        *("source", "span", "steps", "target"),
    )

    def __init__(
        self, source: State | None, request: int, deferred: list[Place], steps: Sequence[Step]
    ) -> None:
        self.source: Any = source
        self.request = request
        self.deferred = deferred  # what is freed
        #: Where that stands in the list of what waits; one place by itself is quicker taken out.
        self.span: Any = 0 if len(deferred) == 1 else slice(len(deferred))
        self.steps = steps
        self.target: Any = steps[-1].target if steps else None
        self.place: Any = steps[-1].place if steps else None
        self.release: Any = None if self.place is None else self.place.release
        self.next: Any = self if source is None else NO_LEAP
        #: How often it was taken and not counted yet; a float, which takes less time to make.
        self.count = 0.0
        self.following: Step | Leap | None = None
        #: The request while there is a count, so that one look says that it may be taken again.
        self.key = -1

    def rest(self) -> None:
        """It was counted."""
        self.count = 0.0
        self.key = -1


#: Stands where no leap is known, and in :attr:`Walk.last` while somebody has the books.
NO_LEAP = Leap(None, -1, [], ())

#: What the allocator did last.
Arrival = State | Step | Leap
