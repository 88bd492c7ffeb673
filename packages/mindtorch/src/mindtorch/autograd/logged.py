"""A log of a backward: each node says what comes to it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_autograd.graph import GradientEdge, node_of

from ..core.dtype_abbreviations import abbreviated

log = logging.getLogger("torch.autograd.graph")


def log_whole_graph(outputs: Sequence[Any]) -> Callable[[], None]:
    """Log each node of the graph of *outputs* before it runs; returns what ends that.

    Source: torch autograd/graph.py, _register_logging_hooks_on_whole_graph.
    """
    stack = [t.node if isinstance(t, GradientEdge) else node_of(t) for t in outputs]
    seen: dict[Any, None] = {}
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            stack.extend([n for n, _ in node.next_functions if n is not None])

    def saying(node: Any) -> Callable[[Any], None]:
        def say(grads: Any) -> None:
            told = ",".join([_short(g) for g in grads])
            log.debug("Executing: %s with grad_outputs: [%s]", node, told)

        return say

    handles = [node.register_prehook(saying(node)) for node in seen]

    def end() -> None:
        for handle in handles:
            handle.remove()

    return end


def _short(grad: Any) -> str:
    if grad is None:
        return "None"
    return f"{abbreviated(grad.dtype).removeprefix('torch.')}[{', '.join(map(str, grad.shape))}]"
