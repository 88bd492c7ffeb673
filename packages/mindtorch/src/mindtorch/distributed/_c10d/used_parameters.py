"""Which parameters of a module the gradients of its output reach."""

from __future__ import annotations

from typing import Any

from ...autograd.profiler import record_function
from ...tensor import Tensor

__all__ = ["reached"]


@record_function("torch.distributed.ddp.reducer::search_unused_parameters")
def reached(outputs: list[Tensor], indices: dict[int, int]) -> set[int]:
    """Which parameters, by id, gradients of *outputs* reach: their numbers."""
    found = {indices[id(t)] for t in outputs if id(t) in indices}
    seen: set[Any] = set()
    ahead = [t.grad_fn for t in outputs]
    while ahead:
        node = ahead.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        index = indices.get(id(getattr(node, "variable", None)))
        if index is not None:
            found.add(index)
        ahead.extend(following for following, _ in node.next_functions)
    return found
