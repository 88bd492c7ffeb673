"""Whether a thread traces a function, or runs one that was traced."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["TracingState", "depth", "tracing"]


class TracingState:
    """What a trace in progress is told of: programs that name scopes push and pop them here."""

    def push_scope(self, name: str) -> None:
        """Open a scope, which graphs name."""

    def pop_scope(self) -> None:
        """Close the scope that was opened last."""

    def current_scope(self) -> str:
        """The name of the scope that was opened last."""
        return ""


class _Depth(threading.local):
    value = 0
    state: TracingState | None = None


#: ``depth.value``: how many blocks of :func:`tracing` this thread is in.
depth = _Depth()


@contextmanager
def tracing(state: TracingState | None = None) -> Iterator[None]:
    """Within the block, ``torch.jit.is_tracing()`` is true; *state* hears of scopes."""
    before = depth.state
    depth.value += 1
    depth.state = state or before or TracingState()
    try:
        yield
    finally:
        depth.value -= 1
        depth.state = before
