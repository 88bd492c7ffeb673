"""What the loops that torch wrote for convolutions refuse, each in its own words.

Source: torch aten/src/ATen/native/ConvolutionMM2d.cpp, ConvolutionMM3d.cpp,
NaiveDilatedConvolution.cpp, NaiveConvolutionTranspose2d.cpp, NaiveConvolutionTranspose3d.cpp and
utils/ParamUtils.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..call.convolution_check import named_sizes
from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, UNSIGNED, refuse
from ..core.dims import expect_sizes, size_at
from ..core.errors import expected_scalar_type

__all__ = [
    "check_dilated",
    "check_dtypes",
    "check_lists",
    "check_planes",
    "check_transposed_images",
    "check_transposed_volumes",
    "check_volumes",
]

#: What each kernel lacks.
_LACKS = {
    "slow_conv2d_cpu": BOOL | UNSIGNED | COMPLEX,
    "slow_conv2d_cpu_grad_input": BOOL | INTEGRAL | COMPLEX,
    "compute_columns3d": BOOL | UNSIGNED | COMPLEX,
    "slow_conv_dilated<>": (BOOL | INTEGRAL | COMPLEX) - {"int64"},
    "slow_conv_transpose2d_out_cpu": (BOOL | INTEGRAL | COMPLEX) - {"int64"},
    "slow_conv_transpose3d_out_cpu": (BOOL | INTEGRAL | COMPLEX) - {"int64"},
}


def check_dtypes(kernel: str, input: Any, *others: Any) -> None:
    """Raise for an *input* that *kernel* lacks, and for *others* of another dtype than its."""
    if input.device.type == "meta":
        return
    refuse(input.dtype, {kernel: _LACKS[kernel]}, input)
    for t in others:
        if t is not None and t.dtype is not input.dtype:
            raise expected_scalar_type(input.dtype, t.dtype)


def check_lists(text: str, n: int, **lists: Sequence[int]) -> None:
    """Raise unless each of *lists* has *n* numbers; *text* says so of one."""
    for name, values in lists.items():
        if len(values) != n:
            raise RuntimeError(text.format(name=name, n=n, found=len(values)))


def _padded(sizes: Sequence[int], padding: Sequence[int]) -> list[int]:
    return [s + 2 * p for s, p in zip(sizes, padding, strict=True)]


def _times(sizes: Sequence[int]) -> str:
    return " x ".join(map(str, sizes))


def _check_windows(
    sizes: Sequence[int], kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int]
) -> list[int]:
    """The sizes of the result, which windows of *kernel* over *sizes* have."""
    have = _padded(sizes, padding)
    if any(h < k for h, k in zip(have, kernel, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({_times(have)}). Kernel size: "
            f"({_times(kernel)}). Kernel size can't be greater than actual input size"
        )
    return [(h - k) // s + 1 for h, k, s in zip(have, kernel, stride, strict=True)]


def check_planes(
    input: Any, weight: Any, bias: Any, kernel: Sequence[int], stride: Sequence[int],
    padding: Sequence[int], grad_output: Any = None,
) -> list[int]:  # fmt: skip
    """Of ``slow_conv2d``: the height and width of the result."""
    if min(kernel) <= 0:
        raise RuntimeError(
            "kernel size should be greater than zero, but got " + named_sizes(kernel=kernel)
        )
    if min(stride) <= 0:
        raise RuntimeError(
            f"stride should be greater than zero, but got {named_sizes(stride=stride)}"
        )
    # Rows of all numbers that a channel of the result is made of.
    shape = list(weight.shape)
    rows = [shape[0], prod(shape[1:])] if len(shape) == 4 else shape
    if not weight.numel() or len(rows) != 2:
        raise RuntimeError(f"non-empty 2D or 4D weight tensor expected, but got: {rows}")
    if bias is not None:
        expect_sizes(bias, 1, 0, rows[:1])
    if input.dim() != 4:
        raise RuntimeError(f"Expected 4D input tensor, but got: {list(input.shape)}")
    for dim in (2, 3):
        if not input.shape[dim]:
            raise RuntimeError(
                f"Expected non-zero size for input dimension {dim}, but got input shape: "
                f"{list(input.shape)}. Only the batch and channel dimensions support size 0."
            )
    sizes = _check_windows(input.shape[2:], kernel, stride, padding)
    channels = rows[1] // prod(kernel)
    if input.shape[1]:
        expect_sizes(input, 4, 1, [channels])
    _check_numbers(weight, (rows[0], channels, *kernel))
    if grad_output is not None:
        expect_sizes(grad_output, 4, 1, [rows[0], *sizes])
    return sizes


def check_volumes(
    input: Any, weight: Any, bias: Any, kernel: Sequence[int], stride: Sequence[int],
    padding: Sequence[int],
) -> list[int]:  # fmt: skip
    """Of ``slow_conv3d``: the depth, height and width of the result.

    Where a weight has fewer channels than the images, these are taken in groups.
    """
    channels, of_row = size_at(input, 1), size_at(weight, 1)
    for name, values in (("kernel size", kernel), ("stride", stride)):
        if min(values) <= 0:
            raise RuntimeError(
                f"{name} should be greater than zero, but got: {_times(values)} (TxHxW)"
            )
    shape = list(weight.shape)
    if not weight.numel() or len(shape) not in (2, 5):
        raise RuntimeError(f"non-empty 2D or 5D weight tensor expected, but got: {shape}")
    if bias is not None:
        expect_sizes(bias, 1, 0, shape[:1])
    if input.dim() != 5 or 0 in input.shape[1:]:
        raise RuntimeError(f"non-empty 5D input tensor expected but got: {list(input.shape)}")
    sizes = _check_windows(input.shape[2:], kernel, stride, padding)
    groups = channels // of_row
    if not groups:
        raise RuntimeError("none zero group size expected")
    expect_sizes(input, 5, 1, [groups * of_row // (prod(kernel) if len(shape) == 2 else 1)])
    _check_numbers(weight, (shape[0], channels // groups, *kernel))
    if shape[0] % groups:
        raise RuntimeError(
            f"{groups} groups of channels do not make {shape[0]} channels: a weight of shape "
            f"{shape}, images of {list(input.shape)}"
        )
    return sizes


def check_dilated(
    input: Any, weight: Any, bias: Any, kernel: Sequence[int], stride: Sequence[int],
    padding: Sequence[int], dilation: Sequence[int],
) -> list[int]:  # fmt: skip
    """Of ``slow_conv_dilated2d`` and ``3d``: the spatial sizes of the result."""
    n = len(kernel)
    for name, values in (("kernel size", kernel), ("stride", stride), ("dilation", dilation)):
        if min(values) <= 0:
            raise RuntimeError(f"{name} should be greater than zero, but got {list(values)}")
    dims = input.dim()
    if dims not in (n + 1, n + 2):
        raise RuntimeError(f"input must be 4D or 5D tensor but got {dims}D tensor")
    have = _padded(input.shape[-n:], padding)
    sizes = [
        (h - (d * (k - 1) + 1)) // s + 1
        for h, k, s, d in zip(have, kernel, stride, dilation, strict=True)
    ]
    if min(sizes) < 0:
        raise RuntimeError(
            f"calculated output size {' '.join(map(str, sizes))} is too small "
            "(all sizes must be non-negative)"
        )
    shape = list(weight.shape)
    if len(shape) != n + 2:
        raise RuntimeError(f"weight must be {n + 2}D tensor but got {len(shape)}D tensor dim={n}")
    if shape[2:] != list(kernel):
        raise RuntimeError(
            f"weight[2:] shape {shape[2:]} must be equal to kernel_size {list(kernel)}"
        )
    place = dims - n - 1
    if input.shape[place] != shape[1]:
        raise RuntimeError(
            f"Need input of dimension {dims} and input.size[{place}] == {shape[1]} but got input "
            f"to be of shape {list(input.shape)}"
        )
    if bias is not None:
        if bias.dim() != 1:
            raise RuntimeError(f"bias must be 1D tensor but got {bias.dim()}D tensor")
        if bias.shape[0] != shape[0]:
            raise RuntimeError(
                f"Need bias of dimension 1 and bias.size[0] == {shape[0]} but got input to be of "
                f"shape {list(bias.shape)}"
            )
    return sizes


def _check_strides(
    stride: Sequence[int], dilation: Sequence[int], output_padding: Sequence[int]
) -> None:
    if min(stride) <= 0:
        raise RuntimeError(
            f"stride should be greater than zero, but got {named_sizes(stride=stride)}"
        )
    if min(dilation) <= 0:
        named = named_sizes(dilation=dilation).replace(" dilation", ", dilation")
        raise RuntimeError(f"dilation should be greater than zero, but got {named}")
    sizes = zip(output_padding, stride, dilation, strict=True)
    if any(o >= s and o >= d for o, s, d in sizes):
        raise RuntimeError(
            "output padding must be smaller than either stride or dilation, but got "
            + named_sizes(output_padding=output_padding, stride=stride, dilation=dilation)
        )


def _spread_sizes(
    input: Any, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    output_padding: Sequence[int], dilation: Sequence[int],
) -> list[int]:  # fmt: skip
    given = list(input.shape[-len(kernel) :])
    lists = zip(given, kernel, stride, padding, output_padding, dilation, strict=True)
    sizes = [(i - 1) * s - 2 * p + d * (k - 1) + 1 + o for i, k, s, p, o, d in lists]
    if min(sizes) < 1:
        raise RuntimeError(
            f"Given input size per channel: ({_times(given)}). Calculated output size per "
            f"channel: ({_times(sizes)}). Output size is too small"
        )
    return sizes


def check_transposed_images(
    input: Any, weight: Any, bias: Any, kernel: Sequence[int], *lists: Sequence[int]
) -> list[int]:
    """Of ``slow_conv_transpose2d``: the height and width of the result."""
    stride, _, output_padding, dilation = lists
    if min(kernel) <= 0:
        raise RuntimeError(
            f"kernel size should be greater than zero, but got {named_sizes(kernel=kernel)}"
        )
    _check_strides(stride, dilation, output_padding)
    shape = list(weight.shape)
    if not weight.numel() or len(shape) not in (2, 4):
        raise RuntimeError(f"non-empty 2D or 4D weight tensor expected, but got: {shape}")
    if bias is not None:
        expect_sizes(bias, 1, 0, shape[1:2])
    if input.dim() not in (3, 4) or not input.numel():
        raise RuntimeError(
            "non-empty 3D or 4D input tensor expected but got a tensor with size "
            f"{list(input.shape)}"
        )
    sizes = _spread_sizes(input, kernel, *lists)
    expect_sizes(input, input.dim(), input.dim() - 3, shape[:1])
    _check_numbers(weight, (*shape[:2], *kernel))
    return sizes


def check_transposed_volumes(
    input: Any, weight: Any, bias: Any, kernel: Sequence[int], *lists: Sequence[int]
) -> list[int]:
    """Of ``slow_conv_transpose3d``: the depth, height and width of the result."""
    stride, _, output_padding, dilation = lists
    if input.dim() not in (4, 5) or not input.numel():
        raise RuntimeError(
            "non-empty 4D or 5D (batch mode) tensor expected for input, but got: "
            f"{list(input.shape)}"
        )
    _check_strides(stride, dilation, output_padding)
    shape = list(weight.shape)
    if not weight.numel() or len(shape) != 5:
        raise RuntimeError(
            "non-empty 5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x "
            f"kernel_width) tensor expected for weight, but got: {shape}"
        )
    if bias is not None:
        expect_sizes(bias, 1, 0, shape[1:2])
    expect_sizes(input, input.dim(), input.dim() - 4, shape[:1])
    _check_numbers(weight, (*shape[:2], *kernel))
    return _spread_sizes(input, kernel, *lists)


def _check_numbers(weight: Any, shape: Sequence[int]) -> None:
    """Raise where the kernels are of another size than the weight holds.

    torch's loops would read past the end of its memory.
    """
    if weight.numel() != prod(shape):
        raise RuntimeError(
            f"a weight of shape {list(weight.shape)} does not hold the numbers of shape "
            f"{list(shape)} that the sizes of the kernel ask for"
        )
