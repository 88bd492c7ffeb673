"""The backward that a thread runs: where it began, what it needs, what waits for its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from mindtorch_autograd import errors, node_watcher, streams
from mindtorch_autograd.node import Node
from mindtorch_autograd.running_task import running

__all__ = ["GraphTask", "current_graph_task", "queue_callback"]

_task_ids = count()


class GraphTask:
    """One running backward.

    :ivar roots: where it begins.
    :ivar keep_graph: whether saved values stay.
    :ivar depth: how many other backwards of this thread it runs inside of.
    :ivar callbacks: what to call when it is done (:func:`queue_callback`).
    :ivar cleanups: what to call when it is over, also by an exception.
    :ivar needed: the nodes that will run where ``inputs`` restrict them, else None.
    :ivar wanted: those and the captured ones: gradients for others are not computed.
    :ivar node: the node being run, in anomaly mode only.
    :ivar watcher: who is told of the nodes, if anybody.
    :ivar lanes: the streams that its nodes run on, while they do, if it needs any.
    """

    # Defaults in the class: almost every backward is over before any of these is set.
    depth = 0
    callbacks: list[Callable[[], Any]] | None = None
    cleanups: list[Callable[[], Any]] | None = None
    needed: set[Node] | None = None
    wanted: set[Node | None] | None = None
    reached: set[Node] | None = None
    node: Node | None = None
    watcher: node_watcher.Watcher | None = None
    lanes: streams.Streams | None = None

    _number = -1

    def __init__(self, roots: Sequence[tuple[Node, Any]], keep_graph: bool) -> None:
        self.roots = roots
        self.keep_graph = keep_graph

    @property
    def number(self) -> int:
        """Drawn when first asked for: few ask."""
        if self._number < 0:
            self._number = next(_task_ids)
        return self._number

    def clean_up_by(self, cleanup: Callable[[], Any]) -> None:
        """Call *cleanup* when this backward is over, also by an exception."""
        if self.cleanups is None:
            self.cleanups = []
        self.cleanups.append(cleanup)


def current_graph_task() -> GraphTask | None:
    """Return the backward that runs in this thread, or None."""
    task: GraphTask | None = running.task
    return task


def queue_callback(callback: Callable[[], Any]) -> None:
    """Call *callback* when the running backward is done."""
    task = current_graph_task()
    if task is None:
        raise errors.callback_outside_backward()
    if task.callbacks is None:
        task.callbacks = []
    task.callbacks.append(callback)
