"""Who watches streams, events and memory: a sanitizer, a trace, a test.

The rare calls ask :data:`current` themselves. Launches and allocations, which must stay cheap, are
watched by whoever stands above them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_npu.protocols import Queue

__all__ = ["Observer", "current", "unwatch", "watch"]


class Observer:
    """What is told; each watches what it overrides.

    *queue* is a stream; an event is the object that users hold. A device index of -1 is that of
    pinned memory of the host. How streams wait for each other while they are captured is not told.
    """

    def event_created(self, event: Any) -> None:
        """The driver made it: when it was first recorded, or its handle asked for."""

    def event_recorded(self, event: Any, queue: Queue) -> None: ...
    def event_awaited(self, event: Any, queue: Queue) -> None: ...
    def event_synchronized(self, event: Any) -> None: ...
    def event_seen_done(self, event: Any) -> None:
        """The host asked, and it was over."""

    def stream_created(self, queue: Queue) -> None:
        """A stream of the pool is handed out for the first time."""

    def stream_awaited(self, waiting: Queue, awaited: Queue) -> None: ...
    def stream_synchronized(self, queue: Queue) -> None: ...
    def stream_seen_done(self, queue: Queue) -> None:
        """The host asked, and nothing was left to do."""

    def device_synchronized(self, device_index: int) -> None: ...
    def stream_recorded(self, address: int, device_index: int, queue: Queue) -> None: ...
    def allocated(self, address: int, nbytes: int, device_index: int, stream: int) -> None: ...
    def freed(self, address: int, device_index: int) -> None: ...
    def host_reads(self, address: int, queue: Queue, site: Any) -> None:
        """The bytes of a storage are about to be read, when *queue* has run dry."""


class _Several(Observer):
    """Tells each of several."""

    def __init__(self, observers: list[Observer]) -> None:
        for name in vars(Observer):
            if not name.startswith("_"):
                setattr(self, name, self._to_each([getattr(each, name) for each in observers]))

    @staticmethod
    def _to_each(calls: list[Callable[..., None]]) -> Callable[..., None]:
        def tell(*facts: Any) -> None:
            for call in calls:
                call(*facts)

        return tell


_watching: list[Observer] = []
current: Observer | None = None
#: Called when the observer changes: allocators prepare what they ask.
listeners: list[Callable[[], object]] = []


def watch(observer: Observer) -> None:
    """Tell *observer* too from now on."""
    _watching.append(observer)
    _refresh()


def unwatch(observer: Observer) -> None:
    """Tell *observer* nothing more. Raises ValueError where it did not watch."""
    _watching.remove(observer)
    _refresh()


def _refresh() -> None:
    global current
    alone = len(_watching) < 2
    current = next(iter(_watching), None) if alone else _Several(list(_watching))
    for listener in listeners:
        listener()
