"""The memory format of the weights of convolutions."""

from __future__ import annotations

from typing import Any, TypeVar

from ... import nn
from ...aten import torch

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]

_M = TypeVar("_M", bound=nn.Module)


def _convert(module: Any, kinds: tuple[type, ...], memory_format: Any) -> None:
    if isinstance(module, kinds):
        layer: Any = module
        data = layer.weight.detach().clone(memory_format=memory_format)
        layer.weight.data = data.resize_(data.size(), memory_format=memory_format)
    for child in module.children():
        _convert(child, kinds, memory_format)


def convert_conv2d_weight_memory_format(module: _M, memory_format: torch.memory_format) -> _M:
    """Give the weights of all two-dimensional convolutions in *module* a memory format."""
    _convert(module, (nn.Conv2d, nn.ConvTranspose2d), memory_format)
    return module


def convert_conv3d_weight_memory_format(module: _M, memory_format: torch.memory_format) -> _M:
    """Give the weights of all three-dimensional convolutions in *module* a memory format."""
    _convert(module, (nn.Conv3d, nn.ConvTranspose3d), memory_format)
    return module
