"""The NPU backend: memory from the caching allocator, kernels queued on the current stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_npu import backend as npu_backend
from mindtorch_npu import sync_debug, thread_state
from mindtorch_storage import Device

from ..call.arguments import tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.errors import no_numbers
from ..core.late_bound import LateBound
from ..tensor import Tensor
from .copies import between
from .costs import cost_of
from .devices import current_device, device_of, drawing_on
from .held import lane_of
from .launch import Launch
from .launching import Ways, at_once, build_launch, functional, own_memory, with_out
from .memory import UNBOOKED, Layout, adopt, allocate
from .overlap import checks, overlaps_itself, store_repeated
from .plan import Plan, in_place_check, store, store_all

#: Ops that only take memory: as on hardware no kernel runs, so they order nothing on a stream
#: and touch no page of the host's.
UNWRITTEN = frozenset("empty empty_like empty_strided new_empty new_empty_strided".split())

# The shortest calls, which are loaded when an NPU is used.
quick_call = LateBound("quick_call")
known_factory = LateBound("known_factory")
quick_in_place = LateBound("quick_in_place")

#: So many layouts of arguments are remembered per op and signature.
LAYOUTS = 512


def build_npu(overload: Overload, sig: int, mask: int) -> Call:
    """Queue the row's kernel on the current stream of the tensors' device."""
    return build_launch(overload, sig, _WAYS)


def _by_numbers(plan: Plan) -> Call:
    return at_once(plan, _wait_for_numbers) if plan.row.infer is None else _where_known(plan)


def _changing(plan: Plan) -> Call:
    in_place = _in_place(plan)
    return _counting_masks(in_place) if plan.row.base == "index_put" else in_place


def _fresh(plan: Plan) -> Call:
    if plan.row.base in UNWRITTEN:
        return _unwritten(plan)
    call = functional(plan)
    if plan.sig & (S.PENDING | S.LAZY) or plan.sig & S.BACKENDS != S.NPU or UNBOOKED:
        return call
    return quick_call(plan, call)


def _unwritten(plan: Plan) -> Call:
    overload = plan.overload

    def call(*args: Any) -> Any:
        device = device_of(overload, args)
        out = plan.outs(args)
        return allocate(tuple(out.shape), out.dtype.np, out.strides, device, written=False)

    if plan.sig & S.BACKENDS != S.NPU or UNBOOKED:
        return call
    return known_factory(plan, call, written=False) or call


def run(launch: Launch, device: Device) -> None:
    """Queue a launch on the current stream of *device*, or run it there at once."""
    cost = npu_backend.NEVER
    if launch.plan is not None:
        cost = cost_of(launch.plan, launch.values, [t for t in launch.targets if t is not None])
    launch_quickly(npu_backend.current_queue(device.index), launch, (), launch.name, cost)


def launch_quickly(queue: Any, run: Any, args: tuple[Any, ...], name: str, cost: int) -> None:
    """Run it at once if it costs little and nothing waits, else queue it.

    Who launched it is found out only if that may be asked.
    """
    if cost <= npu_backend.AT_ONCE:
        try:
            if queue.compute(run, *args) is not npu_backend.BUSY:
                return
        except Exception as error:
            queue.keep_error(error, name, npu_backend.call_site(3))
            return
    queue.enqueue(run, args, name, npu_backend.call_site(3))


def run_plan(plan: Plan, values: list[Any], targets: list[Any], many: bool) -> None:
    result = plan.compute_arrays(values)
    if many:
        store_all(targets, result)
    else:
        store(targets[0], result)


def _wait_for_numbers(name: str, device: Device) -> None:
    """Before the op *name* looks at numbers on *device*. Raises where there are none to look at."""
    if npu_backend.DRY:
        raise no_numbers(name)
    npu_backend.wait_current(device.index)


def _where_known(plan: Plan) -> Call:
    """The result's shape depends on data for some arguments only: masks, say, and not indexes."""
    overload, key_of = plan.overload, plan.layout_key()
    general = at_once(plan, _wait_for_numbers)
    # What lies on the host may be changed there before a queued kernel reads it.
    if key_of is None or plan.sig & S.BACKENDS != S.NPU:
        return general
    infer: Any = plan.row.infer
    run = plan.runner()(plan.kernel)
    name = overload.name
    #: By layouts: what was inferred, what it costs, and its layout if that is the usual one.
    known: dict[Any, tuple[Out | None, int, Layout | None]] = {}

    def learn(key: Any, args: tuple[Any, ...]) -> tuple[Out | None, int, Layout | None]:
        out = infer(*args)
        cost, usual = 0, None
        if out is not None:
            layout = Layout(out)
            _, *indices = tensors_of(overload, args)
            cost = 4 * (layout.nbytes + sum([t._a.nbytes for t in indices]))
            usual = None if UNBOOKED or layout.strides is not None else layout
        if len(known) >= LAYOUTS:
            known.clear()
        found = known[key] = out, cost, usual
        return found

    def make(layout: Layout, args: tuple[Any, ...]) -> Any:
        return layout.own(run(*args))

    def owned(arrays: list[Any], out: Any) -> Any:
        return own_memory(plan.compute_arrays(arrays), out)

    def call(*args: Any) -> Any:
        key = key_of(*args)
        out, cost, usual = known.get(key) or learn(key, args)
        if out is None:
            return general(*args)
        device = device_of(overload, args)
        queue = npu_backend.current_queue(device.index)
        if cost <= npu_backend.AT_ONCE and usual is not None:
            try:
                made = queue.compute(make, usual, args)
            except Exception:  # once more below, where the error is kept
                made = npu_backend.BUSY
            if made is not npu_backend.BUSY:
                result: Tensor = lane_of(device).hold_on(queue, made, usual.sig)
                return result
        arrays = plan.arrays(args)
        if cost <= npu_backend.AT_ONCE:
            try:
                computed = queue.compute(owned, arrays, out)
            except Exception as error:
                queue.keep_error(error, name, npu_backend.call_site(2))
                return allocate(tuple(out.shape), out.dtype.np, out.strides, device)
            if computed is not npu_backend.BUSY:
                return adopt(computed, device)
        result = allocate(tuple(out.shape), out.dtype.np, out.strides, device)
        queue.enqueue(run_plan, (plan, arrays, [result._a], False), name, npu_backend.call_site(2))
        return result

    return call


def _counting_masks(put: Call) -> Call:
    """What CUDA waits for where elements under a mask get a value each: how many there are."""

    def call(target: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Any:
        if sync_debug.mode and (accumulate or values._a.size != 1):
            if any(i is not None and i.dtype.name in ("bool", "uint8") for i in indices):
                sync_debug.notice()
        return put(target, indices, values, accumulate)

    return call


def _in_place(plan: Plan) -> Call:
    position = plan.overload.mutable_position
    overload = plan.overload
    name = overload.name
    before, after = checks(overload, plan.sig)
    numbers = plan.row.random or plan.sig & S.NUMBERS
    key_of = None if numbers else plan.layout_key()
    copies = overload.row.name == "copy_"  # which takes its source from another device, too
    known: dict[Any, int] = {}  # what layouts that fit cost
    others = [i for i in plan.positions if i != position]
    on_npus = plan.sig & S.BACKENDS == S.NPU and not UNBOOKED
    alike = on_npus and not (plan.lists or plan.row.random)
    strayed, run_now = thread_state.strayed, plan.runner()(plan.kernel)

    def learn(key: Any, args: tuple[Any, ...], target: Any) -> int:
        shape = target._a.shape
        in_place_check(plan, args, target)
        if plan.refuses is not None:
            after(args, target)  # which comes first
            plan.refuse(args)
        cost = cost_of(plan, plan.arrays(args), [target._a])
        if key is not None and target._a.shape == shape:  # ``addbmm_`` changes it
            if len(known) >= LAYOUTS:
                known.clear()
            known[key] = cost
        return cost

    def call(*args: Any) -> Any:
        target = args[position]
        before(args, target)
        key = None if key_of is None else key_of(*args)
        try:
            cost = known.get(key)
        except TypeError:  # not hashable
            key = cost = None
        if cost is None:
            cost = learn(key, args, target)
        after(args, target)
        if cost <= npu_backend.AT_ONCE and alike and not overlaps_itself(target):
            lane = target._shared.lane
            if is_on(lane.index, args, others):
                try:
                    queue = lane.here.queue if strayed else lane.queue
                except AttributeError:  # a new thread
                    queue = npu_backend.current_queue(lane.index)
                entries = queue.entries
                if not queue.busy:
                    held = queue.held  # ``compute`` of the queue, written out
                    try:
                        entries.append(held)
                        store(target._a, run_now(*args))
                    except Exception as error:
                        queue.keep_error(error, name, npu_backend.call_site(2))
                    finally:
                        if queue.held is held:
                            entries.popleft()
                    return target
        if copies and isinstance(args[1], Tensor) and target.device != args[1].device:
            between(target._a, args[1]._a, target.device, args[1].device)
            return target
        device = device_of(overload, args)
        queue = npu_backend.current_queue(device.index)
        values = plan.arrays(args)
        if overlaps_itself(target):
            launch_quickly(queue, store_repeated, (plan, values, target._a), name, cost)
            return target
        run = run_plan if not plan.row.random else drawing_on(device, args, run_plan)
        launch_quickly(queue, run, (plan, values, [target._a], False), name, cost)
        return target

    if plan.sig & (S.STRIDED | S.PENDING | S.LAZY) or not on_npus:
        return call
    return quick_in_place(overload, plan.sig, call) or call


def is_on(index: int, args: tuple[Any, ...], positions: Iterable[int]) -> bool:
    """Whether the tensors of NPUs at these places of a call are on the NPU *index*."""
    for i in positions:
        alias: Any = args[i]._shared if isinstance(args[i], Tensor) else None
        if alias is not None and alias.lane.index != index:
            return False
    return True


_WAYS = Ways(lambda overload: with_out(overload, _wait_for_numbers), _by_numbers, _changing, _fresh)
npu = boxed(build_npu)

__all__ = ["adopt", "allocate", "current_device", "device_of", "npu"]
