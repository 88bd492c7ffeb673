"""Blocks that were freed while other streams still used them.

Each waits for one event on every such stream, in the order in which they were freed. An event is
noticed only when somebody looks: at the next allocation, or when the cache is flushed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from mindtorch_npu.block_pool import Node

__all__ = ["PendingFrees"]


class PendingFrees:
    """See the module. *release* takes a block whose events are all complete."""

    __slots__ = ("_release", "by_stream")

    def __init__(self, release: Callable[[Node], None]) -> None:
        self._release = release
        #: Per stream that used foreign blocks: (ticket or None, node), oldest first.
        self.by_stream: dict[int, deque[tuple[list[Any] | None, Node]]] = {}

    def add(self, node: Node, uses: dict[int, Any]) -> None:
        """Record an event on each queue of *uses*, by stream."""
        for handle, queue in uses.items():
            node.events += 1
            self.by_stream.setdefault(handle, deque()).append((queue.last(), node))

    def poll(self) -> None:
        """Release what other streams have finished with; stop at each first unfinished event."""
        for handle in tuple(self.by_stream):
            waiting = self.by_stream[handle]
            while waiting:
                ticket, node = waiting[0]
                if ticket is not None and ticket[0] is not None:
                    break
                waiting.popleft()
                self._event_done(node)
            if not waiting:
                del self.by_stream[handle]

    def wait_all(self, wait: Callable[[list[Any]], object]) -> None:
        """Wait for every event and release everything. *wait* may raise: nothing is lost then."""
        for handle in tuple(self.by_stream):
            waiting = self.by_stream[handle]
            while waiting:
                ticket, node = waiting[0]
                if ticket is not None and ticket[0] is not None:
                    wait(ticket)
                waiting.popleft()
                self._event_done(node)
            del self.by_stream[handle]

    def _event_done(self, node: Node) -> None:
        node.events -= 1
        if node.events == 0:
            self._release(node)
