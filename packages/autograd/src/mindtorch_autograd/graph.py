"""Looking at a graph from outside: gradient edges and hooks over several values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple

from mindtorch_autograd import engine, errors, graph_task, installed
from mindtorch_autograd.hooks import RemovableHandle
from mindtorch_autograd.node import Node, Output, extras_of, unwrap

__all__ = ["GradientEdge", "get_gradient_edge", "register_multi_grad_hook"]


class GradientEdge(NamedTuple):
    """Where the gradient of a value goes: can stand for the value in ``backward`` and ``grad``."""

    node: Node
    output_nr: int
    #: Keeps alive what the node alone would not.
    ownership_token: Any = None


def node_of(t: Any) -> Node:
    """Return the node that made *t*, or fills its ``.grad``; that of a :class:`GradientEdge`."""
    if isinstance(t, GradientEdge):
        return t.node
    space = installed.space
    node = unwrap(space.edge(t))[0] if space.requires_grad(t) else None
    assert node is not None, "Expected gradient function to be set"
    return node


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """Return the gradient edge of value *tensor*, and note at its node what it is like."""
    x, space = tensor, installed.space
    if not space.requires_grad(x):
        raise errors.edge_of_constant()
    node, nr = unwrap(space.edge(x))
    assert node is not None
    extra = extras_of(node)
    count = node._num_outputs_
    known = list(extra.input_metadata or (None,) * count)
    if len(known) == count:  # else some results have no gradient, and the others are known
        known[nr] = space.describe(x)
        extra.input_metadata = tuple(known)
    return GradientEdge(node, nr)


def edge_of_pair(pair: GradientEdge) -> Node:
    """Return an edge at which a gradient for *pair* may enter."""
    return pair.node if pair.node._num_outputs_ == 1 else Output(pair.node, pair.output_nr)


class _MultiHandle(RemovableHandle):
    """Removes the hooks of several values."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Take all of them off."""
        for handle in self.handles:
            handle.remove()

    def __getstate__(self) -> Any:
        return self.handles

    def __setstate__(self, state: Any) -> None:
        self.handles = state


def register_multi_grad_hook(
    tensors: Sequence[Any], fn: Callable[..., Any], *, mode: str = "all"
) -> RemovableHandle:
    """Call *fn* once per backward for the gradients of several values.

    :param mode: ``"all"``: ``fn(grads)`` when the gradients of all of *tensors* that take part have
        come, None for the others. ``"any"``: ``fn(grad)`` at the first of them.
    """
    if mode not in ("all", "any"):
        raise errors.multi_grad_mode(mode)
    space = installed.space
    lock = Lock()
    if mode == "all":
        nodes = [node_of(t) for t in tensors]
        # Per running backward: how many calls to wait for, and what has come.
        waiting: dict[int, tuple[list[int], list[Any]]] = {}

        def hook_of(position: int) -> Callable[[Any], None]:
            def hook(grad: Any) -> None:
                task = graph_task.current_graph_task()
                assert task is not None, "expected this hook to be called inside a backward call"
                with lock:
                    if task.number not in waiting:
                        calls = sum([engine.will_execute(n) for n in nodes])
                        waiting[task.number] = ([calls], [None] * len(nodes))
                        # A backward that fails midway must not leave its gradients here.
                        task.clean_up_by(lambda: waiting.pop(task.number, None))
                    left, grads = waiting[task.number]
                    grads[position] = grad
                    left[0] -= 1
                    complete = left[0] == 0
                if complete:
                    del waiting[task.number]
                    fn(grads)

            return hook

        return _MultiHandle([space.register_hook(t, hook_of(i)) for i, t in enumerate(tensors)])

    done: set[int] = set()

    def any_hook(grad: Any) -> None:
        task = graph_task.current_graph_task()
        assert task is not None, "expected this hook to be called inside a backward call"
        with lock:
            if task.number in done:
                return
            done.add(task.number)
            task.clean_up_by(lambda: done.discard(task.number))
        fn(grad)

    return _MultiHandle(
        [space.register_hook(t, any_hook) for t in tensors if space.requires_grad(t)]
    )
