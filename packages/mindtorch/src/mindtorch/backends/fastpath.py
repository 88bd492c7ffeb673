"""Calls compiled for the common case: host memory, contiguous, one dtype.

Each maker returns None where its conditions do not hold; the general path then serves. The
results are the same to the bit and the stride; tests run every row through both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage import bool as bool_dtype

from ..call.dispatch_entry import Call, Direct
from ..call.overload import FUNCTIONAL, Overload
from ..core import signature as S
from ..core.late_bound import LateBound
from ..tensor import Tensor, blank
from .plan import Plan, numbers_as, promoted

_ndarray = np.ndarray
#: Where none of the makers here serves.
functional_call = LateBound("functional_call")


def fast_call(overload: Overload, sig: int) -> Call | None:
    """A direct call of the row's ufunc, if *sig* is the common case."""
    if sig & (S.PENDING | S.LAZY | S.NPU | S.META | S.DEFER | S.SCARCE):
        return None
    if overload.kind != FUNCTIONAL:
        return None
    if sig & S.STRIDED:
        return None
    if overload.row.fast is not None:
        return _special(overload, sig)
    if overload.row.ufunc is None:
        return None
    case = uniform_case(overload, sig)
    if case is None:
        return None
    ufunc, n, dtype, result, zero_dim, out_sig, plan = case
    slow = _slow(plan)
    if sig & S.NUMBERS:
        return _with_number(ufunc, overload, dtype, out_sig, result, slow) if n == 2 else None
    if n == 1:
        return _unary(ufunc, overload, out_sig, result, zero_dim, slow)
    return _binary(ufunc, overload, out_sig, result, zero_dim, slow)


class Uniform(NamedTuple):
    """A ufunc over one or two contiguous operands of one dtype, in which it also computes."""

    ufunc: Any
    operands: int
    dtype: Any
    result: Any
    #: Whether all operands (and so the result) are 0-d.
    zero_dim: bool
    #: The signature of the result, on the cpu.
    out_sig: int
    plan: Plan


def uniform_case(overload: Overload, sig: int) -> Uniform | None:
    """What is to be run for *sig*, if it is the common case."""
    ufunc = overload.row.ufunc
    if ufunc is None or sig & S.SCARCE:
        return None
    promote = overload.row.promote
    if promote not in ("common", "bool", "float", "integral"):
        return None
    dims, zeros = S.dtypes_in(sig, S.DIM_SHIFT), S.dtypes_in(sig, S.ZERO_SHIFT)
    if len({*dims, *zeros}) != 1:
        return None
    dtype = (dims or zeros)[0]
    if promoted(sig) is not dtype or (promote == "float" and not dtype.is_floating_point):
        return None
    if dtype.name in ("float16", "bfloat16") and overload.row.half:
        return None
    n = len(overload.tensor_positions)
    if overload.tensor_positions != tuple(range(n)) or n not in (1, 2):
        return None
    plan = Plan(overload, sig)
    if not plan.accepts_defaults():
        return None
    result = bool_dtype if promote == "bool" else dtype
    zero_dim = not dims
    shift = S.ZERO_SHIFT if zero_dim else S.DIM_SHIFT
    out_sig = S.CPU | 1 << (shift + result.index)
    return Uniform(ufunc, n, dtype, result, zero_dim, out_sig, plan)


def _special(overload: Overload, sig: int) -> Call | None:
    """The row's own fast function of one float array."""
    dims, zeros = S.dtypes_in(sig, S.DIM_SHIFT), S.dtypes_in(sig, S.ZERO_SHIFT)
    if len(dims) != 1 or zeros or sig & S.NUMBERS or dims[0].name not in ("float32", "float64"):
        return None
    make = overload.row.fast
    assert make is not None
    run = make(dims[0].np)
    slow = _slow(Plan(overload, sig))
    if overload.tensor_positions == (0, 1):
        return _special_two(run, S.CPU | 1 << (S.DIM_SHIFT + dims[0].index), slow)
    # One look at what comes out: a full reduction gives 0-d results, pointwise ops keep the shape.
    probe = run(np.ones((2,), dims[0].np))
    out_sig = S.of_array(probe)
    one_step = Direct(run, 1, out_sig, probe.shape == (2,))
    defaults = overload.tail
    if not defaults:

        def call(a: Any) -> Any:
            r = blank()
            r._a = run(a._a)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return direct(call, one_step)
    default = defaults[0]

    def call_extra(a: Any, extra: Any = default, *more: Any) -> Any:
        if extra is not default or (more and more != defaults[1:]):
            return slow(a, extra, *more)
        r = blank()
        r._a = run(a._a)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return direct(call_extra, one_step)


def _special_two(run: Any, out_sig: int, slow: Call) -> Call:
    """The same of two arrays of one shape, with the other arguments as they come."""

    def call(a: Any, b: Any, *extra: Any) -> Any:
        x, y = a._a, b._a
        if x.shape != y.shape:
            return slow(a, b, *extra)
        r = blank()
        r._a = run(x, y, *extra)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    call.direct = Direct(run, 2, out_sig, False, True)  # type: ignore[attr-defined]
    return call


def direct(call: Call, one_step: Direct) -> Call:
    """Mark *call* as one function of arrays, which a recording call may run itself."""
    call.direct = one_step  # type: ignore[attr-defined]
    return call


def _slow(plan: Plan) -> Call:
    call: Call = functional_call(plan)
    return call


def _extras_are_default(overload: Overload, n: int) -> tuple[Any, ...]:
    return tuple(overload.defaults[n:])


def _unary(
    ufunc: Any, overload: Overload, out_sig: int, result: Any, zero_dim: bool, slow: Call
) -> Call:
    defaults = _extras_are_default(overload, 1)
    np_dtype = result.np
    empty = np.empty

    def call_zero(a: Any, *extra: Any) -> Any:
        if extra and extra != defaults:
            return slow(a, *extra)
        r = blank()
        r._a = out = empty((), np_dtype)
        ufunc(a._a, out=out)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    if zero_dim:
        return call_zero
    if defaults:

        def call_extra(a: Any, *extra: Any) -> Any:
            if extra != defaults:
                return slow(a, *extra)
            r = blank()
            r._a = ufunc(a._a)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return call_extra

    def call(a: Any) -> Any:
        r = blank()
        r._a = ufunc(a._a)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return direct(call, Direct(ufunc, 1, out_sig, True))


def _binary(
    ufunc: Any, overload: Overload, out_sig: int, result: Any, zero_dim: bool, slow: Call
) -> Call:
    defaults = _extras_are_default(overload, 2)
    np_dtype = result.np
    empty = np.empty
    if zero_dim:

        def call_zero(a: Any, b: Any, *extra: Any) -> Any:
            if extra != defaults:
                return slow(a, b, *extra)
            r = blank()
            r._a = out = empty((), np_dtype)
            ufunc(a._a, b._a, out=out)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return call_zero
    if len(defaults) == 1:
        default = defaults[0]

        def call_one(a: Any, b: Any, extra: Any = default) -> Any:
            if extra is not default and (extra != default or type(extra) is bool):
                return slow(a, b, extra)
            r = blank()
            try:
                r._a = ufunc(a._a, b._a)
            except ValueError:  # shapes do not broadcast: the general path says it in torch's words
                return slow(a, b, extra)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return direct(call_one, Direct(ufunc, 2, out_sig, False))

    def call(a: Any, b: Any, *extra: Any) -> Any:
        if extra and extra != defaults:
            return slow(a, b, *extra)
        r = blank()
        try:
            r._a = ufunc(a._a, b._a)
        except ValueError:
            return slow(a, b, *(extra or defaults))
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return direct(call, Direct(ufunc, 2, out_sig, False))


def _with_number(
    ufunc: Any, overload: Overload, dtype: Any, out_sig: int, result: Any, slow: Call
) -> Call:
    defaults = _extras_are_default(overload, 2)
    np_dtype = dtype.np
    out_dtype = result.np
    empty = np.empty
    array = numbers_as(np_dtype)

    def call(a: Any, b: Any, *extra: Any) -> Any:
        if extra and extra != defaults:
            return slow(a, b, *extra)
        x = a._a if isinstance(a, Tensor) else array(a)
        y = b._a if isinstance(b, Tensor) else array(b)
        r = blank()
        shape = x.shape or y.shape
        if shape:
            r._a = ufunc(x, y)
        else:
            r._a = out = empty((), out_dtype)
            ufunc(x, y, out=out)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return call


def is_number(value: Any) -> bool:
    """Whether *value* is a plain int or float that every float dtype from float32 on has."""
    return (type(value) is float or type(value) is int) and -1e38 < value < 1e38
