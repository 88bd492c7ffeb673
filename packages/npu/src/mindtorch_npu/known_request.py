"""A request for memory whose answer is known from the last time, as lines of who asks.

Each launch asks for memory, and mostly what it gets follows from what the allocator did last (Note
[Leaps] in ``allocator_memo.py``). Then these lines take it, without a call of Python; else they
call ``take``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindtorch_npu.allocator import CachingAllocator

__all__ = ["cells_of", "taking"]


def taking(target: str, nbytes: str) -> list[str]:
    """Lines that take so many bytes, not 0, for use on the stream ``queue``.

    :param target: an attribute of something whose finalizer it is. It gets what gives the memory
        back, at once: so nothing is lost where Ctrl-C comes in.
    """
    return [
        "has_walk = known = False",
        "try:",
        "    for has_walk in walk_taken: break",  # see Note [Who holds the state]
        "    leap = walk.last.next",
        f"    if leap.key == {nbytes} + queue.requests and deferred == leap.deferred:",
        f"        {target} = leap.release",
        "        del deferred[leap.span]",
        "        leap.count += 1.0",
        "        walk.last = leap",
        "        known = True",
        "    walk_free.append(True)",
        "except IndexError:",
        "    if has_walk: raise",
        f"if not known: {target} = take({nbytes}, queue.arena).release",
    ]


def cells_of(allocator: CachingAllocator) -> dict[str, Any]:
    """What the lines name."""
    walk = allocator.walk
    found: dict[str, Any] = {"walk": walk, "deferred": allocator.deferred, "take": allocator.take}
    return found | {"walk_taken": walk.turn.taken, "walk_free": walk.turn.free}
