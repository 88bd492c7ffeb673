"""In-place calls compiled for the common case; see :mod:`mindtorch.backends.fastpath`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core import signature as S
from ..tensor import Alias, Tensor
from .fastpath import Uniform, is_number, numbers_as, uniform_case
from .overlap import refuse_partial


def fast_in_place(overload: Overload, sig: int, slow: Call) -> Call | None:
    """An in-place ufunc over host memory of one dtype, the version counted in the same call.

    *slow* does the same for whatever turns out not to be the common case.
    """
    if sig & S.NPU:
        from .pointwise_into import in_place  # not before an NPU is used

        return in_place(overload, sig, slow)
    if sig & (S.PENDING | S.LAZY | S.META | S.DEFER | S.NO_MEMORY):
        return None
    # The layout of the result is the target's, whatever the others' are.
    case = uniform_case(overload, sig & ~S.STRIDED)
    if case is None or case.result is not case.dtype:
        return None
    run, n = into_first(case.ufunc, case.operands), case.operands
    defaults = tuple(overload.defaults[n:])
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
            alias.value = 0
        alias.value += 1
        return a

    return call


def _in_place_unary(run: Any, defaults: Any, strided: bool, slow: Call) -> Call:
    def unary(a: Any, *extra: Any) -> Any:
        x = a._a
        if (extra and extra != defaults) or (strided and not x.flags.c_contiguous):
            return slow(a, *(extra or defaults))
        run(x, x)
        alias = a._shared
        if alias is None:
            alias = a._shared = Alias()
            alias.value = 0
        alias.value += 1
        return a

    return unary


def _in_place_binary(run: Any, defaults: Any, strided: bool, slow: Call, into: Any) -> Call:
    def binary(a: Any, b: Any, *extra: Any) -> Any:
        x = a._a
        alias = a._shared
        if alias is not None:
            other = b._shared
            if alias is other:
                if a is not b:
                    refuse_partial(a, b)
            # ``data`` has an alias of its own over the same storage.
            elif other is not None and alias.storage is not None:
                if alias.storage is other.storage:
                    refuse_partial(a, b)
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
        if alias is None:
            alias = a._shared = Alias()
            alias.value = 0
        alias.value += 1
        return a

    return binary
