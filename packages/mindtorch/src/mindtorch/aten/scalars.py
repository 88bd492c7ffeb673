"""Python numbers among arrays: checked conversion, and promotion of an array with a number."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from mindtorch_storage.dtype import DType, complex64, float32, float64, from_numpy
from mindtorch_storage.finfo import INTEGER_RANGES
from mindtorch_storage.float8_casts import narrowed
from mindtorch_storage.promotion import result_type

from ..call.elementwise_meta import dtype_of
from ..core.errors import not_implemented_for
from ..core.extended_dtypes import is_rare

Array = np.ndarray[Any, Any]

__all__ = [
    "cast",
    "checked",
    "filling",
    "held",
    "overflow",
    "promoted",
    "stored",
    "to_common",
]

_CPP_NAME: Final = {
    "uint8": "uint8_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int",
    "int64": "int64_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
    "bool": "bool",
    "complex32": "c10::complex<c10::Half>",
    "float8_e4m3fn": "c10::Float8_e4m3fn",
    "float8_e4m3fnuz": "c10::Float8_e4m3fnuz",
    "float8_e5m2": "c10::Float8_e5m2",
    "float8_e5m2fnuz": "c10::Float8_e5m2fnuz",
    "float8_e8m0fnu": "c10::Float8_e8m0fnu",
}
_LARGEST: Final = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
    "complex64": 3.4028234663852886e38,
}
#: The least and the largest number of the shortest types, and whether they have infinities.
_FLOAT8: Final = {
    "float8_e4m3fn": (-448.0, 448.0, False),
    "float8_e4m3fnuz": (-240.0, 240.0, False),
    "float8_e5m2": (-57344.0, 57344.0, True),
    "float8_e5m2fnuz": (-57344.0, 57344.0, False),
    "float8_e8m0fnu": (2.0**-127, 2.0**127, False),
}
#: Dtypes that hold every Python float up to this, nan and the infinite apart.
_USUAL: Final = {float32: _LARGEST["float32"], float64: sys.float_info.max}


def held(dtype: DType) -> dict[type, tuple[float, float]]:
    """The least and the largest Python number of a type that *dtype* is sure to hold as it is."""
    if is_rare(dtype.np):
        return {}
    found: dict[type, tuple[float, float]] = {bool: (0, 1)}
    limit = _USUAL.get(dtype)
    if limit is not None:
        exact = 1 << 24 if dtype is float32 else 1 << 53
        found |= {float: (-limit, limit), int: (-exact, exact)}
    elif dtype in INTEGER_RANGES:
        found[int] = INTEGER_RANGES[dtype]
    return found


def overflow(dtype: DType) -> RuntimeError:
    """torch c10/util/TypeCast.cpp, report_overflow."""
    return RuntimeError(
        f"value cannot be converted to type {_CPP_NAME[dtype.name]} without overflow"
    )


def checked(value: Any, dtype: DType) -> Any:
    """*value* as a number of *dtype*; raises torch's error where it does not fit.

    Negative integers fit unsigned dtypes (they wrap), negative fractions do not; anything fits
    bool.
    Source: torch c10/util/TypeCast.h, checked_convert and c10::overflows.
    """
    if type(value) is float and abs(value) <= _USUAL.get(dtype, -1.0):
        return dtype.np.type(value)
    if is_rare(dtype.np):
        return _checked_rare(value, dtype)
    limit = _LARGEST.get(dtype.name, math.inf)
    if dtype.is_complex:
        if any(abs(p) > limit and not _is_infinite(p) for p in (value.real, value.imag)):
            raise overflow(dtype)
        return dtype.np.type(value)
    if dtype.name == "bool":
        return np.bool_(value)
    if isinstance(value, complex):
        if value.imag != 0:
            raise overflow(dtype)
        value = value.real
    if dtype.is_floating_point:
        if abs(value) > limit and not _is_infinite(value):
            raise overflow(dtype)
        if dtype.name == "bfloat16" and isinstance(value, int):
            value = np.float32(value)  # ml_dtypes takes no integer beyond int64
        return dtype.np.type(value)
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            raise overflow(dtype)
    lowest, highest = INTEGER_RANGES[dtype]
    if isinstance(value, float) and value == highest + 1.0 == float(highest):
        return dtype.np.type(lowest)  # compared as C compares them, and converted as x86 does
    if not dtype.is_signed and not isinstance(value, float):
        lowest = -highest
    if not lowest <= value <= highest:
        raise overflow(dtype)
    value = int(value)
    if not dtype.is_signed:
        value %= 1 << 8 * dtype.itemsize
    return dtype.np.type(value)


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)


def stored(value: Any, dtype: DType) -> Any:
    """*value* as a tensor without dimensions holds it.

    The half types have it from a double, so what is too large for them is infinite.
    Source: torch aten/src/ATen/ScalarOps.h, scalar_tensor_static, and Fill.cpp, scalar_fill.
    """
    if dtype.name not in ("float16", "bfloat16"):
        return checked(value, dtype)
    with np.errstate(over="ignore"):
        return np.asarray(checked(value, float64)).astype(dtype.np)[()]


def _checked_rare(value: Any, dtype: DType) -> Any:
    if dtype.np.names:
        raise not_implemented_for("fill_out", dtype)
    if dtype.is_complex:
        for part in (value.real, value.imag):
            if abs(part) > 65504.0 and not math.isinf(part):
                raise overflow(dtype)
    elif isinstance(value, complex):
        if value.imag != 0:
            raise RuntimeError("value cannot be converted to type double without overflow")
        value = value.real
    return narrowed(np.asarray(value), dtype.np)[()]


def filling(value: Any, dtype: DType, shape: Sequence[int]) -> Any:
    """*value* for all elements of a tensor of *shape*: :func:`stored` for one, checked for others.

    The half complex type has them from a single one.
    Source: torch aten/src/ATen/native/Fill.cpp and native/cpu/FillKernel.cpp.
    """
    if math.prod(shape) == 1:
        return stored(value, dtype)
    if dtype.name == "complex32":
        return narrowed(np.asarray(checked(value, complex64)), dtype.np)[()]
    if dtype.name in _FLOAT8:
        _check_float8(value, dtype)
    return checked(value, dtype)


def _check_float8(value: Any, dtype: DType) -> None:
    """Raise torch's error where one of the shortest types has no number near *value*."""
    if isinstance(value, complex):
        if value.imag != 0:
            raise overflow(dtype)
        value = value.real
    least, most, infinite = _FLOAT8[dtype.name]
    below = isinstance(value, float) and value < least  # whole numbers may have any sign
    if (below or abs(value) > most) and not (infinite and _is_infinite(value)):
        raise overflow(dtype)


def cast(value: Any, np_dtype: Any) -> Array:
    """*value* as a 0-d array, wrapped and rounded as a cast between tensors does."""
    if is_rare(np.dtype(np_dtype)):
        return narrowed(np.asarray(value), np_dtype)
    try:
        return np.array(value, np_dtype)
    except OverflowError:
        return np.array(value & 0xFFFFFFFFFFFFFFFF, np.uint64).astype(np_dtype)
    except TypeError:  # complex to real: a cast drops the imaginary part
        return np.array(value.real, np_dtype)


def promoted(array: Array, number: Any) -> DType:
    """The dtype torch computes in for a tensor and a Python number."""
    return result_type(
        ((from_numpy(array.dtype), not array.ndim, False), (dtype_of(number), True, True))
    )


def to_common(array: Any, number: Any) -> tuple[Array, Array]:
    """An array and a number in their common dtype, either of them first."""
    if not isinstance(array, np.ndarray):
        b, a = to_common(number, array)
        return a, b
    dtype = promoted(array, number).np
    return array.astype(dtype, copy=False), cast(number, dtype)
