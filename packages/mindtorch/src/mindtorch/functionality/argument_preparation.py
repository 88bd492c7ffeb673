"""Signatures that need a step before the real call: arguments that wait, or lie elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import current_pipeline

from ..call.arguments import device_order, inputs_backend, tensors_of
from ..call.device_checks import device_check
from ..call.device_mismatch import apart, followed, mixed
from ..call.dispatch_entry import Call, run, signature
from ..call.fragments import telling
from ..call.overload import IMPLICIT, INPLACE, OUT, Overload
from ..core import signature as S
from ..core.backend_registry import backend_of
from ..core.errors import devices_differ, raise_if
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor
from ..tensor.edges import ask_base
from .view_history import check_inplace, is_stale, read_in_any_case


def settling(overload: Overload) -> Call:
    """Outside the pipeline that made them, pending arguments are computed first."""

    def call(*args: Any) -> Any:
        for t in tensors_of(overload, args):
            if t._sig_ & S.PENDING:
                t._settle_()
        return run(overload, args)

    return call


def up_to_date(overload: Overload, args: tuple[Any, ...]) -> int:
    """The signature of a call, state included, of which no argument is to be taken for a view.

    Views ask their base whether they require grad. Where something does, those that are
    differentiated get the history they have by now; torch's errors for those that must not, in the
    order in which torch looks.
    """
    for t in tensors_of(overload, args):
        if t._sig_ & S.VIEW:
            ask_base(t)
    sig = signature(overload, args) & ~S.VIEWS | grad_state() | tls_state()
    if sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED and overload.composed not in IMPLICIT:
        if overload.kind == INPLACE:
            check_inplace(args[overload.mutable_position])
        for i in _differentiated(overload):
            for t in args[i] if isinstance(args[i], (tuple, list)) else (args[i],):
                if isinstance(t, Tensor):
                    t._grad_edge_  # noqa: B018  (refreshes)
    return sig


def _differentiated(overload: Overload) -> list[int]:
    """The positions of arguments that gradients are asked for."""
    grad = overload.row.grad or {}
    named = {name for key, f in grad.items() if f is not None for name in key.split(", ")}
    given = sorted((*overload.tensor_positions, *overload.list_positions))
    # What is changed forgets what was there; what gradients a user's op has is not known here.
    if not named and (overload.kind == INPLACE or overload.mixes_devices):
        return given
    return [i for i in given if overload.names[i] in named]


def refreshing(overload: Overload, sig: int) -> Call:
    """Views whose base was changed in place get their new history first."""
    table, positions = overload.table, overload.tensor_positions
    fresh = sig & ~S.VIEWS
    plain = not sig & S.REQUIRES_GRAD
    if overload.row.name == "detach":
        return table[fresh]  # no history comes of it
    if overload.composed in IMPLICIT:

        def composite(*args: Any) -> Any:
            return table[fresh](*args)  # the ops inside look

        return telling(composite, fresh=Fresh(table[fresh], not plain, is_stale))
    several = overload.list_positions

    def call(*args: Any) -> Any:
        for t in tensors_of(overload, args) if several else [args[i] for i in positions]:
            if isinstance(t, Tensor) and t._sig_ & S.VIEW:
                alias: Any = t._shared_
                if (alias.touched or not plain and alias.value) and is_stale(t):
                    return table[up_to_date(overload, args)](*args)
        return table[fresh](*args)

    if sig & S.NO_GRAD_VIEW and not plain:
        return lambda *args: read_in_any_case(call(*args))
    return telling(call, fresh=Fresh(table[fresh], not plain, is_stale))


class Fresh(NamedTuple):
    """What serves a call whose views are true to their bases; stands on the call that looks."""

    call: Call
    #: Whether a view has to be looked at if its memory was changed at all.
    of_changed: bool
    #: Looks at a view: whether it is not true to its base.
    is_stale: Callable[[Tensor], bool]


#: Copies between devices that go by way of ``to``: to be differentiated, queued or refused.
_NOT_STAGED = S.REQUIRES_GRAD | S.META | S.PENDING | S.LAZY | S.MEMORYLESS | S.PYTHON | S.FUNCTIONAL


def moving(overload: Overload) -> Call:
    """Arguments on several devices: 0-d host tensors follow, anything else is an error."""
    takes_other = "takes_other_device" in overload.row.tags
    copies = overload.row.name == "copy_"
    order = device_order(overload)
    indexed = overload.row.devices.indexed and overload.kind != OUT
    if "checks_devices" in overload.row.tags and overload.kind != OUT:
        return overload.row.composite
    check = device_check(overload)
    is_copied = "numbers_follow" in overload.row.tags
    follows = overload.row.promote is not None or is_copied

    def call(*args: Any) -> Any:
        if not any(t._sig_ & S.META for t in tensors_of(overload, args)):
            raise_if(apart(overload, args))
            if check is not None:
                check(args)
        if takes_other:
            if args[1]._sig_ & S.META:
                raise NotImplementedError("Cannot copy out of meta tensor; no data!")
            if (
                copies
                and current_pipeline() is None
                and (args[0]._sig_ | args[1]._sig_) & (_NOT_STAGED | S.CPU) == S.CPU
            ):
                target, source, non_blocking = args
                elsewhere = source if target._sig_ & S.CPU else target
                source._settle_()
                return backend_of(elsewhere).copies.into(
                    target,
                    source,
                    non_blocking,
                    lambda here: run(overload, (target, here, non_blocking)),
                )
            return run(overload, (args[0], args[1]._to_(args[0].device), *args[2:]))
        if indexed and not any(t._sig_ & S.META for t in tensors_of(overload, args)):
            return run(overload, followed(args))
        if order:
            tensors = [args[i] for i in order if isinstance(args[i], Tensor)]
        else:
            tensors = list(tensors_of(overload, args))
        if overload.kind == OUT:
            inputs = [a for i, a in enumerate(args) if i not in overload.out_positions]
            at = inputs_backend(inputs)
            if at and not at & (at - 1):  # only the targets lie elsewhere: they are checked last
                sig = signature(overload, args) & ~(S.BACKENDS | S.VIEWS) | at
                return overload.table[sig | grad_state() | tls_state()](*args)
        elsewhere = [t for t in tensors if not t._sig_ & S.CPU]
        target = next((t for t in elsewhere if t._a_.ndim), elsewhere[0])
        device = target.device
        checked = list(args)
        for i in overload.tensor_positions:
            t = args[i]
            if isinstance(t, Tensor) and t.device != device:
                number = follows or overload.names[i] == "value"
                if t._a_.ndim or not t._sig_ & S.CPU or not number:
                    raise mixed(overload, args, tensors)
                if i == overload.mutable_position:
                    raise devices_differ(str(t.device), str(device))
                by_kernel = not is_copied and (t._sig_ & (_NOT_STAGED | S.CPU)) == S.CPU
                if by_kernel and current_pipeline() is None:
                    checked[i] = backend_of(target).copies.number(t, device)
                else:
                    checked[i] = t._to_(device)
        for i in overload.list_positions:
            for t in args[i] or ():
                if t is not None and t.device != device:
                    raise mixed(overload, args, tensors)
        return run(overload, tuple(checked))

    return call
