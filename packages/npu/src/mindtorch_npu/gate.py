"""The way back of memory that nobody holds any more.

Note [Used again]. ``x + y`` in a loop, dropped each time, takes the same memory again and again:
each free is undone by the next request. A framework may keep the object that holds such memory and
look whether somebody else does, which costs less than to make and to lose one each time. Until it
looks, the memory of a dead tensor is in use. Nobody may see that, so whoever looks at the books
lets go of the object first, and so does every other free: the order of frees shows in the counters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mindtorch_npu.guard import Guard

__all__ = ["Gate"]


class Gate:
    """What frees of one allocator go through."""

    __slots__ = ("_late", "_lock", "_usual", "kept", "pass_")

    def __init__(self, lock: Guard, late: list[Any]) -> None:
        self._lock = lock
        self._late = late
        #: What is used again, or None; whether every free lets go of it.
        self.kept: list[Any] = [None, False]
        self._usual: Callable[[Any], object] = late.append
        #: Takes a handle back. No Python runs here as a rule. (It has an attribute because partials
        #: of a partial without one look through it, and this one changes.)
        self.pass_: Any = partial(self._usual)
        self.pass_.changes = True  # type: ignore[attr-defined]

    def lead_to(self, usual: Callable[[Any], object]) -> None:
        """Frees go there from now on. The caller has the lock."""
        self.kept[1] = False
        self.kept[0] = None
        self._usual = usual
        self._set(usual)

    def keep(self, holder: object) -> None:
        """Keep what holds memory, unless frees are watched. See the module."""
        kept = self.kept
        if not kept[1]:
            if not self._lock.acquire(False):
                return
            try:
                if self._usual != self._late.append:
                    return
                self._set(self._let_go)
                kept[1] = True
            finally:
                self._lock.release()
        if kept[1]:  # asked again: the release was a call
            kept[0] = holder

    def _let_go(self, handle: Any) -> None:
        """A free while something is kept."""
        kept = self.kept
        kept[1] = False
        kept[0] = None  # which comes here first, if nobody else holds it
        self._late.append(handle)
        if self._lock.acquire(False):
            try:
                if not kept[1]:
                    self._set(self._usual)
            finally:
                self._lock.release()

    def _set(self, function: Callable[[Any], object]) -> None:
        self.pass_.__setstate__((function, (), {}, {"changes": True}))
