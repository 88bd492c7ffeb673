"""Which parameters of a module the gradients of its output reach."""

from __future__ import annotations

from typing import Any

from ...aten.torch import Tensor

__all__ = ["reached"]


def _find_tensors(obj: Any) -> Any:
    """The tensors in a nest of lists, tuples and dicts."""
    if isinstance(obj, Tensor):
        return [obj]
    if isinstance(obj, list | tuple):
        return [t for each in obj for t in _find_tensors(each)]
    if isinstance(obj, dict):
        return [t for each in obj.values() for t in _find_tensors(each)]
    return []


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
