"""Blocks that were freed while other streams still used them.

Each waits for one event on every such stream, in the order in which they were freed. An event is
noticed only when somebody looks: at the next allocation, or when the cache is flushed.

While some requests are diverted (``private_pools.py``) a graph may be captured, and then no event
may be recorded for a block: it is *put off* until nothing is diverted any more. By then the uses
that were told meanwhile are over: a graph joins all its streams.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from mindtorch_npu.block_pool import Node

__all__ = ["PendingFrees"]


class PendingFrees:
    """See the module. *release* takes a block whose events are all complete."""

    __slots__ = ("_put_off", "_release", "_told_meanwhile", "by_stream")

    def __init__(self, release: Callable[[Node], None]) -> None:
        self._release = release
        #: Per stream that used foreign blocks: (ticket or None, node), oldest first.
        self.by_stream: dict[int, deque[tuple[list[Any] | None, Node]]] = {}
        self._put_off: list[tuple[Node, dict[int, Any]]] = []
        #: The streams of which uses were told while requests were diverted, by the block.
        self._told_meanwhile: dict[Node, set[int]] = {}

    def add(self, node: Node, uses: dict[int, Any]) -> None:
        """Record an event on each queue of *uses*, by stream."""
        for handle, queue in uses.items():
            node.events += 1
            self.by_stream.setdefault(handle, deque()).append((queue.last(), node))

    def put_off(self, node: Node, uses: dict[int, Any]) -> None:
        """:meth:`add` it when nothing is diverted any more."""
        self._put_off.append((node, uses))

    def told(self, node: Node, handle: int) -> None:
        """A use on the stream *handle* was told while requests are diverted."""
        self._told_meanwhile.setdefault(node, set()).add(handle)

    def make_up(self) -> None:
        """Nothing is diverted any more: :meth:`add` what was put off."""
        while self._put_off:
            node, uses = self._put_off.pop()
            over = self._told_meanwhile.pop(node, set())
            left = {handle: queue for handle, queue in uses.items() if handle not in over}
            if left:
                self.add(node, left)
            else:
                self._release(node)
        self._told_meanwhile.clear()

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
