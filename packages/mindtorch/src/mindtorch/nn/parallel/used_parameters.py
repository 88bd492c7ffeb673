"""Which parameters of a module the gradients of its output reach."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from ...aten.torch import Tensor
from ...autograd.profiler import record_function

__all__ = ["owned_reference", "reached"]


def owned_reference(obj: Any) -> bool:
    """Whether *obj* refers, for remote calls, to a value of this process."""
    if not hasattr(obj, "local_value"):
        return False
    from ...distributed.rpc import PyRRef

    return isinstance(obj, PyRRef) and obj.is_owner()


def _find_tensors(obj: Any) -> Any:
    """The tensors in a nest of lists, tuples, dicts, dataclasses and references of this process."""
    if isinstance(obj, Tensor):
        return [obj]
    if owned_reference(obj):
        return _find_tensors(obj.local_value())
    inside: Any = ()
    if isinstance(obj, list | tuple):
        inside = obj
    elif isinstance(obj, dict):
        inside = obj.values()
    elif is_dataclass(obj):
        inside = [getattr(obj, field.name) for field in fields(obj)]
    return [t for each in inside for t in _find_tensors(each)]


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
