"""What a launch on a stream of the simulator gives back.

Note [Tickets]. ``WorkQueue.enqueue`` returns the entry itself, a list ``[function, arguments, name,
site, queue]``. It stays in the queue while it runs; when it has run, its function becomes None. So
"has this finished?" is one comparison without a lock, and no counter needs to agree with the order
of two threads that enqueue at once.
"""

from __future__ import annotations

from typing import Any

from mindtorch_npu.protocols import Queue

__all__ = ["BUSY", "Ticket", "is_done", "wait"]


class _Busy:
    """Stands for what is not computed yet."""

    base = True  # as of an array in memory that is not its own


#: What ``compute`` of a queue gives where other work waits.
BUSY: Any = _Busy()

# [function or None when done, arguments, name of the op, call site, queue]; Note [Tickets].
Ticket = list[Any]


def is_done(ticket: Ticket) -> bool:
    """Whether the entry has run."""
    return ticket[0] is None


def wait(ticket: Ticket) -> None:
    """Wait for one entry; raise the error of a kernel of its stream, if there was one."""
    queue: Queue = ticket[4]
    if ticket[0] is not None:
        queue.finish(ticket)
    if queue.error is not None:
        queue.raise_error()
