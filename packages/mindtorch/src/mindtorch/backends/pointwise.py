"""Calls of a ufunc over tensors of one shape and dtype on an NPU.

Memory is booked first: what does not fit there is not computed. A ufunc over a few elements, on a
stream that has nothing to do, then runs at once, as on the cpu: numpy keeps the interpreter's lock
for so few, so that no other kernel of the stream can come in between.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np
from mindtorch_npu import runtime
from mindtorch_npu.backend import AT_ONCE, BUSY, call_site, launch_safe
from mindtorch_npu.runtime import bound_queue

from .. import signature as S
from ..calls import Call, leads
from ..ops.overload import Overload
from ..signature import DIM_SIG, ZERO_SIG
from ..tensor import Tensor, blank
from .fastpath import numbers_as, uniform_case
from .held import LITTLE, ending_in_hold
from .memory import UNBOOKED

__all__ = [
    "TINY",
    "in_place",
    "own_function",
    "pointwise_one",
    "pointwise_two",
    "store_result",
    "weight_of",
    "writing",
]

#: numpy gives the interpreter's lock away for more elements.
TINY = 500
#: Little memory has no more numbers of so many bytes each.
_WIDE = LITTLE // TINY


def _lowest(*values: Any) -> None:
    np.minimum(*values[:-1], out=values[-1])


def _highest(*values: Any) -> None:
    np.maximum(*values[:-1], out=values[-1])


#: These two no longer take their result by position.
_BY_KEYWORD = {np.minimum: _lowest, np.maximum: _highest}


def writing(ufunc: Any) -> Any:
    """*ufunc* as a function that takes its result as the last argument."""
    return _BY_KEYWORD.get(ufunc, ufunc)


#: One pass over memory costs what the memory costs.
_CHEAP = {np.add, np.subtract, np.multiply, np.minimum, np.maximum, np.negative, np.absolute}
_CHEAP |= {np.positive, np.divide, np.equal, np.less, np.greater, np.square, np.sqrt}


def weight_of(ufunc: Any) -> int:
    """By how much more than its bytes a ufunc costs."""
    return 1 if ufunc in _CHEAP else 16


_empty = np.empty
_state = runtime.tls
_strayed = runtime.strayed


class _Whole(NamedTuple):
    """What a result looks like."""

    shape: tuple[int, ...]
    size: int


@lru_cache(4096)
def _broadcast(shape: tuple[int, ...], other: tuple[int, ...]) -> _Whole:
    """Of two operands. Raises ValueError."""
    whole = np.broadcast_shapes(shape, other)
    return _Whole(whole, prod(whole))


def careful_with(ufunc: Any) -> Any:
    """*ufunc* of two arrays; it raises ValueError where more than few numbers would come of them.

    Who looks at shapes first takes a tenth longer, so that is done where there was such a case.
    """

    def careful(x: Any, y: Any) -> Any:
        shape, other = x.shape, y.shape
        if shape != other and _broadcast(shape, other).size > TINY:
            raise ValueError("an outer product")
        return ufunc(x, y)

    return careful


def with_rest(call: Call, overload: Overload, operands: int, general: Call) -> Call:
    """*call*, which takes the tensors only, with the other arguments too."""
    defaults = overload.defaults[operands:]
    if not defaults:
        return leads(call)
    if operands == 1:

        def whole(a: Any, *extra: Any) -> Any:
            return call(a) if extra == defaults else general(a, *extra)

    else:

        def whole(a: Any, b: Any, *extra: Any) -> Any:
            if extra == defaults and extra[0] is not True:  # which equals 1
                return call(a, b)
            return general(a, b, *extra)

    whole.leading = call  # type: ignore[attr-defined]
    return whole


_ONE = (
    "run, sig, tiny, queue",
    """
    def call(a):
        lane = a._shared.lane
        if lane.busy or strayed:
            x = a._a
            if lane.queued or strayed or x.nbytes > tiny:
                return queue(lane, x, x)
            if x.nbytes <= LITTLE:
                lane = lane.little
        out = run(a._a)
    """,
)
_of_one = ending_in_hold(*_ONE)
_of_one_alike = ending_in_hold(*_ONE, sized="out.nbytes")

#: Of numbers of which many go into little memory.
_of_one_narrow = ending_in_hold(
    "run, sig, tiny, queue",
    """
    def call(a):
        x = a._a
        lane = a._shared.lane
        if lane.queued or strayed or x.nbytes > tiny:
            return queue(lane, x, x)
        out = run(x)
    """,
)

_of_two = ending_in_hold(
    "run, sig, most, careful, seldom",
    """
    def call(a, b):
        nonlocal run
        lane = a._shared.lane
        # Asked before anything is computed: what is still queued may be an operand's numbers.
        if b._shared.lane is not lane or lane.busy or strayed:
            return seldom(a, b)
        try:
            out = run(a._a, b._a)
        except ValueError:  # shapes do not broadcast, or to too much
            return seldom(a, b)
        nbytes = out.nbytes
        # An outer product, which goes to the stream. The next one is told before it is made.
        if nbytes > most:
            run = careful
            return seldom(a, b)
    """,
    sized="nbytes",
)

_of_any_two = ending_in_hold(
    "run, sig, most, queue, general, defaults",
    """
    def call(a, b):
        lane, x, y = a._shared.lane, a._a, b._a
        if lane.index != b._shared.lane.index:
            return general(a, b, *defaults)
        whole = x
        if x.shape != y.shape:
            try:
                whole = broadcast(x.shape, y.shape)
            except ValueError:
                return general(a, b, *defaults)
        if lane.queued or strayed or whole.size > most:
            return queue(lane, whole, x, y)
        out = run(x, y)
    """,
    broadcast=_broadcast,
)

_of_own = ending_in_hold(
    "run, sig, tiny, seldom",
    """
    def call(a):
        x = a._a
        lane = a._shared.lane
        if lane.queued or strayed or lane.busy and x.nbytes > tiny:
            return seldom(a)
        try:
            out = run(x)
        except Exception:  # once more there, where it is kept
            return seldom(a)
        if out.base is not None:
            return seldom(a)
    """,
)

_of_number = ending_in_hold(
    "run, sig, most, queue, numbers, general, defaults",
    """
    def call(a, b):
        if not isinstance(a, Tensor):
            return general(a, b, *defaults)
        x = a._a
        y = numbers(b)
        lane = a._shared.lane
        if lane.queued or strayed or x.size > most:
            return queue(lane, x, x, y)
        out = run(x, y)
    """,
    Tensor=Tensor,
)


def pointwise_one(
    ufunc: Any,
    before: tuple[Any, ...],
    overload: Overload,
    np_dtype: Any,
    out_dtype: Any,
    general: Call,
    zero_dim: bool,
) -> Call:
    """``ufunc(*before, a)``; *zero_dim*: of a 0-d tensor."""
    at_once = partial(ufunc, *before) if before else ufunc
    dim_sig = DIM_SIG[out_dtype.num] | S.NPU
    tiny = TINY * np_dtype.itemsize
    queue = queueing(ufunc, before, overload, np_dtype, out_dtype)
    if zero_dim:

        def call_zero(a: Any) -> Any:
            return queue(a._shared.lane, a._a, a._a)

        return with_rest(call_zero, overload, 1, general)

    made = _of_one_narrow if np_dtype.itemsize < _WIDE else _of_one
    if np_dtype.itemsize >= _WIDE and out_dtype.itemsize <= np_dtype.itemsize:
        made = _of_one_alike
    return with_rest(made(at_once, dim_sig, tiny, queue), overload, 1, general)


def queueing(
    ufunc: Any, before: tuple[Any, ...], overload: Overload, np_dtype: Any, out_dtype: Any
) -> Any:
    """A function that launches on the current stream.

    It takes a lane, what has the result's shape and size, and the operands.
    """
    name, weight = overload.name, np_dtype.itemsize * weight_of(ufunc)
    queued = writing(ufunc)
    out_item = out_dtype.itemsize
    dim_sig, zero_sig = DIM_SIG[out_dtype.num] | S.NPU, ZERO_SIG[out_dtype.num] | S.NPU

    def queue(lane: Any, whole: Any, *operands: Any) -> Any:
        try:
            queue = _state.queues[lane.index]
        except IndexError:
            queue = bound_queue(lane.index)
        size, shape = whole.size, whole.shape
        alias = lane.book(queue, size * out_item)
        r = blank()
        r._shared = alias
        r._a = alias.owner = out = _empty(shape, out_dtype)
        if size <= TINY and not queue.entries and not queue.special:
            queued(*before, *operands, out)
        else:
            launch_safe(queue, queued, (*before, *operands, out), name, size * weight)
        r._sig = dim_sig if shape else zero_sig
        r._edge = r._state = None
        return r

    return queue


def pointwise_two(
    ufunc: Any,
    overload: Overload,
    np_dtype: Any,
    out_dtype: Any,
    numbers: Any,
    general: Call,
    zero_dim: bool,
) -> Call:
    """``ufunc(a, b)``; *numbers*, if not None, makes an array of the number that is ``b``."""
    defaults = overload.defaults[2:]
    dim_sig = DIM_SIG[out_dtype.num] | S.NPU
    most = -1 if zero_dim else TINY
    queue = queueing(ufunc, (), overload, np_dtype, out_dtype)

    if numbers is None:
        call = _of_any_two(ufunc, dim_sig, most, queue, general, defaults)
        if np_dtype.itemsize >= _WIDE and not zero_dim:
            most_bytes = min(LITTLE, TINY * out_dtype.itemsize)
            call = _of_two(ufunc, dim_sig, most_bytes, careful_with(ufunc), call)
    else:
        call = _of_number(ufunc, dim_sig, most, queue, numbers, general, defaults)
    return with_rest(call, overload, 2, general)


def in_place(overload: Overload, sig: int, slow: Call) -> Call | None:
    """``a = ufunc(a)`` or ``a = ufunc(a, b)`` in the memory of ``a``, the version counted.

    *slow* does the same.
    """
    case = uniform_case(overload, sig)
    if (
        UNBOOKED
        or sig & (S.STRIDED | S.PENDING | S.LAZY | S.DEFER | S.NO_MEMORY)
        or sig & S.BACKENDS != S.NPU
        or case is None
        or case.result is not case.dtype
        or case.zero_dim
    ):
        return None
    name, defaults, weight = overload.name, overload.defaults[2:], weight_of(case.ufunc)
    ufunc = writing(case.ufunc)
    if case.operands == 1:
        return _in_place_one(ufunc, overload, weight, slow)
    numbers = numbers_as(case.dtype.np) if sig & S.NUMBERS else None

    def call(a: Any, b: Any) -> Any:
        x = a._a
        alias = a._shared
        lane = alias.lane
        if numbers is None:
            y = b._a
            other = b._shared
            if (
                x.shape != y.shape
                or other.lane.index != lane.index
                or (other is alias and a is not b)
            ):
                return slow(a, b, *defaults)
        elif isinstance(b, Tensor):
            return slow(a, b, *defaults)
        else:
            y = numbers(b)
        try:
            queue = _state.queues[lane.index]
        except IndexError:
            queue = bound_queue(lane.index)
        if x.size <= TINY and not queue.entries and not queue.special:
            ufunc(x, y, x)
        else:
            launch_safe(queue, ufunc, (x, y, x), name, x.nbytes * weight)
        alias.value += 1
        return a

    return with_rest(call, overload, 2, slow)


def _in_place_one(ufunc: Any, overload: Overload, weight: int, slow: Call) -> Call:
    name = overload.name

    def call(a: Any) -> Any:
        x, alias = a._a, a._shared
        index = alias.lane.index
        try:
            queue = _state.queues[index]
        except IndexError:
            queue = bound_queue(index)
        if x.size <= TINY and not queue.entries and not queue.special:
            ufunc(x, x)
        else:
            launch_safe(queue, ufunc, (x, x), name, x.nbytes * weight)
        alias.value += 1
        return a

    return with_rest(call, overload, 1, slow)


def own_function(overload: Overload, np_dtype: Any, run: Any, general: Call) -> Call | None:
    """The row's function of one array, which makes its result: of one shape, or a 0-d one."""
    probe = run(np.ones((2,), np_dtype))
    if probe.shape not in ((), (2,)):
        return None
    name, shaped, dtype = overload.name, bool(probe.shape), probe.dtype
    dim_sig, zero_sig = DIM_SIG[dtype.num] | S.NPU, ZERO_SIG[dtype.num] | S.NPU
    sig = dim_sig if shaped else zero_sig
    item = dtype.itemsize
    tiny = TINY * np_dtype.itemsize

    def seldom(a: Any) -> Any:
        x = a._a
        lane = a._shared.lane
        try:
            queue = _state.queues[lane.index]
        except IndexError:
            queue = bound_queue(lane.index)
        shape = x.shape if shaped else ()
        alias = lane.book(queue, x.size * item if shaped else item)
        out = BUSY
        cost = x.nbytes * 4
        if cost <= AT_ONCE:
            try:
                out = queue.compute(run, x)
            except Exception as error:
                queue.keep_error(error, name, call_site(2))
                out = _empty(shape, dtype)
        if out is BUSY or out.shape != shape or out.base is not None:
            made, out = out, _empty(shape, dtype)
            if made is BUSY:
                launch_safe(queue, store_result, (run, out, x), name, cost)
            else:
                np.copyto(out, made)
        r = blank()
        r._a = alias.owner = out
        r._sig = dim_sig if shape else zero_sig
        r._shared = alias
        r._edge = r._state = None
        return r

    return with_rest(_of_own(run, sig, tiny, seldom), overload, 1, general)


def store_result(run: Any, target: Any, *values: Any) -> None:
    np.copyto(target, run(*values))
