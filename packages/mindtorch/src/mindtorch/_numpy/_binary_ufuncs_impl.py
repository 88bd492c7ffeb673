"""The universal functions of two arrays, on tensors: torch's functions under numpy's names."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..aten.torch import (
    add,
    arctan2,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    copysign,
    divide,
    eq,
    float_power,
    floor_divide,
    fmax,
    fmin,
    fmod,
    gcd,
    greater,
    greater_equal,
    heaviside,
    hypot,
    lcm,
    less,
    less_equal,
    logaddexp,
    logaddexp2,
    logical_and,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    nextafter,
    not_equal,
    remainder,
    subtract,
    true_divide,
)
from ..aten.torch import bitwise_left_shift as left_shift
from ..aten.torch import bitwise_right_shift as right_shift
from ..aten.torch import pow as power
from . import _dtypes_impl, _util

equal = eq
mod = remainder


def matmul(x: Any, y: Any) -> Any:
    """The product of matrices; bools multiply as bytes."""
    dtype = _dtypes_impl.result_type_impl(x, y)
    narrow = dtype in (torch.bool, torch.float16)
    work = (torch.uint8 if dtype == torch.bool else torch.float32) if narrow else dtype
    result = torch.matmul(_util.cast_if_needed(x, work), _util.cast_if_needed(y, work))
    return result.to(dtype) if narrow else result


def divmod(x: Any, y: Any) -> Any:
    """The quotient rounded down, and what remains."""
    return floor_divide(x, y), remainder(x, y)


#: The functions by the names that numpy has for them.
FUNCTIONS = {
    "add": add,
    "arctan2": arctan2,
    "bitwise_and": bitwise_and,
    "bitwise_or": bitwise_or,
    "bitwise_xor": bitwise_xor,
    "copysign": copysign,
    "divide": divide,
    "equal": equal,
    "float_power": float_power,
    "floor_divide": floor_divide,
    "fmax": fmax,
    "fmin": fmin,
    "fmod": fmod,
    "gcd": gcd,
    "greater": greater,
    "greater_equal": greater_equal,
    "heaviside": heaviside,
    "hypot": hypot,
    "lcm": lcm,
    "left_shift": left_shift,
    "less": less,
    "less_equal": less_equal,
    "logaddexp": logaddexp,
    "logaddexp2": logaddexp2,
    "logical_and": logical_and,
    "logical_or": logical_or,
    "logical_xor": logical_xor,
    "maximum": maximum,
    "minimum": minimum,
    "mod": mod,
    "multiply": multiply,
    "nextafter": nextafter,
    "not_equal": not_equal,
    "power": power,
    "remainder": remainder,
    "right_shift": right_shift,
    "subtract": subtract,
    "true_divide": true_divide,
}
