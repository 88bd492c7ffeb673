"""A backend with memory of its own: results are allocated there, and kernels are launched.

The general way of every such device. What is known of results before a kernel runs is inferred
(:class:`.plan.Plan`), their memory is taken from the backend's allocator, and a :class:`Launch` is
handed to the backend, which runs it when it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage import Device, UntypedStorage
from mindtorch_storage.layout import contiguous_strides, storage_nbytes_needed

from ..call.dispatch_entry import Call
from ..call.overload import INPLACE, OUT, Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.backend_registry import BACKENDS
from ..core.copies import cast, store
from ..tensor import Tensor
from ..tensor.array_memory import empty_array, owner_of
from ..tensor.construction import wrap
from ..tensor.storage_windows import look_at
from .composites import composite_call
from .deferral import defer
from .devices import device_of, drawing_on
from .launch import Launch, write
from .notices import noticing
from .outputs import fit, prepare_out
from .overlap import checks, overlaps_itself, store_repeated
from .plan import Plan, finish, in_place_check
from .views import build_apart, build_view

__all__ = ["into", "launched", "number", "to_device", "to_host", "within"]


def run_now(launch: Launch, device: Device) -> None:
    """What a device does that is done when the call returns."""
    launch()


class Handed:
    """What a flush runs: it hands over the launch."""

    __slots__ = ("device", "launch")

    def __init__(
        self, launch: Launch, device: Device, tensors: Any, storages: Any, site: Any
    ) -> None:
        self.launch, self.device = launch, device

    def __call__(self) -> None:
        BACKENDS[self.device.type].run(self.launch, self.device)


def nothing(device: Device) -> None:
    """Everything is done already."""


def wait_for_bytes(storage: UntypedStorage) -> None:
    """Wait for what this thread launched: it may write them."""
    BACKENDS[storage.device.type].wait(storage.device)


def one() -> int:
    """There is one device."""
    return 1


def first() -> int:
    """It is the one with the lowest index."""
    return 0


class Ways(NamedTuple):
    """How kernels are launched; each makes the call of an overload, or of a plan."""

    #: Results are written to targets that are there.
    out: Callable[[Overload], Call]
    #: The shape of the result depends on numbers.
    by_numbers: Callable[[Plan], Call]
    in_place: Callable[[Plan], Call]
    fresh: Callable[[Plan], Call]


def build_launch(overload: Overload, sig: int, ways: Ways) -> Call:
    """The call of a row on a device with memory of its own."""
    return noticing(overload, sig, _built(overload, sig, ways))


def _built(overload: Overload, sig: int, ways: Ways) -> Call:
    row = overload.row
    if overload.composed_on(sig):
        return composite_call(overload)
    if row.view is not None:
        return build_view(overload, sig)
    if sig & S.DEFER:
        return defer(overload, sig)
    if overload.kind == OUT:
        return ways.out(overload)
    if row.apart is not None:
        return build_apart(overload)
    plan = Plan(overload, sig)
    if row.meta is None and row.promote is None or "data_dependent_output" in row.tags:
        return ways.by_numbers(plan)
    return ways.in_place(plan) if overload.kind == INPLACE else ways.fresh(plan)


def functional(plan: Plan) -> Call:
    """Results have memory of their own, which is taken before the kernel runs."""
    overload, outs_of = plan.overload, plan.asker()

    def call(*args: Any) -> Any:
        device = device_of(overload, args)
        out = outs_of(args)
        if not isinstance(out, (tuple, list)):  # a Python value: ``equal``, ``is_nonzero``
            BACKENDS[device.type].wait(device)
            return plan.compute_arrays(plan.arrays(args))
        many = type(out) is not Out
        outs = list(out) if many else [out]
        empty = BACKENDS[device.type].empty
        results = [None if o is None else empty(o, device) for o in outs]
        targets = [None if r is None else r._a_ for r in results]
        launch(plan, args, targets, many, device)
        return tuple(results) if many else results[0]

    return call


def launch(
    plan: Plan, args: tuple[Any, ...], targets: list[Any], many: bool, device: Device
) -> None:
    """Hand *plan*'s kernel to the backend of *device*; it writes into *targets*."""
    compute = drawing_on(device, args, write) if plan.row.random else write
    made = Launch(plan.overload.name, plan, plan.arrays(args), targets, compute, many)
    BACKENDS[device.type].run(made, device)


def _repeated(launch: Launch) -> None:
    assert launch.plan is not None
    store_repeated(launch.plan, launch.values, launch.targets[0])


def _wait_for_numbers(name: str, device: Device) -> None:
    BACKENDS[device.type].wait(device)


def at_once(plan: Plan, wait: Callable[[str, Device], None] = _wait_for_numbers) -> Call:
    """The shape of the result depends on numbers: wait, compute, then take memory for it."""
    overload = plan.overload

    def call(*args: Any) -> Any:
        device = device_of(overload, args)
        wait(overload.name, device)
        adopt = BACKENDS[device.type].adopt
        result = plan.compute_arrays(plan.arrays(args))
        out = plan.meta.outs(args) if plan.row.meta is not None else None
        if isinstance(result, tuple):
            outs = out if out is not None else [None] * len(result)
            pairs = zip(result, outs, strict=True)
            return tuple([adopt(own_memory(r, o), device) for r, o in pairs])
        if not isinstance(result, np.ndarray):
            return result
        return adopt(own_memory(result, out), device)

    return call


def own_memory(result: Any, out: Any) -> Any:
    """The array with the layout of *out*, and no more memory behind it than it needs."""
    if isinstance(out, Out) and tuple(out.shape) == result.shape:
        result = finish(result, out)._a_
    whole = owner_of(result)
    if result.size and whole.nbytes != result.nbytes:
        return result.copy("K")
    return result


def adopt(array: np.ndarray[Any, Any], device: Device) -> Tensor:
    """A tensor on *device* with the numbers of *array*, laid out as it is."""
    laid = wrap(array)
    made = allocate(Out(array.shape, laid.dtype, laid.stride()), device)
    store(made._a_, array)
    return made


def in_place(plan: Plan, elsewhere: Callable[..., bool] | None = None) -> Call:
    """The kernel writes into the argument that is changed.

    :param elsewhere: does the call where that needs no kernel, and says whether it did.
    """
    overload = plan.overload
    position = overload.mutable_position
    before, after = checks(overload, plan.sig)

    def call(*args: Any) -> Any:
        target = args[position]
        before(args, target)
        in_place_check(plan, args, target)
        after(args, target)
        plan.refuse(args)
        if elsewhere is not None and elsewhere(*args):
            return target
        device = device_of(overload, args)
        if overlaps_itself(target):
            values = plan.arrays(args)
            repeated = Launch(overload.name, plan, values, [target._a_], _repeated)
            BACKENDS[device.type].run(repeated, device)
        else:
            launch(plan, args, [target._a_], False, device)
        return target

    return call


def with_out(overload: Overload, wait: Callable[[str, Device], None] = _wait_for_numbers) -> Call:
    """Results are written to targets that are there, or made to fit."""
    row = overload.row
    by_kernel = row.meta is None and row.promote is None or "data_dependent_output" in row.tags

    def call(*args: Any) -> Any:
        plan, inputs, targets = prepare_out(overload, args)
        device = device_of(overload, args)
        many = len(targets) > 1
        if by_kernel:  # only the kernel knows the shape
            wait(overload.name, device)
            result = plan.compute_arrays(plan.arrays(inputs))
            for target, value in zip(targets, result if many else (result,), strict=True):
                laid = wrap(value)
                fit(overload, args, target, Out(value.shape, laid.dtype, laid.stride()))
                store(target._a_, value)
        else:
            launch(plan, inputs, [t._a_ for t in targets], many, device)
        return tuple(targets) if many else targets[0]

    return call


def allocate(out: Out, device: Device) -> Tensor:
    """A tensor on *device* as *out* describes it, whose numbers a kernel will write."""
    shape, np_dtype = tuple(out.shape), out.dtype.np
    strides = contiguous_strides(shape) if out.strides is None else tuple(out.strides)
    nbytes = storage_nbytes_needed(shape, strides, 0, np_dtype.itemsize)
    return look_at(UntypedStorage(nbytes, device=device), np_dtype, shape, strides, 0)


def build_launched(overload: Overload, sig: int, mask: int) -> Call:
    """Launch the row's kernel on the device of the tensors."""
    return build_launch(overload, sig, _WAYS)


_WAYS = Ways(with_out, at_once, in_place, functional)
launched = boxed(build_launched)


# The functions of ``Copies`` ---------------------------------------------------------------------


def to_device(t: Tensor, out: Out, device: Device, non_blocking: bool) -> Tensor:
    """A copy on *device* of *t*, which lies on the host."""
    made = allocate(out, device)
    source = t._a_.copy("K") if non_blocking else t._a_  # which may be changed before it is read
    BACKENDS[device.type].run(Launch("aten::_to_copy", None, [source], [made._a_], _copy), device)
    if not non_blocking:
        BACKENDS[device.type].wait(device)
    return made


def to_host(t: Tensor, out: Out, non_blocking: bool) -> Tensor:
    """A copy on the host of *t*, once its numbers are there."""
    BACKENDS[t.device.type].wait(t.device)
    array = empty_array(tuple(out.shape), out.dtype.np, out.strides)
    np.copyto(array, cast(t._a_, array.dtype))
    return wrap(array)


def within(t: Tensor, out: Out, device: Device, non_blocking: bool) -> Tensor:
    """A copy on *device* of *t*, which lies on another device of the same backend."""
    backend = BACKENDS[device.type]
    backend.wait(t.device)
    made = allocate(out, device)
    backend.run(Launch("aten::_to_copy", None, [t._a_], [made._a_], _copy), device)
    return made


def into(
    target: Tensor, source: Tensor, non_blocking: bool, run: Callable[[Tensor], object]
) -> Tensor:
    """``target.copy_(source)``, of which one is on the host: with a copy beside the target."""
    run(source._to_(target.device))
    return target


def number(t: Tensor, device: Device) -> Tensor:
    """*t*, a number of the host, as a kernel on *device* takes it: a copy there."""
    made: Tensor = t._to_(device)
    return made


def _copy(launch: Launch) -> None:
    (source,), (target,) = launch.values, launch.targets
    np.copyto(target, cast(source, target.dtype))
