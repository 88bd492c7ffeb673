"""The engine: sends gradients from the roots of a graph to its leaves, without recursion.

Two loops give the same order of nodes (torch's: highest sequence number first):

* :func:`_run_all` serves a plain ``backward()``. It trusts the order of keys (see Note [Keys] in
  ``node.py``), so it visits each node once; a chain costs neither heap nor dictionary.
* :func:`run_counted` serves whatever needs to know the graph beforehand: ``inputs=``,
  ``autograd.grad``, anomaly mode, watchers, and hooks that see the order in which leaves are
  filled. It
  counts dependencies as torch does, and runs a leaf the moment its last gradient came.

A gradient may be None (undefined). As in torch it still travels: hooks see None, a ``Function``
sees zeros, and a leaf is left alone.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from types import FrameType
from typing import Any

from mindtorch_autograd import anomaly, errors, grad_mode, hooks, installed, node_watcher, streams
from mindtorch_autograd.dependency_loop import counted_loop, edge_counts, put, run_counted
from mindtorch_autograd.evaluate_node import after_quick, step
from mindtorch_autograd.grad_mode import state
from mindtorch_autograd.graph_task import GraphTask
from mindtorch_autograd.node import RELEASED, AccumulateGrad, Edge, Node, Output, name_of, unwrap
from mindtorch_autograd.ready_queue import ReadyQueue
from mindtorch_autograd.running_task import running
from mindtorch_autograd.saved_variable import hook_stack, put_back

__all__ = [
    "current_node",
    "execute",
    "execution_order",
    "will_execute",
]

# Re-entrant backwards nest this deep in one thread; then the next goes to a fresh thread, whose
# stack is empty. A level takes about ten Python frames of the interpreter's limit of 1000.
_MAX_DEPTH = 30


def will_execute(node: Node) -> bool:
    """Say whether the running backward will run, or has run, *node*."""
    task = running.task
    if task is None:
        raise RuntimeError(
            "_get_should_execute_nodes should only be called during the backward pass"
        )
    roots = task.roots
    if len(roots) == 1 and unwrap(roots[0][0])[0] is node:
        return False  # torch does not count an only root among the nodes of its graph
    if task.reached is None:
        task.reached = set(edge_counts([root for root, _ in task.roots]))
    if node not in task.reached:
        return False
    wanted = task.wanted
    if wanted is None:
        return True
    if node in wanted and not node._edges_ and node not in (task.needed or ()):
        raise errors.leaf_of_grad()
    return node in wanted


def current_node() -> Node | None:
    """Return the node that this thread runs right now, or None.

    The loops do not note it, which each node would pay for: their frames know it.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code in _LOOPS:
            node: Node | None = frame.f_locals.get("node")
            return unwrap(node)[0]
        frame = frame.f_back
    return None


def execution_order() -> list[Node]:
    """Return the nodes that the running backward runs, from its roots on, in their order."""
    task = running.task
    if task is None:
        raise errors.order_outside_backward()
    if grad_mode.is_multithreading_enabled():
        raise errors.order_with_threads()
    wanted = task.wanted
    left = edge_counts([root for root, _ in task.roots])
    queue = ReadyQueue()
    for root in dict.fromkeys([root for root, _ in task.roots]):
        if not left[root]:
            queue.push(root)
    order: list[Node] = []
    while len(queue):
        node = queue.pop()
        if wanted is not None and node not in wanted:
            continue
        if node.__class__ is not Output:
            order.append(node)
        for edge in node._edges_:
            if edge is not None:
                left[edge] -= 1
                if not left[edge]:
                    queue.push(edge)
    return order


def execute(
    roots: Sequence[tuple[Node, Any]],
    *,
    keep_graph: bool = False,
    create_graph: bool = False,
    captures: Sequence[Edge] | None = None,
    targets: Iterable[Node] | None = None,
    task: GraphTask | None = None,
    lanes: streams.Streams | None = None,
) -> list[Any] | None:
    """Run a backward from *roots*, pairs of an edge and the gradient that enters there.

    :param keep_graph: leave the saved values in place.
    :param create_graph: record the backward itself.
    :param captures: return the gradient of each of these edges, and run only what leads there.
    :param targets: run only what leads to these nodes, and them.
    :param task: the running backward, where this function has made it already.
    :param lanes: its streams, where they were asked for already.
    """
    outer = running.task
    if task is None:
        task = GraphTask(roots, keep_graph)
        if node_watcher._source is not None:
            task.watcher = node_watcher.current()
        if outer is not None:
            task.depth = outer.depth + 1
            if task.depth % _MAX_DEPTH == 0:
                return _in_fresh_thread(task, create_graph, captures, targets)
        if task.watcher is not None:
            names = ", ".join(name_of(node) for node, _ in roots)
            with task.watcher.span("backward", names):
                return execute(
                    roots,
                    keep_graph=keep_graph,
                    create_graph=create_graph,
                    captures=captures,
                    targets=targets,
                    task=task,
                )
    if lanes is None and streams.source is not None:
        lanes = streams.source()
    word = state.get()
    saving = hook_stack()
    result: list[Any] | None = None
    try:  # see Note [Interrupts] in grad_mode.py
        state.set(word | 1 if create_graph else word & ~1)
        running.task = task
        if (
            captures is None
            and targets is None
            and not (hooks.watched_nodes or anomaly.enabled)
            and lanes is None
            and task.watcher is None
        ):
            _run_all(task, create_graph)
        else:
            task.lanes = lanes
            result = run_counted(task, captures, targets, lanes)
            task.lanes = None
        if task.callbacks is not None:
            # A callback may queue another one.
            for callback in task.callbacks:
                callback()
        return result
    finally:
        running.task = outer
        try:
            state.set(word)
            if hook_stack() is not saving:  # a formula or a hook entered some, or left them
                put_back(saving)
        finally:
            if streams.astray:
                try:
                    streams.come_back(task)
                except BaseException:  # as in `run_counted`
                    streams.come_back(task)
                    raise
                finally:
                    streams.astray.pop(task, None)
            if task.cleanups is not None:
                for cleanup in task.cleanups:
                    cleanup()


#: The code of the loops, by which :func:`current_node` knows them; see the end of the module.
_LOOPS: set[Any] = set()


def _in_fresh_thread(
    task: GraphTask,
    create_graph: bool,
    captures: Sequence[Edge] | None,
    targets: Iterable[Node] | None,
) -> list[Any] | None:
    """Run *task* in a thread of its own, with this thread's context, and wait for it."""
    result: list[Any] = [None, None]
    context = contextvars.copy_context()
    lanes = None if streams.source is None else streams.source()  # this thread waits at the end

    def body() -> None:
        try:
            result[0] = context.run(
                execute,
                task.roots,
                keep_graph=task.keep_graph,
                create_graph=create_graph,
                captures=captures,
                targets=targets,
                task=task,
                lanes=lanes,
            )
        except BaseException as error:
            result[1] = error
        finally:
            if lanes is not None:
                lanes.abandon()

    thread = threading.Thread(target=body, name="autograd-reentrant")
    thread.start()
    thread.join()
    if result[1] is not None:
        raise result[1]
    answer: list[Any] | None = result[0]
    return answer


def _run_all(task: GraphTask, recording: bool) -> None:
    """Run every node reachable from *roots*, smallest key first.

    What waits is an entry ``[node, gradient, whether add_to may change the gradient]`` by key.
    """
    roots, keep_graph = task.roots, task.keep_graph
    astray = streams.astray
    space = installed.space
    accumulate = space.accumulate
    plain = not recording and not space.watched()
    released = RELEASED
    heap: list[int] = []
    waiting: dict[int, list[Any]] = {}
    entry_of = waiting.get
    if not roots:
        return
    node, grad = roots[0]
    if len(roots) != 1:
        for root, grad in roots:
            if type(root) is Output:
                _file_output(root, grad, heap, waiting)
            else:
                _file(root, grad, heap, waiting, recording)
        key = heappop(heap)
        node, grad, _ = waiting.pop(key)

    while True:
        if node._extra_ is None and grad is not None:
            if type(node) is AccumulateGrad:
                accumulate(node._variable, grad, recording)
                if not heap:
                    return
                key = heappop(heap)
                node, grad, _ = waiting.pop(key)
                continue
            out = node._quick_(grad) if plain else node.apply(grad)
            if astray:
                out = after_quick(task, node, out)
        elif type(node) is Output:
            _file_output(node, grad, heap, waiting)
            if not heap:
                return
            key = heappop(heap)
            node, grad, _ = waiting.pop(key)
            continue
        else:
            out = step(node, grad)
            if astray:
                streams.come_back(task)
        if not keep_graph:
            node._saved_ = released

        edges = node._edges_
        count = len(edges)
        if count == 1:
            target = edges[0]
        elif count == 2:
            target, other = edges
            if other is None:
                out = out[0]
                count = 1
            elif target is None:
                target = other
                out = out[1]
                count = 1
            elif not heap and target is not other:  # nothing waits: one runs, the other waits
                key = other._key_
                grad = out[1]
                if key < target._key_:
                    node = other
                    key = target._key_
                    waiting[key] = [target, out[0], False]
                else:
                    waiting[key] = [other, grad, False]
                    node = target
                    grad = out[0]
                heap.append(key)
                continue
        if count == 1:
            if target is not None:
                # Ahead of all that waits: nothing else can reach it, so it is ready.
                if not heap or target._key_ < heap[0]:
                    node = target
                    grad = out
                    continue
                key = target._key_
                entry = entry_of(key)
                if entry is None:
                    waiting[key] = [target, out, False]
                    heappush(heap, key)
                elif out is not None:
                    _join(entry, out, recording)
        elif edges:
            # The target that comes first is kept out of the heap, since it most often runs next.
            best: Node | None = None
            best_key = 0
            best_grad = None
            for target, grad in zip(edges, out):
                if target is None:
                    continue
                key = target._key_
                entry = entry_of(key)
                if entry is not None:
                    if grad is not None:
                        _join(entry, grad, recording)
                elif best is None:
                    best = target
                    best_key = key
                    best_grad = grad
                elif key < best_key:
                    waiting[best_key] = [best, best_grad, False]
                    heappush(heap, best_key)
                    best = target
                    best_key = key
                    best_grad = grad
                elif key > best_key:
                    waiting[key] = [target, grad, False]
                    heappush(heap, key)
                elif best_grad is None:
                    best_grad = grad
                elif grad is not None:
                    best_grad = space.add(best_grad, grad)
            if best is not None:
                if not heap or best_key < heap[0]:
                    node = best
                    grad = best_grad
                    continue
                waiting[best_key] = [best, best_grad, False]
                heappush(heap, best_key)

        if not heap:
            return
        key = heappop(heap)
        node, grad, _ = waiting.pop(key)


def _file(
    target: Node, grad: Any, heap: list[int], waiting: dict[int, list[Any]], recording: bool
) -> None:
    """Let *grad* wait at *target*, summed with what waits there."""
    entry = waiting.get(target._key_)
    if entry is None:
        waiting[target._key_] = [target, grad, False]
        heappush(heap, target._key_)
    elif grad is not None:
        _join(entry, grad, recording)


def _join(entry: list[Any], grad: Any, recording: bool) -> None:
    """Sum *grad* with what waits in *entry*; in place from the second sum on, which is ours."""
    before = entry[1]
    if before is None:
        entry[1] = grad
    elif entry[2]:
        entry[1] = installed.space.add_to(before, grad)
    else:
        total = entry[1] = installed.space.add(before, grad)
        entry[2] = not recording and total is not before and total is not grad


def _file_output(output: Output, grad: Any, heap: list[int], waiting: dict[int, list[Any]]) -> None:
    """Let the gradient of one result wait at the node that made it, under its number."""
    parent: Any = output._edges_[0]
    entry = waiting.get(parent._key_)
    if entry is None:
        entry = waiting[parent._key_] = [parent, [None] * parent._num_outputs_, False]
        heappush(heap, parent._key_)
    put(entry[1], output._nr, grad)


_LOOPS.update((_run_all.__code__, counted_loop.__code__))
