"""``torch.compile`` for what stands below the compiler, and whether a program is being exported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from .late_bound import LateBound

__all__ = [
    "Recorder",
    "compile",
    "eagerly",
    "end_graph",
    "exporting",
    "is_compiling",
    "is_exporting",
    "recorder",
]

#: Modules compile their calls.
compile = LateBound("compile")
_exporting: ContextVar[bool] = ContextVar("mindtorch_exporting", default=False)


class Recorder(Protocol):
    """Who writes the calls of a compiled function into a graph in place of running them."""

    def end_graph(self, reason: str) -> None:
        """Run what was written down; *reason* says why now."""


#: Who records this thread's calls. While it, or what runs eagerly, is at work there is nobody.
recorder: ContextVar[Recorder | None] = ContextVar("mindtorch_recorder", default=None)


def end_graph(reason: str) -> None:
    """Run what a compiled function has left to do: what comes now is not seen by its recorder."""
    current = recorder.get()
    if current is not None:
        current.end_graph(reason)


class eagerly:
    """A block in which calls of this thread run as they come, also in a compiled function."""

    __slots__ = ("_current", "_reason")

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __enter__(self) -> None:
        self._current = recorder.get()
        if self._current is not None:
            self._current.end_graph(self._reason)
            recorder.set(None)

    def __exit__(self, *exc_info: object) -> None:
        if self._current is not None:
            recorder.set(self._current)


def is_compiling() -> bool:
    """Whether this thread draws a graph: of a compiled function, or of a program to export."""
    return recorder.get() is not None or _exporting.get()


@contextmanager
def exporting() -> Iterator[None]:
    """Inside, this thread draws the graph of a program."""
    token = _exporting.set(True)
    try:
        yield
    finally:
        _exporting.reset(token)


def is_exporting() -> bool:
    """Whether this thread draws the graph of a program."""
    return _exporting.get()
