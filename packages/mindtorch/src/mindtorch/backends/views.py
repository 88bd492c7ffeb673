"""View ops on any backend: another window on the same memory, no kernel, no wait."""

from __future__ import annotations

from typing import Any

from ..call.dispatch_entry import Call
from ..call.fragments import Views, telling
from ..call.overload import INPLACE, Overload
from ..call.row import ViewOf
from ..core import signature as S
from ..tensor import Tensor, blank
from ..tensor.array_memory import storage_of, strided_view
from ..tensor.stale_grad_metadata import note_former
from ..tensor.tensor_impl import ApartAlias, add_viewer, alias_of
from .window import window

#: What a signature says of dtype and layout.
_LOOKS = S.DIM_MASK | S.ZERO_MASK | S.STRIDED


def build_view(overload: Overload, sig: int) -> Call:
    """Make the view that the row's ``view`` describes."""
    if overload.kind == INPLACE:
        return _change_layout(overload)
    if overload.row.name in ("alias", "detach"):
        return _alias(sig)
    view = overload.row.view
    assert view is not None

    def call(base: Tensor, *rest: Any) -> Any:
        spec = view(base, *rest)
        if type(spec) is ViewOf:
            return window(base, spec)
        return tuple([window(base, each) for each in spec])

    return telling(call, views=Views(None, ""))


def build_apart(overload: Overload) -> Call:
    """Look at the argument's memory as the row's ``apart`` says, with a version of its own."""
    looks = overload.row.apart
    assert looks is not None

    def call(base: Tensor, *rest: Any) -> Any:
        spec = looks(base, *rest)
        if type(spec) is ViewOf:
            return apart(base, spec)
        return tuple([apart(base, each) for each in spec])

    def apart(base: Tensor, spec: ViewOf) -> Tensor:
        made = window(base, spec)
        made._shared_ = ApartAlias(made._shared_)
        return made

    return telling(call, views=Views(None, "", apart=True))


def _alias(sig: int) -> Call:
    """All of the memory, as it lies."""
    kept = sig & (_LOOKS | S.BACKENDS | S.PENDING | S.LAZY | S.INFERENCE | S.COW | S.FREED)
    kept |= sig & S.NO_MEMORY

    def call(base: Tensor) -> Tensor:
        if kept & S.NO_MEMORY:
            storage_of(base)
        t = blank()
        t._a_ = base._a_
        t._sig_ = kept
        alias = base._shared_
        t._shared_ = alias = alias_of(base) if alias is None else alias
        if alias.viewers is not None:
            add_viewer(alias, t)
        t._edge_ = t._state_ = None
        return t

    return telling(call, views=Views(None, ""))


def _change_layout(overload: Overload) -> Call:
    view = overload.row.view
    assert view is not None

    def look(base: Tensor, *rest: Any) -> tuple[Any, int]:
        """The array and the signature that *base* is to have."""
        spec = view(base, *rest)
        array = strided_view(base._a_, tuple(spec.shape), tuple(spec.strides), spec.offset)
        keep = base._sig_ & ~(S.DIM_MASK | S.ZERO_MASK | S.STRIDED)
        return array, keep | S.of_array(array, 0)

    def call(base: Tensor, *rest: Any) -> Any:
        array, sig = look(base, *rest)
        if base._edge_ is not None:
            note_former(base)
        base._a_ = array
        base._sig_ = sig | base._sig_ & S.FORMER
        base._meta_ = S.STALE
        return base

    return telling(call, look=look)
