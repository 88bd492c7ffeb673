"""Calls of which all layouts are known, as functions of arrays.

What ``call_known`` of the host's backend works out once per layout (which function computes, which
operands are cast, how the result is laid out) is worked out here for a single call, so that a text
may call the function itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from mindtorch_dispatch import DispatchKey as K

from ..backends.dtype_support import is_scarce
from ..backends.layout_kernels import settled
from ..backends.notices import noticing
from ..backends.plan import Plan
from ..call.overload import FUNCTIONAL, Overload
from ..call.row import Out
from ..call.specialize import BUILDERS, stepping
from ..core import signature as S
from ..core.key_sets import key_mask
from ..tensor import Tensor

__all__ = ["ArrayCall", "array_call", "fits", "host_plan"]

#: Signatures of plain memory.
_PLAIN = (S.DIM_MASK | S.ZERO_MASK | S.CPU | S.REQUIRES_GRAD | S.STRIDED | S.NUMBERS) & ~S.SCARCE


class ArrayCall(NamedTuple):
    """A call as a function of arrays.

    :ivar run: the function; *outs* say what its results have to be like.
    :ivar values: its arguments, with the casts in *casts* already made.
    :ivar places: which arguments of the overload they are.
    :ivar casts: by place the dtype that an array is cast to first.
    """

    run: Callable[..., Any]
    values: Sequence[Any]
    places: Sequence[int]
    casts: dict[int, Any]
    outs: Any


def host_plan(overload: Overload, sig: int) -> Plan | None:
    """The plan of calls of *sig* that do nothing but what the row says, on the host's memory.

    None if they do more, or their memory is not plain. It is kept with the resolved calls.
    """
    sig &= ~S.VIEWS
    key = (sig, "on host")
    found: Any = overload.table.get(key, _nothing)
    if found is _nothing:
        version = overload.operator.version
        found = Plan(overload, sig) if _runs_on_host(overload, sig) else None
        overload.operator.remember(overload.table, key, found, version)
    return found  # type: ignore[no-any-return]  # the table holds what its keys say


def _runs_on_host(overload: Overload, sig: int) -> bool:
    if sig & ~_PLAIN or overload.kind != FUNCTIONAL or overload.composed:
        return False
    if stepping(overload, sig) is not None:
        return False
    mask = key_mask(sig)
    while mask:
        hop = overload.operator.hop(mask)
        if hop.kernel.fn not in BUILDERS:
            return False
        if hop.key == K.CPU:
            return noticing(overload, sig, _nothing) is _nothing or warns_alone(overload, sig)
        mask &= int(hop.key) - 1
    return False


def all_built(overload: Overload, sig: int) -> bool:
    """Whether all kernels that calls of *sig* may come to are the library's own."""
    mask = key_mask(sig)
    while mask:
        try:
            hop = overload.operator.hop(mask)
        except NotImplementedError:
            return True  # there is none further down
        if hop.kernel.fn not in BUILDERS:
            return False
        mask &= int(hop.key) - 1
    return True


def warns_alone(overload: Overload, sig: int) -> bool:
    """Whether what is put around calls of *sig* is at most the row's own ``warns``."""
    return overload.row.warns is not None and not sig & (S.COMPLEX | S.NUMBER_COMPLEX)


def _nothing(*args: Any) -> Any:
    """Stands for a call, to see what is put around it."""


def array_call(overload: Overload, sig: int, args: tuple[Any, ...]) -> ArrayCall | None:
    """The function of arrays that the call is; None where it is more than that."""
    row = overload.row
    if row.view is not None or row.apart is not None or "of_storage" in row.tags:
        return None
    plan = host_plan(overload, sig)
    if plan is None or plan.widen:
        return None
    outs = plan.asker()(args)
    if outs is None and row.infer is not None:
        outs = row.infer(*args)
    if not settled(outs):
        return None
    kernel = plan.kernel
    if plan.asked_dtype >= 0 and not is_scarce(args[plan.asked_dtype]):
        kernel = row.kernel
    before = plan.arrays(args)
    values = plan.cast(list(before))
    casts = {
        i: values[i].dtype
        for i in plan.positions
        if isinstance(args[i], Tensor) and values[i] is not before[i]
    }
    places: Sequence[int] = range(len(values))
    if row.prepare is not None and kernel is row.kernel:
        kernel = row.prepare(*values)
    elif row.kernel is None and row.ufunc is not None and kernel is plan.kernel:
        kernel, places = row.ufunc, plan.positions
        values = [values[i] for i in places]
    return ArrayCall(kernel, values, places, casts, outs)


def fits(value: Any, out: Out, known: Tensor) -> bool:
    """Whether *value*, which the function gave, is *known*, the result of the call, as it is."""
    a = known._a_
    return (
        type(value) is np.ndarray
        and value.dtype is out.dtype.np
        and value.shape == a.shape
        and value.strides == a.strides
        and known._sig_ & ~S.STRIDED == S.of_array(a) & ~S.STRIDED
        and value.tobytes() == a.tobytes()
    )
