"""Quantization with one scale for all elements, and the choice of that scale."""

from __future__ import annotations

from typing import Any

from ....aten import torch
from ..ranges import determine_qparams, validate_qmin_qmax
from .decomposed_library import (
    _DTYPE_TO_QVALUE_BOUNDS,
    DType,
    Tensor,
    _quant_min_max_bounds_check,
    defined,
    expect,
    pair_of,
    registered,
    single,
)


def _one_element(scale: Tensor, zero_point: Tensor) -> None:
    for name, given in (("zero_point", zero_point), ("scale", scale)):
        expect(
            given.numel() == 1,
            f"Expecting {name} tensor to be one element, but received : {given.numel()}",
        )


@defined(
    "quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, "
    "ScalarType dtype)"
)
def quantize_per_tensor(
    input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: DType
) -> Tensor:
    """Quantize with numbers for all elements. Raises AssertionError for other inputs or bounds."""
    input = single(input)
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    found = torch.round(input * (1.0 / scale)) + zero_point
    return torch.clamp(found, quant_min, quant_max).to(dtype)


@registered("quantize_per_tensor", "Meta")
def quantize_per_tensor_meta(
    input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: DType
) -> Tensor:
    """Give the layout of what `quantize_per_tensor` gives."""
    return torch.empty_like(single(input), dtype=dtype)


@defined(
    "quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
    "int quant_max, ScalarType dtype)"
)
def quantize_per_tensor_tensor(
    input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int, dtype: DType
) -> Tensor:
    """Quantize with scale and zero point from tensors of one element."""
    _one_element(scale, zero_point)
    numbers: Any = scale.item(), zero_point.item()
    return quantize_per_tensor(input, *numbers, quant_min, quant_max, dtype)


@registered("quantize_per_tensor.tensor", "Meta")
def quantize_per_tensor_tensor_meta(
    input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int, dtype: DType
) -> Tensor:
    """Give the layout of what `quantize_per_tensor_tensor` gives."""
    _one_element(scale, zero_point)
    return torch.empty_like(single(input), dtype=dtype)


@defined(
    "quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, "
    "Tensor quant_max, ScalarType dtype)"
)
def quantize_per_tensor_tensor2(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: Tensor,
    quant_max: Tensor,
    dtype: DType,
) -> Tensor:
    """Quantize with all numbers from tensors of one element."""
    _one_element(scale, zero_point)
    numbers: Any = [given.item() for given in (scale, zero_point, quant_min, quant_max)]
    return quantize_per_tensor(input, *numbers, dtype)


@registered("quantize_per_tensor.tensor2", "Meta")
def quantize_per_tensor_tensor2_meta(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: Tensor,
    quant_max: Tensor,
    dtype: DType,
) -> Tensor:
    """Give the layout of what `quantize_per_tensor_tensor2` gives."""
    _one_element(scale, zero_point)
    return torch.empty_like(single(input), dtype=dtype)


def _check_quantized(input: Tensor, dtype: DType) -> None:
    expect(input.dtype == dtype, f"Expecting input to have dtype: {dtype}, but got {input.dtype}")
    if dtype not in _DTYPE_TO_QVALUE_BOUNDS:
        raise ValueError(f"Unsupported dtype in dequantize_per_tensor: {dtype}")


# Bounds are arguments of what gives numbers back so that a pattern of both can be found in a graph.


@defined(
    "dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, "
    "int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None)"
)
def dequantize_per_tensor(
    input: Tensor,
    scale: float,
    zero_point: int,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give back the numbers that were quantized; bounds are not looked at."""
    _check_quantized(input, dtype)
    return (input.to(out_dtype or torch.float32) - zero_point) * scale


@registered("dequantize_per_tensor", "Meta")
def dequantize_per_tensor_meta(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give the layout of what `dequantize_per_tensor` gives."""
    return torch.empty_like(input, dtype=out_dtype or torch.float32)


@defined(
    "dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
    "int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None)"
)
def dequantize_per_tensor_tensor(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give back numbers with scale and zero point from tensors of one element."""
    _one_element(scale, zero_point)
    numbers: Any = scale.item(), zero_point.item()
    return dequantize_per_tensor(input, *numbers, quant_min, quant_max, dtype, out_dtype=out_dtype)


@registered("dequantize_per_tensor.tensor", "Meta")
def dequantize_per_tensor_tensor_meta(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give the layout of what `dequantize_per_tensor_tensor` gives."""
    _one_element(scale, zero_point)
    _check_quantized(input, dtype)
    return torch.empty_like(input, dtype=out_dtype or torch.float32)


@defined(
    "dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, "
    "Tensor quant_min, Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None)"
)
def dequantize_per_tensor_tensor2(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: Tensor,
    quant_max: Tensor,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give back numbers with all that is needed from tensors of one element."""
    _one_element(scale, zero_point)
    numbers: Any = [given.item() for given in (scale, zero_point, quant_min, quant_max)]
    return dequantize_per_tensor(input, *numbers, dtype, out_dtype=out_dtype)


@registered("dequantize_per_tensor.tensor2", "Meta")
def dequantize_per_tensor_tensor2_meta(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: Tensor,
    quant_max: Tensor,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give the layout of what `dequantize_per_tensor_tensor2` gives."""
    _one_element(scale, zero_point)
    _check_quantized(input, dtype)
    return torch.empty_like(input, dtype=out_dtype or torch.float32)


# Scale and zero point from what a tensor holds.


def _check_chooses(input: Tensor) -> None:
    expect(
        input.dtype in (torch.float32, torch.float16, torch.bfloat16),
        f"Expecting input to have dtype torch.float32/16/b16, but got dtype: {input.dtype}",
    )


def _chosen(
    input: Tensor, qmin: int, qmax: int, eps: float, dtype: DType, **scheme: Any
) -> tuple[Tensor, Tensor]:
    _check_chooses(input)
    known = _DTYPE_TO_QVALUE_BOUNDS.keys()
    expect(dtype in known, f"Expecting target dtype to be one of {known}, but got: {dtype}")
    validate_qmin_qmax(qmin, qmax)
    least, most = torch.aminmax(input)
    smallest = torch.tensor([eps], dtype=torch.float32)
    scale, zero_point = determine_qparams(
        least, most, qmin, qmax, dtype, smallest, has_customized_qrange=False, **scheme
    )
    return scale, zero_point


@defined(
    "choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, "
    "ScalarType dtype)",
    "(Tensor, Tensor)",
)
def choose_qparams_tensor(
    input: Tensor, qmin: int, qmax: int, eps: float, dtype: DType
) -> tuple[Tensor, Tensor]:
    """Choose scale and zero point so that the range of *input* fits the bounds."""
    return _chosen(input, qmin, qmax, eps, dtype)


@registered("choose_qparams.tensor", "Meta")
def choose_qparams_tensor_meta(
    input: Tensor, quant_min: int, quant_max: int, eps: float, dtype: DType
) -> tuple[Tensor, Tensor]:
    """Give the layout of what `choose_qparams_tensor` gives."""
    _check_chooses(input)
    expect(
        quant_min < quant_max,
        "Expecting quant_min to be smaller than quant_max but received "
        f"min: {quant_min} max: {quant_max}",
    )
    return pair_of([1], input.device)


@defined(
    "choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, float eps, "
    "ScalarType dtype)",
    "(Tensor, Tensor)",
)
def choose_qparams_symmetric_tensor(
    input: Tensor, qmin: int, qmax: int, eps: float, dtype: DType
) -> tuple[Tensor, Tensor]:
    """Choose a scale so that zero lies in the middle of the bounds."""
    return _chosen(input, qmin, qmax, eps, dtype, qscheme=torch.per_tensor_symmetric)


@registered("choose_qparams_symmetric.tensor", "Meta")
def choose_qparams_symmetric_tensor_meta(
    input: Tensor, quant_min: int, quant_max: int, eps: float, dtype: DType
) -> tuple[Tensor, Tensor]:
    """Give the layout of what `choose_qparams_symmetric_tensor` gives."""
    return pair_of([1], input.device)
