"""The common case of a pointwise op: a ufunc over contiguous operands of one dtype.

What queues calls (a pipeline, a device) runs such a ufunc straight into the result's memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mindtorch_storage import bool as bool_dtype

from ..call.overload import Overload
from ..core import signature as S
from .plan import Plan, promoted

__all__ = ["Uniform", "uniform_case"]


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
