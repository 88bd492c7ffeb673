"""Overloads that other ops make up: in place and with ``out=`` their result is copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls
from mindtorch_storage.output_layout import empty_like_strides

from ..call.device_checks import device_check
from ..call.dispatch_entry import Call, signature
from ..call.forms import gradient_name
from ..call.overload import IMPLICIT, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.errors import out_needs_no_grad
from ..core.functionality_keys import AUTOGRAD_BLOCK
from ..tensor.resizing import resize_out
from .notices import noticing
from .outputs import (
    check_device,
    check_device_on_meta,
    check_dtype,
    fit_on_meta,
    functional_arguments,
    functional_of,
)
from .overlap import refuse_overlap

__all__ = ["below_autograd", "composite_call", "composite_kernel", "parts_call", "refuse_gradients"]


class _Below(dict[int, int]):
    """A thread's state -> the same without what an operator that is one to autograd hides."""

    def __missing__(self, word: int) -> int:
        found = self[word] = tls.with_excluded(word, AUTOGRAD_BLOCK | int(K.ADInplaceOrView))
        return found


_BELOW = _Below()


def below_autograd(inner: Call) -> Call:
    """*inner*, whose ops are neither recorded nor counted as changes."""

    def call(*args: Any) -> Any:
        before = tls.state.get()
        try:
            tls.state.set(_BELOW[before])
            return inner(*args)
        finally:
            tls.state.set(before)

    return call


def build_composite(overload: Overload, sig: int, mask: int) -> Call:
    """Run what other ops make up on the backend of the tensors, whichever it is."""
    return noticing(overload, sig, composite_call(overload, on_meta=bool(sig & S.META)))


composite_kernel = boxed(build_composite)


def composite_call(overload: Overload, on_meta: bool = False) -> Call:
    """What runs an overload that other ops make up, below autograd where it is one operator.

    :param on_meta: whether there is a meta tensor in the call; its key is above other backends'.
    """
    call = parts_call(overload, on_meta)
    return call if overload.composed in IMPLICIT else below_autograd(call)


def parts_call(overload: Overload, on_meta: bool = False) -> Call:
    """The composite itself, whose ops autograd sees; for ``out=`` and in place it is copied."""
    composite = overload.row.composite
    functional = functional_of(overload)
    write = overload.row.out_kernel
    if overload.kind == OUT and write is not None:
        overload.analyse()
        return _writing(overload, functional, write)
    assert composite is not None
    if functional is overload:
        return composite
    if overload.kind != OUT:
        return _changing(overload, composite)
    overload.analyse()
    form = overload.row.out_form
    copied = bool(form.castable)
    recorded = copied or form.recorded or overload.composed not in IMPLICIT
    as_meta_function = on_meta and form.meta != "native"

    def fit_all(args: tuple[Any, ...], targets: Sequence[Any], results: Sequence[Any]) -> None:
        for i, (target, r) in enumerate(zip(targets, results, strict=True)):
            check_dtype(overload, r.dtype, target.dtype, i)
            check_device(overload, args, target, i)
        for target, r in zip(targets, results, strict=True):
            strides = None
            if not copied and not (r.numel() and r.is_contiguous()):
                strides = empty_like_strides(tuple(r.shape), tuple(r.stride()))
            resize_out(target, Out(r.shape, r.dtype, strides), quiet=form.quiet)

    def fit_all_on_meta(args: tuple[Any, ...], targets: Sequence[Any], results: Any) -> None:
        for target, r in zip(targets, results, strict=True):
            fit_on_meta(overload, args, target, Out(r.shape, r.dtype))

    fit = fit_all_on_meta if as_meta_function else fit_all

    def call(*args: Any) -> Any:
        if not recorded:
            refuse_gradients(overload, args)
        targets = [args[i] for i in overload.out_positions]
        inputs = functional_arguments(overload, functional, args)
        if as_meta_function:
            check_device_on_meta(overload, inputs, targets)
        result = composite(*inputs)
        results = result if isinstance(result, (tuple, list)) else (result,)
        fit(args, targets, results)
        for target, r in zip(targets, results, strict=True):
            target.copy_(r)
        return targets[0] if len(targets) == 1 else tuple(targets)

    return call


def refuse_gradients(overload: Overload, args: tuple[Any, ...]) -> None:
    """``out=`` records nothing, so nothing in the call may require grad."""
    sig = signature(overload, args)
    if sig & S.REQUIRES_GRAD and grad_mode.state.get() & grad_mode.GRAD_ENABLED:
        raise out_needs_no_grad(gradient_name(overload.row))


def _changing(overload: Overload, composite: Any) -> Any:
    """The in-place form of a composite row."""
    check = device_check(overload)

    def call(*args: Any) -> Any:
        target = args[overload.mutable_position]
        if check is not None:
            check(args)
        refuse_overlap(target)
        return target.copy_(composite(*args))

    return call


def _writing(overload: Overload, functional: Overload, write: Any) -> Any:
    """The ``out=`` form of a composite row that hands its target to an op inside."""

    refuses = "refuses_gradients" in overload.row.tags

    def call(*args: Any) -> Any:
        if refuses:
            refuse_gradients(overload, args)
        targets = tuple([args[i] for i in overload.out_positions])
        target = targets[0] if len(targets) == 1 else targets
        write(target, *functional_arguments(overload, functional, args))
        return target

    return call
