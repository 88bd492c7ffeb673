"""Ranges of quantized dtypes, and scales and zero points from what was seen."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...core.module_names import living_in
from ...core.warning import warn

__all__ = [
    "calculate_qmin_qmax",
    "check_min_max_valid",
    "determine_qparams",
    "is_per_channel",
    "is_per_tensor",
    "limits",
    "observed_qparams",
    "validate_qmin_qmax",
]

_WIDE = (torch.qint32, torch.int32)
#: The least and greatest value of a dtype; of those that are not here, what four bits hold.
_RANGES = {
    torch.qint8: (-128, 127),
    torch.int8: (-128, 127),
    torch.quint8: (0, 255),
    torch.uint8: (0, 255),
    torch.qint32: (-(2**31), 2**31 - 1),
    torch.int32: (-(2**31), 2**31 - 1),
    torch.int16: (-(2**15), 2**15 - 1),
    torch.uint16: (0, 2**16 - 1),
}
#: The ranges with a bit less, which products of two fit 16 bits with.
_REDUCED = {
    torch.qint8: (-64, 63),
    torch.int8: (-64, 63),
    torch.quint8: (0, 127),
    torch.uint8: (0, 127),
}


def is_per_tensor(qscheme: Any) -> bool:
    """Whether one scale is for a whole tensor."""
    return qscheme in (torch.per_tensor_affine, torch.per_tensor_symmetric)


def is_per_channel(qscheme: Any) -> bool:
    """Whether every channel has a scale of its own."""
    return qscheme in (
        torch.per_channel_affine,
        torch.per_channel_affine_float_qparams,
        torch.per_channel_symmetric,
    )


def limits(dtype: Any) -> tuple[int, int]:
    """The least and greatest value of *dtype*."""
    return _RANGES.get(dtype, (0, 15))


def check_min_max_valid(min_val: Any, max_val: Any) -> bool:
    """Whether something was seen, or else warn.

    Raises AssertionError for a least that is above the most.
    """
    if min_val.numel() == 0 or max_val.numel() == 0:
        warn(
            "must run observer before calling calculate_qparams. Returning default values.",
        )
        return False
    if min_val.dim() == 0 or max_val.dim() == 0:
        if min_val == float("inf") and max_val == float("-inf"):
            warn(
                "must run observer before calling calculate_qparams. Returning default values.",
            )
            return False
        assert min_val <= max_val, f"min {min_val} should be less than max {max_val}"
    else:
        assert torch.all(min_val <= max_val), f"min {min_val} should be less than max {max_val}"
    return True


def calculate_qmin_qmax(
    quant_min: int, quant_max: int, has_customized_qrange: bool, dtype: Any, reduce_range: bool
) -> tuple[int, int]:
    """The range of the integers: what was asked for, or what *dtype* has."""
    if not has_customized_qrange:
        if reduce_range and dtype in _REDUCED:
            return _REDUCED[dtype]
        return limits(dtype)
    bits = 2**32 if dtype in _WIDE else 256 if dtype in (torch.qint8, torch.int8) else None
    assert bits is None or 0 < quant_max - quant_min + 1 <= bits, (
        f"quantization range should be positive and not exceed the maximum bit range (={bits})."
    )
    return (quant_min // 2, quant_max // 2) if reduce_range else (quant_min, quant_max)


def validate_qmin_qmax(quant_min: int, quant_max: int) -> None:
    """Raise AssertionError for a range that lacks zero or is empty."""
    assert quant_min <= 0 <= quant_max, "Used-specified quantization range must include 0."
    assert quant_min < quant_max, (
        "qmin must be strictly less than qmax for user-specified quantization range."
    )


def observed_qparams(
    min_val: Any,
    max_val: Any,
    quant_min: int,
    quant_max: int,
    dtype: Any,
    eps: Any,
    has_customized_qrange: bool,
    qscheme: Any = torch.per_tensor_affine,
) -> tuple[Any, Any]:
    """The scales and zero points that observers give for what lies between the two values."""
    if not check_min_max_valid(min_val, max_val):
        return _of_nothing(min_val)
    return _of_range(
        min_val, max_val, quant_min, quant_max, dtype, eps, has_customized_qrange, qscheme
    )


def _of_nothing(min_val: Any) -> tuple[Any, Any]:
    device = min_val.device.type
    return torch.tensor([1.0], device=device), torch.tensor([0], device=device)


def _of_range(
    min_val: Any, max_val: Any, quant_min: int, quant_max: int, dtype: Any, eps: Any,
    has_customized_qrange: bool, qscheme: Any,
) -> tuple[Any, Any]:  # fmt: skip
    low, high = min_val.clamp(max=0), max_val.clamp(min=0)
    steps = float(quant_max - quant_min)
    zero_point = torch.zeros(low.size(), dtype=torch.int64, device=low.device)
    if qscheme in (torch.per_tensor_symmetric, torch.per_channel_symmetric):
        scale = torch.max(torch.max(-low, high) / (steps / 2), eps)
        if dtype in (torch.quint8, torch.uint8):
            middle = (quant_min + quant_max) // 2 if has_customized_qrange else 128
            zero_point = zero_point.new_full(zero_point.size(), middle)
        elif dtype == torch.uint16:
            zero_point = zero_point.new_full(zero_point.size(), 2**15)
    elif qscheme == torch.per_channel_affine_float_qparams:
        scale = (max_val - min_val) / steps
        scale = torch.where(scale > eps, scale, torch.ones_like(scale))
        zero_point = -1 * min_val / scale
    else:
        scale = torch.max((high - low) / steps, eps)
        zero_point = quant_min - torch.round(low / scale).to(torch.int)
        zero_point = torch.clamp(zero_point, quant_min, quant_max)
    return _one_dimensional(scale), _one_dimensional(zero_point)


def determine_qparams(
    min_val: Any,
    max_val: Any,
    quant_min: int,
    quant_max: int,
    dtype: Any,
    eps: Any,
    has_customized_qrange: bool,
    qscheme: Any = torch.per_tensor_affine,
) -> tuple[Any, Any]:
    """The same as :func:`observed_qparams`, in float64 and int64 where something was seen."""
    if not check_min_max_valid(min_val, max_val):
        return _of_nothing(min_val)
    scale, zero_point = _of_range(
        min_val, max_val, quant_min, quant_max, dtype, eps, has_customized_qrange, qscheme
    )
    return scale.to(torch.float64), zero_point.to(torch.int64)


def _one_dimensional(x: Any) -> Any:
    return x.reshape(1) if x.dim() == 0 else x


living_in(
    "mindtorch.ao.quantization.utils",
    calculate_qmin_qmax,
    check_min_max_valid,
    determine_qparams,
    is_per_channel,
    is_per_tensor,
    validate_qmin_qmax,
)
