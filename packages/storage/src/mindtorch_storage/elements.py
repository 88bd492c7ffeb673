"""Python values as elements of a dtype, with torch's checks."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from . import errors, storage_errors
from .arguments import fits_int64, is_int
from .dtype import DType, bool_, uint64
from .finfo import INTEGER_RANGES
from .float8_casts import narrowed

# How torch's texts spell the C++ type of a single value that does not fit.
_C_NAMES = {
    "uint8": "uint8_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int",
    "int64": "int64_t",
    "float16": "double",
    "bfloat16": "double",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
}
_TRUE_OR_NOT = (int, float, complex, np.bool_)
_FLOAT32_MAX = 3.4028234663852886e38


def tensor_type(dtype: DType) -> str:
    """``torch.FloatTensor`` and so on, as texts name a tensor of *dtype* on the host."""
    return f"torch.{dtype.scalar_type}Tensor"


def sequence_elements(sequence: Any, dtype: DType) -> np.ndarray[Any, Any]:
    """The items of *sequence*, nested to any depth, as one row of *dtype*.

    Raises TypeError, ValueError or RuntimeError as ``torch.tensor(sequence, dtype=dtype)`` does.
    Source: torch csrc/utils/tensor_new.cpp, internal_new_from_data.
    """
    if isinstance(sequence, (str, bytes)):
        raise storage_errors.sequence_of_type(sequence)
    sizes: list[int] = []
    inner: Any = sequence
    while isinstance(inner, Sequence) and not isinstance(inner, (str, bytes)):
        sizes.append(len(inner))
        if not inner:
            break
        inner = inner[0]
    if isinstance(inner, (str, bytes)):
        raise storage_errors.sequence_item_type(inner)
    flat: list[Any] = []
    _flatten(sequence, sizes, 0, dtype, flat)
    return np.array(flat, dtype=dtype.np)


def _flatten(value: Any, sizes: list[int], dim: int, dtype: DType, flat: list[Any]) -> None:
    if dim == len(sizes):
        flat.append(element(value, dtype))
        return
    if not isinstance(value, Sequence):
        raise TypeError("not a sequence")
    if len(value) != sizes[dim]:
        raise storage_errors.sequence_ragged(sizes[dim], dim, len(value))
    for item in value:
        _flatten(item, sizes, dim + 1, dtype, flat)


def element(value: Any, dtype: DType) -> Any:
    """One item of a sequence. Source: torch csrc/utils/python_scalars.h, store_scalar."""
    if dtype is bool_:
        return bool(value if isinstance(value, _TRUE_OR_NOT) else as_index(value))
    if dtype.is_complex:
        return complex(value) if hasattr(value, "__complex__") else _float(value)
    if dtype.is_floating_point:
        return _float(value)
    if dtype is uint64:
        return _index(value)
    if not isinstance(value, float):
        value = as_index(value)
    elif dtype.name.startswith("u") and isinstance(value, float) and value < 0:
        raise storage_errors.value_overflow(dtype.name)  # integers wrap, floats do not
    return _wrapped_integer(value, dtype, dtype.name)


def _float(value: Any) -> float:
    """The float that *value* is for C, where text is none. Raises TypeError in C's words."""
    return math.ldexp(value, 0)


def _index(value: Any) -> int:
    """An item of uint64, which torch takes from Python by another way."""
    if not isinstance(value, int):  # numpy's integers are refused, as in torch
        raise TypeError("an integer is required")
    if value < 0:
        raise OverflowError("can't convert negative int to unsigned")
    if value >= 2**64:
        raise OverflowError("int too big to convert")
    return int(value)


def single_element(value: Any, dtype: DType) -> Any:
    """One value to be stored in a tensor of *dtype*, out of range refused.

    Source: torch csrc/autograd/python_variable_indexing.cpp, valueToTensor; c10/core/Scalar.h.
    """
    if hasattr(value, "item") and not isinstance(value, np.ndarray):
        value = value.item()
    if not isinstance(value, numbers.Complex):
        raise storage_errors.cannot_assign(value, tensor_type(dtype))
    if is_int(value) and not fits_int64(value.__index__()):
        raise errors.integer_overflow()
    if dtype is bool_:
        return bool(value)
    name = _C_NAMES[dtype.name]
    if isinstance(value, complex) and not dtype.is_complex:
        if value.imag != 0:
            raise storage_errors.value_overflow(name)
        value = value.real
    if not dtype.is_complex and not dtype.is_floating_point:
        return _wrapped_integer(value, dtype, name)
    if dtype.name in ("float32", "complex64"):
        for part in (value.real, value.imag):
            if _FLOAT32_MAX < abs(float(part)) < float("inf"):
                raise storage_errors.value_overflow(name)
    return value


def _wrapped_integer(value: Any, dtype: DType, name: str) -> int:
    """*value* truncated; a negative one wraps in an unsigned dtype if its magnitude fits."""
    real: bool = isinstance(value, numbers.Real)
    if not real:
        raise storage_errors.not_an_integer(value)
    if is_int(value) and not fits_int64(int(value)):
        raise errors.integer_overflow()
    low, high = INTEGER_RANGES[dtype]
    if low == 0:
        low = -high
    if not low <= value <= high:  # also for NaN
        raise storage_errors.value_overflow(name)
    number = int(value)
    return number if number >= 0 or dtype.is_signed else number + high + 1


def _warn_discarded() -> None:
    """Warn once per process, as TORCH_WARN_ONCE in torch aten/src/ATen/native/Copy.cpp does."""
    if "imaginary" not in errors.said:
        errors.said.add("imaginary")
        warnings.warn(
            "Casting complex values to real discards the imaginary part",
            UserWarning,
            stacklevel=6,
        )


def cast(array: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """*array* converted as torch converts tensors: the imaginary part goes, nothing is refused."""
    if array.dtype.kind == "c" and not dtype.is_complex:
        if dtype is not bool_ and array.size:
            _warn_discarded()
        array = array != 0 if dtype is bool_ else array.real
    if dtype is bool_:
        truth: np.ndarray[Any, Any] = array != 0
        return truth
    if array.dtype.kind not in "biuc" and not (dtype.is_floating_point or dtype.is_complex):
        # Through int64: what is out of range is cut, not saturated, and the same on every machine.
        array = array.astype(np.float64) if array.dtype.itemsize < 4 else array
        if dtype.itemsize < 4:
            array = array.astype(np.int32)
    if dtype.np.num > 24:
        return narrowed(array, dtype.np)
    with np.errstate(all="ignore"):
        converted: np.ndarray[Any, Any] = array.astype(dtype.np)
    return converted
