"""Inference mode, and the tensors that were made in it.

A tensor made in inference mode has a bit in its signature. So has the thread while the mode is on,
and both are met when a call is looked up: plain calls pay nothing. In the mode, what a call makes
gets the bit, and nothing is recorded. Outside, such a tensor cannot be changed in place, nor saved
for backward; views of it are inference tensors too, and other results are not.

Source: https://github.com/pytorch/rfcs/pull/17, torch c10/core/InferenceMode.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import grad_mode

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.fragments import Around, Below, telling
from ..call.overload import FUNCTIONAL, IMPLICIT, INPLACE, OUT, Overload
from ..call.specialize import specialize
from ..core import signature as S
from ..core.errors import inference_in_place, inference_saved
from ..tensor import Tensor
from ..tensor.array_memory import alias_with_own_version
from ..tensor.tensor_impl import State, counts, state_of
from .formulas import Formula
from .view_history import check_inplace

#: What of a signature counts no more in the mode: neither graph nor tangents.
_UNTRACKED = S.INFERENCE | S.DUAL | grad_mode.GRAD_ENABLED


def inference_call(overload: Overload, sig: int) -> Call:
    """The call of *overload* in inference mode, or of inference tensors."""
    overload.analyse()
    if sig & grad_mode.INFERENCE:
        inner = specialize(overload, sig & ~_UNTRACKED, after="inference")
        if overload.composed in IMPLICIT:
            return inner  # the ops inside mark what they make
        return _marking(overload, inner)
    inner = specialize(overload, sig & ~S.INFERENCE, after="inference")
    if overload.composed in IMPLICIT:
        return inner
    if sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED:
        unrecorded = _unrecorded(overload, sig)
        if overload.kind == INPLACE:  # which a leaf hears of first
            untracked = _refusing(overload, sig, unrecorded)
        else:
            untracked = _outside(overload, sig & ~S.REQUIRES_GRAD, unrecorded)
        tracked = _outside(overload, sig, inner)
        places = overload.tensor_positions

        def call(*args: Any) -> Any:
            # Inference tensors do not come to autograd by themselves, whatever they require; a
            # number in a tensor's place does, for it becomes a normal tensor.
            if all(t._sig_ & S.INFERENCE for t in tensors_of(overload, args)):
                if all(args[i] is None or isinstance(args[i], Tensor) for i in places):
                    return untracked(*args)
            return tracked(*args)

        return call
    return _outside(overload, sig, inner)


def _unrecorded(overload: Overload, sig: int) -> Call:
    """What serves a call of which nothing is recorded."""
    return specialize(overload, sig & ~(S.INFERENCE | S.REQUIRES_GRAD), after="inference")


def _outside(overload: Overload, sig: int, inner: Call) -> Call:
    """*inner* outside of the mode, for arguments of which some were made in it."""
    if overload.kind in (INPLACE, OUT):
        return _refusing(overload, sig, inner)
    if overload.shares_memory:
        if overload.row.name == "view.dtype":
            return _other_dtype(inner)
        return _viewing(overload, inner)
    if sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED:
        return _recording(overload, inner)
    return inner


def _each(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def _marking(overload: Overload, inner: Call) -> Call:
    """In the mode: what is new is an inference tensor, but not over memory of a normal one."""
    normal_views = (
        overload.kind == FUNCTIONAL
        and overload.shares_memory
        and overload.row.name != "view.dtype"  # of which torch says that it is no view
    )

    def call(*args: Any) -> Any:
        result = inner(*args)
        for r in _each(result):
            if not isinstance(r, Tensor) or any(r is a for a in args):
                continue
            if normal_views and isinstance(args[0], Tensor) and not args[0]._sig_ & S.INFERENCE:
                if r._state_ is not None:
                    state_of(r).creation = "inference"
                continue
            mark(r)
            if overload.row.view is not None:
                r._sig_ &= ~S.REQUIRES_GRAD  # whatever the tensor requires that it views
                r._meta_ = S.STALE
        return result

    if overload.kind == FUNCTIONAL and not overload.shares_memory:
        return telling(call, around=Around(inner, _marked))
    return call


def _marked(
    arguments: tuple[Any, ...], texts: Sequence[str], below: Below
) -> tuple[list[str], dict[str, Any]] | None:
    """Fresh results get metas that say that they were made in the mode."""
    return ([*below.lines, f"result = {below.result}"], {}) if below.wrapped else None


def mark(t: Tensor) -> Tensor:
    """Make *t*, which is new, an inference tensor."""
    t._sig_ = t._sig_ & ~S.VIEWS | S.INFERENCE
    t._meta_ = S.STALE
    if type(t._state_) is State:
        t._state_.base = None
    else:
        t._state_ = None
    return t


def _refusing(overload: Overload, sig: int, inner: Call) -> Call:
    """Outside of the mode no inference tensor is changed."""
    recording = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED
    saves = _saved_places(overload) if recording and overload.kind == INPLACE else []
    written = [overload.mutable_position] if overload.kind == INPLACE else overload.out_positions

    def call(*args: Any) -> Any:
        for i in written:
            if isinstance(args[i], Tensor) and args[i]._sig_ & S.INFERENCE and not counts(args[i]):
                if overload.kind == INPLACE and recording:
                    check_inplace(args[i])
                raise inference_in_place()
        _refuse_saved(saves, args)
        return inner(*args)

    return call


_Places = list[tuple[list[int], list[int]]]


def _refuse_saved(saves: _Places, args: tuple[Any, ...]) -> None:
    for wanted, saved in saves:
        if any(map(_tracked, map(args.__getitem__, wanted))):
            if any(isinstance(args[i], Tensor) and args[i]._sig_ & S.INFERENCE for i in saved):
                raise inference_saved()


def _tracked(t: Any) -> bool:
    return isinstance(t, Tensor) and t.requires_grad


def _saved_places(overload: Overload) -> _Places:
    """For each formula of the gradient, where its arguments lie and those that it would save."""
    place = {overload.names[i]: i for i in overload.tensor_positions}
    formulas = [Formula(key, f) for key, f in overload.grad.items() if f is not None]
    # What is written over is saved as a copy, which is a normal tensor.
    copied = (overload.mutable_position,) if overload.kind == INPLACE else ()
    return [
        (
            [place[name] for name in formula.arguments if name in place],
            [place[name] for name in formula.whole if name in place and place[name] not in copied],
        )
        for formula in formulas
    ]


def _viewing(overload: Overload, inner: Call) -> Call:
    detaches = overload.row.name == "detach"

    def call(*args: Any) -> Any:
        result = inner(*args)
        if isinstance(args[0], Tensor) and args[0]._sig_ & S.INFERENCE:
            for r in _each(result):
                if r is not args[0]:
                    mark(r)._sig_ &= ~S.REQUIRES_GRAD
                    r._meta_ = S.STALE
                    if detaches:
                        alias_with_own_version(r)
        return result

    return call


def _other_dtype(inner: Call) -> Call:
    """Outside of the mode the same memory in another dtype is a normal tensor of its own."""

    def call(*args: Any) -> Any:
        result = inner(*args)
        if result._sig_ & S.INFERENCE and result is not args[0]:
            result._sig_ &= ~S.INFERENCE
            result._meta_ = S.STALE
            alias_with_own_version(result)
        return result

    return call


def _recording(overload: Overload, inner: Call) -> Call:
    """Outside of the mode no inference tensor is saved; arguments are before the op looks."""
    saves = _saved_places(overload)

    def call(*args: Any) -> Any:
        _refuse_saved(saves, args)
        result = inner(*args)
        for r in _each(result):
            node = r.grad_fn if isinstance(r, Tensor) else None
            saved = getattr(node, "_saved_", ())
            for value in saved if type(saved) is tuple else ():
                for t in value if isinstance(value, tuple) else (value,):
                    if isinstance(t, Tensor) and t._sig_ & S.INFERENCE:
                        raise inference_saved()
        return result

    return call


__all__ = ["inference_call", "mark"]
