"""Facts of dtypes and of Python's types of numbers, and the dtypes that ops compute in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor
from .kinds import ELEMENTWISE_TYPE_PROMOTION_KIND, REDUCTION_OUTPUT_TYPE_KIND, Number

_integer_dtypes = (torch.uint8, torch.uint16, torch.uint32, torch.uint64) + (
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
)
_low_precision_dtypes = (torch.float16, torch.bfloat16, torch.complex32)
_complex_dtypes = (torch.complex32, torch.complex64, torch.complex128)
_real_to_complex_dtype_map = {
    torch.float16: torch.complex32,
    torch.bfloat16: torch.complex64,
    torch.float32: torch.complex64,
    torch.float64: torch.complex128,
}
_complex_to_real_dtype_map = {
    torch.complex128: torch.float64,
    torch.complex64: torch.float32,
    torch.complex32: torch.float16,
}
_computation_dtype_map = {
    torch.bfloat16: torch.float32,
    torch.float16: torch.float32,
    torch.complex32: torch.complex64,
}
_cpu_acc_type_map = {
    torch.bfloat16: torch.float64,
    torch.float16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}
_ordered_types = (bool, int, float, complex)
#: From the lowest to the highest; of two in one row, neither is higher.
_ORDERED_DTYPES = (
    (torch.bool,),
    (torch.uint8, torch.int8),
    (torch.int16,),
    (torch.int32,),
    (torch.int64,),
    (torch.float16, torch.bfloat16),
    (torch.float32,),
    (torch.float64,),
    (torch.complex32,),
    (torch.complex64,),
    (torch.complex128,),
)
_RANKS = {dtype: rank for rank, row in enumerate(_ORDERED_DTYPES) for dtype in row}
_PLAIN_TYPES = {torch.SymFloat: float, torch.SymInt: int, torch.SymBool: bool}


def _dtype(dtype: Any) -> torch.dtype:
    """*dtype*. Raises AssertionError if it is something else."""
    if not isinstance(dtype, torch.dtype):
        raise AssertionError(f"Expected torch.dtype, got {type(dtype)}")
    return dtype


def is_boolean_dtype(dtype: torch.dtype) -> bool:
    """Whether it is bool."""
    return _dtype(dtype) is torch.bool


def is_integer_dtype(dtype: torch.dtype) -> bool:
    """Whether it is one of whole numbers; bool is none."""
    return _dtype(dtype) in _integer_dtypes


def is_low_precision_dtype(dtype: torch.dtype) -> bool:
    """Whether it has half precision."""
    return _dtype(dtype) in _low_precision_dtypes


def is_float_dtype(dtype: torch.dtype) -> bool:
    """Whether it is one of real floating point numbers."""
    return _dtype(dtype).is_floating_point


def is_complex_dtype(dtype: torch.dtype) -> bool:
    """Whether it is complex."""
    return _dtype(dtype) in _complex_dtypes


def is_grad_dtype(dtype: torch.dtype) -> bool:
    """Whether its tensors may require a gradient."""
    return dtype.is_floating_point or is_complex_dtype(dtype)


def corresponding_real_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype of the parts of a complex one."""
    return _complex_to_real_dtype_map[dtype]


def corresponding_complex_dtype(dtype: torch.dtype) -> torch.dtype:
    """The complex dtype with parts of a real one."""
    return _real_to_complex_dtype_map[dtype]


def get_computation_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype that an op computes in."""
    return _computation_dtype_map.get(dtype, dtype)


def get_acc_type(dtype: torch.dtype, device: torch.device) -> torch.dtype:
    """The dtype that sums are kept in."""
    if device.type == "cpu":
        return _cpu_acc_type_map.get(dtype, dtype)
    return get_computation_dtype(dtype)


def dtype_or_default(dtype: torch.dtype | None) -> torch.dtype:
    """*dtype*, or the default one."""
    return torch.get_default_dtype() if dtype is None else dtype


# -- Python's types of numbers ---------------------------------------------------------------------


def _maybe_get_pytype(t: Any) -> Any:
    """The type of numbers that a type of symbols stands for; *t* if it is none."""
    return _PLAIN_TYPES.get(t, t)


def number_type(x: Any) -> type:
    """The type of a number, of a symbol the one that it stands for."""
    return next((plain for kind, plain in _PLAIN_TYPES.items() if isinstance(x, kind)), type(x))


def expr_type(x: Any) -> type:
    """The type of the numbers that an expression of sympy stands for."""
    if x.kind is sys.modules["sympy"].core.kind.BooleanKind:
        return bool
    return int if x.is_integer else float


def dtype_to_type(dtype: torch.dtype) -> type:
    """Python's type of its numbers: bool, int, float or complex."""
    if is_boolean_dtype(dtype):
        return bool
    if dtype in _integer_dtypes:
        return int
    if dtype.is_floating_point:
        return float
    if dtype in _complex_dtypes:
        return complex
    raise ValueError("Invalid dtype!")


def dtype_to_type_ctor(dtype: torch.dtype) -> Callable[[Any], Any]:
    """What makes Python's numbers of it; symbols stay symbols."""
    kind = dtype_to_type(dtype)
    return {int: torch.sym_int, float: torch.sym_float}.get(kind, kind)


def type_to_dtype(typ: type) -> torch.dtype:
    """The dtype of Python's numbers of that type."""
    if not isinstance(typ, type):
        raise AssertionError(f"Expected type, got {type(typ)}")
    plain = _maybe_get_pytype(typ)
    if plain is bool:
        return torch.bool
    if plain is int:
        return torch.long
    if plain is float:
        return torch.get_default_dtype()
    if plain is complex:
        return corresponding_complex_dtype(torch.get_default_dtype())
    raise ValueError(f"Invalid type {typ}!")


def get_dtype(x: Any) -> torch.dtype:
    """The dtype of a tensor or a number."""
    return x.dtype if isinstance(x, Tensor) else type_to_dtype(type(x))


# -- order -----------------------------------------------------------------------------------------


def _plain_pair(a: type, b: type) -> tuple[type, type]:
    a, b = _maybe_get_pytype(a), _maybe_get_pytype(b)
    if a not in _ordered_types or b not in _ordered_types:
        raise RuntimeError(f"Expected builtin numeric types, found {a}, {b}")
    return a, b


def get_higher_type(a: type, b: type) -> type:
    """The higher of two types of numbers, in the order bool, int, float, complex."""
    return max(_plain_pair(a, b), key=_ordered_types.index)


def is_weakly_lesser_type(a: type, b: type) -> bool:
    """Whether *a* is not higher than *b*."""
    a, b = _plain_pair(a, b)
    return _ordered_types.index(a) <= _ordered_types.index(b)


def get_higher_dtype(a: Any, b: Any) -> torch.dtype | None:
    """The lowest dtype that is not lower than those of two dtypes, tensors or numbers."""
    found = []
    for name, x in (("a", a), ("b", b)):
        if x is not None and not isinstance(x, (torch.dtype, Tensor, *Number)):
            raise AssertionError(
                f"{name} must be None, torch.dtype, TensorLike, or Number, got {type(x)}"
            )
        found.append(x if x is None or isinstance(x, torch.dtype) else get_dtype(x))
    first, second = found
    if first is second or second is None:
        return first
    if first is None:
        return second
    if first not in _RANKS and second not in _RANKS:
        raise RuntimeError("Unexpected termination!")
    if first not in _RANKS or second not in _RANKS:  # what has no place is above
        return first if second in _RANKS else second
    low, high = sorted((first, second), key=_RANKS.__getitem__)
    return _ORDERED_DTYPES[_RANKS[low] + 1][0] if _RANKS[low] == _RANKS[high] else high


def can_safe_cast_to(*, cast_to: torch.dtype, cast_from: torch.dtype) -> bool:
    """Whether no kind of numbers is lost: complex, real, whole."""
    for is_kind in (is_complex_dtype, is_float_dtype, is_integer_dtype, is_boolean_dtype):
        if is_kind(cast_to):
            return True
        if is_kind(cast_from):
            return False
    raise ValueError(f"Received unknown dtypes {cast_to}, {cast_from}!")


# -- promotion -------------------------------------------------------------------------------------


def _is_expression(x: Any) -> bool:
    """Whether *x* is an expression of sympy, which is loaded if there is one."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(x, sympy.Basic)


def _kind_of(x: Any) -> type:
    """The type of the numbers of an operand."""
    if isinstance(x, Number):
        return number_type(x)
    if isinstance(x, Tensor):
        return dtype_to_type(x.dtype)
    if _is_expression(x):
        return expr_type(x)
    raise ValueError(f"Unexpected type {type(x)!s} when computing elementwise type promotion!")


def _highest(dtypes: Iterable[tuple[torch.dtype, int]]) -> torch.dtype | None:
    """The highest of dtypes with ranks: of those of tensors with dims, if there is one."""
    of_scalars: torch.dtype | None = None
    of_others: torch.dtype | None = None
    for dtype, rank in dtypes:
        if rank:
            of_others = get_higher_dtype(of_others, dtype)
        else:
            of_scalars = get_higher_dtype(of_scalars, dtype)
    return of_scalars if of_others is None else of_others


def _result_dtype(args: tuple[Any, ...]) -> torch.dtype:
    """The dtype that operands have together, by the plain rule of elementwise ops."""
    highest: type = bool
    for x in args:
        highest = get_higher_type(highest, _kind_of(x))
    if highest is bool:
        return torch.bool
    known = [(x.dtype, x.ndim) for x in args if isinstance(x, Tensor)]
    if highest is complex:
        of_complex = (
            (_real_to_complex_dtype_map.get(dtype, dtype), rank)
            for dtype, rank in known
            if is_grad_dtype(dtype)
        )
        found = _highest(of_complex)
    else:
        is_kind = is_float_dtype if highest is float else is_integer_dtype
        found = _highest((dtype, rank) for dtype, rank in known if is_kind(dtype))
    return type_to_dtype(highest) if found is None else found


def elementwise_dtypes(
    *_args: Any, type_promotion_kind: ELEMENTWISE_TYPE_PROMOTION_KIND
) -> tuple[torch.dtype, torch.dtype]:
    """The dtype that an elementwise op computes in, and that of its result.

    The highest kind of numbers among the operands decides (bool, int, float, complex); among
    tensors of that kind those with dims go before those without, and numbers choose no dtype.

    Raises ValueError for an operand that is neither number nor tensor; None is left out.
    """
    kinds = ELEMENTWISE_TYPE_PROMOTION_KIND
    result = _result_dtype(tuple(x for x in _args if x is not None))
    if type_promotion_kind is kinds.NO_OPMATH:
        return result, result
    if type_promotion_kind is kinds.INT_TO_FLOAT and not is_grad_dtype(result):
        result = torch.get_default_dtype()
    if type_promotion_kind is kinds.BOOL_TO_LONG and is_boolean_dtype(result):
        result = torch.long
    computed = get_computation_dtype(result)
    if type_promotion_kind is kinds.COMPLEX_TO_FLOAT:
        return computed, _complex_to_real_dtype_map.get(result, result)
    if type_promotion_kind is kinds.ALWAYS_BOOL:
        return computed, torch.bool
    if not isinstance(type_promotion_kind, kinds):
        raise ValueError(f"Unknown type promotion kind {type_promotion_kind!s}")
    return computed, result


def reduction_dtypes(
    arg: Any,
    output_dtype_kind: REDUCTION_OUTPUT_TYPE_KIND,
    dtype: torch.dtype | None = None,
) -> tuple[torch.dtype, torch.dtype | None]:
    """The dtype that a reduction computes in and that of its result; None: the same."""
    kinds = REDUCTION_OUTPUT_TYPE_KIND
    given = arg.dtype if dtype is None else dtype
    computed = get_computation_dtype(given)
    if output_dtype_kind is kinds.SAME:
        return computed, given
    if output_dtype_kind is kinds.COMPLEX_TO_FLOAT:
        return computed, _complex_to_real_dtype_map.get(given, given)
    return computed, None if output_dtype_kind is kinds.KEEP_PROMOTED_TYPE else torch.bool
