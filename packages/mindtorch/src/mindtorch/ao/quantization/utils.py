"""``torch.ao.quantization.utils``: what configurations ask for, ranges and scales."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ... import nn
from ...aten import torch
from ...core.unavailable import offer_listed
from .observer import PlaceholderObserver
from .quant_type import QuantType
from .ranges import (
    _WIDE,
    calculate_qmin_qmax,
    check_min_max_valid,
    determine_qparams,
    is_per_channel,
    is_per_tensor,
    validate_qmin_qmax,
)

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
_PLAIN = (
    *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.float8_e5m2, torch.float8_e4m3fn),
)
_SMALL = (torch.quint8, torch.qint8, torch.uint8, torch.int8)


class MatchAllNode:
    """A node of a pattern that matches any node."""


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
    qscheme = getattr(observer_or_fake_quant, "qscheme", None)
    found: dict[str, Any] = {"qscheme": qscheme, "dtype": observer_or_fake_quant.dtype}
    if not qscheme or isinstance(observer_or_fake_quant, PlaceholderObserver):
        return {"qscheme": None, "dtype": observer_or_fake_quant.dtype}
    if is_per_tensor(qscheme):
        found["qscheme"] = torch.per_tensor_affine
    elif is_per_channel(qscheme):
        # Channels have symmetric scales in no operator.
        if qscheme == torch.per_channel_symmetric:
            found["qscheme"] = torch.per_channel_affine
        found["axis"] = observer_or_fake_quant.ch_axis
    else:
        raise RuntimeError(f"Unrecognized qscheme: {qscheme}")
    found["scale"], found["zero_point"] = observer_or_fake_quant.calculate_qparams()
    if hasattr(observer_or_fake_quant, "quant_min"):
        found["quant_min"] = observer_or_fake_quant.quant_min
    if hasattr(observer_or_fake_quant, "quant_max"):
        found["quant_max"] = observer_or_fake_quant.quant_max
    return found


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
    kinds = (torch.quint8, torch.qint8, torch.qint32, torch.float16, *_PLAIN)
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
    kinds = (torch.quint8, torch.qint8, torch.float16, torch.quint4x2, *_PLAIN)
    return weight_dtype(qconfig) in kinds


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


def has_no_children_ignoring_parametrizations(module: Any) -> bool:
    """Whether *module* has no modules in it, but for those of its parametrizations."""
    names = set(module._modules)
    return not names or (names == {"parametrizations"} and nn.utils.parametrize is not None)


#: ``DEPRECATION_WARNING`` among others.
offer_listed(globals())
