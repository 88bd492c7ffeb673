"""The NPU backend: memory from the caching allocator, kernels queued on the current stream."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_npu import sync_debug
from mindtorch_storage import Device

from ..call.dispatch_entry import Call
from ..call.fragments import Kernel, telling
from ..call.overload import Overload
from ..call.specialize import boxed
from ..core import signature as S
from ..core.errors import no_numbers
from ..tensor import Tensor
from .copies import between
from .costs import cost_of
from .devices import current_device, device_of
from .known_launch import Layout, launched, launched_into, unwritten
from .launch import Launch
from .launching import Ways, at_once, build_launch, functional, in_place, launch, with_out
from .layout_kernels import functional_kernels, in_place_kernels, launched_target_of
from .memory import UNBOOKED, adopt, allocate
from .outputs import is_known_by_layout
from .plan import Plan

#: Ops that only take memory: as on hardware no kernel runs, so they order nothing on a stream
#: and touch no page of the host's.
UNWRITTEN = frozenset("empty empty_like empty_strided new_empty new_empty_strided".split())


def build_npu(overload: Overload, sig: int, mask: int) -> Call:
    """Queue the row's kernel on the current stream of the tensors' device."""
    return build_launch(overload, sig, _WAYS)


def _by_numbers(plan: Plan) -> Call:
    return at_once(plan, _wait_for_numbers) if plan.row.infer is None else _where_known(plan)


def _changing(plan: Plan) -> Call:
    call = _in_place(plan)
    return _counting_masks(call) if plan.row.base == "index_put" else call


def _fresh(plan: Plan) -> Call:
    if plan.row.base in UNWRITTEN:
        return _with_known_memory(plan, _unwritten(plan))
    return _with_known_layouts(plan, functional(plan))


def _with_known_layouts(plan: Plan, call: Call) -> Call:
    """*call*, and what known calls of it launch, where all that it reads lies on NPUs."""
    kernels = functional_kernels(plan)
    if kernels is None or not _is_booked(plan) or plan.row.random:
        return call

    def prepare(args: tuple[Any, ...]) -> Kernel | None:
        kernel = kernels(args)
        if kernel is None:
            return None
        outs = plan.meta.outs(args)
        if outs is None and plan.row.infer is not None:
            outs = plan.row.infer(*args)
        results = [Layout(out) for out in (outs if kernel.several else (outs,))]
        cost = cost_of(plan, plan.arrays(args), results)
        device = device_of(plan.overload, args)
        launch = partial(launched, plan.overload.name, device, cost, results)
        return kernel._replace(launch=launch)

    return telling(call, prepare=prepare)


def _with_known_memory(plan: Plan, call: Call) -> Call:
    """*call*, which only takes memory, and what known calls of it take."""
    kernels = functional_kernels(plan)
    if kernels is None or UNBOOKED or plan.sig & (S.PENDING | S.LAZY):
        return call

    def prepare(args: tuple[Any, ...]) -> Kernel | None:
        kernel, out = kernels(args), plan.meta.outs(args)
        if kernel is None or kernel.several:
            return None
        layout = Layout(out)
        if layout.nbytes > npu_backend.AT_ONCE:  # the host may have less memory than the device
            return None
        device = device_of(plan.overload, args)
        return kernel._replace(launch=partial(unwritten, device, layout))

    return telling(call, prepare=prepare)


def _is_booked(plan: Plan) -> bool:
    """Whether all tensors lie in memory of the simulator, and their numbers are there or queued."""
    on_npus = plan.sig & S.BACKENDS == S.NPU and not plan.sig & (S.PENDING | S.LAZY)
    return on_npus and not UNBOOKED


def _unwritten(plan: Plan) -> Call:
    overload = plan.overload

    def call(*args: Any) -> Any:
        device = device_of(overload, args)
        out = plan.meta.outs(args)
        return allocate(tuple(out.shape), out.dtype.np, out.strides, device, written=False)

    return call


def run(launch: Launch, device: Device) -> None:
    """Queue a launch on the current stream of *device*, or run it there at once."""
    cost = npu_backend.NEVER
    if launch.plan is not None:
        cost = cost_of(launch.plan, launch.values, [t for t in launch.targets if t is not None])
    queue = npu_backend.current_queue(device.index)
    if cost <= npu_backend.AT_ONCE:
        try:
            if queue.compute(launch) is not npu_backend.BUSY:
                return
        except Exception as error:
            queue.keep_error(error, launch.name, npu_backend.call_site(2))
            return
    queue.enqueue(launch, (), launch.name, npu_backend.call_site(2))


def _wait_for_numbers(name: str, device: Device) -> None:
    """Before the op *name* looks at numbers on *device*. Raises where there are none to look at."""
    if npu_backend.DRY:
        raise no_numbers(name)
    npu_backend.wait_current(device.index)


def _where_known(plan: Plan) -> Call:
    """The result's shape depends on data for some arguments only: masks, say, and not indexes."""
    overload, infer = plan.overload, plan.row.infer
    general = at_once(plan, _wait_for_numbers)
    # What lies on the host may be changed there before a queued kernel reads it.
    if infer is None or plan.sig & S.BACKENDS != S.NPU:
        return general

    def call(*args: Any) -> Any:
        out = infer(*args)
        if out is None:
            return general(*args)
        device = device_of(overload, args)
        result = allocate(tuple(out.shape), out.dtype.np, out.strides, device)
        launch(plan, args, [result._a_], False, device)
        return result

    return _with_known_layouts(plan, call)


def _counting_masks(put: Call) -> Call:
    """What CUDA waits for where elements under a mask get a value each: how many there are."""

    def call(target: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Any:
        if sync_debug.mode and (accumulate or values._a_.size != 1):
            if any(i is not None and i.dtype.name in ("bool", "uint8") for i in indices):
                sync_debug.notice()
        return put(target, indices, values, accumulate)

    return call


def _with_out(overload: Overload) -> Call:
    call = with_out(overload, _wait_for_numbers)

    def launch(plan: Plan, inputs: tuple[Any, ...], target: Tensor) -> Callable[..., Any] | None:
        if not _is_booked(plan) or plan.row.random or not target._sig_ & S.NPU:
            return None
        cost = cost_of(plan, plan.arrays(inputs), [target._a_])
        return partial(launched_into, overload.name, target.device, cost)

    if UNBOOKED or not is_known_by_layout(overload):
        return call
    return telling(call, target=partial(launched_target_of, overload, launch))


def _in_place(plan: Plan) -> Call:
    overload, kernels = plan.overload, in_place_kernels(plan)
    call = in_place(plan, _copied if overload.row.name == "copy_" else None)
    if not _is_booked(plan) or plan.row.random:
        return call

    def prepare(args: tuple[Any, ...]) -> Kernel | None:
        kernel = kernels(args)
        if kernel is None:
            return None
        target = args[overload.mutable_position]
        cost = cost_of(plan, plan.arrays(args), [target._a_])
        device = device_of(overload, args)
        return kernel._replace(launch=partial(launched_into, overload.name, device, cost))

    return telling(call, into=prepare)


def _copied(target: Tensor, source: Any, *rest: Any) -> bool:
    """Copy *source* into *target* if it lies on another device; whether it does."""
    elsewhere = isinstance(source, Tensor) and target.device != source.device
    if elsewhere:
        between(target._a_, source._a_, target.device, source.device)
    return elsewhere


_WAYS = Ways(_with_out, _by_numbers, _changing, _fresh)
npu = boxed(build_npu)

__all__ = ["adopt", "allocate", "current_device", "device_of", "npu"]
