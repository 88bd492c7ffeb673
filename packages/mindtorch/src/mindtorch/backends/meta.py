"""The Meta backend: results have shape, dtype and strides, but no memory."""

from __future__ import annotations

from typing import Any

from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, IMPLICIT, INPLACE, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.meta_errors import no_meta_kernel
from ..tensor.array_memory import phantom_array
from ..tensor.construction import wrap
from .composites import composite_call
from .outputs import targets_on_meta
from .plan import Plan, in_place_check
from .views import build_apart, build_view


def build_meta(overload: Overload, sig: int, mask: int) -> Call:
    """Infer the results; run nothing."""
    row = overload.row
    own = overload.kind == OUT and row.meta is not None and overload.composed not in IMPLICIT
    if overload.composed and not own:
        return composite_call(overload, on_meta=True)
    if row.view is not None:
        return build_view(overload, sig)
    if row.apart is not None:
        return build_apart(overload)
    if row.infer is not None and overload.kind == FUNCTIONAL:
        return _inferring(overload)
    if row.infer is None and (
        row.meta is None and row.promote is None or "data_dependent_output" in row.tags
    ):
        return _unsupported(overload)
    if overload.kind == OUT:

        def with_out(*args: Any) -> Any:
            targets = targets_on_meta(overload, args)
            return targets[0] if len(targets) == 1 else tuple(targets)

        return with_out
    plan = Plan(overload, sig)
    if overload.kind == INPLACE:
        position = overload.mutable_position

        def in_place(*args: Any) -> Any:
            in_place_check(plan, args, args[position])
            return args[position]

        return in_place

    def call(*args: Any) -> Any:
        out = plan.meta.outs(args)
        if type(out) is Out:
            return fresh(out)
        return tuple([None if o is None else fresh(o) for o in out])

    return call


def fresh(out: Out) -> Any:
    """A meta tensor as *out* describes it."""
    strides = None if out.strides is None else tuple(out.strides)
    return wrap(phantom_array(tuple(out.shape), out.dtype.np, strides), S.META)


def _inferring(overload: Overload) -> Call:
    infer = overload.row.infer
    assert infer is not None

    def call(*args: Any) -> Any:
        out = infer(*args)
        if out is None:
            raise no_meta_kernel(overload.name)
        return fresh(out)

    return call


def _unsupported(overload: Overload) -> Call:
    def call(*args: Any) -> Any:
        raise no_meta_kernel(overload.name)

    return call


meta = boxed(build_meta)
