"""Default dtypes, promotion and the rules for Python's numbers beside arrays, on torch's dtypes."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ..aten import torch
from ._casting_dicts import _can_cast_dict, _result_type_dict

DefaultDTypes = namedtuple("DefaultDTypes", ["float_dtype", "complex_dtype", "int_dtype"])

_default_dtypes: DefaultDTypes | None = None
#: Functions that take a number as a tensor only.
_NEP50_FUNCS_TENSOR_ONLY = (
    "minimum",
    "maximum",
    "logaddexp",
    "logaddexp2",
    "lcm",
    "gcd",
    "hypot",
    "heaviside",
    "fmod",
    "fmin",
    "fmax",
    "copysign",
    "arctan2",
)
#: Functions beside which a number may be beyond the array's range: it wraps around.
_WRAPPING = (
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "nextafter",
)
_SCALAR_TYPES = (int, bool, float, complex)
_SCALAR_AND_SYMBOLIC_TYPES = (*_SCALAR_TYPES, torch.SymInt, torch.SymFloat, torch.SymBool)


def default_dtypes() -> DefaultDTypes:
    """The dtypes that Python's float, complex and int become: numpy's until they are set."""
    if _default_dtypes is None:
        return DefaultDTypes(torch.float64, torch.complex128, torch.int64)
    return _default_dtypes


def set_defaults(dtypes: DefaultDTypes) -> None:
    """Let Python's numbers become these dtypes."""
    global _default_dtypes
    _default_dtypes = dtypes


def get_default_dtype_for(dtype: torch.dtype) -> torch.dtype:
    """The default dtype of the kind of *dtype*."""
    if dtype == torch.bool:
        return dtype
    defaults = default_dtypes()
    if dtype.is_complex:
        return defaults.complex_dtype
    return defaults.float_dtype if dtype.is_floating_point else defaults.int_dtype


def can_cast_impl(from_torch_dtype: torch.dtype, to_torch_dtype: torch.dtype, casting: str) -> bool:
    """Whether numpy's rule *casting* allows this cast."""
    return _can_cast_dict[casting][from_torch_dtype][to_torch_dtype]


def result_type_impl(*tensors: Any) -> torch.dtype:
    """The dtype that numpy promotes arrays of these dtypes to."""
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        dtype = _result_type_dict[dtype][tensor.dtype]
    return dtype


def python_type_for_torch(dtyp: torch.dtype) -> type:
    """Python's type for elements of a dtype."""
    if dtyp.is_floating_point:
        return float
    if dtyp.is_complex:
        return complex
    return bool if dtyp == torch.bool else int


def is_scalar(x: Any) -> bool:
    """Whether *x* is a Python number."""
    return isinstance(x, _SCALAR_TYPES)


def is_scalar_or_symbolic(x: Any) -> bool:
    """Whether *x* is a Python number, or stands for one."""
    return isinstance(x, _SCALAR_AND_SYMBOLIC_TYPES)


def _dtype_for_scalar(py_type: type) -> torch.dtype:
    """The dtype of a Python number's type."""
    return {
        bool: torch.bool,
        torch.SymBool: torch.bool,
        int: torch.int64,
        torch.SymInt: torch.int64,
        float: torch.float64,
        torch.SymFloat: torch.float64,
        complex: torch.complex128,
    }[py_type]


def _dtype_for_scalar_or_tensor(x: Any) -> torch.dtype:
    """The dtype of a tensor or a Python number."""
    return x.dtype if isinstance(x, torch.Tensor) else _dtype_for_scalar(type(x))


def is_float_or_fp_tensor(x: Any) -> bool:
    """Whether *x* is floating-point."""
    return _dtype_for_scalar_or_tensor(x).is_floating_point


def is_complex_or_complex_tensor(x: Any) -> bool:
    """Whether *x* is complex."""
    return _dtype_for_scalar_or_tensor(x).is_complex


#: The kinds of the dtypes that numbers stand beside; the wide unsigned ones are not among them.
_CATEGORIES = {
    torch.bool: 0,
    torch.uint8: 1,
    torch.int8: 1,
    torch.int16: 1,
    torch.int32: 1,
    torch.int64: 1,
    torch.float16: 2,
    torch.float32: 2,
    torch.float64: 2,
    torch.complex64: 3,
    torch.complex128: 3,
}


def _category(dtype: torch.dtype) -> int:
    """The kind of a dtype as a number: bool, integer, floating-point, complex."""
    return _CATEGORIES[dtype]


def nep50_to_tensors(x1: Any, x2: Any, handle_weaks: bool, function_name: str) -> Any:
    """Make tensors of both operands, one of which may be a Python number.

    A number takes the dtype of the array beside it where that one's kind holds it; unless the
    function compares, it has to be in the dtype's range.
    """

    def default(scalar: Any) -> torch.Tensor:
        return torch.as_tensor(scalar, dtype=get_default_dtype_for(_dtype_for_scalar(type(scalar))))

    weak1, weak2 = is_scalar_or_symbolic(x1), is_scalar_or_symbolic(x2)
    if not handle_weaks or weak1 is weak2 or function_name == "float_power":
        return (default(x1) if weak1 else x1), (default(x2) if weak2 else x2)
    weak, strong = (x1, x2) if weak1 else (x2, x1)
    weak_dtype, dtype = _dtype_for_scalar(type(weak)), strong.dtype
    if _category(weak_dtype) > _category(dtype):
        # A float beside integers takes the default; complex keeps the width of the floats.
        dtype = get_default_dtype_for(weak_dtype)
        if weak_dtype.is_complex and strong.dtype.is_floating_point:
            dtype = strong.dtype.to_complex()
    elif _category(dtype) == 1 and type(weak) is int and function_name not in _WRAPPING:
        limits = torch.iinfo(dtype)
        if not limits.min <= weak <= limits.max:
            raise OverflowError(f"Python integer {weak} out of bounds for {dtype}")
    made: Any = weak
    if weak_dtype != strong.dtype or function_name in _WRAPPING + _NEP50_FUNCS_TENSOR_ONLY:
        made = torch.as_tensor(weak).to(dtype)
        if not isinstance(weak, int):
            made = torch.as_tensor(weak, dtype=dtype)
    return (made, strong) if weak1 else (strong, made)
