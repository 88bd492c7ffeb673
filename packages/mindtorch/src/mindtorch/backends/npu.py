"""The NPU backend: memory from the caching allocator, kernels queued on the current stream."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from mindtorch_npu import backend as npu_backend
from mindtorch_npu import runtime
from mindtorch_npu.backend import AT_ONCE, call_site, current_queue, launch_safe
from mindtorch_storage import Device

from .. import signature as S
from ..calls import Call, boxed
from ..construct import wrap
from ..errors import no_numbers
from ..ops.overload import INPLACE, OUT, Overload
from ..ops.row import Out
from ..tensor import Tensor
from .copies import between
from .costs import cost_of
from .deferral import defer as deferral
from .devices import current_device, device_of, drawing_on
from .fastpath import Uniform, is_number, numbers_as, uniform_case
from .memory import UNBOOKED, Layout, adopt, allocate, fresh
from .outputs import composite_call, fit, prepare_out
from .overlap import check_after, check_before
from .plan import Plan, finish, in_place_check, store, store_all
from .pointwise import (
    TINY,
    own_function,
    pointwise_one,
    pointwise_two,
    store_result,
    weight_of,
    writing,
)
from .restoring import restoring
from .views import build_view

_new: Any = object.__new__
ndarray = np.ndarray


def wait(t: Tensor) -> None:
    """Wait until the current stream of *t*'s device has run dry, as CUDA does before a read."""
    npu_backend.wait_current(t.device.index)


def build_npu(overload: Overload, sig: int, mask: int) -> Call:
    """Queue the row's kernel on the current stream of the tensors' device."""
    row = overload.row
    if npu_backend.HARDWARE:
        from .hardware import build_hardware  # loads torch

        return build_hardware(overload, sig)
    if overload.composed:
        call = composite_call(overload)
        return restoring(overload, call) if overload.kind == OUT else call
    if row.view is not None:
        return build_view(overload, sig)
    if sig & S.DEFER:
        return deferral(overload, sig)
    if overload.kind == OUT:
        return restoring(overload, _with_out(overload))
    plan = Plan(overload, sig)
    if row.meta is None and row.promote is None or "data_dependent_output" in row.tags:
        return _at_once(plan)
    if overload.kind == INPLACE:
        return _in_place(plan)
    name = overload.name

    def call(*args: Any) -> Any:
        device = device_of(overload, args)
        out = plan.outs(args)
        if not isinstance(out, (tuple, list)):
            return _value(plan, args, device)
        many = type(out) is not Out
        outs = list(out) if many else [out]
        results = [
            None if o is None else allocate(tuple(o.shape), o.dtype.np, o.strides, device)
            for o in outs
        ]
        targets = [None if r is None else r._a for r in results]
        launch(name, plan, args, targets, many, device)
        return tuple(results) if many else results[0]

    if sig & (S.PENDING | S.LAZY) or sig & S.BACKENDS != S.NPU:
        return call
    if not sig & S.STRIDED and not UNBOOKED:
        special = _special(overload, sig, call)
        if special is not None:
            return special
        case = uniform_case(overload, sig)
        if case is not None:
            return _uniform(overload, sig, case, call)
    return _known(plan, call) or call


#: So many layouts of arguments are remembered per op and signature.
_LAYOUTS = 512


def _known(plan: Plan, general: Call) -> Call | None:
    """The same where a layout of arguments was met before: what meta said of it still holds."""
    key_of = plan.layout_key()
    positions = tuple(plan.positions)
    if key_of is None or plan.lists or not positions or UNBOOKED:
        return None
    if plan.overload.device_position >= 0:  # the tensors do not say where the result is
        return None
    overload, arrays, outs, compute = plan.overload, plan.arrays, plan.outs, plan.compute_arrays
    name = overload.name
    known: dict[Any, Any] = {}
    first = positions[0]
    others = positions[1:]
    state = runtime.tls

    def learn(key: Any, args: tuple[Any, ...]) -> Any:
        result = general(*args)
        out = outs(args)
        if len(known) >= _LAYOUTS:
            known.clear()
        if type(out) is Out:
            layouts = [Layout(out)]
        elif isinstance(out, (tuple, list)) and all(type(o) is Out for o in out):
            layouts = [Layout(o) for o in out]
        else:
            return result
        known[key] = layouts, type(out) is not Out, cost_of(plan, arrays(args), layouts)
        return result

    def call(*args: Any) -> Any:
        key = key_of(*args)
        try:
            found = known.get(key)
        except TypeError:  # not hashable
            return general(*args)
        if found is None:
            return learn(key, args)
        lead = args[first]
        if lead is None:
            return general(*args)
        lane = lead._shared.lane
        for i in others:
            t = args[i]
            if t is not None and t._shared.lane is not lane:
                return general(*args)  # which compares, and complains
        layouts, many, cost = found
        book, index = lane
        try:
            queue = state.queues[index]
        except IndexError:
            queue = runtime.bound_queue(index)
        if many or layouts[0].strides is not None:
            device = lead._shared.device
            results = [layout.make(lane, queue, device) for layout in layouts]
            targets = [r._a for r in results]
            queue.launch(_run, (plan, arrays(args), targets, many), name, call_site(2), cost)
            return tuple(results) if many else results[0]
        (layout,) = layouts
        if cost <= AT_ONCE and queue.begin():
            try:
                alias = book(queue, layout.nbytes)
                try:
                    a = compute(arrays(args))
                except Exception as error:  # noqa: BLE001 - for the next synchronisation
                    queue.keep_error(error, name, call_site(2))
                    a = None
                if (
                    type(a) is not ndarray
                    or a.dtype is not layout.np_dtype
                    or a.strides != layout.steps
                    or a.base is not None
                ):
                    result = a
                    a = np.empty(layout.shape, layout.np_dtype)
                    if result is not None:
                        np.copyto(a, result, casting="unsafe")
            finally:
                queue.end()
            r = _new(Tensor)
            r._a = alias.owner = a
            r._sig = layout.sig
            r._shared = alias
            r._edge = r._state = None
            return r
        r = layout.make(lane, queue, None)
        queue.launch(_run_one, (plan, arrays(args), r._a), name, call_site(2), cost)
        return r

    return call


def _run_one(plan: Plan, values: list[Any], target: Any) -> None:
    np.copyto(target, plan.compute_arrays(values), casting="unsafe")


def _special(overload: Overload, sig: int, general: Call) -> Call | None:
    """The row's own fast function of one or two float arrays that keeps their shape."""
    make = overload.row.fast
    dims, zeros = S.dtypes_in(sig, S.DIM_SHIFT), S.dtypes_in(sig, S.ZERO_SHIFT)
    if (
        make is None
        or len(dims) != 1
        or zeros
        or sig & S.NUMBERS
        or dims[0].name not in ("float32", "float64")
    ):
        return None
    np_dtype = dims[0].np
    run = make(np_dtype)
    if overload.tensor_positions == (0, 1):
        name = overload.name

        def call_two(a: Any, b: Any, *extra: Any) -> Any:
            x, y = a._a, b._a
            device = a._shared.device
            if x.shape != y.shape or b._shared.device is not device:
                return general(a, b, *extra)
            r = fresh(x.shape, np_dtype, device)
            queue = current_queue(device.index)
            launch_safe(queue, store_result, (run, r._a, x, y, *extra), name, x.nbytes * 3)
            return r

        return call_two
    if not (isinstance(run, partial) and isinstance(run.func, np.ufunc) and not run.keywords):
        return own_function(overload, np_dtype, run, general)
    if overload.tail:
        return None
    return pointwise_one(run.func, run.args, overload, np_dtype, np_dtype, general)


def _uniform(overload: Overload, sig: int, case: Uniform, general: Call) -> Call:
    """A ufunc over one shape and dtype: it writes straight into the result's memory."""
    np_dtype, out_dtype = case.dtype.np, case.result.np
    if case.operands == 1:
        return pointwise_one(case.ufunc, (), overload, np_dtype, out_dtype, general)
    numbers = numbers_as(np_dtype) if sig & S.NUMBERS else None
    return pointwise_two(case.ufunc, overload, np_dtype, out_dtype, numbers, general)


def _uniform_in_place(overload: Overload, sig: int, case: Uniform, general: Call) -> Call:
    """The same where the first operand is the result."""
    ufunc, into = writing(case.ufunc), overload.row.into
    defaults = overload.defaults[2:]
    name = overload.name
    is_float = case.dtype.name in ("float32", "float64")
    weight = weight_of(case.ufunc)
    numbers = numbers_as(case.dtype.np) if sig & S.NUMBERS else None
    state = runtime.tls

    def call(a: Any, b: Any, *extra: Any) -> Any:
        x = a._a
        lane = a._shared.lane
        if numbers is not None:
            if isinstance(b, Tensor):
                return general(a, b, *extra)
            y = numbers(b)
        else:
            y = b._a
            other = b._shared
            if (
                x.shape != y.shape
                or other.lane is not lane
                or (other is a._shared and a is not b)  # they may overlap
            ):
                return general(a, b, *extra)
        try:
            queue = state.queues[lane[1]]
        except IndexError:
            queue = runtime.bound_queue(lane[1])
        if not extra or (extra == defaults and extra[0] is not True):
            if x.size <= TINY and not queue.entries and not queue.special:
                ufunc(x, y, x)
            else:
                launch_safe(queue, ufunc, (x, y, x), name, x.nbytes * weight)
        elif into is not None and is_float and numbers is None and is_number(extra[0]):
            launch_safe(queue, into, (x, y, *extra), name, x.nbytes * weight)
        else:
            return general(a, b, *extra)
        return a

    return call


def launch(
    name: str, plan: Plan, args: tuple[Any, ...], targets: list[Any], many: bool, device: Device
) -> None:
    """Queue *plan*'s kernel; it writes into *targets* when its turn comes."""
    run = _run if not plan.row.random else drawing_on(device, args, _run)
    npu_backend.launch(device.index, name, run, (plan, plan.arrays(args), targets, many))


def _run(plan: Plan, values: list[Any], targets: list[Any], many: bool) -> None:
    result = plan.compute_arrays(values)
    if many:
        store_all(targets, result)
    else:
        store(targets[0], result)


def _value(plan: Plan, args: tuple[Any, ...], device: Device) -> Any:
    """Ops that return a Python value read the device, so they wait."""
    npu_backend.wait_current(device.index)
    return plan.compute_arrays(plan.arrays(args))


def _at_once(plan: Plan) -> Call:
    """The result's shape depends on data: wait, compute, book."""
    overload = plan.overload

    def call(*args: Any) -> Any:
        device = device_of(overload, args)
        if npu_backend.DRY:
            raise no_numbers(overload.name)
        npu_backend.wait_current(device.index)
        result = plan.compute_arrays(plan.arrays(args))
        out = plan.outs(args) if plan.row.meta is not None else None
        if isinstance(result, tuple):
            metas = out if out is not None else [None] * len(result)
            return tuple([_adopted(r, m, device) for r, m in zip(result, metas, strict=True)])
        if not isinstance(result, np.ndarray):
            return result
        return _adopted(result, out, device)

    return call


def _adopted(result: Any, out: Any, device: Device) -> Tensor:
    if isinstance(out, Out) and tuple(out.shape) == result.shape:
        result = finish(result, out)._a
    whole = result if result.base is None else result.base
    if result.size and whole.nbytes != result.nbytes:
        result = result.copy("K")
    return adopt(result, device)


def _in_place(plan: Plan) -> Call:
    position = plan.overload.mutable_position
    overload = plan.overload
    if overload.row.name == "copy_":
        return _copy_in_place(plan)

    def call(*args: Any) -> Any:
        target = args[position]
        check_before(overload, args, target)
        in_place_check(plan, args, target)
        check_after(overload, target)
        launch(overload.name, plan, args, [target._a], False, device_of(overload, args))
        return target

    sig = plan.sig
    if sig & (S.STRIDED | S.PENDING | S.LAZY) or sig & S.BACKENDS != S.NPU:
        return call
    case = uniform_case(overload, sig)
    if case is None or case.operands != 2 or case.result is not case.dtype or case.zero_dim:
        return call
    return _uniform_in_place(overload, sig, case, call)


def _copy_in_place(plan: Plan) -> Call:
    """``copy_``, which also takes its source from another NPU."""
    overload = plan.overload
    name = overload.name

    def call(*args: Any) -> Any:
        target, source = args[:2]
        check_before(overload, args, target)
        in_place_check(plan, args, target)
        check_after(overload, target)
        device, other = target.device, source.device
        if device == other:
            launch(name, plan, args, [target._a], False, device)
        else:
            between(target._a, source._a, device, other)
        return target

    return call


def _with_out(overload: Overload) -> Call:
    row = overload.row
    at_once = row.meta is None and row.promote is None or "data_dependent_output" in row.tags

    def call(*args: Any) -> Any:
        plan, inputs, targets = prepare_out(overload, args)
        device = device_of(overload, args)
        many = len(targets) > 1
        if at_once and npu_backend.DRY:
            raise no_numbers(overload.name)
        if at_once:
            npu_backend.wait_current(device.index)
            result = plan.compute_arrays(plan.arrays(inputs))
            for target, value in zip(targets, result if many else (result,), strict=True):
                fit(overload, args, target, Out(value.shape, wrap(value).dtype))
                store(target._a, value)
        else:
            launch(overload.name, plan, inputs, [t._a for t in targets], many, device)
        return tuple(targets) if many else targets[0]

    return call


npu = boxed(build_npu)

__all__ = ["adopt", "allocate", "current_device", "device_of", "npu", "wait"]
