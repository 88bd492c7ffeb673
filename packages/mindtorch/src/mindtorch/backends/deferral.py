"""Deferred execution on any backend: results with their final memory, work in the queue.

Pending is a property of the result's storage, so views of a pending tensor need nothing special:
they are windows on memory that the flush will write.
"""

from __future__ import annotations

from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_dispatch import current_pipeline
from mindtorch_storage import Device, UntypedStorage

from .. import signature as S
from ..calls import Call
from ..construct import empty_array, storage_of, wrap
from ..ops.overload import INPLACE, OUT, Overload
from ..ops.row import Out
from ..tensor import Alias, Tensor
from .devices import device_of
from .outputs import prepare_out
from .overlap import refuse_overlap
from .plan import Plan, in_place_check, store


def defer(overload: Overload, sig: int) -> Call:
    """The function that puts a call of this signature into the current pipeline's queue."""
    name = overload.name
    plan = Plan(overload, sig)
    on_npu = bool(sig & S.NPU)
    if overload.kind == OUT:
        return _defer_out(overload, on_npu)
    if overload.kind == INPLACE:
        return _defer_in_place(plan, on_npu)

    def call(*args: Any) -> Any:
        out = plan.outs(args)
        many = type(out) is not Out
        outs = list(out) if many else [out]
        device = device_of(overload, args) if on_npu else None
        results = [pending(o, device) for o in outs]
        record(name, plan, args, results, many, device)
        return tuple(results) if many else results[0]

    return call


def pending(out: Out, device: Device | None) -> Tensor:
    """A tensor with its final memory, which nobody has written yet."""
    strides = None if out.strides is None else tuple(out.strides)
    array = empty_array(tuple(out.shape), out.dtype.np, strides)
    owner = array if array.base is None else array.base
    t = wrap(array, S.CPU if device is None else S.NPU)
    t._sig |= S.PENDING
    alias = t._shared = Alias()
    if device is None:
        alias.storage = UntypedStorage._from_array(owner)
    else:
        alias.storage = UntypedStorage._from_array(owner, device=device)
        alias.storage.block = npu_backend.allocate(owner.nbytes, device.index)
    return t


def record(
    name: str,
    plan: Plan,
    args: tuple[Any, ...],
    results: list[Tensor],
    many: bool,
    device: Device | None,
) -> None:
    """Queue the kernel; it writes into the memory of *results* at the flush."""
    values = plan.arrays(args)
    targets = [r._a for r in results]

    def compute() -> None:
        result = plan.compute_arrays(list(values))
        if many:
            for target, r in zip(targets, result, strict=True):
                store(target, r)
        else:
            store(targets[0], result)

    pipe = current_pipeline()
    assert pipe is not None
    storages = [r._shared.storage for r in results]  # type: ignore[union-attr]
    if device is None:
        pipe.record(name, compute, storages)
    else:
        index = device.index
        pipe.record(name, lambda: npu_backend.launch(index, name, compute), storages)


def _defer_in_place(plan: Plan, on_npu: bool) -> Call:
    overload = plan.overload
    position = overload.mutable_position

    def call(*args: Any) -> Any:
        target = args[position]
        in_place_check(plan, plan.outs(args), target)
        refuse_overlap(target)
        storage_of(target)
        device = device_of(overload, args) if on_npu else None
        record(overload.name, plan, args, [target], False, device)
        target._sig |= S.PENDING
        return target

    return call


def _defer_out(overload: Overload, on_npu: bool) -> Call:
    def call(*args: Any) -> Any:
        plan, _, targets = prepare_out(overload, args)
        for t in targets:
            storage_of(t)
        device = device_of(overload, args) if on_npu else None
        many = len(targets) > 1
        record(overload.name, plan, args, targets, many, device)
        for t in targets:
            t._sig |= S.PENDING
        return tuple(targets) if many else targets[0]

    return call
