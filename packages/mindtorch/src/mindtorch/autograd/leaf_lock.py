"""A lock for each leaf, held while it is filled: threads fill different leaves side by side.

numpy lets other threads run while it adds, and between the look at what a leaf has and the answer
to it they run anyway. One lock for all leaves would not do: a leaf may be of a class whose addition
waits for another thread (ranks that are threads, with sharded gradients), which fills its own leaf.
"""

from __future__ import annotations

import os
from threading import Lock, RLock
from typing import Any
from weakref import WeakSet

from ..tensor.tensor_impl import State

__all__ = ["leaf_lock"]

_LOCKS: WeakSet[Any] = WeakSet()
_making = Lock()


def leaf_lock(state: State) -> Any:
    """The lock of the leaf with this *state*, made when first needed.

    It can be taken again: modes and classes of one's own may run a backward inside.
    """
    with _making:
        if state.filling is None:
            state.filling = RLock()
            _LOCKS.add(state.filling)
        return state.filling


def _in_child() -> None:
    """Who held a lock does not run here."""
    for lock in (_making, *_LOCKS):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
