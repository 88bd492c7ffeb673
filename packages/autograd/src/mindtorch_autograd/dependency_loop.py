"""The loop for backwards that must know the graph beforehand; see :mod:`.engine`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from mindtorch_autograd import anomaly, installed, streams
from mindtorch_autograd.evaluate_node import after_quick, run_hooks_of_results, step, watched_step
from mindtorch_autograd.graph_task import GraphTask
from mindtorch_autograd.node import RELEASED, Edge, Node, Output, unwrap
from mindtorch_autograd.ready_queue import ReadyQueue


def run_counted(
    task: GraphTask,
    captures: Sequence[Edge] | None,
    targets: Iterable[Node] | None,
    lanes: streams.Streams | None,
) -> list[Any] | None:
    """Run the nodes that lead to *captures* or *targets* (all if both are None).

    Leaves run as soon as they are ready, as in torch, and anomaly mode watches.
    """
    if lanes is None:
        return counted_loop(task, captures, targets, None)
    try:
        return counted_loop(task, captures, targets, lanes)
    finally:
        try:
            lanes.finish()
        except BaseException:  # Ctrl-C in the middle of it: what is half done is done again
            lanes.finish()
            raise


def counted_loop(
    task: GraphTask,
    captures: Sequence[Edge] | None,
    targets: Iterable[Node] | None,
    lanes: streams.Streams | None,
) -> list[Any] | None:
    """The loop of :func:`run_counted`; *lanes* are the streams it goes over, if any."""
    dependencies = edge_counts([root for root, _ in task.roots])
    results: list[Any] | None = None
    # node whose gradients are taken → positions in results, and the number of its result
    slots: dict[Node, list[tuple[int, int]]] = {}
    if captures is not None:
        results = [None] * len(captures)
        for position, edge in enumerate(captures):
            taken, nr = unwrap(edge)
            if taken is not None:
                slots.setdefault(taken, []).append((position, nr))
    needed: Container[Node]
    wanted: Container[Edge]
    if captures is None and targets is None:
        needed = wanted = dependencies
    else:
        # torch counts nodes, not results: what leads to one result leads to the node.
        last = {node for node, _ in map(unwrap, targets or ()) if node is not None}
        needed, wanted = _needed(dependencies, last, slots)
        task.needed = needed
        task.wanted = wanted

    add = installed.space.add
    keep_graph = task.keep_graph
    astray = streams.astray
    watched = anomaly.enabled or task.watcher is not None
    buffers: dict[Node, Any] = {}
    queue = ReadyQueue()
    for root, grad in task.roots:
        if root in wanted:
            if root not in buffers and not dependencies[root]:
                queue.push(root)
            _sum_into(buffers, root, grad, add)
    ready: Node | None = None  # runs next, without a detour through the empty heap
    outs: Any

    while len(queue) or ready is not None:
        node = queue.pop() if ready is None else ready
        ready = None
        grad = buffers.pop(node)
        if lanes is not None:
            if node.__class__ is Output:
                lanes.pass_on(node, node._edges_[0])
            else:
                lanes.enter(node, grad)
        if slots and node in slots and results is not None:
            # Hooks of the value run before its gradient is taken; unless the node runs too:
            # then they belong to that run, and what is taken is what came in. As torch has it.
            if node not in needed:
                came = run_hooks_of_results(node, grad)
            else:
                came = (grad,) if node._num_outputs_ == 1 else grad
            for position, nr in slots[node]:
                results[position] = came[nr]
            if node not in needed:
                if lanes is not None:
                    lanes.leave(node, ())
                continue
        edges = node._edges_
        is_output = False
        some: tuple[Edge, ...] | None = None
        if node._takes_edges_ and task.wanted is not None and not task.wanted.issuperset(edges):
            some = tuple([edge if edge in wanted else None for edge in edges])
        if watched and node.__class__ is not Output:
            outs = watched_step(task, node, grad, some)
        elif some is not None:
            outs = step(node, grad, some)
        elif node._extra_ is None and grad is not None:
            outs = node.apply(grad)
            if astray:
                outs = after_quick(task, node, outs)
        elif node.__class__ is Output:
            is_output = True
            outs = grad
        else:
            outs = step(node, grad)
        if lanes is not None and not is_output:
            lanes.leave(node, edges)
        elif astray:
            streams.come_back(task)
        if not keep_graph:
            node._saved_ = RELEASED
        for edge, out in zip(edges, (outs,) if len(edges) == 1 else outs or ()):
            if edge is None or edge not in wanted:
                continue
            if is_output:
                grads = buffers.get(edge)
                if grads is None:
                    grads = buffers[edge] = [None] * edge._num_outputs_
                put(grads, node._nr, out)  # type: ignore[attr-defined]  # an Output has it
            elif edge in buffers:
                if lanes is None or out is None or buffers[edge] is None:
                    _sum_into(buffers, edge, out, add)
                else:
                    lanes.gather(edge, buffers[edge], out)
                    _sum_into(buffers, edge, out, add)
                    lanes.gathered(edge)
            else:
                buffers[edge] = out
            left = dependencies[edge] = dependencies[edge] - 1
            if left == 0:
                if ready is None and not len(queue):
                    ready = edge
                    continue
                if ready is not None:
                    queue.push(ready)
                    ready = None
                queue.push(edge)
    return results


def edge_counts(roots: list[Node]) -> dict[Node, int]:
    """Return every node reachable from *roots*, with the number of edges that lead to it."""
    counts = dict.fromkeys(roots, 0)
    stack = list(counts)
    while stack:
        for edge in stack.pop()._edges_:
            if edge is not None:
                if edge in counts:
                    counts[edge] += 1
                else:
                    counts[edge] = 1
                    stack.append(edge)
    return counts


def _needed(
    reached: Iterable[Node], targets: set[Node], captured: Iterable[Any]
) -> tuple[set[Node], set[Edge]]:
    """Return the nodes that must run for *targets* and *captured*, and those plus the captured."""
    needed = targets
    wanted: set[Edge] = {*targets, *captured}
    # Oldest first: what a node leads to is settled before the node itself.
    for node in sorted(reached, key=_key_of, reverse=True):
        if node not in needed and not wanted.isdisjoint(node._edges_):
            needed.add(node)
            wanted.add(node)
    wanted.discard(None)
    return needed, wanted


def _key_of(node: Node) -> int:
    return node._key_


def _sum_into(
    buffers: dict[Node, Any], node: Node, grad: Any, add: Callable[[Any, Any], Any]
) -> None:
    waiting = buffers.get(node)
    if waiting is None:
        buffers[node] = grad
    elif grad is not None:
        buffers[node] = add(waiting, grad)


def put(grads: list[Any], nr: int, grad: Any) -> None:
    # Two Output objects for one result exist where a GradientEdge was made by hand.
    if grads[nr] is None:
        grads[nr] = grad
    elif grad is not None:
        grads[nr] = installed.space.add(grads[nr], grad)
