"""Backwards over several streams and devices: each node runs where its forward op ran.

The engine knows no devices. Whoever does sets :data:`source`, from when on every backward asks it
whether this one needs :class:`Streams`; if so, it takes the loop that knows the graph beforehand
and tells them of each node. User code of a backward that needed none may still leave for other
streams: such a backward is among those :data:`astray`, and is taken back after the node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

__all__ = ["Streams", "astray", "come_back", "set_source", "source"]


class Streams(Protocol):
    """The streams of one backward."""

    def enter(self, node: Any, gradient: Any) -> None:
        """*node* runs next on *gradient*: go to its device and stream, after what made that."""
        ...

    def leave(self, node: Any, targets: Iterable[Any]) -> None:
        """It has run; what it made goes to *targets*."""
        ...

    def gather(self, target: Any, first: Any, second: Any) -> None:
        """Two gradients of *target* are summed next: go to where it runs, after both."""
        ...

    def gathered(self, target: Any) -> None:
        """They are summed."""
        ...

    def pass_on(self, node: Any, target: Any) -> None:
        """What waits for *node*, which does nothing, waits for *target*."""
        ...

    def finish(self) -> None:
        """The backward is over: the streams of its caller go on after all of it."""
        ...

    def abandon(self) -> None:
        """The thread that ran it for its caller is done."""
        ...


#: Makes the streams of a backward, or says with None that this one needs none. None itself while
#: nobody left the default streams of the first device.
source: Callable[[], Streams | None] | None = None


def _forget(node: Any, results: Any) -> None:
    """Nobody left the default streams."""


#: Lets a node that a ``Function`` recorded remember the stream of its results.
stamp: Callable[[Any, Any], object] = _forget


def set_source(make: Callable[[], Streams | None], remember: Callable[[Any, Any], object]) -> None:
    """Ask *make* at the start of each backward; show *remember* the nodes of functions."""
    global source, stamp
    source = make
    stamp = remember


#: Backwards that began without streams and left the caller's, with what takes them back there.
#: A backward, which is a ``GraphTask``, is nothing but a key here.
astray: dict[object, Streams] = {}


class _Staying:
    """Of a backward that needs a look after each node, but for other reasons than streams."""

    def finish(self) -> None:
        """Nothing was left."""


#: Marks such a backward in :data:`astray`.
STAYING: Any = _Staying()


def look_after_nodes(task: object) -> None:
    """Let the engine look after each node of *task* whether it got hooks while it ran."""
    astray.setdefault(task, STAYING)


def come_back(task: object) -> None:
    """Make the caller's streams and device current again, where *task* went astray."""
    streams = astray.get(task)
    if streams is not None:
        streams.finish()
