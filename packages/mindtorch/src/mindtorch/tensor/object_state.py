"""What users set on tensors, as copies and pickles keep it: attributes, and slots of subclasses."""

from __future__ import annotations

import copyreg
from typing import Any

from ..core.module_names import living_in
from . import Tensor

__all__ = ["_get_obj_state", "_set_obj_state"]


def _get_obj_state(obj: Any) -> Any:
    """The attributes of *obj*: its ``__dict__``, with those in slots of subclasses if any."""
    kept = {name: getattr(obj, name) for name in _own_slots(type(obj)) if hasattr(obj, name)}
    return (obj.__dict__, kept) if kept else obj.__dict__


def _set_obj_state(obj: Any, state: Any) -> Any:
    """Put back what :func:`_get_obj_state` gave."""
    slots = None
    if isinstance(state, tuple):
        if len(state) != 2:
            raise RuntimeError(f"Invalid serialized state: {state}")
        state, slots = state
    if state:
        obj.__dict__.update(state)
    if slots:
        known = _own_slots(type(obj))
        for name, value in slots.items():
            # Tensor's own slots hold its memory: not for a file to set.
            if name not in known:
                raise RuntimeError(f"Invalid serialized state: no slot named {name!r}")
            setattr(obj, name, value)
    return obj


def _own_slots(kind: type) -> list[str]:
    names = copyreg._slotnames(kind)
    return [n for n in names if n not in Tensor.__slots__]


living_in("mindtorch._utils", _get_obj_state, _set_obj_state)
