"""What one thread at a time has, taken and given back in between no two calls.

Note [No call]. A lock is taken by a call, and Python lets a signal's handler in after each call: it
may raise, and nobody knows whether the lock is held. Whoever takes a lock by ``with`` is spared
that, but pays three times what the rest of an allocation takes. A loop over an iterator calls it,
too, but lets nobody in before the loop's variable is set. So ::

    has_turn = False
    try:
        for has_turn in turn.taken:  # raises IndexError where another thread has it
            break
        ...
    finally:
        if has_turn:
            turn.free.append(True)

is broken off with the turn free again, wherever Ctrl-C comes. It holds in threads without a GIL:
taking the last item of a list is one step in every Python.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["NEVER", "TURN", "Turn"]

#: ``free += TURN`` gives a turn back without a call.
TURN = (True,)


class Turn:
    """See the module. It is free at first."""

    __slots__ = ("free", "taken")

    def __init__(self) -> None:
        #: Has one item while nobody has the turn.
        self.free = [True]
        #: The next item takes the turn.
        self.taken: Iterator[bool] = iter(self.free.pop, None)

    def take(self) -> bool:
        """Take the turn if it is free; whether it was."""
        try:
            for _ in self.taken:
                return True
        except IndexError:
            pass
        return False


#: The turn that nobody gets.
NEVER = Turn()
NEVER.free.clear()
