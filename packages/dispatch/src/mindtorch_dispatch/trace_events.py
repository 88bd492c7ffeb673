"""What a trace consists of: events in events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .kernel import Hop

__all__ = ["BACKWARD", "CALL", "ENTRY", "FLUSH", "KERNEL", "NODE", "Argument", "Event"]

#: Kinds of events, see :attr:`Event.kind`.
CALL, KERNEL, BACKWARD, NODE, FLUSH, ENTRY = (
    "call",
    "kernel",
    "backward",
    "node",
    "flush",
    "entry",
)


class Argument(NamedTuple):
    """One argument of a call as a trace shows it."""

    text: str
    #: The key set that it brings, as a mask; None for what has no keys.
    keys: int | None = None


class Event:
    """Something that took time: a call, a kernel at a key, a backward, a node, a flush, an entry.

    A kernel's event lies inside that of the kernel which handed on to it.
    """

    __slots__ = (
        "arguments",
        "children",
        "end",
        "error",
        "excluded",
        "hop",
        "included",
        "kernel",
        "keys",
        "kind",
        "name",
        "notes",
        "start",
        "thread",
        "where",
    )

    def __init__(self, kind: str, name: str) -> None:
        #: ``call``, ``kernel``, ``backward``, ``node`` (of a backward), ``flush`` or ``entry``.
        self.kind = kind
        #: Name of the operator, node or pipeline entry.
        self.name = name
        self.children: list[Event] = []
        #: Nanoseconds of a clock that only differences mean something of.
        self.start = self.end = 0
        #: ``Type: text`` of the exception that ended it.
        self.error: str | None = None
        self.thread = 0
        #: Of a call: what it was given.
        self.arguments: tuple[Argument, ...] = ()
        #: Of a call: the thread's masks.
        self.included = self.excluded = 0
        #: Of a call: the joined key set after the masks. Of a kernel: what it was looked up with.
        self.keys = 0
        #: Of a kernel: the slot of the computed table.
        self.hop: Hop | None = None
        #: Of a kernel: its name for people, and where it is defined.
        self.kernel = ""
        self.where: str | None = None
        #: What else there is to say.
        self.notes: tuple[str, ...] = ()

    @property
    def duration(self) -> int:
        """Nanoseconds from begin to end, those of inner events and of tracing them included."""
        return self.end - self.start

    @property
    def own(self) -> int:
        """Nanoseconds that no inner event accounts for."""
        return self.duration - sum(c.duration for c in self.children)

    @property
    def chosen(self) -> Event | None:
        """Of a call: its first kernel; None if none was found."""
        return next((c for c in self.children if c.kind == KERNEL), None)

    def walk(self) -> Iterator[Event]:
        """This event and all inside it, outer ones first."""
        stack = [self]
        while stack:
            event = stack.pop()
            yield event
            stack += reversed(event.children)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"
