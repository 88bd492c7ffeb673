"""The tensors in the output of a module."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from ...aten.torch import Tensor

__all__ = ["owned_reference"]


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
