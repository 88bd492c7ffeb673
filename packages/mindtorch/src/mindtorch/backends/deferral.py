"""Deferred execution on any backend: results with their final memory, work in the queue.

Pending is a property of the result's storage, so views of a pending tensor need nothing special:
they are windows on memory that the flush will write.

Note [Inputs of an entry]
    Within one pipeline program order is enough. What an entry must be told of is an input that is
    pending on *another* pipeline, or whose computation failed: it is settled before the entry
    runs, and a failure is passed on instead of computed with.

Note [A queued kernel that fails on the NPU]
    A flush only launches there, so it cannot see the failure. The kernel's results are marked with
    a :class:`Failure` by the stream that ran it, and kernels of the queue that read them fail too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from mindtorch_dispatch import Pipeline, capture_site, current_pipeline
from mindtorch_dispatch.pipeline_journal import Operands
from mindtorch_npu import backend as npu_backend
from mindtorch_storage import Device, UntypedStorage

from ..call.arguments import tensors_of, written_by, written_names
from ..call.dispatch_entry import Call
from ..call.fragments import Kernel, telling
from ..call.overload import INPLACE, OUT, Overload
from ..call.row import Out
from ..core import signature as S
from ..core.backend_registry import backend_at
from ..tensor import Alias, Tensor, base_of
from ..tensor.array_memory import empty_array, owner_of, storage_of
from ..tensor.construction import wrap
from ..tensor.storage_referrers import mark_unreliable
from .devices import device_of, drawing_on
from .launch import Launch, write
from .layout_kernels import functional_kernels
from .outputs import prepare_out
from .overlap import check_after, check_before, refuse_overlap
from .plan import Plan, in_place_check
from .recorder import TINY, recorded


def defer(overload: Overload, sig: int) -> Call:
    """The function that puts a call of this signature into the current pipeline's queue."""
    elsewhere = bool(sig & S.ACCELERATORS)
    if overload.kind == OUT:
        return _defer_out(overload, elsewhere)
    plan = Plan(overload, sig)
    if overload.kind == INPLACE:
        return _defer_in_place(plan, elsewhere)
    written, outs_of = written_by(overload), plan.asker()

    def call(*args: Any) -> Any:
        out = outs_of(args)
        many = type(out) is not Out
        outs = list(out) if many else [out]
        device = device_of(overload, args) if elsewhere else None
        results = [None if o is None else pending(o, device) for o in outs]
        for t in (also := written(args)):
            prepare_target(t)
        record(overload, plan, args, results, many, device, also)
        for t in also:
            mark_pending(t)
        return tuple(results) if many else results[0]

    kernels = functional_kernels(plan)
    if elsewhere or kernels is None or plan.lists or plan.row.random or written_names(plan.row):
        return call

    def prepare(args: tuple[Any, ...]) -> Kernel | None:
        kernel, out = kernels(args), outs_of(args)
        if kernel is None or type(out) is not Out:
            return None
        sizes = [t._a_.size for t in tensors_of(overload, args)]
        launch = partial(recorded, plan, out, max(sizes, default=0) <= TINY)
        return kernel._replace(launch=launch, aliases=True)

    return telling(call, prepare=prepare)


def pending(out: Out, device: Device | None) -> Tensor:
    """A tensor with its final memory, which nobody has written yet."""
    if device is not None:
        t: Tensor = backend_at(device).empty(out, device)
        t._sig_ |= S.PENDING
        t._meta_ = S.STALE
        return t
    strides = None if out.strides is None else tuple(out.strides)
    array = empty_array(tuple(out.shape), out.dtype.np, strides)
    t = wrap(array)
    t._sig_ |= S.PENDING
    t._meta_ = S.STALE
    alias = t._shared_ = Alias()
    alias.value = 0
    alias.storage = UntypedStorage._from_array(owner_of(array))
    return t


def record(
    overload: Overload,
    plan: Plan,
    args: tuple[Any, ...],
    results: Sequence[Tensor | None],
    many: bool,
    device: Device | None,
    also: Sequence[Tensor] = (),
) -> None:
    """Queue the call of *overload* that *plan* is for.

    Its kernel writes into the memory of *results*, and of *also*, at the flush.
    """
    there = [r for r in results if r is not None]
    targets = [None if r is None else r._a_ for r in results]
    random = device is not None and plan.row.random
    compute = drawing_on(device, args, write) if random else write
    launch = Launch(overload.name, plan, plan.arrays(args), targets, compute, many)
    pipe = current_pipeline()
    assert pipe is not None
    storages = [r._shared_.storage for r in (*there, *also)]
    tensors = list(tensors_of(plan.overload, args))
    inputs = unsettled(pipe, tensors)
    operands = None
    if pipe.journal is not None:
        reads = tuple(storage_of(t) for t in tensors if not any(t is r for r in (*there, *also)))
        operands = Operands("cpu" if device is None else device.type, reads)
    if device is None:
        pipe.record(overload, launch, storages, None, inputs, operands)
    else:
        site = capture_site(2)
        run = backend_at(device).recorded(launch, device, tensors, storages, site)
        pipe.record(overload, run, storages, site, inputs, operands)


def unsettled(pipe: Pipeline, tensors: list[Tensor]) -> tuple[Any, ...]:
    """The storages of *tensors* that *pipe* does not know of; see Note [Inputs of an entry]."""
    found: tuple[Any, ...] = ()
    for t in tensors:
        alias = t._shared_
        if alias is not None and alias.storage is not None:
            owed = alias.storage.pending
            if owed is not None and (owed.pipeline is not pipe or owed.error is not None):
                found = (*found, alias.storage)
    return found


def prepare_target(target: Tensor) -> None:
    """Make *target* ready to be written by the queue: its storage will be marked pending.

    What another pipeline has still to write there comes first; if it failed, its error is raised.
    """
    owed = storage_of(target).pending
    if owed is not None and (owed.pipeline is not current_pipeline() or owed.error is not None):
        owed.pipeline.settle(owed)


def mark_pending(target: Tensor) -> None:
    """The tensor, and the one it is a view of, are settled before they are used elsewhere."""
    target._sig_ |= S.PENDING
    target._meta_ = S.STALE
    base = base_of(target)
    if base is not None:
        base._sig_ |= S.PENDING
        base._meta_ = S.STALE


def _defer_in_place(plan: Plan, elsewhere: bool) -> Call:
    overload = plan.overload
    position = overload.mutable_position

    def call(*args: Any) -> Any:
        target = args[position]
        check_before(overload, args, target)
        in_place_check(plan, args, target)
        check_after(overload, args, target)
        plan.refuse(args)
        prepare_target(target)
        device = device_of(overload, args) if elsewhere else None
        record(overload, plan, args, [target], False, device)
        mark_pending(target)
        return target

    return call


def _defer_out(overload: Overload, elsewhere: bool) -> Call:
    def call(*args: Any) -> Any:
        plan, inputs, targets = prepare_out(overload, args)
        for t in targets:
            refuse_overlap(t)
            prepare_target(t)
        device = device_of(overload, args) if elsewhere else None
        many = len(targets) > 1
        record(overload, plan, inputs, targets, many, device)
        for t in targets:
            mark_pending(t)
        return tuple(targets) if many else targets[0]

    return call


# On the NPU ---------------------------------------------------------------------------------------


class Failure:
    """Stands as ``pending`` on the results of a queued kernel that failed: reading raises."""

    __slots__ = ("error",)
    done = False

    def __init__(self, error: BaseException) -> None:
        self.error = error

    @property
    def pipeline(self) -> Failure:
        """Whom a reader asks to settle it."""
        return self

    def settle(self, entry: Any) -> None:
        """Raise the kernel's error."""
        raise self.error.with_traceback(None)


class OnStream:
    """What the flush runs: it queues *launch* on the stream that was current when recording."""

    __slots__ = ("launch", "queue", "site", "sources", "storages")

    def __init__(
        self, launch: Launch, device: Device, tensors: list[Tensor], storages: list[Any], site: Any
    ) -> None:
        self.launch, self.storages, self.site = launch, storages, site
        self.queue = npu_backend.current_queue(device.index)
        self.sources = [t._shared_.storage for t in tensors if t._shared_ is not None]

    def __call__(self) -> None:
        self.queue.enqueue(self._on_device, (), self.launch.name, self.site)

    def _on_device(self) -> None:
        for source in self.sources:
            if source is not None and type(source.pending) is Failure:
                self._give_up(source.pending)
                return
        try:
            self.launch()
        except Exception as error:
            self._give_up(Failure(error))
            raise

    def _give_up(self, failure: Failure) -> None:
        for storage in self.storages:
            storage.pending = failure
        mark_unreliable(self.storages)
