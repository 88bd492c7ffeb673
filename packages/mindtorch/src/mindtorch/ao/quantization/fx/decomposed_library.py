"""The library ``torch.ops.quantized_decomposed``: how its operators are defined, what all check.

A quantized value is an integer, ``round(x / scale) + zero_point`` within bounds, and lies in a
tensor of an integer dtype: scale and zero point are arguments of the operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ....aten import torch
from ....library import Library, impl

__all__ = [
    "defined",
    "expect",
    "pair_of",
    "quantized_decomposed_lib",
    "registered",
    "single",
]

Tensor = torch.Tensor
DType = torch.dtype
_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])

quantized_decomposed_lib = Library("quantized_decomposed", "DEF")

_INTEGER_DTYPES = [torch.uint8, torch.int8, torch.uint16, torch.int16, torch.int32]
_FLOAT_DTYPES = [torch.float8_e5m2, torch.float8_e4m3fn]
_DTYPE_TO_QVALUE_BOUNDS: dict[DType, tuple[int, int]] = {
    dtype: (torch.iinfo(dtype).min, torch.iinfo(dtype).max) for dtype in _INTEGER_DTYPES
} | {dtype: (int(torch.finfo(dtype).min), int(torch.finfo(dtype).max)) for dtype in _FLOAT_DTYPES}


def expect(holds: bool, text: str) -> None:
    """Raise AssertionError with *text* unless it *holds*."""
    if not holds:
        raise AssertionError(text)


def defined(arguments: str, results: str = "Tensor") -> Callable[[_Kernel], _Kernel]:
    """Define an operator by its name and *arguments*; what is decorated computes it."""
    quantized_decomposed_lib.define(f"{arguments} -> {results}")
    return registered(arguments.partition("(")[0], "CompositeExplicitAutograd")


def registered(name: str, key: str) -> Callable[[_Kernel], _Kernel]:
    """Let what is decorated compute the operator *name* at a dispatch key."""
    register: Callable[[_Kernel], _Kernel] = impl(quantized_decomposed_lib, name, key)
    return register


def _quant_min_max_bounds_check(quant_min: Any, quant_max: Any, dtype: DType) -> None:
    """Refuse a dtype that holds no quantized values, and bounds that it does not reach."""
    if dtype not in _DTYPE_TO_QVALUE_BOUNDS:
        raise ValueError(f"Unsupported dtype: {dtype}")
    lower, upper = _DTYPE_TO_QVALUE_BOUNDS[dtype]
    expect(
        quant_min >= lower,
        f"quant_min out of bounds for dtype, quant_min_lower_bound: {lower} quant_min: {quant_min}",
    )
    expect(
        quant_max <= upper,
        f"quant_max out of bounds for dtype, quant_max_upper_bound: {upper} quant_max: {quant_max}",
    )


def single(input: Tensor) -> Tensor:
    """*input* in float32, if it is of a half-precision dtype or float32. AssertionError if not."""
    if input.dtype in (torch.float16, torch.bfloat16):
        input = input.to(torch.float32)
    expect(
        input.dtype == torch.float32,
        f"Expecting input to have dtype torch.float32, but got dtype: {input.dtype}",
    )
    return input


def pair_of(size: Sequence[int], device: Any) -> tuple[Tensor, Tensor]:
    """A scale and a zero point of *size* without numbers."""
    return (
        torch.empty(size, dtype=torch.double, device=device),
        torch.empty(size, dtype=torch.int64, device=device),
    )
