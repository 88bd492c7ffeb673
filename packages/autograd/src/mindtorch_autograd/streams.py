"""Backwards over several streams of a device: each node runs where its forward op ran.

The engine knows no devices. Whoever does sets :data:`source`, from when on backwards take the loop
that knows the graph beforehand and tell :class:`Streams` of each node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

__all__ = ["Streams", "set_source", "source"]


class Streams(Protocol):
    """The streams of one backward."""

    def enter(self, node: Any, gradient: Any) -> None:
        """*node* runs next on *gradient*: go to its stream, after what made that."""
        ...

    def use(self, gradient: Any) -> None:
        """*gradient* (or a sequence of them) is read on the current streams."""
        ...

    def leave(self, node: Any, targets: Iterable[Any]) -> None:
        """It has run; what it made goes to *targets*."""
        ...

    def finish(self) -> None:
        """The backward is over: the streams of its caller go on after all of it."""
        ...


#: Makes the streams of a backward; None while nobody left the default streams.
source: Callable[[], Streams] | None = None


def _forget(node: Any) -> None:
    """Nobody left the default streams."""


#: Lets a node that a ``Function`` recorded remember the stream that is current.
stamp: Callable[[Any], object] = _forget


def set_source(make: Callable[[], Streams], remember: Callable[[Any], object]) -> None:
    """Ask *make* at the start of each backward; show *remember* the nodes of functions."""
    global source, stamp
    source = make
    stamp = remember
