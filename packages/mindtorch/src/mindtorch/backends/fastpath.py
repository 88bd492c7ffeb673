"""Calls compiled for the common case: host memory, contiguous, one dtype.

Each maker returns None where its conditions do not hold; the general path then serves. The
results are the same to the bit and the stride; tests run every row through both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage import bool as bool_dtype

from .. import signature as S
from ..calls import Call, Direct, leads
from ..ops.overload import FUNCTIONAL, INPLACE, Overload
from ..tensor import Alias, State, Tensor
from .plan import Plan, number_array, promoted

_new = object.__new__
_ndarray = np.ndarray
_NO_DEFAULT: Any = object()


def fast_call(overload: Overload, sig: int) -> Call | None:
    """A direct call of the row's ufunc, if *sig* is the common case."""
    if sig & (S.PENDING | S.LAZY | S.NPU | S.META | S.DEFER):
        return None
    if overload.kind != FUNCTIONAL:
        return None
    if sig & S.STRIDED:
        return _pointwise(overload, sig)
    if overload.row.fast is not None:
        return _special(overload, sig)
    if overload.row.ufunc is None:
        return _pointwise(overload, sig)
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
    if ufunc is None:
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


def _pointwise(overload: Overload, sig: int) -> Call | None:
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
    slow = _slow(plan)
    kernel, ufunc, tail = plan.kernel, row.ufunc, overload.tail
    default = tail[0] if tail else _NO_DEFAULT
    np_dtype = plan.result.np
    sig_of, whole = S.CPU | 1 << (S.DIM_SHIFT + plan.result.index), S.STRIDED
    #: Layouts and other arguments -> whether the kernel's own result is what it has to be.
    agreed: dict[Any, bool] = {}

    def learn(result: Any, direct: Any, key: Any) -> Any:
        """Remember whether *direct* is laid out like the general path's *result*."""
        a = result._a
        if len(agreed) < 1024 and bool not in map(type, key):  # True equals 1
            agreed[key] = (
                type(direct) is _ndarray
                and direct.dtype == a.dtype == np_dtype
                and direct.shape == a.shape
                and direct.strides == a.strides
            )
        return result

    def two(a: Any, b: Any, extra: tuple[Any, ...], key: Any) -> Any:
        result = slow(a, b, *extra)
        if key in agreed:
            return result
        return learn(result, kernel(a._a, b._a, *extra), key)

    def call_two(a: Any, b: Any, *extra: Any) -> Any:
        x, y = a._a, b._a
        key = (x.shape, x.strides, y.shape, y.strides, *extra)
        if not agreed.get(key) or bool in map(type, extra):
            return two(a, b, extra, key)
        r = _new(Tensor)
        r._a = out = ufunc(x, y) if ufunc is not None and extra == tail else kernel(x, y, *extra)
        r._sig = sig_of if out.flags.c_contiguous else sig_of | whole
        r._shared = r._edge = r._state = None
        return r

    def call_two_and_one(a: Any, b: Any, extra: Any = default) -> Any:
        x, y = a._a, b._a
        key = (x.shape, x.strides, y.shape, y.strides, extra)
        if not agreed.get(key) or type(extra) is bool:
            return two(a, b, (extra,), key)
        r = _new(Tensor)
        if ufunc is not None and extra is default:
            r._a = out = ufunc(x, y)
        else:
            r._a = out = kernel(x, y, extra)
        r._sig = sig_of if out.flags.c_contiguous else sig_of | whole
        r._shared = r._edge = r._state = None
        return r

    def call_one(a: Any, *extra: Any) -> Any:
        x = a._a
        key = (x.shape, x.strides, *extra)
        verdict = agreed.get(key)
        if not verdict or bool in map(type, extra):
            result = slow(a, *extra)
            return result if verdict is False else learn(result, kernel(x, *extra), key)
        r = _new(Tensor)
        r._a = out = ufunc(x) if ufunc is not None and extra == tail else kernel(x, *extra)
        r._sig = sig_of if out.flags.c_contiguous else sig_of | whole
        r._shared = r._edge = r._state = None
        return r

    if n == 2 and len(overload.names) == 3:
        return leads(call_two_and_one) if tail else call_two_and_one
    return call_one if n == 1 else call_two


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
            r = _new(Tensor)
            r._a = run(a._a)
            r._sig = out_sig
            r._shared = r._edge = r._state = None
            return r

        return direct(call, one_step)
    default = defaults[0]

    def call_extra(a: Any, extra: Any = default, *more: Any) -> Any:
        if extra is not default or (more and more != defaults[1:]):
            return slow(a, extra, *more)
        r = _new(Tensor)
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
        r = _new(Tensor)
        r._a = run(x, y, *extra)
        r._sig = out_sig
        r._shared = r._edge = r._state = None
        return r

    return call


def direct(call: Call, one_step: Direct) -> Call:
    """Mark *call* as one function of arrays, which a recording call may run itself."""
    call.direct = one_step  # type: ignore[attr-defined]
    return leads(call)


def _slow(plan: Plan) -> Call:
    from .cpu import _functional

    return _functional(plan)


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
            r = _new(Tensor)
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
            r = _new(Tensor)
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
        r = _new(Tensor)
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

    return leads(call)


def numbers_as(np_dtype: Any) -> Any:
    """A function from Python numbers to 0-d arrays of *np_dtype*, which are not to be written.

    0-d arrays are faster than Python numbers; programs use few different ones.
    """
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

    return array


def is_number(value: Any) -> bool:
    """Whether *value* is a plain int or float that every float dtype from float32 on has."""
    return (type(value) is float or type(value) is int) and -1e38 < value < 1e38


def fast_in_place(overload: Overload, sig: int, slow: Call) -> Call | None:
    """An in-place ufunc over host memory of one dtype, the version counted in the same call.

    *slow* does the same for whatever turns out not to be the common case.
    """
    if sig & (S.PENDING | S.LAZY | S.NPU | S.META | S.DEFER | S.NO_MEMORY):
        return None
    # The layout of the result is the target's, whatever the others' are.
    case = uniform_case(overload, sig & ~S.STRIDED)
    if case is None or case.result is not case.dtype:
        return None
    run, n = into_first(case.ufunc, case.operands), case.operands
    defaults = _extras_are_default(overload, n)
    strided = bool(sig & S.STRIDED)
    if sig & S.NUMBERS:
        return _in_place_number(run, case, defaults, strided, slow) if n == 2 else None
    if n == 1:
        return _in_place_unary(run, defaults, strided, slow)
    into = overload.row.into if case.dtype.name in ("float32", "float64") else None
    if strided or len(defaults) > 1:
        into = None
    return _in_place_binary(run, defaults, strided, slow, into)


def into_first(ufunc: Any, n: int) -> Any:
    """*ufunc* as a function whose last positional argument is the array to write to."""
    if isinstance(ufunc, np.ufunc):
        return ufunc
    if n == 1:
        return lambda x, out: ufunc(x, out=out)
    return lambda x, y, out: ufunc(x, y, out=out)


def _in_place_number(run: Any, case: Uniform, defaults: Any, strided: bool, slow: Call) -> Call:
    array = numbers_as(case.dtype.np)

    def call(a: Any, b: Any, *extra: Any) -> Any:
        if not isinstance(a, Tensor) or isinstance(b, Tensor) or (extra and extra != defaults):
            return slow(a, b, *(extra or defaults))
        x = a._a
        if strided and not x.flags.c_contiguous:
            return slow(a, b, *defaults)
        run(x, array(b), x)
        alias = a._shared
        if alias is None:
            alias = a._shared = Alias()
        alias.value += 1
        return a

    return leads(call)


def _in_place_unary(run: Any, defaults: Any, strided: bool, slow: Call) -> Call:
    def unary(a: Any, *extra: Any) -> Any:
        x = a._a
        if (extra and extra != defaults) or (strided and not x.flags.c_contiguous):
            return slow(a, *(extra or defaults))
        run(x, x)
        alias = a._shared
        if alias is None:
            alias = a._shared = Alias()
        alias.value += 1
        return a

    return leads(unary)


def _in_place_binary(run: Any, defaults: Any, strided: bool, slow: Call, into: Any) -> Call:
    def binary(a: Any, b: Any, *extra: Any) -> Any:
        x = a._a
        if extra and (extra != defaults or type(extra[0]) is bool):
            if into is None or x.shape != b._a.shape or not is_number(extra[0]):
                return slow(a, b, *extra)
            into(x, b._a, *extra)
        else:
            if strided and not x.flags.c_contiguous:
                return slow(a, b, *(extra or defaults))
            try:
                run(x, b._a, x)
            except ValueError:  # shapes do not fit: the general path says it in torch's words
                return slow(a, b, *(extra or defaults))
        alias = a._shared
        if alias is None:
            alias = a._shared = Alias()
        alias.value += 1
        return a

    return leads(binary)


# Views ------------------------------------------------------------------------------------------


def fast_view(overload: Overload, sig: int, bit: int | None = None) -> Call | None:
    """``view`` of contiguous memory through numpy's own reshape.

    With *bit* (0, or VIEW in grad mode) the result also learns its base, which is what the
    in-place-or-view key would do around it.
    """
    if overload.row.name != "view" or sig & (S.STRIDED | S.META | S.LAZY):
        return None
    backend = sig & (S.BACKENDS | S.PENDING) | (bit or 0)
    view = overload.row.view
    assert view is not None
    number = (
        S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
        if (sig & S.DIM_MASK)
        else S.DTYPES[(sig & S.ZERO_MASK).bit_length() - 1 - S.ZERO_SHIFT].np.num
    )
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    marked = bit is not None
    #: Sizes without numbers below -1, which numpy would take for -1.
    sound: set[Any] = set()

    def call(base: Any, size: Any) -> Any:
        a = base._a
        t = _new(Tensor)
        try:
            if size not in sound:
                if size and min(size) < -1:
                    raise ValueError
                if len(sound) < 4096:
                    sound.add(size)
            t._a = a.reshape(size)
        except ValueError:  # in torch's words, or by its rules for sizes of 0
            t._a = a.reshape(view(base, size).shape)
        t._sig = dim_sig if size else zero_sig
        alias = base._shared
        if alias is None:
            alias = base._shared = Alias()
        t._shared = alias
        t._edge = None
        if marked:
            if base._state is None and not alias.rebased:
                t._state = base
            else:
                mark_view(t, base, bit)
        else:
            t._state = None
        return t

    return leads(call)


def mark_view(t: Tensor, base: Tensor, bit: int, creation: str = "") -> None:
    """Tell *t* that it is a view of *base* (or of what *base* itself is a view of)."""
    state = base._state
    if state is not None:
        root = state.base if type(state) is State else state
        if root is not None:
            base = root
    alias = t._shared
    assert alias is not None
    if alias.rebased or creation:
        own = t._state = State()
        own.base = base
        own.attr_version = alias.value
        own.creation = creation
    else:
        t._state = base
    t._sig |= bit


def _pick(a: Any, dim: int, index: int) -> Any:
    if dim < 0:
        dim += a.ndim
    if not 0 <= dim < a.ndim:
        raise IndexError
    return a[(*[slice(None)] * dim, index, ...)]


def fast_select(overload: Overload, sig: int, bit: int) -> Call | None:
    """``t[index]`` along the first dimension."""
    if overload.row.name != "select.int" or sig & (S.META | S.LAZY) or not sig & S.DIM_MASK:
        return None
    backend = sig & (S.BACKENDS | S.PENDING) | bit
    number = S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    strided = bool(sig & S.STRIDED)
    view = overload.row.view
    assert view is not None

    def call(base: Any, dim: int, index: int) -> Any:
        a = base._a
        t = _new(Tensor)
        try:
            t._a = b = a[index, ...] if dim == 0 else _pick(a, dim, index)
        except (IndexError, ValueError):  # numpy's AxisError is both
            view(base, dim, index)  # says it in torch's words
            raise
        t._sig = dim_sig if a.ndim > 1 else zero_sig
        if (strided or dim) and not b.flags.c_contiguous:
            t._sig |= S.STRIDED
        alias = base._shared
        if alias is None:
            alias = base._shared = Alias()
        t._shared = alias
        t._edge = None
        if base._state is None and not alias.rebased:
            t._state = base
        else:
            mark_view(t, base, bit)
        return t

    return leads(call)


def fast_expand(overload: Overload, sig: int, bit: int) -> Call | None:
    """``expand`` of a 0-d tensor, which is how the gradient of a full sum begins."""
    if overload.row.name != "expand" or sig & (S.META | S.LAZY | S.DIM_MASK):
        return None
    from .views import window

    backend = sig & (S.BACKENDS | S.PENDING) | bit
    number = S.DTYPES[(sig & S.ZERO_MASK).bit_length() - 1 - S.ZERO_SHIFT].np.num
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    view = overload.row.view
    assert view is not None

    def call(base: Any, size: Any, implicit: bool = False) -> Any:
        a = base._a
        plain = bool(size) and a.base is None
        for n in size:  # quicker than min()
            if n < 1:
                plain = False
        if not plain:
            t = window(base, view(base, size, implicit))
            mark_view(t, base, bit)
            return t
        t = _new(Tensor)
        t._a = b = _ndarray(size, a.dtype, a, 0, (0,) * len(size))
        t._sig = dim_sig if size else zero_sig
        if not b.flags.c_contiguous:
            t._sig |= S.STRIDED
        alias = base._shared
        if alias is None:
            alias = base._shared = Alias()
        t._shared = alias
        t._edge = None
        if base._state is None and not alias.rebased:
            t._state = base
        else:
            mark_view(t, base, bit)
        return t

    return leads(call)


def fast_unbind(overload: Overload, sig: int, bit: int) -> Call | None:
    """``unbind``: numpy's own indexing makes the same windows."""
    if overload.row.name != "unbind.int" or sig & (S.META | S.LAZY) or not sig & S.DIM_MASK:
        return None
    backend = sig & (S.BACKENDS | S.PENDING)
    number = S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    from .views import window

    view = overload.row.view
    assert view is not None

    def call(base: Any, dim: int = 0) -> Any:
        a = base._a
        n = a.ndim
        if not -n <= dim < n:
            view(base, dim)  # says it in torch's words
        if not a.size:  # numpy does not move through an array without elements
            windows = tuple([window(base, spec) for spec in view(base, dim)])
            for t in windows:
                mark_view(t, base, bit, "multi")
            return windows
        before = (slice(None),) * (dim % n)
        alias = base._shared
        if alias is None:
            alias = base._shared = Alias()
        made = []
        for i in range(a.shape[dim]):
            t = _new(Tensor)
            t._a = b = a[(*before, i, ...)]
            if n == 1:
                t._sig = zero_sig
            else:
                t._sig = dim_sig if b.flags.c_contiguous else dim_sig | S.STRIDED
            t._shared = alias
            t._edge = t._state = None
            mark_view(t, base, bit, "multi")
            made.append(t)
        return tuple(made)

    return leads(call)


def fast_t(overload: Overload, sig: int, bit: int) -> Call | None:
    """``t`` of a matrix through numpy's own transposition."""
    if overload.row.name != "t" or overload.kind == INPLACE:
        return None
    if sig & (S.META | S.LAZY) or not sig & S.DIM_MASK:
        return None
    backend = sig & (S.BACKENDS | S.PENDING)
    number = S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
    dim_sig = S.DIM_SIG[number] | backend
    from .views import window

    view = overload.row.view
    assert view is not None

    def call(base: Any) -> Any:
        a = base._a
        if a.ndim != 2 or not a.size:  # numpy's strides say nothing where there are no elements
            t = window(base, view(base))
        else:
            t = _new(Tensor)
            t._a = b = a.T
            t._sig = dim_sig if b.flags.c_contiguous else dim_sig | S.STRIDED
            alias = base._shared
            if alias is None:
                alias = base._shared = Alias()
            t._shared = alias
            t._edge = t._state = None
        mark_view(t, base, bit)
        return t

    return leads(call)


FAST_VIEWS = {
    "expand": fast_expand,
    "select.int": fast_select,
    "t": fast_t,
    "unbind.int": fast_unbind,
    "view": fast_view,
}
