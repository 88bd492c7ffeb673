"""Who watches streams, events and memory: a sanitizer, a test.

The rare calls ask :data:`current` themselves. Launches and allocations, which must stay cheap, are
watched by whoever stands above them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from mindtorch_npu.protocols import Queue

__all__ = ["Observer", "current", "set_observer"]


class Observer(Protocol):
    """What is told. *queue* is a stream; an event is the object that users hold.

    A device index of -1 is that of pinned memory of the host.
    """

    def event_recorded(self, event: Any, queue: Queue) -> None: ...
    def event_awaited(self, event: Any, queue: Queue) -> None: ...
    def event_synchronized(self, event: Any) -> None: ...
    def stream_awaited(self, waiting: Queue, awaited: Queue) -> None: ...
    def stream_synchronized(self, queue: Queue) -> None: ...
    def device_synchronized(self, device_index: int) -> None: ...
    def stream_recorded(self, address: int, device_index: int, queue: Queue) -> None: ...
    def host_reads(self, address: int, queue: Queue, site: Any) -> None: ...
    def allocated(self, address: int, nbytes: int, device_index: int, stream: int) -> None: ...
    def freed(self, address: int, device_index: int) -> None: ...


current: Observer | None = None
#: Called when the observer changes: allocators prepare what they ask.
listeners: list[Callable[[], object]] = []


def set_observer(observer: Observer | None) -> None:
    """Tell *observer*, or nobody, from now on."""
    global current
    current = observer
    for listener in listeners:
        listener()
