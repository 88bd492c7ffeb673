"""``torch.ao.quantization.backend_config.tensorrt``: what TensorRT can quantize."""

from __future__ import annotations

from typing import Any

from ....aten import torch
from . import operators as _operators
from .backend_config import BackendConfig, DTypeConfig

__all__ = ["get_tensorrt_backend_config", "get_tensorrt_backend_config_dict"]


def get_tensorrt_backend_config() -> BackendConfig:
    """What TensorRT can quantize."""
    weighted = [DTypeConfig(torch.qint8, torch.qint8, torch.qint8, torch.float)]
    plain = [DTypeConfig(torch.qint8, torch.qint8)]
    inputs = {"bias": 0, "input": 1, "weight": 2}
    families = (
        *_operators.convolutions(weighted),
        _operators.pattern_of(torch.addmm, weighted, input_type_to_index=inputs),
        *_operators.concatenation(plain),
        *_operators.linear(weighted),
        *_operators.binary(weighted),
        *_operators.same_scale(plain),
        *_operators.sizes(plain),
    )
    return BackendConfig("tensorrt").set_backend_pattern_configs(list(families))


def get_tensorrt_backend_config_dict() -> dict[str, Any]:
    """:func:`get_tensorrt_backend_config`, as a dict."""
    return get_tensorrt_backend_config().to_dict()
