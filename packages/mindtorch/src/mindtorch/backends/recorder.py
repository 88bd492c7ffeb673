"""Recording compiled for the common case: a ufunc over contiguous host memory of one dtype.

It is queued with ``out=`` the result's memory. Each maker falls back on the general way where a
call differs.

Note [Tiny operands]
    Recording costs three times what numpy takes for a few numbers, and there is no memory traffic
    to save. So where all operands are there and small, a pure ufunc is computed while it is
    recorded, with the same visible course of events: the result says that it is pending until the
    pipeline is flushed, and what could raise is queued. It needs no entry, only a place in
    ``Pipeline.early``, the list of what the flush has to declare settled.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_dispatch import capture_site, current_pipeline
from mindtorch_storage import UntypedStorage

from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, Overload
from ..core import signature as S
from ..tensor import Alias, Tensor, blank
from .plan import numbers_as
from .uniform import Uniform, uniform_case

_new = object.__new__
_empty = np.empty
_from_array = UntypedStorage._from_array
_frame = sys._getframe


def recorder(overload: Overload, sig: int, slow: Call) -> Call | None:
    """A direct way into the queue for *sig*, if it is the common case."""
    if sig & (S.STRIDED | S.LAZY | S.ACCELERATORS | S.META) or overload.kind != FUNCTIONAL:
        return None
    # Autograd's generated function stands between the user's frame and ours.
    recording = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED and overload.row.grad
    depth = 3 if recording else 2
    plain = sig & ~(S.PENDING | S.DEFER)
    if overload.row.fast is not None:
        return _whole(overload, plain, slow, depth)
    case = uniform_case(overload, plain)
    if case is None:
        return None
    queue = _queued(overload, plain, case, slow, depth)
    ufunc, np_dtype = case.ufunc, case.result.np
    if not isinstance(ufunc, np.ufunc):
        return queue  # it might raise
    compute: Any = ufunc
    if case.zero_dim:  # numpy would give a scalar

        def zero_dim(*operands: Any) -> Any:
            return ufunc(*operands, out=_empty((), np_dtype))

        compute = zero_dim

    return _early(overload, plain, compute, case.out_sig, case.dtype.np, queue)


#: Up to how many elements an operand is tiny: 16 KiB of float32, which every cache holds.
TINY = 4096
#: How many early results a pipeline keeps before it flushes.
LIMIT = 4096


def _early(
    overload: Overload, sig: int, compute: Any, out_sig: int, np_dtype: Any, queue: Call
) -> Call:
    """Compute at once if the operands are tiny and there, else *queue*. See the Note."""
    tail, out_sig = overload.tail, out_sig | S.PENDING

    def one(a: Any, *extra: Any) -> Any:
        x, shared = a._a, a._shared
        if x.size > TINY or (shared is not None and is_owed(shared)) or (extra and extra != tail):
            return queue(a, *extra)
        r = blank()
        r._a = compute(x)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        pipe: Any = current_pipeline()
        early = pipe.early
        early.append(r)
        if len(early) > LIMIT:
            pipe.flush()
        return r

    def two(a: Any, b: Any, *extra: Any) -> Any:
        x, y, shared, other = a._a, b._a, a._shared, b._shared
        if (
            x.size > TINY
            or y.shape != x.shape  # broadcasting can make it large, or be an error
            or (shared is not None and is_owed(shared))
            or (other is not None and is_owed(other))
            or (extra and extra != tail)
        ):
            return queue(a, b, *extra)
        r = blank()
        r._a = compute(x, y)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        pipe: Any = current_pipeline()
        early = pipe.early
        early.append(r)
        if len(early) > LIMIT:
            pipe.flush()
        return r

    array = numbers_as(np_dtype)

    def two_with_number(a: Any, b: Any, *extra: Any) -> Any:
        if isinstance(a, Tensor):
            t, x, y = a, a._a, array(b)
        else:
            t, x, y = b, array(a), b._a
        shared = t._shared
        if (
            t._a.size > TINY
            or (shared is not None and is_owed(shared))
            or (extra and extra != tail)
        ):
            return queue(a, b, *extra)
        r = blank()
        r._a = compute(x, y)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        pipe: Any = current_pipeline()
        early = pipe.early
        early.append(r)
        if len(early) > LIMIT:
            pipe.flush()
        return r

    if len(overload.tensor_positions) == 1:
        return one
    return two_with_number if sig & S.NUMBERS else two


def is_owed(alias: Alias) -> bool:
    """Whether the queue has still to write this memory."""
    return alias.storage is not None and alias.storage.pending is not None


def _queued(overload: Overload, plain: int, case: Uniform, slow: Call, depth: int) -> Call:
    operands = case.operands
    if operands == 1:
        return _unary(overload, case.ufunc, case.out_sig, case.result.np, slow, depth)
    if plain & S.NUMBERS:
        array = numbers_as(case.dtype.np)
        return _with_number(overload, case.ufunc, case.out_sig, case.result.np, array, slow, depth)
    return _binary(overload, case.ufunc, case.out_sig, case.result.np, slow, depth)


def result_of(array: Any, sig: int) -> tuple[Tensor, UntypedStorage]:
    """A tensor over *array*, which the queue will write, and its storage."""
    t = blank()
    t._a = array
    t._sig = sig
    t._edge = t._state = None
    alias = t._shared = _new(Alias)
    alias.claimed = False
    alias.value = 0
    alias.storage = storage = _from_array(array)
    return t, storage


def foreign(t: Any, pipe: Any) -> tuple[Any, ...]:
    """*t*'s storage, if *pipe* settles it elsewhere; see deferral's Note [Inputs of an entry]."""
    alias = t._shared
    if alias is not None and alias.storage is not None:
        owed = alias.storage.pending
        if owed is not None and (owed.pipeline is not pipe or owed.error is not None):
            return (alias.storage,)
    return ()


def _unary(
    overload: Overload, ufunc: Any, out_sig: int, np_dtype: Any, slow: Call, depth: int
) -> Call:
    defaults = overload.tail
    sig = out_sig | S.PENDING
    last: Any = None

    def call(a: Any, *extra: Any) -> Any:
        nonlocal last
        if extra and extra != defaults:
            return slow(a, *extra)
        frame = _frame(depth)
        if frame.f_code is last:
            site: Any = (last, frame.f_lasti)
        else:
            site = capture_site(2)
            last = frame.f_code if site[0] is frame.f_code else None
        pipe: Any = current_pipeline()
        x = a._a
        out = _empty(x.shape, np_dtype)
        r, storage = result_of(out, sig)
        inputs = () if a._shared is None else foreign(a, pipe)
        pipe.record(overload, partial(ufunc, x, out=out), (storage,), site, inputs)
        return r

    return call


def _binary(
    overload: Overload, ufunc: Any, out_sig: int, np_dtype: Any, slow: Call, depth: int
) -> Call:
    defaults = overload.tail
    sig = out_sig | S.PENDING
    last: Any = None

    def call(a: Any, b: Any, *extra: Any) -> Any:
        nonlocal last
        x, y = a._a, b._a
        shape = x.shape
        if y.shape != shape or (extra and extra != defaults):
            return slow(a, b, *(extra or defaults))
        frame = _frame(depth)
        if frame.f_code is last:
            site: Any = (last, frame.f_lasti)
        else:
            site = capture_site(2)
            last = frame.f_code if site[0] is frame.f_code else None
        pipe: Any = current_pipeline()
        out = _empty(shape, np_dtype)
        r, storage = result_of(out, sig)
        inputs = () if a._shared is None else foreign(a, pipe)
        if b._shared is not None:
            inputs += foreign(b, pipe)
        pipe.record(overload, partial(ufunc, x, y, out=out), (storage,), site, inputs)
        return r

    return call


def _with_number(
    overload: Overload,
    ufunc: Any,
    out_sig: int,
    np_dtype: Any,
    array: Any,
    slow: Call,
    depth: int,
) -> Call:
    defaults = overload.tail
    sig = out_sig | S.PENDING
    last: Any = None

    def call(a: Any, b: Any, *extra: Any) -> Any:
        nonlocal last
        if extra and extra != defaults:
            return slow(a, b, *extra)
        frame = _frame(depth)
        if frame.f_code is last:
            site: Any = (last, frame.f_lasti)
        else:
            site = capture_site(2)
            last = frame.f_code if site[0] is frame.f_code else None
        pipe: Any = current_pipeline()
        inputs: tuple[Any, ...] = ()
        if isinstance(a, Tensor):
            x = a._a
            if a._shared is not None:
                inputs = foreign(a, pipe)
        else:
            x = array(a)
        if isinstance(b, Tensor):
            y = b._a
            if b._shared is not None:
                inputs += foreign(b, pipe)
        else:
            y = array(b)
        out = _empty(x.shape or y.shape, np_dtype)
        r, storage = result_of(out, sig)
        pipe.record(overload, partial(ufunc, x, y, out=out), (storage,), site, inputs)
        return r

    return call


def _whole(overload: Overload, sig: int, slow: Call, depth: int) -> Call | None:
    """The row's own fast function of one float array (``relu``, the full ``sum``)."""
    dims, zeros = S.dtypes_in(sig, S.DIM_SHIFT), S.dtypes_in(sig, S.ZERO_SHIFT)
    if len(dims) != 1 or zeros or sig & S.NUMBERS or dims[0].name not in ("float32", "float64"):
        return None
    make = overload.row.fast
    assert make is not None
    run, np_dtype = make(dims[0].np), dims[0].np
    if isinstance(run, partial) and isinstance(run.func, np.ufunc) and not run.keywords:
        out_sig = S.CPU | S.DIM_SIG[np_dtype.num]
        queue = _unary(overload, run, out_sig, np_dtype, slow, depth)
        return _early(overload, sig, run, out_sig, np_dtype, queue)
    return None
