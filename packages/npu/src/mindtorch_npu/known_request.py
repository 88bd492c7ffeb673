"""A request for memory whose answer is known from the last time, as lines of who asks.

Each launch asks for memory, and mostly what it gets follows from what the allocator did last (Note
[Leaps] in ``allocator_memo.py``). Then these lines take it, without a call of Python; else they
call ``take``.
"""

from __future__ import annotations

from typing import Any

from mindtorch_npu.allocator import CachingAllocator

__all__ = ["cells_of", "taking"]


def taking(target: str, nbytes: str) -> list[str]:
    """Lines that take so many bytes, not 0, for use on the stream ``queue``.

    :param target: an attribute of something whose finalizer it is. It gets what gives the memory
        back, at once: so nothing is lost where Ctrl-C comes in.
    """
    return [
        "try: del walk_turn.free",  # see Note [Who holds the state]
        "except AttributeError: leap = None",
        "else:",
        "    leap = walk.last.next",
        f"    if leap.nbytes == {nbytes} and leap.arena is queue.arena"
        " and deferred == leap.deferred:",
        f"        for {target} in leap.releases: break",
        "        del deferred[leap.span]",
        "        walk.last = leap",
        "    else: leap = None",
        "    walk_turn.free = True",
        f"if leap is None: {target} = take({nbytes}, queue.arena).release",
    ]


def cells_of(allocator: CachingAllocator) -> dict[str, Any]:
    """What the lines name."""
    walk = allocator.walk
    found: dict[str, Any] = {"walk": walk, "walk_turn": walk.turn}
    return found | {"deferred": allocator.deferred, "take": allocator.take}
