"""The queue of ready nodes, which also settles who is first among equals as torch does.

All leaves have the same, highest priority. torch keeps its tasks in a ``std::priority_queue``, so
their order follows from how that heap moves its elements; hooks on leaves can see it.
Source: torch csrc/autograd/engine.h, CompareNodeTaskTime; libstdc++ bits/stl_heap.h.
"""

from __future__ import annotations

from mindtorch_autograd.node import Node, Output

__all__ = ["ReadyQueue"]

_Task = tuple[int, Node]


class ReadyQueue:
    """A binary heap of nodes, the smallest priority first."""

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        self._tasks: list[_Task] = []

    def __len__(self) -> int:
        return len(self._tasks)

    def push(self, node: Node) -> None:
        """Put *node* in."""
        task = (_priority(node), node)
        self._tasks.append(task)
        self._rise(len(self._tasks) - 1, task)

    def pop(self) -> Node:
        """Take out the node that runs next."""
        tasks = self._tasks
        first, last = tasks[0], tasks.pop()
        size = len(tasks)
        if not size:
            return first[1]
        hole = child = 0
        while child < (size - 1) // 2:  # the hole sinks to the bottom, the last rises from there
            child = 2 * (child + 1)
            if tasks[child][0] > tasks[child - 1][0]:
                child -= 1
            tasks[hole] = tasks[child]
            hole = child
        if size % 2 == 0 and child == (size - 2) // 2:
            child = 2 * child + 1
            tasks[hole] = tasks[child]
            hole = child
        self._rise(hole, last)
        return first[1]

    def _rise(self, hole: int, task: _Task) -> None:
        tasks = self._tasks
        while hole:
            parent = (hole - 1) // 2
            if tasks[parent][0] <= task[0]:
                break
            tasks[hole] = tasks[parent]
            hole = parent
        tasks[hole] = task


def _priority(node: Node) -> int:
    """The place in the queue: leaves first, all alike, then the newest node."""
    if node._is_accumulator_:
        return -(2**64)
    extra = (node._edges_[0] if node.__class__ is Output else node)._extra_  # type: ignore[union-attr]  # an Output has its node there
    return node._key_ if extra is None or extra.number is None else -extra.number
