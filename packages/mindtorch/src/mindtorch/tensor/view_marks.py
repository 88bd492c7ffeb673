"""What a view knows of the tensor that it is a view of."""

from __future__ import annotations

from typing import Any

from ..core import signature as S
from . import State, Tensor
from .array_memory import storage_of
from .tensor_impl import LinkedAlias, alias_of

__all__ = ["as_strided_step", "mark_view"]


def mark_view(t: Tensor, base: Tensor, bit: int, creation: str = "") -> None:
    """Tell *t* that it is a view of *base* (or of what *base* itself is a view of).

    How *base* was made is handed on, unless something is to be said of *t* itself.
    Source: torch csrc/autograd/variable.h, propagate_creation_meta; variable.cpp, ViewInfo::chain.
    """
    state = base._state
    if state is not None:
        kind = type(state)
        if kind is State:
            root, inherited = state.base, state.creation
        elif kind is tuple:
            root, _, inherited = state
        else:
            root, inherited = state, ""
        if root is not None:
            if inherited == "inference" or not creation and not bit & S.NO_GRAD_VIEW:
                creation = inherited
                bit |= base._sig & S.NO_GRAD_VIEW
            if kind is State and state.steps:
                own = t._state = State()
                own.base = root
                own.attr_version = alias_of(t).value
                own.creation = creation
                own.steps = (*state.steps, as_strided_step(t))
                t._sig |= bit
                t._meta = S.STALE
                return
            base = root
    try:
        version = t._shared.value
    except AttributeError:  # a user's kernel gave memory of its own: only changes count as one
        storage = storage_of(t)
        t._shared = LinkedAlias(alias_of(base))
        t._shared.storage = storage
        version = t._shared.value
    t._state = (base, version, creation) if version or creation else base
    t._sig |= bit
    t._meta = S.STALE


def as_strided_step(t: Tensor) -> Any:
    """What makes a tensor of the geometry of *t* of another over the same memory."""
    shape, strides, offset = t._a.shape, t.stride(), t.storage_offset()
    return lambda value: value.as_strided(shape, strides, offset)
