"""``torch.ao.nn.quantized.functional``: layers of quantized tensors as functions.

What a result is quantized by is the input's, where the function takes none of its own. Functions
that only quantized tensors know raise ValueError for others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch.core.warning import warn

from .... import nn
from ...._ops import ops
from ....aten import torch
from ....nn.modules.utils import _pair, _single, _triple
from ....tensor import Tensor

__all__ = [
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "avg_pool2d",
    "avg_pool3d",
    "celu",
    "clamp",
    "conv1d",
    "conv2d",
    "conv3d",
    "elu",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "interpolate",
    "leaky_relu",
    "linear",
    "max_pool1d",
    "max_pool2d",
    "threshold",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]

_quint8, _qint8 = torch.quint8, torch.qint8
_SHAPES = {1: "`(N, C, L)`", 2: "`(N, C, H, W)`", 3: "`(N, C, D, H, W)`"}
_SEVERAL: dict[int, Callable[[Any], Any]] = {1: _single, 2: _pair, 3: _triple}


def _check(input: Any, name: str) -> None:
    if not input.is_quantized:
        raise ValueError(f"Input to 'quantized.{name}' must be quantized!")


# Pooling and sizes --------------------------------------------------------------------------------


def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Means over windows of images."""
    _check(input, "avg_pool2d")
    return nn.functional.avg_pool2d(
        input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def avg_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Means over windows of volumes."""
    _check(input, "avg_pool3d")
    return nn.functional.avg_pool3d(
        input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Means over as many windows of images as *output_size* says."""
    _check(input, "functional.adaptive_avg_pool2d")
    return nn.functional.adaptive_avg_pool2d(input, output_size)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Means over as many windows of volumes as *output_size* says."""
    _check(input, "functional.adaptive_avg_pool3d")
    return nn.functional.adaptive_avg_pool3d(input, output_size)


def _refuse_indices(return_indices: bool) -> None:
    if return_indices:
        raise NotImplementedError("return_indices is not yet implemented!")


def max_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    """Maxima of windows of sequences."""
    _refuse_indices(return_indices)
    return nn.functional.max_pool1d(
        input, kernel_size, stride, padding, dilation, ceil_mode=ceil_mode
    )


def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    """Maxima of windows of images."""
    _refuse_indices(return_indices)
    return nn.functional.max_pool2d(
        input, kernel_size, stride, padding, dilation, ceil_mode=ceil_mode
    )


def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Images of another size."""
    _check(input, "interpolate")
    return nn.functional.interpolate(input, size, scale_factor, mode, align_corners)


def _upsampled(name: str, *args: Any) -> Tensor:
    warn(
        f"nn.quantized.functional.{name} is deprecated. "
        "Use nn.quantized.functional.interpolate instead."
    )
    return interpolate(*args)


def upsample(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """:func:`interpolate`, by an older name."""
    return _upsampled("upsample", input, size, scale_factor, mode, align_corners)


def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Images between whose corners lie those of another size."""
    return _upsampled("upsample_bilinear", input, size, scale_factor, "bilinear", True)


def upsample_nearest(input: Any, size: Any = None, scale_factor: Any = None) -> Tensor:
    """:func:`interpolate` with the nearest element."""
    return _upsampled("upsample_nearest", input, size, scale_factor)


# Products -----------------------------------------------------------------------------------------


def _convolved(
    n: int, input: Any, weight: Any, bias: Any, *, stride: Any, padding: Any, dilation: Any,
    groups: int, padding_mode: str, scale: float, zero_point: int,
) -> Tensor:  # fmt: skip
    """A convolution over *n* dimensions, whose weight is packed for this one call."""
    if padding_mode != "zeros":
        raise NotImplementedError("Only zero-padding is supported!")
    for tensor, dtype, role in ((input, _quint8, "activation"), (weight, _qint8, "weight")):
        if tensor.dtype is not dtype:
            raise NotImplementedError(f"Only {dtype} is supported for {role} tensor!")
    if input.dim() != n + 2:
        raise ValueError(f"Input shape must be {_SHAPES[n]}!")
    options = [_SEVERAL[n](option) for option in (stride, padding, dilation)]
    packed = getattr(ops.quantized, f"conv{n}d_prepack")(weight, bias, *options, groups)
    return getattr(ops.quantized, f"conv{n}d")(input, packed, scale, zero_point)


def conv1d(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    padding_mode: str = "zeros",
    scale: float = 1.0,
    zero_point: int = 0,
    dtype: Any = _quint8,
) -> Tensor:
    """Convolve sequences of ``quint8`` with a weight of ``qint8`` and a bias of floats.

    :param scale: with *zero_point*, what the result is quantized by. It is ``quint8`` always.

    Raises NotImplementedError for other dtypes, and where *padding_mode* is not ``zeros``;
    ValueError for another number of dimensions.
    """
    return _convolved(
        1, input, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups,
        padding_mode=padding_mode, scale=scale, zero_point=zero_point,
    )  # fmt: skip


def conv2d(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    padding_mode: str = "zeros",
    scale: float = 1.0,
    zero_point: int = 0,
    dtype: Any = _quint8,
) -> Tensor:
    """Convolve images; see :func:`conv1d`."""
    return _convolved(
        2, input, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups,
        padding_mode=padding_mode, scale=scale, zero_point=zero_point,
    )  # fmt: skip


def conv3d(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    padding_mode: str = "zeros",
    scale: float = 1.0,
    zero_point: int = 0,
    dtype: Any = _quint8,
) -> Tensor:
    """Convolve volumes; see :func:`conv1d`."""
    return _convolved(
        3, input, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups,
        padding_mode=padding_mode, scale=scale, zero_point=zero_point,
    )  # fmt: skip


def linear(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    scale: float | None = None,
    zero_point: int | None = None,
) -> Tensor:
    """Multiply by a weight of ``qint8``, which is packed for this one call, and add *bias*."""
    scale = input.q_scale() if scale is None else scale
    zero_point = input.q_zero_point() if zero_point is None else zero_point
    packed = ops.quantized.linear_prepack(weight, bias)
    return ops.quantized.linear(input, packed, scale, zero_point)


# Activations --------------------------------------------------------------------------------------


def celu(input: Tensor, scale: float, zero_point: int, alpha: float = 1.0) -> Tensor:
    """The continuously differentiable exponential unit."""
    _check(input, "celu")
    return ops.quantized.celu(input, scale, zero_point, alpha)


def elu(input: Tensor, scale: float, zero_point: int, alpha: float = 1.0) -> Tensor:
    """The exponential unit."""
    _check(input, "elu")
    return ops.quantized.elu(input, scale, zero_point, alpha)


def hardswish(input: Tensor, scale: float, zero_point: int) -> Tensor:
    """The input times its hard sigmoid."""
    _check(input, "hardswish")
    return ops.quantized.hardswish(input, scale, zero_point)


def leaky_relu(
    input: Tensor,
    negative_slope: float = 0.01,
    inplace: bool = False,
    scale: float | None = None,
    zero_point: int | None = None,
) -> Any:
    """The input, where it is negative times *negative_slope*.

    :param scale: with *zero_point*, what the result is quantized by, which then is a new tensor.
    """
    if scale is not None and zero_point is not None:
        if inplace:
            raise AssertionError("Cannot rescale with `inplace`")
        return ops.quantized.leaky_relu(input, negative_slope, False, scale, zero_point)
    return nn.functional.leaky_relu(input, negative_slope, inplace)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """The input between *min_val* and *max_val*."""
    _check(input, "hardtanh")
    return nn.functional.hardtanh(input, min_val, max_val, inplace)


def threshold(input: Tensor, threshold: float, value: float) -> Tensor:
    """The input where it exceeds *threshold*, else *value*."""
    _check(input, "threshold")
    for name, given in (("threshold", threshold), ("value", value)):
        if given is None:
            raise ValueError(f"Input to '{name}' must be specified!")
    return nn.functional.threshold(input, threshold, value)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A sigmoid of three straight lines."""
    _check(input, "hardsigmoid")
    return nn.functional.hardsigmoid(input, inplace)


def clamp(input: Tensor, min_: float, max_: float) -> Tensor:
    """The input between *min_* and *max_*."""
    _check(input, "clamp")
    return input.clamp(min_, max_)
