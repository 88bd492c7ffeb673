"""``torch.ao.nn.quantized.modules.utils``: how weights of layers become quantized tensors."""

from __future__ import annotations

import abc
from typing import Any

from mindtorch_storage import iinfo

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from .....aten import torch
from .....nn.modules.module import _addindent

__all__ = ["WeightedQuantizedModule"]

_OF_TENSORS = (torch.per_tensor_symmetric, torch.per_tensor_affine)
_OF_CHANNELS = (torch.per_channel_symmetric, torch.per_channel_affine)
_QUANTIZED = (torch.qint8, torch.quint8, torch.qint32)


class WeightedQuantizedModule(nn.Module, metaclass=abc.ABCMeta):
    """A layer with a quantized weight, which may be made of one that rounds floats."""

    @classmethod
    @abc.abstractmethod
    def from_reference(cls, ref_module: Any, output_scale: float, output_zero_point: int) -> Any:
        """The layer that does what *ref_module* does."""
        raise NotImplementedError(f"{cls.__name__} is not made of reference modules")


def _get_weight_observer(observer: Any) -> Any:
    """What follows the range of a weight: *observer*, or what it rounds by."""
    return getattr(observer, "activation_post_process", observer)


def _needs_weight_clamping(observer: Any, dtype: Any) -> bool:
    inner = _get_weight_observer(observer)
    if dtype not in _QUANTIZED:
        return False
    info = iinfo(integer_dtype(dtype))
    return bool(inner.quant_min > info.min or inner.quant_max < info.max)


def integer_dtype(dtype: Any) -> Any:
    """The dtype of the integers of a quantized one."""
    return {torch.qint8: torch.int8, torch.quint8: torch.uint8, torch.qint32: torch.int32}[dtype]


def _clamp_weights(qweight: Any, observer: Any, scale: Any, zp: Any) -> Any:
    """*qweight* with its integers in the range of *observer*."""
    if not _needs_weight_clamping(observer, qweight.dtype):
        return qweight
    inner = _get_weight_observer(observer)
    steps = qweight.int_repr().clamp(inner.quant_min, inner.quant_max)
    if inner.qscheme in _OF_TENSORS:
        return torch._make_per_tensor_quantized_tensor(steps, scale.item(), zp.item())
    return torch._make_per_channel_quantized_tensor(steps, scale, zp, axis=inner.ch_axis)


def _quantize_weight(float_wt: Any, observer: Any) -> Any:
    """The quantized tensor of a weight whose range *observer* has seen.

    Raises ValueError for a scheme that weights have not.
    """
    scale, place = observer.calculate_qparams()
    scheme = observer.qscheme
    if scheme in _OF_TENSORS:
        made = torch.quantize_per_tensor(float_wt, float(scale), int(place), torch.qint8)
    elif scheme in _OF_CHANNELS:
        scales, places = scale.to(torch.double), place.to(torch.int64)
        made = torch.quantize_per_channel(float_wt, scales, places, observer.ch_axis, torch.qint8)
    elif scheme == torch.per_channel_affine_float_qparams:
        scales, places = scale.to(torch.float), place.to(torch.float)
        made = torch.quantize_per_channel(
            float_wt, scales, places, observer.ch_axis, observer.dtype
        )
    else:
        raise ValueError("Unexpected qscheme " + scheme)
    return _clamp_weights(made, observer, scale, place)


def _hide_packed_params_repr(self: Any, params: Any) -> str:
    """The text of a module without its children of the types *params*."""
    extra = self.extra_repr()
    lines = extra.split("\n") if extra else []
    children = [
        f"({name}): " + _addindent(repr(child), 2)
        for name, child in self._modules.items()
        if not isinstance(child, params)
    ]
    if len(lines) == 1 and not children:
        return f"{self._get_name()}({lines[0]})"
    inside = "\n  ".join([*lines, *children])
    return f"{self._get_name()}(\n  {inside}\n)" if inside else f"{self._get_name()}()"


offer_listed(globals())
