"""Streams that the launching thread works for itself, and what happens where others want them.

Note [Held streams]. While the launching thread runs a kernel itself, the ticket ``held`` stands for
it, at the head of the queue: other threads see that the stream is not idle, and whoever runs the
queue waits there. From the look whether the queue is empty to the append nothing is called, and
neither from the look whether the ticket is still there to its removal: CPython lets neither another
thread nor Ctrl-C in but after a call. So no lock is needed, and a launch that is broken off leaves
nothing behind. The same ticket serves all launches: who wants one to wait for gets another behind
it, and only when that has run may the stream be held again. Who takes the stream away from its
holder gives it another ticket.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from dis import get_instructions
from types import FrameType
from typing import Protocol

from mindtorch_npu.completion import HELD, Ticket

__all__ = ["await_launcher", "let_go"]


class HeldQueue(Protocol):
    """What is asked of a stream that a launching thread may hold."""

    entries: deque[Ticket]
    held: Ticket


# So many looks for a thread that should let go of the stream at once.
_LOST = 10_000


def await_launcher(held: Ticket) -> None:
    """Wait for the thread that holds a stream with this ticket, at the head of its queue.

    Such a kernel takes little time, so to look again and again is cheaper than what would wake
    this thread.
    """
    queue: HeldQueue = held[4]
    entries = queue.entries
    tries = 0
    # Empty or changed: it is done, or the process is ending or was forked.
    while entries and entries[0] is held:
        tries += 1
        time.sleep(0 if tries < 100 else 2e-5)
        if tries % _LOST == 0 and not _is_held(held):
            # Under a debugger more is called than is written, and Ctrl-C comes in anywhere.
            queue.held = [*held]
            if entries and entries[0] is held:
                entries.popleft()


def let_go() -> None:
    """This thread is about to wait: what it holds itself, it would wait for in vain.

    That is so where a signal came in the middle of a launch, and its handler waits. All that
    came before that launch is done, so the handler goes first.
    """
    at: FrameType | None = sys._getframe(2)
    while at is not None:
        held = _held_by(at)
        if held is not None:
            queue: HeldQueue = held[4]
            entries = queue.entries
            if entries and entries[0] is held:
                # Whoever holds it from now on has another ticket, which the launch does not
                # take for its own when it goes on.
                queue.held = [*held]
                if entries and entries[0] is held:
                    entries.popleft()
        at = at.f_back


def _held_by(at: FrameType) -> Ticket | None:
    """The ticket with which a launch of this frame holds its stream, if it does.

    The launch goes on after its kernel, and by then another thread may hold with the same ticket.
    """
    if "held" not in at.f_code.co_varnames:
        return None
    held = at.f_locals.get("held")
    if type(held) is not list or not held or held[0] is not HELD:  # a name of a program's own
        return None
    last = 0, ""
    for step in get_instructions(at.f_code):
        line = (step.positions and step.positions.lineno) or 0
        if step.argval in ("append", "popleft") and last[0] < line <= at.f_lineno:
            last = line, step.argval
    return held if last[1] == "append" else None


def _is_held(held: Ticket) -> bool:
    """Whether any thread is where it holds a stream with this ticket."""
    for frame in sys._current_frames().values():
        at: FrameType | None = frame
        while at is not None:
            if _held_by(at) is held:
                return True
            at = at.f_back
    return False
