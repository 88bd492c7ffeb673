"""Pointwise calls over tensors of any strides; see :mod:`mindtorch.backends.fastpath`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.dispatch_entry import Call, leads
from ..call.overload import Overload
from ..core import signature as S
from ..tensor import blank
from .plan import Plan

_ndarray = np.ndarray
_NO_DEFAULT: Any = object()


def fast_strided(overload: Overload, sig: int, functional: Callable[[Plan], Call]) -> Call | None:
    """A direct call of a pointwise kernel over one or two tensors of one dtype, any strides.

    numpy lays results out as torch does, but for a few mixes of strides; which ones is found out
    once per combination of shapes and strides.
    """
    row = overload.row
    if row.promote not in ("common", "bool") or sig & S.NUMBERS:
        return None
    dims, zeros = S.dtypes_in(sig, S.DIM_SHIFT), S.dtypes_in(sig, S.ZERO_SHIFT)
    if len(dims) != 1 or zeros or (dims[0].name in ("float16", "bfloat16") and row.half):
        return None
    plan = Plan(overload, sig)
    n = len(plan.positions)
    if not plan.pointwise or n not in (1, 2) or plan.compute is not dims[0]:
        return None
    slow = functional(plan)
    kernel, ufunc, tail = plan.kernel, row.ufunc, overload.tail
    if n == 2 and row.fast is not None and dims[0].name in ("float32", "float64"):
        kernel = row.fast(dims[0].np)
    default = tail[0] if tail else _NO_DEFAULT
    np_dtype = plan.result.np
    #: Layouts and other arguments -> the result's signature, if the kernel's own result is laid out
    #: as it has to be; else 0.
    agreed: dict[Any, int] = {}

    def learn(result: Any, direct: Any, key: Any) -> Any:
        """Remember whether *direct* is laid out like the general path's *result*."""
        a = result._a
        if len(agreed) < 1024:
            agrees = (
                type(direct) is _ndarray
                and direct.dtype == a.dtype == np_dtype
                and direct.shape == a.shape
                and direct.strides == a.strides
            )
            agreed[key] = result._sig if agrees else 0
        return result

    def two(a: Any, b: Any, extra: tuple[Any, ...], key: Any) -> Any:
        result = slow(a, b, *extra)
        if key in agreed or bool in map(type, extra):  # True equals 1
            return result
        return learn(result, kernel(a._a, b._a, *extra), key)

    def call_two(a: Any, b: Any, *extra: Any) -> Any:
        x, y = a._a, b._a
        if x.ndim == 1 and x.shape == y.shape:
            key: Any = extra  # however they lie, the result is a dense line
        else:
            key = (x.shape, x.strides, y.shape, y.strides, *extra)
        sig_of = agreed.get(key)
        if not sig_of or bool in map(type, extra):
            return two(a, b, extra, key)
        r = blank()
        r._a = ufunc(x, y) if ufunc is not None and extra == tail else kernel(x, y, *extra)
        r._sig = sig_of
        r._shared = r._edge = r._state = None
        return r

    def call_two_only(a: Any, b: Any) -> Any:
        x, y = a._a, b._a
        line = x.ndim == 1 and x.shape == y.shape
        key = () if line else (x.shape, x.strides, y.shape, y.strides)
        sig_of = agreed.get(key)
        if not sig_of:
            return two(a, b, (), key)
        r = blank()
        r._a = run(x, y)
        r._sig = sig_of
        r._shared = r._edge = r._state = None
        return r

    def call_two_and_one(a: Any, b: Any, extra: Any = default) -> Any:
        x, y = a._a, b._a
        if x.ndim == 1 and x.shape == y.shape:
            key = extra
        else:
            key = (x.shape, x.strides, y.shape, y.strides, extra)
        sig_of = agreed.get(key)
        if not sig_of or type(extra) is bool:
            return two(a, b, (extra,), key)
        r = blank()
        if ufunc is not None and extra is default:
            r._a = ufunc(x, y)
        else:
            r._a = kernel(x, y, extra)
        r._sig = sig_of
        r._shared = r._edge = r._state = None
        return r

    def call_one(a: Any, *extra: Any) -> Any:
        x = a._a
        key = (x.shape, x.strides, *extra)
        sig_of = agreed.get(key)
        if not sig_of or bool in map(type, extra):
            result = slow(a, *extra)
            if sig_of == 0 or bool in map(type, extra):  # True equals 1
                return result
            return learn(result, kernel(x, *extra), key)
        r = blank()
        r._a = ufunc(x) if ufunc is not None and extra == tail else kernel(x, *extra)
        r._sig = sig_of
        r._shared = r._edge = r._state = None
        return r

    run = kernel if ufunc is None else ufunc
    if n == 2 and len(overload.names) == 2:
        return leads(call_two_only)
    if n == 2 and len(overload.names) == 3:
        return leads(call_two_and_one) if tail else call_two_and_one
    return call_one if n == 1 else call_two
