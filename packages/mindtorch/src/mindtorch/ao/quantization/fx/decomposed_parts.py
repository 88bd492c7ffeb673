"""Quantization with a scale for each channel, each row ("token") or parts of a row."""

from __future__ import annotations

import math
from typing import Any

from ....aten import torch
from ....autograd import Function
from .decomposed_library import (
    DType,
    Tensor,
    _quant_min_max_bounds_check,
    defined,
    expect,
    pair_of,
    quantized_decomposed_lib,
    registered,
    single,
)


def _permute_to_axis_zero(x: Tensor, axis: int) -> tuple[Tensor, list[int]]:
    """*x* with *axis* and the first dimension in each other's place, and that order."""
    order = list(range(x.dim()))
    order[axis] = 0
    order[0] = axis
    return x.permute(tuple(order)), order


def _check_axis(axis: int, input: Tensor) -> None:
    expect(axis < input.dim(), f"Expecting axis to be < {input.dim()}")


def _columns(given: Tensor, channels: int, dim: int) -> Tensor:
    """Numbers of channels, as they broadcast against a tensor with channels in front."""
    return given.view([channels] + [1] * (dim - 1))


@defined(
    "quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, "
    "int quant_min, int quant_max, ScalarType dtype)"
)
def quantize_per_channel(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: DType,
) -> Tensor:
    """Quantize with a scale and a zero point for each index of *axis*."""
    input = single(input)
    _check_axis(axis, input)
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    input, order = _permute_to_axis_zero(input, axis)
    scales = _columns(scales, scales.shape[0], input.dim())
    zero_points = _columns(zero_points, scales.shape[0], input.dim())
    found = torch.round(input * (1.0 / scales)) + zero_points
    return torch.clamp(found, quant_min, quant_max).permute(tuple(order)).to(dtype)


@registered("quantize_per_channel", "Meta")
def quantize_per_channel_meta(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: DType,
) -> Tensor:
    """Give the layout of what `quantize_per_channel` gives."""
    input = single(input)
    _check_axis(axis, input)
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    return torch.empty_like(input, dtype=dtype)


@defined(
    "dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, "
    "int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None)"
)
def dequantize_per_channel(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor | None,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give back the numbers that were quantized with a scale for each index of *axis*."""
    expect(
        input.dtype == dtype,
        f"Expecting input to have dtype: {dtype}, but got dtype: {input.dtype}",
    )
    _check_axis(axis, input)
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    input, order = _permute_to_axis_zero(input, axis)
    scales = _columns(scales, scales.shape[0], input.dim())
    if zero_points is not None:
        input = input - _columns(zero_points, scales.shape[0], input.dim())
    found = (input * scales).to(out_dtype or torch.float32)
    return found.permute(tuple(order))


@registered("dequantize_per_channel", "Meta")
def dequantize_per_channel_meta(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor | None,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    *,
    out_dtype: DType | None = None,
) -> Tensor:
    """Give the layout of what `dequantize_per_channel` gives."""
    expect(
        input.dtype == dtype,
        f"Expecting input to have dtype {dtype}, but got dtype: {input.dtype}",
    )
    _check_axis(axis, input)
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    return torch.empty_like(input, dtype=out_dtype or torch.float32)


@defined("choose_qparams_per_token(Tensor input, ScalarType dtype)", "(Tensor, Tensor)")
def choose_qparams_per_token(input: Tensor, dtype: DType) -> tuple[Tensor, Tensor]:
    """Choose a scale for each row so that its largest number fits; zero points are zero.

    Raises Exception for a dtype that is not int8.
    """
    largest = input.abs().amax(dim=-1, keepdim=True)
    if largest.dtype == torch.float16:
        largest = largest.float()  # smallest scales are no numbers of float16
    if dtype != torch.int8:
        raise Exception(f"unsupported dtype in choose_qparams_per_token: {dtype}")
    scales = largest.clamp(min=1e-5).div(127)
    return scales, torch.zeros_like(scales)


@registered("choose_qparams_per_token", "Meta")
def choose_qparams_per_token_meta(input: Tensor, dtype: DType) -> tuple[Tensor, Tensor]:
    """Give the layout that a compiler reckons with."""
    return pair_of([*input.shape[:-1], 1], input.device)


quantized_decomposed_lib.define(
    "_choose_qparams_per_token_asymmetric_impl(Tensor input, ScalarType dtype) -> (Tensor, Tensor)"
)


@registered("_choose_qparams_per_token_asymmetric_impl", "CompositeImplicitAutograd")
def _choose_qparams_per_token_asymmetric_impl(input: Tensor, dtype: DType) -> tuple[Tensor, Tensor]:
    """Choose scale and zero point for each row, always for the bounds of int8."""
    low, high = -128, 127
    least, most = torch.amin(input, -1, True), torch.amax(input, -1, True)
    least = torch.min(least, torch.zeros_like(least))
    most = torch.max(most, torch.zeros_like(most))
    scale = (most - least) / float(high - low)
    scale = scale.clamp(min=torch.finfo(torch.float32).eps)
    below, above = least / scale, most / scale
    nearer_below = (below + low) + (above + high) > 0
    zero_point = torch.where(nearer_below, low - below, high - above)
    zero_point = torch.clamp(zero_point, low, high).round()
    return scale.to(torch.float64), zero_point.to(torch.int64)


@defined("choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype)", "(Tensor, Tensor)")
def choose_qparams_per_token_asymmetric(input: Tensor, dtype: DType) -> tuple[Tensor, Tensor]:
    """Choose scale and zero point for each row."""
    return _choose_qparams_per_token_asymmetric_impl(input, dtype)


@registered("choose_qparams_per_token_asymmetric", "Meta")
def choose_qparams_per_token_asymmetric_meta(input: Tensor, dtype: DType) -> tuple[Tensor, Tensor]:
    """Give the layout of what `choose_qparams_per_token_asymmetric` gives."""
    return pair_of([*input.shape[:-1], 1], input.device)


def _per_token_quant_qparam_dim_check(input: Any, scales: Any, zero_points: Any) -> None:
    """Refuse scales or zero points that are not as many as rows."""
    rows = math.prod(input.size()[:-1])
    expect(rows == scales.numel(), f"num_tokens: {rows} scales: {scales.size()}")
    expect(rows == zero_points.numel(), f"num_tokens: {rows} zero_points: {zero_points.size()}")


@defined(
    "quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, "
    "int quant_max, ScalarType dtype)"
)
def quantize_per_token(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
) -> Tensor:
    """Quantize with a scale and a zero point for each row."""
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    _per_token_quant_qparam_dim_check(input, scales, zero_points)
    found = input.mul(1.0 / scales).add(zero_points).round()
    return found.clamp(quant_min, quant_max).to(dtype)


@registered("quantize_per_token", "Meta")
def quantize_per_token_meta(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
) -> Tensor:
    """Give the layout of what `quantize_per_token` gives."""
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    return torch.empty_like(input, dtype=dtype)


@defined(
    "dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, "
    "int quant_max, ScalarType dtype, ScalarType output_dtype)"
)
def dequantize_per_token(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    output_dtype: DType = torch.float32,
) -> Tensor:
    """Give back the numbers that were quantized with a scale for each row."""
    return ((input - zero_points) * scales).to(output_dtype)


@registered("dequantize_per_token", "Meta")
def dequantize_per_token_meta(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    output_dtype: DType = torch.float32,
) -> Tensor:
    """Give the layout of what `dequantize_per_token` gives."""
    _quant_min_max_bounds_check(quant_min, quant_max, dtype)
    return torch.empty_like(input, dtype=output_dtype)


def _checked_group(name: str, input: Tensor, scales: Tensor, group_size: int) -> int:
    """How many elements have a scale: at most a row's."""
    expect(group_size > 1, "group_size must be > 1")
    if group_size > input.shape[-1] and scales.shape[-1] == 1:
        group_size = input.shape[-1]
    fits = input.shape[-1] % group_size == 0
    expect(fits, f"{name}.shape[-1] must be divisible by group_size")
    expect(input.dim() == 2, f"{name} must be 2-dimensional")
    return group_size


@defined(
    "quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, int quant_min, "
    "int quant_max, ScalarType dtype, int group_size)"
)
def quantize_per_channel_group(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    group_size: int = 128,
) -> Tensor:
    """Quantize a matrix with a scale and a zero point for each *group_size* elements of a row."""
    group_size = _checked_group("input", input, scales, group_size)
    groups = input.reshape(-1, group_size)
    expect(torch.isnan(groups).sum() == 0, "to_quant must not contain NaNs")
    scales, zero_points = scales.reshape(-1, 1), zero_points.reshape(-1, 1)
    found = groups.mul(1.0 / scales).add(zero_points).round()
    return found.clamp_(quant_min, quant_max).to(dtype).reshape_as(input)


@registered("quantize_per_channel_group", "Meta")
def quantize_per_channel_group_meta(
    input: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    group_size: int = 128,
) -> Tensor:
    """Give the layout of what `quantize_per_channel_group` gives."""
    _checked_group("input", input, scales, group_size)
    return torch.empty_like(input, dtype=dtype)


@defined(
    "dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, "
    "int quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype)"
)
def dequantize_per_channel_group(
    w_int8: Tensor,
    scales: Tensor,
    zero_points: Tensor | None,
    quant_min: int,
    quant_max: int,
    dtype: DType,
    group_size: int = 128,
    output_dtype: DType = torch.float32,
) -> Tensor:
    """Give back the numbers that were quantized with a scale for each group of a row."""
    group_size = _checked_group("w_int8", w_int8, scales, group_size)
    groups, scales = w_int8.reshape(-1, group_size), scales.reshape(-1, 1)
    if zero_points is None:
        offsets = torch.zeros([], dtype=torch.int32, device=scales.device)
    else:
        offsets = zero_points.reshape(-1, 1)
    return groups.sub(offsets).mul(scales).reshape_as(w_int8).to(output_dtype)


def _unsqueeze_multiple(a: Tensor, dimensions: list[int]) -> Tensor:
    """*a* with a dimension of size one at each of *dimensions*."""
    for dim in sorted(dimensions):
        a = a.unsqueeze(dim)
    return a


class FakeQuantPerChannel(Function):
    """Numbers as they are after quantization for each channel; bounds stop gradients."""

    @staticmethod
    def forward(
        ctx: Any, input: Any, scales: Any, zero_points: Any, axis: int, quant_min: int,
        quant_max: int,
    ) -> Any:  # fmt: skip
        """Round, hold within bounds and scale back, and note which numbers were within."""
        if scales.dtype != torch.float32:
            scales = scales.to(torch.float32)
        if zero_points.dtype != torch.int32:
            zero_points = zero_points.to(torch.int32)
        expect(
            input.dtype == torch.float32,
            f"Expecting input to have dtype torch.float32, but got dtype: {input.dtype}",
        )
        _check_axis(axis, input)
        others = [*range(0, axis), *range(axis + 1, input.ndim)]
        scales = _unsqueeze_multiple(scales, others)
        zero_points = _unsqueeze_multiple(zero_points, others)
        found = torch.round(input * (1.0 / scales)) + zero_points
        held = (torch.clamp(found, quant_min, quant_max) - zero_points) * scales
        ctx.save_for_backward(torch.logical_and(found >= quant_min, found <= quant_max))
        return held

    @staticmethod
    def backward(ctx: Any, gy: Any) -> Any:
        """Hand on the gradient of numbers that were within the bounds."""
        (within,) = ctx.saved_tensors
        return gy * within, None, None, None, None, None


quantized_decomposed_lib.define(
    "fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, "
    "int quant_min, int quant_max) -> Tensor"
)


@registered("fake_quant_per_channel", "Autograd")
def fake_quant_per_channel(
    input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int, quant_max: int
) -> Tensor:
    """Give the numbers as they are after quantization with a scale for each index of *axis*."""
    found: Tensor = FakeQuantPerChannel.apply(
        input, scales, zero_points, axis, quant_min, quant_max
    )
    return found


@registered("fake_quant_per_channel", "Meta")
def fake_quant_per_channel_meta(
    input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int, quant_max: int
) -> Tensor:
    """Give the layout of what `fake_quant_per_channel` gives."""
    return torch.empty_like(input)


@defined("convert_element_type.no_fuse(Tensor input, ScalarType dtype)")
def convert_element_type(input: Tensor, dtype: DType) -> Tensor:
    """Convert to *dtype*, in an operator that no compiler joins with its neighbours."""
    return input.to(dtype, copy=True)


@registered("convert_element_type.no_fuse", "Meta")
def convert_element_type_meta(input: Tensor, dtype: DType) -> Tensor:
    """Give the layout of what `convert_element_type` gives."""
    return torch.empty_like(input, dtype=dtype)
