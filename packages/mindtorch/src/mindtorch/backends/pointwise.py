"""Calls of a ufunc over tensors of one shape and dtype on an NPU.

Memory is booked first: what does not fit there is not computed. A ufunc over a few elements, on a
stream that has nothing to do, then runs at once, as on the cpu: numpy keeps the interpreter's lock
for so few, so that no other kernel of the stream can come in between.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from mindtorch_npu import runtime
from mindtorch_npu.backend import launch_safe
from mindtorch_npu.runtime import bound_queue

from .. import signature as S
from ..calls import Call, leads
from ..ops.overload import Overload
from ..signature import DIM_SIG, ZERO_SIG
from ..tensor import Tensor

__all__ = ["TINY", "pointwise_one", "pointwise_two", "weight_of", "writing"]

#: numpy gives the interpreter's lock away for more elements.
TINY = 500


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


_new = object.__new__
_empty = np.empty
_state = runtime.tls


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


def pointwise_one(
    ufunc: Any,
    before: tuple[Any, ...],
    overload: Overload,
    np_dtype: Any,
    out_dtype: Any,
    general: Call,
) -> Call:
    """``ufunc(*before, a)``."""
    name, weight = overload.name, weight_of(ufunc)
    queued, at_once = writing(ufunc), partial(ufunc, *before) if before else ufunc
    item, out_item = np_dtype.itemsize, out_dtype.itemsize
    dim_sig, zero_sig = DIM_SIG[out_dtype.num] | S.NPU, ZERO_SIG[out_dtype.num] | S.NPU

    def call(a: Any) -> Any:
        x = a._a
        book, index = a._shared.lane
        try:
            queue = _state.queues[index]
        except IndexError:
            queue = bound_queue(index)
        size = x.size
        alias = book(queue, size * out_item)
        r = _new(Tensor)
        r._shared = alias
        if size <= TINY and x.ndim and not queue.entries and not queue.special:
            r._a = alias.owner = at_once(x)
            r._sig = dim_sig
        else:
            shape = x.shape
            r._a = alias.owner = out = _empty(shape, out_dtype)
            launch_safe(queue, queued, (*before, x, out), name, size * item * weight)
            r._sig = dim_sig if shape else zero_sig
        r._edge = r._state = None
        return r

    return with_rest(call, overload, 1, general)


def pointwise_two(
    ufunc: Any,
    overload: Overload,
    np_dtype: Any,
    out_dtype: Any,
    numbers: Any,
    general: Call,
) -> Call:
    """``ufunc(a, b)``; *numbers*, if not None, makes an array of the number that is ``b``."""
    name, defaults, weight = overload.name, overload.defaults[2:], weight_of(ufunc)
    queued = writing(ufunc)
    item, out_item = np_dtype.itemsize, out_dtype.itemsize
    dim_sig, zero_sig = DIM_SIG[out_dtype.num] | S.NPU, ZERO_SIG[out_dtype.num] | S.NPU

    def call(a: Any, b: Any) -> Any:
        if numbers is None:
            x = a._a
            y = b._a
            lane = a._shared.lane
            shape = x.shape
            if shape != y.shape or b._shared.lane is not lane:
                return general(a, b, *defaults)
        else:
            if not isinstance(a, Tensor):
                return general(a, b, *defaults)
            x = a._a
            y = numbers(b)
            lane = a._shared.lane
            shape = x.shape
        book, index = lane
        try:
            queue = _state.queues[index]
        except IndexError:
            queue = bound_queue(index)
        size = x.size
        alias = book(queue, size * out_item)
        r = _new(Tensor)
        r._shared = alias
        if size <= TINY and shape and not queue.entries and not queue.special:
            r._a = alias.owner = ufunc(x, y)
            r._sig = dim_sig
        else:
            r._a = alias.owner = out = _empty(shape, out_dtype)
            launch_safe(queue, queued, (x, y, out), name, size * item * weight)
            r._sig = dim_sig if shape else zero_sig
        r._edge = r._state = None
        return r

    return with_rest(call, overload, 2, general)
