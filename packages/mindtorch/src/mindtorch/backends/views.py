"""View ops on any backend: another window on the same memory, no kernel, no wait."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ..call.dispatch_entry import Call
from ..call.fragments import Views
from ..call.overload import INPLACE, Overload
from ..call.row import ViewOf
from ..core import signature as S
from ..tensor import Tensor, blank
from ..tensor.array_memory import address, strided_view
from ..tensor.stale_grad_metadata import note_former
from ..tensor.tensor_impl import ApartAlias, alias_of
from .fast_views import fast_view
from .window import window

_ndarray = np.ndarray
#: So many layouts are remembered per op and signature.
_LAYOUTS = 512
#: What a signature says of dtype and layout.
_LOOKS = S.DIM_MASK | S.ZERO_MASK | S.STRIDED


def build_view(overload: Overload, sig: int) -> Call:
    """Make the view that the row's ``view`` describes."""
    if overload.kind == INPLACE:
        return _change_layout(overload)
    fast = fast_view(overload, sig) if overload.row.fast_view is fast_view else None
    if fast is not None:
        return fast
    if overload.row.name in ("alias", "detach"):
        return _alias(sig)
    view = overload.row.view
    assert view is not None
    tail = overload.arity
    placed = "of_storage" in overload.row.tags
    has_storage = not sig & (S.META | S.NO_MEMORY | S.BATCHED)
    #: By layout and arguments: shape, byte strides, byte offset, dtype and signature of each view,
    #: and whether there may be several.
    known: dict[Any, Any] = {}

    def call(base: Tensor, *rest: Any) -> Any:
        a = base._a
        key = (a.shape, a.strides, rest)
        if placed:
            place = has_storage and (base.storage_offset(), base.untyped_storage().nbytes())
            key = (key, place) if place else None
        try:
            looks = known.get(key)
        except TypeError:  # not hashable
            key = looks = None
        if looks is None or not a.flags.writeable:
            return learn(key, base, rest)
        alias = base._shared
        if alias is None:
            alias = alias_of(base)
        made = []
        for shape, strides, offset, dtype, bits in looks[0]:
            t = blank()
            t._a = _ndarray(shape, dtype, a, offset, strides)
            t._sig = bits
            t._shared = alias
            t._edge = t._state = None
            made.append(t)
        return tuple(made) if looks[1] else t

    def learn(key: Any, base: Tensor, rest: tuple[Any, ...]) -> Any:
        spec = view(base, *rest[: tail - 1])
        several = type(spec) is not ViewOf
        specs = list(spec) if several else [spec]
        made = [window(base, s) for s in specs]
        a = base._a
        buffer = a.flags.c_contiguous and a.flags.writeable and a.size
        if key is not None and buffer and made:
            if len(known) >= _LAYOUTS:
                known.clear()
            start = address(a)
            looks = [
                # Lazy copies come here, too: who sees to them adds it.
                (v.shape, v.strides, address(v) - start, v.dtype, t._sig & ~S.COW)
                for t, v in [(t, t._a) for t in made]
                if v.size
            ]
            with suppress(ValueError):  # a window that reaches out of the array, not of its storage
                for shape, strides, offset, dtype, _ in looks:
                    _ndarray(shape, dtype, a, offset, strides)
                if len(looks) == len(made):
                    known[key] = looks, several
        return tuple(made) if several else made[0]

    if not placed:
        call.views = Views(None, "")
    return call


def build_apart(overload: Overload) -> Call:
    """Look at the argument's memory as the row's ``apart`` says, with a version of its own."""
    looks = overload.row.apart
    assert looks is not None

    def call(base: Tensor, *rest: Any) -> Any:
        made = window(base, looks(base, *rest))
        made._shared = ApartAlias(made._shared)
        return made

    return call


def _alias(sig: int) -> Call:
    """All of the memory, as it lies."""
    kept = sig & (_LOOKS | S.BACKENDS | S.PENDING | S.LAZY | S.INFERENCE | S.COW | S.FREED)

    def call(base: Tensor) -> Tensor:
        t = blank()
        t._a = base._a
        t._sig = kept
        alias = base._shared
        t._shared = alias_of(base) if alias is None else alias
        t._edge = t._state = None
        return t

    call.views = Views(None, "")
    return call


def _change_layout(overload: Overload) -> Call:
    view = overload.row.view
    assert view is not None

    def call(base: Tensor, *rest: Any) -> Any:
        spec = view(base, *rest)
        a = base._a
        if base._edge is not None:
            note_former(base)
        base._a = strided_view(a, tuple(spec.shape), tuple(spec.strides), spec.offset)
        base._meta = S.STALE
        keep = base._sig & ~(S.DIM_MASK | S.ZERO_MASK | S.STRIDED)
        base._sig = keep | S.of_array(base._a, 0)
        base._meta = S.STALE
        return base

    return call
