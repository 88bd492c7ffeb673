"""What one thread at a time has: taken without waiting, and never left behind.

Note [Turns]. Python lets a signal's handler in after each call. It may raise, and then nobody knows
whether the lock is held that was being taken. Who takes one by ``with`` is spared that, but pays
140 ns, as much as all else that an allocation costs. An iterator is asked for its next item without
a call: nobody is let in before the loop's variable is set. So in 30 ns ::

    has_turn = False
    try:
        for has_turn in turn.taken:  # raises IndexError where another thread has it
            break
        ...
    finally:
        if has_turn:
            turn.free.append(True)

leaves the turn free wherever Ctrl-C comes in. ``turn.take()`` does the same in 40 ns more: Python
lets nobody in either where one of its own functions returns.

It holds in threads without a GIL, too: to take the last item of a list is one step in every Python.
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
