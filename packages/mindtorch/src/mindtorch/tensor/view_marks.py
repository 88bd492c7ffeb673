"""What a view knows of the tensor that it is a view of."""

from __future__ import annotations

from typing import Any

from ..core import signature as S
from . import State, Tensor
from .array_memory import address, owner_of, storage_of
from .layout import empty_strides
from .tensor_impl import LinkedAlias, alias_of, base_of, state_of

__all__ = ["count_with", "mark_step", "mark_view", "steps_of"]


def mark_view(t: Tensor, base: Tensor, bit: int, creation: str = "") -> None:
    """Tell *t* that it is a view of *base* (or of what *base* itself is a view of).

    How *base* was made is handed on, unless something is to be said of *t* itself.
    Source: torch csrc/autograd/variable.h, propagate_creation_meta; variable.cpp, ViewInfo::chain.
    """
    state = base._state_
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
                bit |= base._sig_ & S.NO_GRAD_VIEW
            if kind is State and state.steps:
                own = t._state_ = State()
                own.base = root
                own.attr_version = alias_of(t).value
                own.creation = creation
                own.steps = (*state.steps, _place(t))
                t._sig_ |= bit
                t._meta_ = S.STALE
                return
            base = root
    try:
        version = t._shared_.value
    except AttributeError:  # a user's kernel gave memory of its own
        count_with(t, base)
        version = t._shared_.value
    t._state_ = (base, version, creation) if version or creation else base
    t._sig_ |= bit
    t._meta_ = S.STALE


def count_with(t: Tensor, base: Tensor) -> None:
    """Let changes of *t*, whose memory is its own, and of *base* count as one."""
    storage = storage_of(t)
    t._shared_ = LinkedAlias(alias_of(base))
    t._shared_.storage = storage


def mark_step(t: Tensor, base: Tensor, bit: int, step: Any) -> None:
    """:func:`mark_view` of a view of which strides do not say all: *step* makes it of its base."""
    before = steps_of(base)
    mark_view(t, base, bit)
    state_of(t).steps = (*before, step)


def steps_of(t: Tensor) -> tuple[Any, ...]:
    """How to make *t* of the tensor that it is a view of, step by step; () if it is no view."""
    state = t._state_
    if state is None or base_of(t) is None:
        return ()
    if type(state) is State and state.steps:
        return state.steps
    return (_place(t),)


def _place(t: Tensor) -> Any:
    """What makes a tensor of the geometry of *t* of another over the same memory."""
    a = t._a_
    item = a.itemsize
    strides = tuple([s // item for s in (a.strides if a.size else empty_strides(a))])
    return Place((a.shape, strides, (address(a) - address(owner_of(a))) // item))


class Place:
    """Sizes, strides and an offset, as which a view lies in the memory of whichever base."""

    __slots__ = ("geometry",)

    def __init__(self, geometry: tuple[Any, ...]) -> None:
        self.geometry = geometry

    def __call__(self, base: Any) -> Any:
        """The view of *base*."""
        return base.as_strided(*self.geometry)

    def undone(self, base: Any, view: Any) -> Any:
        """A view of *view* that lies as *base* does."""
        return view.as_strided(base.shape, base.stride(), base.storage_offset())

    def changed(self, number: Any, tensor: Any) -> Place:
        """This place with what *number* makes of its sizes, strides and offset."""
        if number is None:
            return self
        shape, strides, offset = self.geometry
        return Place(
            (tuple(map(number, shape)), tuple(map(number, strides)), number(offset)),
        )
