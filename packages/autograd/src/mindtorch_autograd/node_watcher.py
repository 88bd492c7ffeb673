"""Watching a backward: who is told of each node that runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = ["Watcher", "current", "set_source"]


class Watcher(Protocol):
    """Is told when something begins, and by the end of a ``with`` block when it is over."""

    def span(self, kind: str, name: str, /) -> AbstractContextManager[Any]:
        """A block around a ``backward``."""
        ...

    def node(self, name: str, node: Any, grad: Any, /) -> AbstractContextManager[Any]:
        """A block around a node of it, which is given *grad*."""
        ...


_source: Callable[[], Watcher | None] | None = None


def set_source(source: Callable[[], Watcher | None] | None) -> None:
    """Ask *source* at the start of each backward who watches it (None: nobody does)."""
    global _source
    _source = source


def current() -> Watcher | None:
    """Who watches what this thread runs."""
    return None if _source is None else _source()
