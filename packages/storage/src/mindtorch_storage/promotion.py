"""Type promotion: which dtype an operation on several dtypes computes in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from . import errors
from .dtype import (
    ALL_DTYPES,
    DType,
    bool_,
    dtype_given,
    float32,
    get_default_complex_dtype,
    get_default_dtype,
    int16,
    uint8,
)
from .extended_dtypes import RARE_DTYPES, promote_rare

BOOLEAN: Final = 0
INTEGRAL: Final = 1
FLOATING: Final = 2
COMPLEX: Final = 3


def category(dtype: DType) -> int:
    """`BOOLEAN`, `INTEGRAL`, `FLOATING` or `COMPLEX`; a higher one wins in promotion."""
    return _CATEGORY[dtype.index]


def promote_types(type1: DType, type2: DType) -> DType:
    """The smallest dtype that torch lets both be converted to.

    Raises RuntimeError where uint16, uint32 or uint64 meets another integer, bool or complex.
    """
    if type1.__class__ is not DType:
        type1 = dtype_given(type1, "promote_types", "type1", 1)
    if type2.__class__ is not DType:
        type2 = dtype_given(type2, "promote_types", "type2", 2)
    try:
        found = PROMOTED[type1.index][type2.index]
    except IndexError:
        return promote_rare(type1, type2)
    if found is None:
        raise errors.promotion_unsupported(type1.scalar_type, type2.scalar_type)
    return found


def can_cast(from_: DType, to: DType) -> bool:
    """Whether torch casts a result of dtype *from_* into a tensor of dtype *to*.

    Source: torch c10/core/ScalarType.h, canCast.
    """
    if from_.__class__ is not DType:
        from_ = dtype_given(from_, "can_cast", "from_", 1)
    if to.__class__ is not DType:
        to = dtype_given(to, "can_cast", "to", 2)
    source, target = _CATEGORY[from_.index], _CATEGORY[to.index]
    if target == INTEGRAL and to.index >= len(ALL_DTYPES):  # torch does not count those as integers
        return source != COMPLEX
    return target >= source or (source == INTEGRAL and target == INTEGRAL)


def result_type(operands: Iterable[tuple[DType, bool, bool]]) -> DType:
    """The dtype of an operation over *operands*: ``(dtype, is_zero_dim, is_wrapped_number)``.

    Tensors with dimensions decide; 0-d tensors, and after them Python numbers, matter only where
    they are of a higher category. A Python number that is floating or complex counts as the
    default dtype. Raises RuntimeError if there is nothing to decide from.

    Source: torch aten/src/ATen/native/TypeProperties.cpp.
    """
    dimensioned: DType | None = None
    zero_dim: DType | None = None
    wrapped: DType | None = None
    for dtype, is_zero_dim, is_wrapped_number in operands:
        if is_wrapped_number:
            if dtype.is_floating_point:
                dtype = get_default_dtype()
            elif dtype.is_complex:
                dtype = get_default_complex_dtype()
        if not is_zero_dim:
            dimensioned = dtype if dimensioned is None else promote_types(dimensioned, dtype)
        elif is_wrapped_number:
            wrapped = dtype if wrapped is None else promote_types(wrapped, dtype)
        else:
            zero_dim = dtype if zero_dim is None else promote_types(zero_dim, dtype)
    found = _combine(dimensioned, _combine(zero_dim, wrapped))
    if found is None:
        raise RuntimeError("result_type needs at least one operand")
    return found


def _combine(higher: DType | None, lower: DType | None) -> DType | None:
    """*higher*, unless *lower* is of a category that *higher* cannot express."""
    if higher is None or lower is None:
        return higher or lower
    above, below = _CATEGORY[higher.index], _CATEGORY[lower.index]
    if below == COMPLEX and above != COMPLEX:
        return higher.to_complex() if above == FLOATING else lower
    if above >= FLOATING:
        return higher
    if above == BOOLEAN or below == FLOATING:
        return promote_types(higher, lower)
    return higher


def _promote(a: DType, b: DType) -> DType | None:
    """The rule behind the table. Source: torch c10/core/ScalarType.cpp, promoteTypes."""
    if a is b:
        return a
    low, high = sorted((a, b), key=category)
    barebones = [d for d in (a, b) if d.name in ("uint16", "uint32", "uint64")]
    if barebones and category(high) != FLOATING:
        return None
    if category(low) < category(high) < COMPLEX:
        return high
    if category(high) == COMPLEX:
        if category(low) < FLOATING or low.name in ("float16", "bfloat16"):
            return high
        return high if high.itemsize >= low.to_complex().itemsize else low.to_complex()
    if category(high) == FLOATING:
        if a.itemsize == b.itemsize == 2:  # neither of float16 and bfloat16 holds the other
            return float32
        return a if a.itemsize > b.itemsize else b
    signed = b if a is uint8 else a if b is uint8 else None
    if signed is not None:
        return signed if signed.itemsize > 1 else int16
    return a if a.itemsize > b.itemsize else b


_CATEGORY: Final = tuple(
    BOOLEAN if d is bool_ else 3 * d.is_complex or 2 * d.is_floating_point or INTEGRAL
    for d in (*ALL_DTYPES, *RARE_DTYPES)
)

PROMOTED: Final = tuple(tuple(_promote(a, b) for b in ALL_DTYPES) for a in ALL_DTYPES)
"""``PROMOTED[a.index][b.index]``: `promote_types` as a table, None where torch refuses."""
