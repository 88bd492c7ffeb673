"""The ADInplaceOrView key: version counters, and what a view knows of its base."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K

from ..backends.composites import below_autograd
from ..call.dispatch_entry import Call
from ..call.fragments import Views, telling
from ..call.overload import INPLACE, OUT, Overload
from ..call.specialize import boxed, build
from ..core import functionality_keys
from ..core import signature as S
from ..tensor import Tensor, state_of
from ..tensor.tensor_impl import alias_of
from ..tensor.view_marks import count_with, mark_step, mark_view, steps_of
from .python import detached
from .view_steps import CallAgain

#: Views that torch makes without telling them their base: only the version is shared.
UNTRACKED = frozenset(("alias_no_grad", "detach", "view.dtype"))
#: Views that strides over the base's memory do not describe.
OF_ANOTHER_KIND = frozenset(("_conj", "_neg_view", "view_as_complex", "view_as_real"))


def build_inplace_or_view(overload: Overload, sig: int, mask: int) -> Call:
    """Bump the version after an in-place op; tell a view its base."""
    below = mask & functionality_keys.BELOW_ADINPLACEORVIEW
    replayed = bool(sig & grad_mode.RARE)  # then views may have to remember how they were made
    inner = build(overload, sig, below)
    if overload.kind == INPLACE:
        if "counts_its_change" in overload.row.tags:
            return inner
        return _bumping(overload, _checked(overload, inner, sig))
    if overload.kind == OUT:
        if overload.composed == "recorded":
            inner = below_autograd(inner)
        return _bumping_out(overload, inner)
    if sig & S.SPARSE_LAYOUTS:
        return inner  # what is a view of dense memory is a copy, or shares indices and values
    if overload.row.view is not None and overload.row.name not in UNTRACKED:
        if below & K.Python:
            return _with_base_by_handler(overload, inner, view_bits(sig))
        return _with_base(overload, inner, view_bits(sig), replayed)
    if overload.row.name == "view.dtype" and below & K.Python:
        # torch makes it one that is no view for gradients by detaching it where all see it.
        return lambda *args: detached(inner(*args))
    return inner


def _checked(overload: Overload, inner: Call, sig: int) -> Call:
    """*inner* after what only the in-place form refuses, or in the target's dtype."""
    form = overload.row.inplace_form
    check = form.check
    if check is not None and sig & form.when:

        def call(*args: Any) -> Any:
            check(*args)
            return inner(*args)

        return telling(call, **_facts(inner))  # of layouts that have passed
    if form.own_dtype:
        return lambda self, *args: inner(self, *args[:-1], args[-1] or self.dtype)
    return inner


def _bumping(overload: Overload, inner: Call) -> Call:
    position = overload.mutable_position

    def call(*args: Any) -> Any:
        out = inner(*args)
        t = args[position]
        alias = t._shared_
        if alias is None:
            alias = alias_of(t)
        alias.value += 1
        return out

    facts = _facts(inner)
    if "into" in facts:
        facts["change"] = facts.pop("into")
    return telling(call, counts=True, **facts)


def _facts(inner: Call) -> dict[str, Any]:
    """What a backend says of an in-place call: what computes it, or how its target will look."""
    return {name: getattr(inner, name) for name in ("into", "look") if hasattr(inner, name)}


def _bumping_out(overload: Overload, inner: Call) -> Call:
    positions = overload.out_positions

    def call(*args: Any) -> Any:
        out = inner(*args)
        for i in positions:
            alias_of(args[i]).value += 1
        return out

    return telling(call, target=inner.target) if hasattr(inner, "target") else call


def view_bits(sig: int) -> int:
    """What the signature of a view says of it."""
    if sig & grad_mode.GRAD_ENABLED:
        return S.VIEW
    return S.VIEWS | sig & S.REQUIRES_GRAD


def _many(bit: int) -> str:
    """How one of several views was made."""
    return "" if bit & S.NO_GRAD_VIEW else "multi"


def _with_base(overload: Overload, inner: Call, bit: int, replayed: bool) -> Call:
    if overload.schema_text.endswith("[]"):
        creation = _many(bit)

        def call_many(base: Tensor, *rest: Any) -> Any:
            before = steps_of(base) if replayed and grad_mode.view_replay.get() else None
            out = inner(base, *rest)
            for i, t in enumerate(out):
                mark_view(t, base, bit, creation)
                if before is not None:
                    state_of(t).steps = (*before, CallAgain(overload, rest, i))
            return out

        if replayed or not hasattr(inner, "views"):
            return call_many
        return telling(call_many, views=Views(bit, creation))

    def call(base: Tensor, *rest: Any) -> Any:
        t = inner(base, *rest)
        if t is not base and t is not None:
            mark_view(t, base, bit)
        return t

    always = overload.row.name in OF_ANOTHER_KIND
    if not always and not replayed:
        return telling(call, views=Views(bit, "")) if hasattr(inner, "views") else call

    def call_with_steps(base: Tensor, *rest: Any) -> Any:
        if not always and not grad_mode.view_replay.get():
            return call(base, *rest)
        t = inner(base, *rest)
        if t is not base and t is not None:
            mark_step(t, base, bit, CallAgain(overload, rest))
        return t

    if replayed or overload.arity > 1 or not hasattr(inner, "views"):
        return call_with_steps
    views = Views(bit, "", CallAgain(overload, ()))
    return telling(call_with_steps, views=views)


def _with_base_by_handler(overload: Overload, inner: Call, bit: int) -> Call:
    """The same for results that a handler made: they may lie anywhere, and are views all the same.

    Where they lie does not say how they were made, so the call itself is remembered.
    Source: torch csrc/autograd/VariableTypeUtils.h, as_view; variable.cpp, DifferentiableViewMeta.
    """

    def call(base: Tensor, *rest: Any) -> Any:
        out = inner(base, *rest)
        many = isinstance(out, (tuple, list))
        creation = _many(bit) if many else ""
        for i, t in enumerate(out if many else (out,)):
            if not isinstance(t, Tensor) or t is base:
                continue
            if t._shared_ is not None and t._shared_ is base._shared_:
                mark_view(t, base, bit, creation)
            elif t._state_ is None and t._edge_ is None and not t._sig_ & S.SPARSE_LAYOUTS:
                before = steps_of(base)
                count_with(t, base)
                mark_view(t, base, bit, creation)
                state_of(t).steps = (*before, CallAgain(overload, rest, i if many else -1))
        return out

    return call


inplace_or_view = boxed(build_inplace_or_view)

__all__ = ["inplace_or_view", "view_bits"]
