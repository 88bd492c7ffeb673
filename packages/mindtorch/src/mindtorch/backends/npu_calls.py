"""The NPU's calls for what most programs do, compiled per op and signature.

Loaded when the first of them is needed: programs that stay on the host do without.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from mindtorch_dispatch import tls
from mindtorch_npu import thread_state
from mindtorch_npu.backend import AT_ONCE, BUSY, current_queue, launch_safe
from mindtorch_storage import get_default_dtype

from ..call.code import function
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.row import Out
from ..core import signature as S
from .costs import cost_of, weight_of
from .devices import device_of
from .held import lane_of, lanes
from .memory import Layout, fresh
from .npu import LAYOUTS, launch_quickly, run_plan
from .plan import Plan, numbers_as
from .pointwise import own_function, pointwise_one, pointwise_two, store_result
from .pointwise_into import into_first
from .uniform import Uniform, is_number, uniform_case


def quick_call(plan: Plan, general: Call) -> Call:
    """The shortest way to the same; *general* itself if there is none."""
    overload, sig = plan.overload, plan.sig
    if not sig & S.STRIDED:
        special = _special(overload, sig, general)
        if special is not None:
            return special
        case = uniform_case(overload, sig)
        if case is not None:
            return _uniform(overload, sig, case, general)
    return _known(plan, general) or general


def _known(plan: Plan, general: Call) -> Call | None:
    """The same where a layout of arguments was met before: what meta said of it still holds."""
    if plan.sig & S.NUMBERS:  # which have no lane
        return None
    if plan.overload.device_position >= 0:  # the tensors do not say where the result is
        return known_factory(plan, general)
    key_of = plan.layout_key()
    positions, lists = tuple(plan.positions), tuple(plan.lists)
    if key_of is None or not positions and not lists:
        return None
    if plan.sig & S.NUMBERS:  # which stand where tensors may, and lie in no lane
        return None
    arrays, outs, run = plan.arrays, plan.outs, plan.runner()(plan.kernel)
    lane_among = _lane_among(plan)
    only = -1  # where the only tensor is
    if len(positions) == 1 and not lists:
        only = -1 if "?" in str(plan.overload.schema.arguments[positions[0]].type) else positions[0]
    name, strayed = plan.overload.name, thread_state.strayed
    known: dict[Any, _Known] = {}

    def learn(key: Any, args: tuple[Any, ...]) -> Any:
        result = general(*args)
        out = outs(args)
        if len(known) >= LAYOUTS:
            known.clear()
        if type(out) is Out:
            layouts = [Layout(out)]
        elif isinstance(out, (tuple, list)) and all(type(o) is Out for o in out):
            layouts = [Layout(o) for o in out]
        else:
            return result
        known[key] = (
            layouts,
            type(out) is not Out,
            cost_of(plan, arrays(args), layouts),
            all(each.strides is None for each in layouts),
        )
        return result

    def call(*args: Any) -> Any:
        key = key_of(*args)
        try:
            found = known.get(key)
        except TypeError:  # not hashable
            return general(*args)
        if found is None:
            return learn(key, args)
        lane = args[only]._shared.lane if only >= 0 else lane_among(*args)
        if lane is None:
            return general(*args)  # which looks closer, and complains
        layouts, many, cost, usual = found
        try:
            queue = lane.here.queue if strayed else lane.queue
        except AttributeError:  # a new thread
            queue = current_queue(lane.index)
        entries = queue.entries
        if usual and cost <= AT_ONCE and not queue.busy:
            held = queue.held  # ``compute`` of the queue, written out
            try:
                entries.append(held)
                made = run(*args)
                if not many:
                    made = layouts[0].own(made)
                else:
                    pairs = zip(layouts, made, strict=True)
                    made = [each.own(array) for each, array in pairs]
            except Exception:  # once more below, where the error is kept
                made = BUSY
            finally:
                if queue.held is held:
                    entries.popleft()
            if made is not BUSY:
                hold = partial(lane.hold_on, queue) if strayed else lane.hold
                if not many:
                    return hold(made, layouts[0].sig)
                return tuple([hold(a, each.sig) for each, a in zip(layouts, made, strict=True)])
        device = lane.device
        results = [each.make(lane, queue, device) for each in layouts]
        targets = [r._a for r in results]
        launch_quickly(queue, run_plan, (plan, arrays(args), targets, many), name, cost)
        return tuple(results) if many else results[0]

    return call


#: What a layout of arguments gives: the results' layouts; whether there are several; what it costs;
#: whether all are laid out as a fresh tensor is.
_Known = tuple[list[Layout], bool, int, bool]


def _lane_among(plan: Plan) -> Call:
    """The lane of the first tensor among the arguments; None where others are on another device."""
    positions, lists = plan.positions, plan.lists
    names = ", ".join([f"a{i}" for i in range(plan.overload.arity)])
    first = f"a{positions[0]}" if positions else f"a{lists[0]}[0]"
    parts = [f"a{(positions or lists)[0]}", f"(lane := {first}._shared.lane)"]
    same = "{0} is None or {0}._shared.lane is lane or {0}._shared.lane.index == lane.index"
    parts += [f"({same.format(f'a{i}')})" for i in positions[1:]]
    parts += [f"all([{same.format('t')} for t in a{i} or ()])" for i in lists]
    checks = " and ".join([parts[0] + (" is not None" if positions else ""), *parts[1:]])
    found: Call = function(f"return lambda {names}: lane if {checks} else None", {})
    return found


#: Bytes that no host refuses to promise.
MUCH = 1 << 30


def known_factory(plan: Plan, general: Call, written: bool = True) -> Call | None:
    """The call of an op that says itself on which device, and draws no random numbers.

    *written*: by a kernel; else it only takes memory.
    """
    key_of = plan.layout_key()
    if key_of is None or plan.row.random or plan.lists:
        return None
    overload, at = plan.overload, plan.overload.device_position
    strayed, run = thread_state.strayed, plan.runner()(plan.kernel)
    reads = bool(plan.positions) and not plan.row.base.endswith("_like")
    known: dict[Any, Layout] = {}

    def make(layout: Layout, args: tuple[Any, ...]) -> Any:
        return layout.own(run(*args))

    def learn(key: Any, args: tuple[Any, ...]) -> Any:
        result = general(*args)
        out = plan.outs(args)
        if type(out) is Out:
            layout = Layout(out)
            # What takes long is queued; address space that the host may refuse is asked for first.
            cost = cost_of(plan, plan.arrays(args), [layout])
            little = cost <= AT_ONCE if written else layout.nbytes < MUCH
            if layout.strides is None and little:
                if len(known) >= LAYOUTS:
                    known.clear()
                known[key] = layout
        return result

    def call(*args: Any) -> Any:
        key = get_default_dtype(), key_of(*args)
        try:
            layout = known.get(key)
        except TypeError:  # not hashable
            return general(*args)
        if layout is None:
            return learn(key, args)
        lane = lanes.get(args[at]) or lane_of(device_of(overload, args))
        try:
            queue = lane.here.queue if strayed else lane.queue
        except AttributeError:  # a new thread
            queue = current_queue(lane.index)
        if not written:
            made = np.empty(layout.shape, layout.np_dtype)
        elif queue.busy:
            return general(*args)
        else:
            try:  # where no tensor is read the stream need not be held: nobody else could tell
                made = queue.compute(make, layout, args) if reads else make(layout, args)
            except Exception:
                made = BUSY
            if made is BUSY:
                return general(*args)
        return lane.hold_on(queue, made, layout.sig) if strayed else lane.hold(made, layout.sig)

    return call


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
        return own_function(overload, np_dtype, run, general, has_left(sig))
    return pointwise_one(
        run.func, run.args, overload, np_dtype, np_dtype, general, False, has_left(sig)
    )


def _uniform(overload: Overload, sig: int, case: Uniform, general: Call) -> Call:
    """A ufunc over one shape and dtype: it writes straight into the result's memory."""
    np_dtype, out_dtype = case.dtype.np, case.result.np
    rest = general, case.zero_dim, has_left(sig)
    if case.operands == 1:
        return pointwise_one(case.ufunc, (), overload, np_dtype, out_dtype, *rest)
    numbers = numbers_as(np_dtype) if sig & S.NUMBERS else None
    return pointwise_two(case.ufunc, overload, np_dtype, out_dtype, numbers, *rest)


def has_left(sig: int) -> bool:
    """Whether a call of this signature comes from a thread that says it left its default streams.

    Only a hint: a context that was copied says of another thread.
    """
    return bool(tls.extra(sig) & tls.STREAMED)


def quick_in_place(overload: Overload, sig: int, general: Call) -> Call | None:
    """A ufunc whose first operand is the result."""
    case = uniform_case(overload, sig)
    if case is None or case.operands != 2 or case.result is not case.dtype or case.zero_dim:
        return None
    into, name = overload.row.into, overload.name
    weight = weight_of(case.ufunc)
    rest = general
    if into is not None and case.dtype.name in ("float32", "float64") and not sig & S.NUMBERS:

        def rest(a: Any, b: Any, *extra: Any) -> Any:
            x, y = a._a, b._a
            lane, other = a._shared.lane, b._shared
            if (
                not is_number(extra[0])
                or x.shape != y.shape
                or other.lane.index != lane.index
                or (other is a._shared and a is not b)
            ):
                return general(a, b, *extra)
            queue = current_queue(lane.index)
            launch_safe(queue, into, (x, y, *extra), name, x.nbytes * weight)
            return a

    return into_first(overload, case, sig, rest, count=False)
