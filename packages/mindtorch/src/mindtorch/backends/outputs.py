"""``out=``: the given tensors are resized and checked, then written like any result."""

from __future__ import annotations

import warnings
from typing import Any

from ..calls import signature
from ..errors import devices_differ
from ..ops.overload import Overload
from ..ops.row import Out
from .plan import Plan, check_cast


def prepare_out(overload: Overload, args: tuple[Any, ...]) -> tuple[Plan, list[Out], list[Any]]:
    """The plan for the inputs alone, the results' metas and the checked, resized targets."""
    targets = [args[i] for i in overload.out_positions]
    plan = Plan(overload, inputs_signature(overload, args))
    if overload.row.promote is not None:
        plan._choose(plan.sig)
    metas = plan.outs(args)
    outs = [metas] if isinstance(metas, Out) else list(metas)
    for target, out in zip(targets, outs, strict=True):
        check_cast(out.dtype, target.dtype)
        _check_device(overload, args, target)
        resize_out(target, tuple(out.shape))
    return plan, outs, targets


def inputs_signature(overload: Overload, args: tuple[Any, ...]) -> int:
    """The signature without the ``out`` tensors: they take no part in promotion."""
    blank = list(args)
    for i in overload.out_positions:
        blank[i] = None
    return signature(overload, tuple(blank))


def _check_device(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    for i in overload.tensor_positions:
        t = args[i]
        if i in overload.out_positions or t is None or isinstance(t, (int, float, complex)):
            continue
        if t.device != target.device and t._a.ndim:
            raise devices_differ(str(t.device), str(target.device))


def resize_out(target: Any, shape: tuple[int, ...]) -> None:
    """Give *target* the result's shape; warn if it had elements. Source: Resize.cpp."""
    have = target._a.shape
    if have == shape:
        return
    if target._a.size:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape {list(have)}, "
            f"which does not match the required output shape {list(shape)}. This behavior is "
            "deprecated, and in a future PyTorch release outputs will not be resized unless they "
            "have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, "
            "to zero elements with t.resize_(0).",
            UserWarning,
            stacklevel=4,
        )
    target.resize_(shape)
