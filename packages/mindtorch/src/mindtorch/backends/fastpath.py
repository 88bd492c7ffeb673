"""Calls compiled for the common case: host memory, contiguous, one dtype.

Each maker returns None where its conditions do not hold; the general path then serves. The
results are the same to the bit and the stride; tests run every row through both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import bool as bool_dtype

from .. import signature as S
from ..calls import Call
from ..ops.overload import FUNCTIONAL, INPLACE, Overload
from ..tensor import Alias, Tensor
from .plan import Plan, number_array, promoted

_new = object.__new__
_ndarray = np.ndarray


def fast_call(overload: Overload, sig: int) -> Call | None:
    """A direct call of the row's ufunc, if *sig* is the common case."""
    ufunc = overload.row.ufunc
    if ufunc is None or sig & (S.STRIDED | S.PENDING | S.SPECIAL | S.NPU | S.META):
        return None
    overload.schema  # noqa: B018  (analyses on first use)
    if overload.kind not in (FUNCTIONAL, INPLACE):
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
    slow = _slow(plan)
    result = bool_dtype if promote == "bool" else dtype
    zero_dim = not dims
    if overload.kind == INPLACE:
        if result is not dtype or sig & S.NUMBERS:
            return None
        return _in_place(ufunc, n, overload, slow)
    shift = S.ZERO_SHIFT if zero_dim else S.DIM_SHIFT
    out_sig = S.CPU | 1 << (shift + result.index)
    if sig & S.NUMBERS:
        return _with_number(ufunc, overload, dtype, out_sig, result, slow) if n == 2 else None
    if n == 1:
        return _unary(ufunc, overload, out_sig, result, zero_dim, slow)
    return _binary(ufunc, overload, out_sig, result, zero_dim, slow)


def _slow(plan: Plan) -> Call:
    from .cpu import _functional
    from .cpu import _in_place as in_place

    return in_place(plan) if plan.overload.kind == INPLACE else _functional(plan)


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
        r = _new(Tensor)
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
            r = _new(Tensor)
            r._a = ufunc(a._a)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return call_extra

    def call(a: Any) -> Any:
        r = _new(Tensor)
        r._a = ufunc(a._a)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return call


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
            r = _new(Tensor)
            r._a = out = empty((), np_dtype)
            ufunc(a._a, b._a, out=out)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return call_zero
    if len(defaults) == 1:
        default = defaults[0]

        def call_one(a: Any, b: Any, extra: Any) -> Any:
            if extra is not default and extra != default:
                return slow(a, b, extra)
            r = _new(Tensor)
            try:
                r._a = ufunc(a._a, b._a)
            except ValueError:  # shapes do not broadcast: the general path says it in torch's words
                return slow(a, b, extra)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return call_one

    def call(a: Any, b: Any, *extra: Any) -> Any:
        if extra != defaults:
            return slow(a, b, *extra)
        r = _new(Tensor)
        try:
            r._a = ufunc(a._a, b._a)
        except ValueError:
            return slow(a, b, *extra)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return call


def _with_number(
    ufunc: Any, overload: Overload, dtype: Any, out_sig: int, result: Any, slow: Call
) -> Call:
    defaults = _extras_are_default(overload, 2)
    np_dtype = dtype.np
    out_dtype = result.np
    empty = np.empty
    # 0-d arrays are faster than Python numbers; programs use few different ones.
    cache: dict[Any, Any] = {}

    def array(value: Any) -> Any:
        key = (type(value), value)
        got = cache.get(key)
        # -0.0 equals 0.0 and NaN equals nothing, so neither may come from the cache
        if got is None or not value or value != value:
            got = number_array(value, np_dtype)
            if len(cache) < 64:
                cache[key] = got
        return got

    def call(a: Any, b: Any, *extra: Any) -> Any:
        if extra != defaults:
            return slow(a, b, *extra)
        x = a._a if isinstance(a, Tensor) else array(a)
        y = b._a if isinstance(b, Tensor) else array(b)
        r = _new(Tensor)
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


def _in_place(ufunc: Any, n: int, overload: Overload, slow: Call) -> Call:
    defaults = _extras_are_default(overload, n)

    def unary(a: Any, *extra: Any) -> Any:
        if extra != defaults:
            return slow(a, *extra)
        x = a._a
        ufunc(x, out=x)
        return a

    def binary(a: Any, b: Any, *extra: Any) -> Any:
        if extra != defaults:
            return slow(a, b, *extra)
        x = a._a
        try:
            ufunc(x, b._a, out=x)
        except ValueError:
            return slow(a, b, *extra)
        return a

    return unary if n == 1 else binary


# Views ------------------------------------------------------------------------------------------


def fast_view(overload: Overload, sig: int) -> Call | None:
    """``view`` and ``reshape`` of contiguous memory through numpy's own reshape."""
    if overload.row.name != "view" or sig & (S.STRIDED | S.META | S.SPECIAL):
        return None
    backend = sig & S.BACKENDS
    view = overload.row.view
    assert view is not None
    dims, zeros = S.DIM_SIG, S.ZERO_SIG
    pending = sig & S.PENDING

    def call(base: Any, size: Any) -> Any:
        a = base._a
        if -1 in size or 0 in a.shape:
            size = view(base, size).shape
        t = _new(Tensor)
        try:
            t._a = b = a.reshape(size)
        except (ValueError, TypeError):
            view(base, size)  # says it in torch's words
            raise
        t._sig = (dims if size else zeros)[b.dtype.num] | backend | pending
        alias = base._shared
        if alias is None:
            alias = base._shared = Alias()
        t._shared = alias
        t._edge = t._state = None
        return t

    return call


def select_call(base: Tensor, index: int) -> Tensor | None:
    """``base[index]`` along the first dimension, host memory; None if out of range."""
    a = base._a
    shape = a.shape
    if not shape or not -shape[0] <= index < shape[0]:
        return None
    t = _new(Tensor)
    t._a = b = a[index, ...]
    if len(shape) > 1:
        sig = S.DIM_SIG[b.dtype.num] | (base._sig & (S.BACKENDS | S.PENDING))
        t._sig = sig if not base._sig & S.STRIDED or b.flags.c_contiguous else sig | S.STRIDED
    else:
        t._sig = S.ZERO_SIG[b.dtype.num] | (base._sig & (S.BACKENDS | S.PENDING))
    alias = base._shared
    if alias is None:
        alias = base._shared = Alias()
    t._shared = alias
    t._edge = t._state = None
    return t
