"""``out=``: the given tensors are checked, resized, and written like any result.

An ``out`` overload runs the plan of its functional sibling: :func:`prepare_out` gives the
arguments as that one takes them, options of a fresh result filled in from the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from ..call.arguments import tensors_of
from ..call.code import function
from ..call.device_checks import device_check, is_resized
from ..call.dispatch_entry import OVERLOADS, signature
from ..call.overload import Overload
from ..call.row import Out, Row
from ..core import signature as S
from ..core.errors import (
    c_type_name,
    devices_differ,
    in_place_shape,
    out_device,
    out_dtype,
    out_same_dtype,
    raise_if,
    scalar_type,
)
from ..core.half_precision import as_dtype
from ..core.meta_errors import copy_across_devices, no_meta_kernel, out_exact_dtype, unsafe_cast
from ..core.warning import warn_resized
from ..tensor import Tensor
from ..tensor.array_memory import phantom_array
from ..tensor.resizing import look_at, reshaped, resize_out
from .overlap import check_fitted, check_out, iterates
from .plan import Plan, check_cast


def functional_of(overload: Overload) -> Overload:
    """The overload without ``out``; itself where the row is written with ``out`` outright."""
    found = OVERLOADS.get("aten::" + overload.row.name, overload)
    found.analyse()
    return found


def functional_arguments(
    overload: Overload, functional: Overload, args: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Arguments in the order of *functional*; what ``out`` overloads lack follows the target."""
    if functional is overload:
        return args
    given = dict(zip(overload.names, args, strict=True))
    target = args[overload.out_positions[0]]
    dtype = given.get("dtype")
    if overload.row.out_form.dtype == "any" and dtype is None:
        given["dtype"] = target.dtype
    elif dtype is not None and dtype is not target.dtype:
        check_declared(overload.row, dtype, target.dtype)
    given.setdefault("device", target.device)
    return tuple(
        [given.get(n, d) for n, d in zip(functional.names, functional.defaults, strict=True)]
    )


def prepare_out(
    overload: Overload, args: tuple[Any, ...]
) -> tuple[Plan, tuple[Any, ...], list[Any]]:
    """The plan for the inputs alone, its arguments, and the checked, resized targets.

    The targets come as they are where only the kernel knows the shape; see :func:`fit`.
    """
    plan, inputs, targets = _asked(overload, args)
    row = overload.row
    check_out(row, inputs, targets)
    if row.infer is not None and plan.sig & S.META:
        metas = row.infer(*inputs)
        if metas is None:
            raise no_meta_kernel(overload.name)
    elif row.out_meta is None:
        metas = plan.meta.outs(inputs)
    else:
        metas = row.out_meta(targets[0] if len(targets) == 1 else tuple(targets), *inputs)
    if metas is not None:
        outs = [metas] if isinstance(metas, Out) else list(metas)
        for i, (target, out) in enumerate(zip(targets, outs, strict=True)):
            _place(overload, plan, args, inputs, target, out, i)
    check_fitted(plan.overload, inputs, targets)
    plan.refuse(inputs)
    if row.out_kernel is not None:
        plan.kernel = partial(row.out_kernel, targets[0]._a_)
    elif plan.widen and "pointwise" in row.tags and isinstance(metas, Out):
        if targets[0].dtype is not metas.dtype and metas.dtype.itemsize == 2:
            plan.kernel = _rounded(plan.kernel, metas.dtype.np)
    return plan, inputs, targets


def _asked(overload: Overload, args: tuple[Any, ...]) -> tuple[Plan, tuple[Any, ...], list[Any]]:
    """The plan for the inputs alone, its arguments, and the targets as they were given."""
    functional = functional_of(overload)
    targets = [args[i] for i in overload.out_positions]
    inputs = functional_arguments(overload, functional, args)
    if functional is overload:
        blank = list(args)
        for i in overload.out_positions:
            blank[i] = None
        sig = signature(overload, tuple(blank))
    else:
        sig = signature(functional, inputs)
    return Plan(functional, sig), inputs, targets


def targets_on_meta(overload: Overload, args: tuple[Any, ...]) -> list[Any]:
    """The targets of a call on meta, checked and resized."""
    if overload.row.out_form.meta == "native":
        return prepare_out(overload, args)[2]
    plan, inputs, targets = _asked(overload, args)
    check_device_on_meta(overload, inputs, targets)
    metas = plan.meta.outs(inputs)
    for target, out in zip(targets, [metas] if isinstance(metas, Out) else metas, strict=True):
        fit_on_meta(overload, args, target, out)
    return targets


def check_device_on_meta(
    overload: Overload, inputs: tuple[Any, ...], targets: Sequence[Any]
) -> None:
    """What a Meta kernel in Python refuses before all else. Raises RuntimeError.

    Source: torch _prims_common/wrappers.py, out_wrapper, which reductions go without.
    """
    if overload.row.reduces is None and inputs and isinstance(inputs[0], Tensor):
        for target in targets:
            if target.device != inputs[0].device:
                raise copy_across_devices(inputs[0].device, target.device)


def fit_on_meta(overload: Overload, args: tuple[Any, ...], target: Any, out: Out) -> None:
    """:func:`fit` as a Meta kernel in Python does it, which copies a fresh result to *target*."""
    have, shape = target._a_.shape, tuple(out.shape)
    if have != shape:
        if target._a_.size:
            warn_resized(have, shape, meta=True)
        reshaped(target, shape)
        if out.strides is not None and overload.row.out_form.meta == "exact, laid out":
            look_at(target, phantom_array(shape, target._a_.dtype, out.strides))
    outs = [args[i] for i in overload.out_positions]
    inputs = [t for t in tensors_of(overload, args) if not any(t is o for o in outs)]
    made = next((t for t in inputs if t._a_.ndim), inputs[0] if inputs else target).device
    if made != target.device:
        own = overload.row.devices.meta
        if own is not None:
            raise_if(own(overload, args))
        raise copy_across_devices(made, target.device)
    which = overload.row.out_form.meta
    if which.startswith("exact"):
        if out.dtype is not target.dtype:
            raise out_exact_dtype(out.dtype, target.dtype)
    elif which != "any" and not can_cast(out.dtype, target.dtype):
        raise unsafe_cast(out.dtype, target.dtype)


def is_known_by_layout(overload: Overload) -> bool:
    """Whether the layout of arguments decides if, and how, ``out`` is written.

    For several targets, lists, random numbers and warnings that is looked at each time.
    """
    row = overload.row
    overload.analyse()
    several = len(overload.out_positions) != 1 or overload.list_positions
    return not (several or row.random or row.warns or row.meta is row.promote is None)


def inputs_of_out(
    overload: Overload,
    plan: Plan,
    inputs: tuple[Any, ...],
    run: Callable[..., Any],
    every: bool = False,
) -> Callable[..., Any]:
    """A function of the arguments of *overload* that gives *run* what *plan* takes, as *inputs*.

    For arguments of the layout of *inputs*, which say what does not stand among them.

    :param every: the target is an argument of the function, too.
    """
    functional = plan.overload
    if functional is overload:
        return run
    at = {name: i for i, name in enumerate(overload.names) if i not in overload.out_positions}
    order = [f"a{at[n]}" if n in at else f"c{i}" for i, n in enumerate(functional.names)]
    for i, name in enumerate(functional.names):
        if name == "dtype":
            order[i] = f"c{i}"  # that of the target, if none is named
    # Those alone: what is kept must hold no tensor.
    constants = {f"c{i}": value for i, value in enumerate(inputs) if order[i] == f"c{i}"}
    given = range(overload.arity) if every else at.values()
    names = ", ".join([f"a{i}" for i in given])
    text = f"return lambda {names}: run({', '.join(order)})"
    found: Callable[..., Any] = function(text, {**constants, "run": run})
    return found


def _place(
    overload: Overload,
    plan: Plan,
    args: tuple[Any, ...],
    inputs: Any,
    target: Any,
    out: Out,
    i: int = 0,
) -> None:
    """Give *target* the shape of *out*, as is said of it, and of what is computed on the way."""
    have, shape = target._a_.shape, tuple(out.shape)
    if shape != have and iterates(plan.row) and any(t is target for t in inputs):
        raise in_place_shape(have, shape)  # an operand keeps its shape
    if target._a_.size and shape != have and _by_way(plan, inputs, out, target):
        warn_resized(have, shape)  # torch resizes both
    fit(overload, args, target, out, i)


def _rounded(kernel: Any, np_dtype: Any) -> Any:
    """*kernel* with results of a half type, though it computes in single precision.

    Where they are written to another dtype, torch rounds them to their own first.
    """
    return lambda *args: as_dtype(np.asarray(kernel(*args)), np_dtype)


def _by_way(plan: Plan, inputs: tuple[Any, ...], out: Out, target: Any) -> bool:
    """Whether torch computes into memory of another dtype, and copies it to *target*."""
    row = plan.row
    form = row.out_form
    if form.quiet or form.direct or row.base.startswith("logical_"):
        return False
    if row.promote is None and form.dtype != "cast":
        return False
    common = plan.compute
    if common is None:
        common = next(a.dtype for a in inputs if isinstance(a, Tensor))
    return target.dtype not in (out.dtype, common) and can_cast(out.dtype, target.dtype)


def fit(overload: Overload, args: tuple[Any, ...], target: Any, out: Out, i: int = 0) -> None:
    """Check that *target* may hold the *i*-th result, which *out* describes; give it its shape."""
    check_dtype(overload, out.dtype, target.dtype, i)
    check_device(overload, args, target)
    resize_out(target, out, quiet=overload.row.out_form.quiet)


def check_declared(row: Row, dtype: Any, to: Any) -> None:
    """Reductions that are given both ``dtype`` and ``out`` want them to agree."""
    text = row.out_form.declared
    inexact = dtype.is_floating_point or dtype.is_complex
    if text is None or (row.base == "mean" and not inexact):
        return  # refused for its own sake
    if text and inexact:
        raise RuntimeError(text.format(out=scalar_type(to), dtype=scalar_type(dtype)))
    raise out_dtype(dtype, to)


def check_dtype(overload: Overload, result: Any, to: Any, i: int = 0) -> None:
    """Which dtypes an op takes for its *i*-th result: those it can be cast to, its own, or any."""
    row, form = overload.row, overload.row.out_form
    if result is to or form.dtype in ("any", "copied"):
        return
    if form.dtype == "truth" and to.name in ("bool", "uint8"):
        return
    text, said = form.text, form.castable
    if said:
        if not can_cast(result, to):
            name = said[i + 1]
            raise RuntimeError(
                f"{said[0]}: Expected {name} to be safely castable from {scalar_type(result)} "
                f"dtype, but got {name} with dtype {scalar_type(to)}"
            )
    elif text:
        if not text.startswith("cast: ") or not can_cast(result, to):
            names = {
                "out": scalar_type(to),
                "result": scalar_type(result),
                "c_out": c_type_name(to),
                "c_result": c_type_name(result),
                "is_int32": result.name == "int32",
            }
            raise RuntimeError(text.removeprefix("cast: ").format(**names))
    elif form.dtype == "joined":
        if not can_cast(result, to):
            raise TypeError(
                "torch.cat(): input types can't be cast to the desired output type "
                f"{scalar_type(to)}"
            )
    elif form.dtype == "same":
        raise out_same_dtype(to, result)
    elif row.promote is not None or form.dtype == "cast":
        check_cast(result, to)
    else:
        raise out_dtype(result, to)


def _is_host(device: Any) -> bool:
    return device.type == "cpu"


def check_device(overload: Overload, args: tuple[Any, ...], target: Any, i: int = 0) -> None:
    """The *i*-th target lies where the inputs lie; 0-d inputs on the host may follow."""
    outs = [args[i] for i in overload.out_positions]
    for t in tensors_of(overload, args):
        if t.device != target.device and not any(t is o for o in outs):
            if (t._sig_ | target._sig_) & S.META:
                own = overload.row.devices.meta
                if own is not None:
                    raise_if(own(overload, args))
                text = overload.row.out_form.elsewhere
                if text:
                    raise RuntimeError(text.format(out=target.device, input=t.device))
                if overload.row.out_form.meta == "native":
                    raise out_device(t.device, target.device)
                raise copy_across_devices(t.device, target.device)
            check = device_check(overload)
            if check is not None:
                check(args)
            if t._a_.ndim:
                if is_resized(overload):
                    raise out_device(t.device, target.device)
                raise devices_differ(*sorted((target.device, t.device), key=_is_host))


__all__ = ["fit", "functional_of", "prepare_out"]
