"""What the collector must not free under ``ContextVar.set``, in Python before 3.12.

Note [Contexts and the collector]
    ``ContextVar.set`` makes the new table of the context out of the old one, which it holds no
    reference to. Before Python 3.12 the collector may run in between, as it does wherever memory
    is asked for, and what it finalizes may set a variable, too: a generator under ``no_grad``
    that nobody has read to its end, an object of the user's whose ``__del__`` computes something.
    That frees the old table while it is read: variables lose what was set, or the process dies.
    Later versions collect between two instructions only.

    So the table is held from when a collection begins; where the collection changed the context,
    until one begins elsewhere, as the call that it interrupted reads on, and may be interrupted
    again.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from types import FrameType
from typing import Any, Final

__all__ = ["guard_contexts"]

#: More than one call of ``set`` asks for memory.
_MOST: Final = 16


class _Tables:
    """The tables that are held, and the instruction whose collections began with them."""

    __slots__ = ("held", "place")

    def __init__(self) -> None:
        self.held: deque[Any] = deque(maxlen=_MOST)
        self.place: tuple[int, int] | None = None

    def __call__(
        self,
        phase: str,
        info: dict[str, int],
        # At exit, when modules have lost their names, the collector still calls.
        referents: Callable[..., list[Any]] = gc.get_referents,
        context: Callable[[], Context] = copy_context,
        frame: Callable[[], FrameType] = sys._getframe,
    ) -> None:
        """Called by the collector as it begins and as it ends."""
        (table,) = referents(context())
        held = self.held
        if phase != "start":
            if held and table is held[-1]:
                held.pop()
            return
        caller = frame().f_back
        place = None if caller is None else (id(caller), caller.f_lasti)
        if held and place != self.place:
            held.clear()
        self.place = place
        held.append(table)


_hold_tables = _Tables()


def guard_contexts() -> None:
    """See Note [Contexts and the collector]; nothing where it was done before."""
    if sys.implementation.name == "cpython" and sys.version_info < (3, 12):
        if _hold_tables not in gc.callbacks:
            gc.callbacks.append(_hold_tables)
