"""``torch.ao.quantization.utils``: ranges of quantized dtypes, and scales from what was seen."""

from __future__ import annotations

import warnings
from enum import IntEnum
from typing import Any

import mindtorch as torch
from mindtorch import nn

from ...core.unavailable import offer_listed
from .quant_type import QuantType

DEPRECATION_WARNING: str

__all__ = [
    "MatchAllNode",
    "activation_dtype",
    "activation_is_dynamically_quantized",
    "activation_is_int8_quantized",
    "activation_is_int32_quantized",
    "activation_is_statically_quantized",
    "calculate_qmin_qmax",
    "check_min_max_valid",
    "determine_qparams",
    "get_combined_dict",
    "get_qconfig_dtypes",
    "get_qparam_dict",
    "get_quant_type",
    "getattr_from_fqn",
    "has_no_children_ignoring_parametrizations",
    "is_per_channel",
    "is_per_tensor",
    "op_is_int8_dynamically_quantized",
    "to_underlying_dtype",
    "validate_qmin_qmax",
    "weight_dtype",
    "weight_is_quantized",
    "weight_is_statically_quantized",
]

_INTEGERS = (torch.quint8, torch.qint8, torch.qint32, torch.quint4x2)
_SMALL = (torch.quint8, torch.qint8, torch.uint8, torch.int8)
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


class MatchAllNode:
    """A node of a pattern that matches any node."""


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


def getattr_from_fqn(obj: Any, fqn: str) -> Any:
    """The attribute at a path of names with dots."""
    for name in fqn.split("."):
        obj = getattr(obj, name)
    return obj


def to_underlying_dtype(qdtype: Any) -> Any:
    """The integers that elements of *qdtype* are stored as."""
    stored = {
        torch.quint8: torch.uint8,
        torch.qint8: torch.int8,
        torch.qint32: torch.int32,
        torch.quint4x2: torch.uint8,
        torch.quint2x4: torch.uint8,
        torch.uint8: torch.uint8,
        torch.int8: torch.int8,
        torch.uint16: torch.uint16,
        torch.int16: torch.int16,
        torch.int32: torch.int32,
        torch.float8_e5m2: torch.float8_e5m2,
        torch.float8_e4m3fn: torch.float8_e4m3fn,
    }
    assert qdtype in stored, "Unsupported dtype: " + str(qdtype)
    return stored[qdtype]


def get_combined_dict(default_dict: dict[Any, Any], additional_dict: dict[Any, Any]) -> Any:
    """A copy of the first with what the second has."""
    return {**default_dict, **additional_dict}


def get_qparam_dict(observer_or_fake_quant: Any) -> dict[str, Any]:
    """The scheme, dtype, scale and zero point of an observer, by name."""
    from .observer import PlaceholderObserver  # which needs this module

    qscheme = getattr(observer_or_fake_quant, "qscheme", None)
    found: dict[str, Any] = {"qscheme": qscheme, "dtype": observer_or_fake_quant.dtype}
    assert qscheme, f"qscheme must be one of the following: {list(map(str, _schemes()))}"
    if is_per_tensor(qscheme):
        found["qscheme"] = torch.per_tensor_affine
    elif is_per_channel(qscheme):
        # Channels have symmetric scales in no operator.
        if qscheme == torch.per_channel_symmetric:
            found["qscheme"] = torch.per_channel_affine
        found["axis"] = observer_or_fake_quant.ch_axis
    else:
        raise RuntimeError(f"Unrecognized qscheme: {qscheme}")
    if not isinstance(observer_or_fake_quant, PlaceholderObserver):
        found["scale"], found["zero_point"] = observer_or_fake_quant.calculate_qparams()
    return found


def _schemes() -> tuple[Any, ...]:
    return (
        torch.per_tensor_affine,
        torch.per_tensor_symmetric,
        torch.per_channel_affine,
        torch.per_channel_symmetric,
        torch.per_channel_affine_float_qparams,
    )


# -- what a configuration asks for -----------------------------------------------------------------


def activation_dtype(qconfig: Any) -> Any:
    """The dtype of activations."""
    assert qconfig is not None, "qconfig must be provided to extract activation dtype"
    return qconfig.activation().dtype


def weight_dtype(qconfig: Any) -> Any:
    """The dtype of weights."""
    assert qconfig is not None, "qconfig must be provided to extract weight dtype"
    return qconfig.weight().dtype


def _dynamic(qconfig: Any) -> bool:
    return bool(getattr(qconfig.activation(), "is_dynamic", False))


def activation_is_statically_quantized(qconfig: Any) -> bool:
    """Whether activations have scales that are found before."""
    kinds = (*_INTEGERS, torch.int8, torch.uint8, torch.int16, torch.int32, torch.float8_e5m2)
    kinds += (torch.float8_e4m3fn,)
    return activation_dtype(qconfig) in kinds and not activation_is_dynamically_quantized(qconfig)


def activation_is_dynamically_quantized(qconfig: Any) -> bool:
    """Whether activations have scales that are found while the model runs."""
    return _dynamic(qconfig)


def activation_is_int8_quantized(qconfig: Any) -> bool:
    """Whether activations have eight bits."""
    return activation_dtype(qconfig) in _SMALL


def activation_is_int32_quantized(qconfig: Any) -> bool:
    """Whether activations have 32 bits."""
    return activation_dtype(qconfig) in _WIDE


def weight_is_quantized(qconfig: Any) -> bool:
    """Whether weights are quantized."""
    kinds = (*_INTEGERS, torch.uint8, torch.int8, torch.int16, torch.int32, torch.float8_e5m2)
    return weight_dtype(qconfig) in (*kinds, torch.float8_e4m3fn)


def weight_is_statically_quantized(qconfig: Any) -> bool:
    """Whether weights are quantized to eight bits."""
    return weight_dtype(qconfig) in _SMALL


def op_is_int8_dynamically_quantized(qconfig: Any) -> bool:
    """Whether activations of eight bits get their scales while the model runs."""
    kinds, weights = (torch.quint8, torch.uint8), (torch.qint8, torch.int8)
    activation = activation_dtype(qconfig)
    return activation in kinds and weight_dtype(qconfig) in weights and _dynamic(qconfig)


def get_qconfig_dtypes(qconfig: Any) -> tuple[Any, Any, bool]:
    """The dtype of activations, that of weights, and whether the former is found dynamically."""
    assert qconfig is not None, "qconfig must be provided to extract dtypes"
    return qconfig.activation().dtype, qconfig.weight().dtype, _dynamic(qconfig)


def get_quant_type(qconfig: Any) -> IntEnum:
    """Which kind of quantization *qconfig* asks for."""
    assert qconfig is not None
    activation, weight = qconfig.activation(), qconfig.weight()
    static = (*_INTEGERS, torch.uint8, torch.int8, torch.int16, torch.int32, torch.float8_e5m2)
    static += (torch.float8_e4m3fn,)
    if weight.dtype in static:
        if getattr(activation, "is_dynamic", False):
            return QuantType.DYNAMIC
        if activation.dtype in static:
            return QuantType.STATIC
        return QuantType.WEIGHT_ONLY
    if weight.dtype == torch.float16:
        if getattr(activation, "is_dynamic", False):
            return QuantType.DYNAMIC
        if activation.dtype == torch.float16:
            return QuantType.STATIC
    raise Exception(
        f"Unrecognized dtype combination in get_quant_type: activation({activation.dtype}),"
        f"weight({weight.dtype})"
    )


# -- ranges and scales -----------------------------------------------------------------------------


def check_min_max_valid(min_val: Any, max_val: Any) -> bool:
    """Whether something was seen, or else warn.

    Raises AssertionError for a least that is above the most.
    """
    if min_val.numel() == 0 or max_val.numel() == 0:
        warnings.warn(
            "must run observer before calling calculate_qparams. Returning default values.",
            stacklevel=2,
        )
        return False
    if min_val.dim() == 0 or max_val.dim() == 0:
        if min_val == float("inf") and max_val == float("-inf"):
            warnings.warn(
                "must run observer before calling calculate_qparams. Returning default values.",
                stacklevel=2,
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
    """The scales and zero points for what lies between *min_val* and *max_val*."""
    if not check_min_max_valid(min_val, max_val):
        device = min_val.device.type
        return torch.tensor([1.0], device=device), torch.tensor([0], device=device)
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


def _one_dimensional(x: Any) -> Any:
    return x.reshape(1) if x.dim() == 0 else x


def has_no_children_ignoring_parametrizations(module: Any) -> bool:
    """Whether *module* has no modules in it, but for those of its parametrizations."""
    names = set(module._modules)
    return not names or (names == {"parametrizations"} and nn.utils.parametrize is not None)


#: ``DEPRECATION_WARNING`` among others.
offer_listed(globals())
