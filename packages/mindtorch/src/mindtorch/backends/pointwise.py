"""Calls of a ufunc over tensors of one shape and dtype on an NPU.

On a stream that has nothing to do a ufunc runs at once, as on the cpu, unless it looks at much.
Over a few elements numpy keeps the interpreter's lock, so that no other kernel of the stream can
come in between; for more the stream is held. What has to wait, its memory is booked first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np
from mindtorch_npu import thread_state
from mindtorch_npu.backend import AT_ONCE, current_queue, launch_safe

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core import signature as S
from ..core.signature import DIM_SIG, ZERO_SIG
from ..tensor import Tensor, blank
from .costs import weight_of
from .launch_text import LITTLE, MEDIUM, TINY, written

__all__ = [
    "own_function",
    "pointwise_one",
    "pointwise_two",
    "store_result",
    "writing",
]

#: Little memory has no more numbers of so many bytes each.
_WIDE = LITTLE // TINY


def _lowest(*values: Any) -> Any:
    return np.minimum(*values[:-1], out=values[-1])


def _highest(*values: Any) -> Any:
    return np.maximum(*values[:-1], out=values[-1])


#: These two no longer take their result by position.
_BY_KEYWORD = {np.minimum: _lowest, np.maximum: _highest}


def writing(ufunc: Any) -> Any:
    """*ufunc* as a function that takes its result as the last argument."""
    return _BY_KEYWORD.get(ufunc, ufunc)


_empty = np.empty
_state = thread_state.tls


class _Whole(NamedTuple):
    """What a result looks like."""

    shape: tuple[int, ...]
    size: int


@lru_cache(4096)
def _broadcast(shape: tuple[int, ...], other: tuple[int, ...]) -> _Whole:
    """Of two operands. Raises ValueError."""
    whole = np.broadcast_shapes(shape, other)
    return _Whole(whole, prod(whole))


def careful_with(ufunc: Any, most: int) -> Any:
    """*ufunc* of two arrays; it raises ValueError where an outer product has more numbers.

    Who looks at shapes first takes a tenth longer, so that is done where there was such a case.
    """

    def careful(x: Any, y: Any) -> Any:
        shape, other = x.shape, y.shape
        if shape != other and _broadcast(shape, other).size > most:
            raise ValueError("an outer product")
        return ufunc(x, y)

    return careful


def with_rest(call: Call, overload: Overload, operands: int, general: Call) -> Call:
    """*call*, which takes the tensors only, with the other arguments too."""
    defaults = overload.defaults[operands:]
    if not defaults:
        return call
    if operands == 1:

        def whole(a: Any, *extra: Any) -> Any:
            return call(a) if extra == defaults else general(a, *extra)

    else:

        def whole(a: Any, b: Any, *extra: Any) -> Any:
            if extra == defaults and extra[0] is not True:  # which equals 1
                return call(a, b)
            return general(a, b, *extra)

    return whole


@dataclass(slots=True)
class Rest:
    """What calls need now and then, in one: see ``launch_text``."""

    slowly: Call
    #: Operands of more bytes are much.
    most: int = 0
    general: Call | None = None
    defaults: tuple[Any, ...] = ()
    #: Results of few numbers take no more bytes.
    little: int = 0
    careful: Call | None = None
    #: So many numbers are much, and so many bytes.
    many: int = 0
    much: int = 0
    careful_with_much: Call | None = None
    #: Keeps the error of a kernel that wrote in place.
    failed: Call | None = None


#: Of narrow numbers many go into little memory.
_NARROW = "a._a.size <= TINY"

_FEW = """
    out = kernel(OPERANDS)
    HOLD_FEW
    SIZE
    alias.lane = lane
    TAKE
"""
_ONE = """
    def call(a):
        lane = a._shared.lane
        SHORTLY
        LAUNCH
"""
_of_one, _of_one_narrow = [
    written("kernel, sig, rest", _ONE, few=_FEW, sparse=sparse) for sparse in ("True", _NARROW)
]

# Of two operands the lane is asked before anything is computed: what is still queued may be an
# operand's numbers.

_TWO = """
    def call(a, b):
        nonlocal few, kernel
        lane = a._shared.lane
        SHORTLY
        other = b._shared.lane
        if other is not lane and other.index != lane.index:
            return rest.general(a, b, *rest.defaults)
        if LARGE:
            whole = a._a
            if whole.shape != b._a.shape:
                try:
                    whole = broadcast(whole.shape, b._a.shape)
                except ValueError:
                    return rest.general(a, b, *rest.defaults)
            if whole.size > rest.many:
                return rest.slowly(a, b, current_queue(lane.index))
        LAUNCH
"""
_FEW_OF_TWO = """
    try:
        out = few(OPERANDS)
    except ValueError:  # shapes do not broadcast, or to too much
        pass
    else:
        HOLD_FEW
        nbytes = out.nbytes
        if nbytes <= LITTLE:
            TAKE
        # An outer product: the stream has to be held. The next one is told in time.
        few = rest.careful
"""
#: Of narrow results many are little memory too.
_FEW_TO_NARROW = """
    try:
        out = few(OPERANDS)
    except ValueError:
        pass
    else:
        nbytes = out.nbytes
        if nbytes > rest.little:
            few = rest.careful
        else:
            MAKE
            TAKE
"""
_SAME = "b._shared.lane is lane"
_LARGE = "lane is lane.large or other is lane.large"


_of_two, _of_two_to_narrow, _of_two_narrow = [
    written(
        "kernel, sig, few, rest",
        _TWO.replace("LARGE", large),
        same=same,
        sparse=sparse,
        much="False",
        few=few,
        after="""
            if nbytes > rest.much:
                kernel = rest.careful_with_much
        """,
        operands="a._a, b._a",
        slowly="rest.slowly(a, b, queue)",
        broadcast=_broadcast,
        current_queue=current_queue,
    )
    for few, same, sparse, large in (
        (_FEW_OF_TWO, _SAME, "True", _LARGE),
        (_FEW_TO_NARROW, _SAME, "True", _LARGE),
        (_FEW_TO_NARROW, f"{_SAME} and a._a.nbytes <= {MEDIUM // 4}", _NARROW, "True"),
    )
]

_WITH_NUMBER = """
    def call(a, b):
        if not isinstance(a, Tensor):
            return rest.general(a, b, *rest.defaults)
        y = numbers(b)
        lane = a._shared.lane
        SHORTLY
        LAUNCH
"""
_of_number = written(
    "kernel, sig, numbers, rest",
    _WITH_NUMBER,
    few=_FEW,
    sparse=_NARROW,
    operands="a._a, y",
    Tensor=Tensor,
)

# Given no array to write into, a ufunc makes none of 0-d ones.

_of_one_zero = written(
    "kernel, sig, dtype, rest",
    _ONE,
    few=_FEW,
    operands="a._a, empty((), dtype)",
    slowly="rest.slowly(lane, queue, a._a, a._a)",
    empty=_empty,
)

_of_two_zero = written(
    "kernel, sig, dtype, rest",
    """
    def call(a, b):
        lane = a._shared.lane
        SHORTLY
        if b._shared.lane.index != lane.index:
            return rest.general(a, b, *rest.defaults)
        LAUNCH
    """,
    same=_SAME,
    few=_FEW,
    operands="a._a, b._a, empty((), dtype)",
    slowly="rest.slowly(a, b, queue)",
    empty=_empty,
)

_of_number_zero = written(
    "kernel, sig, dtype, numbers, rest",
    _WITH_NUMBER,
    few=_FEW,
    operands="a._a, y, empty((), dtype)",
    slowly="rest.slowly(lane, queue, a._a, a._a, y)",
    Tensor=Tensor,
    empty=_empty,
)

#: A function of the row's own, which may fail, and let other threads run however few the numbers.
_of_own = written(
    "kernel, sig, rest",
    """
    def call(a):
        lane = a._shared.lane
        SHORTLY
        LAUNCH
    """,
    sparse="False",
    refused="out is None or out.base is not None",
    slowly="rest.slowly(lane, queue, a._a)",
)


def pointwise_one(
    ufunc: Any,
    before: tuple[Any, ...],
    overload: Overload,
    np_dtype: Any,
    out_dtype: Any,
    general: Call,
    zero_dim: bool,
    astray: bool,
) -> Call:
    """``ufunc(*before, a)``; *zero_dim*: of a 0-d tensor.

    *astray*: for threads that have probably left their default streams.
    """
    kernel = partial(ufunc, *before) if before else ufunc
    rest = Rest(*booking(ufunc, before, overload, np_dtype, out_dtype))
    sig = DIM_SIG[out_dtype.num] | S.NPU
    if zero_dim:
        sig = ZERO_SIG[out_dtype.num] | S.NPU
        call = _of_one_zero[astray](partial(writing(ufunc), *before), sig, out_dtype, rest)
    elif np_dtype.itemsize < _WIDE:
        call = _of_one_narrow[astray](kernel, sig, rest)
    else:
        call = _of_one[astray](kernel, sig, rest)
    return with_rest(call, overload, 1, general)


def booking(
    ufunc: Any, before: tuple[Any, ...], overload: Overload, np_dtype: Any, out_dtype: Any
) -> tuple[Any, int]:
    """What launches a kernel that has to wait, or looks at many bytes; how many are not many.

    It takes a lane, the stream, what has the result's shape and size, and the operands.
    """
    name, weight = overload.name, np_dtype.itemsize * weight_of(ufunc)
    queued = writing(ufunc)
    out_item = out_dtype.itemsize
    dim_sig, zero_sig = DIM_SIG[out_dtype.num] | S.NPU, ZERO_SIG[out_dtype.num] | S.NPU

    def slowly(lane: Any, queue: Any, whole: Any, *operands: Any) -> Any:
        size, shape = whole.size, whole.shape
        alias = lane.book(queue, size * out_item)
        r = blank()
        r._shared = alias
        r._a = alias.owner = out = _empty(shape, out_dtype)
        launch_safe(queue, queued, (*before, *operands, out), name, size * weight)
        r._sig = dim_sig if shape else zero_sig
        r._edge = r._state = None
        return r

    return slowly, AT_ONCE // weight_of(ufunc)


def pointwise_two(
    ufunc: Any,
    overload: Overload,
    np_dtype: Any,
    out_dtype: Any,
    numbers: Any,
    general: Call,
    zero_dim: bool,
    astray: bool,
) -> Call:
    """``ufunc(a, b)``; *numbers*, if not None, makes an array of the number that is ``b``."""
    slowly, most = booking(ufunc, (), overload, np_dtype, out_dtype)
    defaults = overload.defaults[2:]
    rest = Rest(slowly, most, general, defaults)
    sig = (ZERO_SIG if zero_dim else DIM_SIG)[out_dtype.num] | S.NPU
    if numbers is not None:
        if zero_dim:
            call = _of_number_zero[astray](writing(ufunc), sig, out_dtype, numbers, rest)
        else:
            call = _of_number[astray](ufunc, sig, numbers, rest)
        return with_rest(call, overload, 2, general)

    def any_shape(a: Any, b: Any, queue: Any) -> Any:
        x, y, whole = a._a, b._a, a._a
        if x.shape != y.shape:
            try:
                whole = _broadcast(x.shape, y.shape)
            except ValueError:
                return general(a, b, *defaults)
        return slowly(a._shared.lane, queue, whole, x, y)

    rest.slowly = any_shape
    if zero_dim:
        call = _of_two_zero[astray](writing(ufunc), sig, out_dtype, rest)
    else:
        make = _of_two if out_dtype.itemsize >= _WIDE else _of_two_to_narrow
        if np_dtype.itemsize < _WIDE:
            make = _of_two_narrow
        rest.little = min(LITTLE, TINY * out_dtype.itemsize)
        rest.careful = careful_with(ufunc, TINY)
        rest.many = most // np_dtype.itemsize
        rest.much = rest.many * out_dtype.itemsize
        rest.careful_with_much = careful_with(ufunc, rest.many)
        call = make[astray](ufunc, sig, ufunc, rest)
    return with_rest(call, overload, 2, general)


def own_function(
    overload: Overload, np_dtype: Any, run: Any, general: Call, astray: bool
) -> Call | None:
    """The row's function of one array, which makes its result: of one shape, or a 0-d one."""
    probe = run(np.ones((2,), np_dtype))
    if probe.shape not in ((), (2,)):
        return None
    name, shaped, dtype = overload.name, bool(probe.shape), probe.dtype
    dim_sig, zero_sig = DIM_SIG[dtype.num] | S.NPU, ZERO_SIG[dtype.num] | S.NPU
    item = dtype.itemsize
    weight = 4

    def slowly(lane: Any, queue: Any, x: Any) -> Any:
        shape = x.shape if shaped else ()
        alias = lane.book(queue, x.size * item if shaped else item)
        out = _empty(shape, dtype)
        launch_safe(queue, store_result, (run, out, x), name, x.nbytes * weight)
        r = blank()
        r._a = alias.owner = out
        r._sig = dim_sig if shape else zero_sig
        r._shared = alias
        r._edge = r._state = None
        return r

    call = _of_own[astray](run, dim_sig if shaped else zero_sig, Rest(slowly, AT_ONCE // weight))
    return with_rest(call, overload, 1, general)


def store_result(run: Any, target: Any, *values: Any) -> None:
    np.copyto(target, run(*values))
