"""View ops on any backend: another window on the same memory, no kernel, no wait."""

from __future__ import annotations

from typing import Any

from .. import signature as S
from ..calls import Call
from ..construct import strided_view
from ..former import note_former
from ..ops.overload import INPLACE, Overload
from ..ops.row import ViewOf
from ..tensor import Tensor
from .fast_views import fast_view
from .window import window


def build_view(overload: Overload, sig: int) -> Call:
    """Make the view that the row's ``view`` describes."""
    if overload.kind == INPLACE:
        return _change_layout(overload)
    fast = fast_view(overload, sig)
    if fast is not None:
        return fast
    view = overload.row.view
    assert view is not None
    tail = overload.arity

    def call(base: Tensor, *rest: Any) -> Any:
        spec = view(base, *rest[: tail - 1])
        if type(spec) is ViewOf:
            return window(base, spec)
        return tuple([window(base, s) for s in spec])

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
        keep = base._sig & ~(S.DIM_MASK | S.ZERO_MASK | S.STRIDED)
        base._sig = keep | S.of_array(base._a, 0)
        return base

    return call
