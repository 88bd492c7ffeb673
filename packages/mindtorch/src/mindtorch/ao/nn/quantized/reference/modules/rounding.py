"""Weights that are quantized and floats again: what reference modules compute with."""

from __future__ import annotations

from typing import Any

from ......aten import torch

_OF_CHANNELS = (torch.per_channel_affine, torch.per_channel_affine_float_qparams)
#: The dtypes that have scales.
_INTEGERS = (torch.quint8, torch.qint8, torch.qint32, torch.quint4x2)
#: Nothing is known of a weight.
PLAIN: dict[str, Any] = {
    "qscheme": torch.per_tensor_affine,
    "dtype": torch.quint8,
    "scale": 1.0,
    "zero_point": 0,
}


def take(module: Any, name: str, qparams: dict[str, Any], device: Any) -> None:
    """Give *module* the scheme, dtype, scales and zero points of its weight called *name*.

    Raises AssertionError for a scheme that weights have not.
    """
    scheme, dtype = qparams["qscheme"], qparams["dtype"]
    setattr(module, f"{name}_qscheme", scheme)
    setattr(module, f"{name}_dtype", dtype)
    assert scheme in (None, torch.per_tensor_affine, *_OF_CHANNELS), Exception(
        f"qscheme: {scheme} is not support in reference quantized {module._get_name()}"
    )
    axis, place, scale = 0, 0, 1.0
    if dtype in _INTEGERS:
        place, scale = qparams["zero_point"], qparams["scale"]
        if scheme in _OF_CHANNELS:
            axis = qparams["axis"]
    _keep(module, f"{name}_scale", scale, torch.float, device)
    _keep(module, f"{name}_zero_point", place, torch.int, device)
    module.register_buffer(f"{name}_axis", torch.tensor(axis, dtype=torch.int, device=device))
    setattr(module, f"{name}_axis_int", int(axis))


def _keep(module: Any, name: str, value: Any, dtype: Any, device: Any) -> None:
    if isinstance(value, torch.Tensor):
        value = value.detach().clone()
    else:
        value = torch.tensor(value, dtype=dtype, device=device)
    module.register_buffer(name, value)


def quantized(module: Any, name: str) -> Any:
    """The quantized weight of *module* called *name*; of half precision where that is asked for.

    Raises ValueError for a dtype that weights have not.
    """
    weight, dtype = getattr(module, name), getattr(module, f"{name}_dtype")
    if dtype == torch.float16:
        return weight.to(dtype)
    scheme = getattr(module, f"{name}_qscheme")
    scale, place = getattr(module, f"{name}_scale"), getattr(module, f"{name}_zero_point")
    if scheme == torch.per_tensor_affine and dtype in _INTEGERS[:3]:
        return torch.quantize_per_tensor(weight, scale, place, dtype)
    if scheme in _OF_CHANNELS and dtype in _INTEGERS:
        axis = getattr(module, f"{name}_axis_int")
        return torch.quantize_per_channel(weight, scale, place, axis, dtype)
    raise ValueError(f"Unsupported dtype and qscheme: {dtype}, {scheme}")


def rounded(module: Any, name: str) -> Any:
    """The weight of *module* called *name*, quantized and floats again."""
    if getattr(module, f"{name}_dtype") == torch.float16:
        return quantized(module, name).to(torch.float)
    if getattr(module, f"{name}_qscheme") is None:
        return getattr(module, name)
    return quantized(module, name).dequantize()
