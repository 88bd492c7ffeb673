"""``torch.ao.quantization``: the names of quantization; what needs quantized tensors is refused."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..._unavailable import QUANTIZED, offer
from .qconfig import (
    QConfig,
    QConfigAny,
    get_default_qat_qconfig,
    get_default_qconfig,
    qconfig_equals,
)
from .stubs import DeQuantStub, QuantStub, QuantWrapper

__all__ = [
    "DeQuantStub",
    "QConfig",
    "QConfigAny",
    "QuantStub",
    "QuantWrapper",
    "get_default_qat_qconfig",
    "get_default_qconfig",
    "qconfig_equals",
]
offer(
    globals(),
    QUANTIZED,
    "add_quant_dequant convert disable_fake_quant disable_observer enable_fake_quant "
    "enable_observer fuse_conv_bn fuse_conv_bn_relu fuse_linear_bn fuse_modules fuse_modules_qat "
    "get_default_qconfig_mapping get_default_qat_qconfig_mapping get_observer_state_dict "
    "load_observer_state_dict prepare prepare_qat propagate_qconfig_ quantize quantize_dynamic "
    "quantize_qat swap_module",
    "FakeQuantize FakeQuantizeBase FixedQParamsFakeQuantize FusedMovingAvgObsFakeQuantize "
    "HistogramObserver MinMaxObserver MovingAverageMinMaxObserver "
    "MovingAveragePerChannelMinMaxObserver NoopObserver ObserverBase PerChannelMinMaxObserver "
    "PlaceholderObserver QConfigMapping RecordingObserver",
)
_MODULES = "fake_quantize observer qconfig qconfig_mapping quantize quantize_fx stubs".split()


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.ao.quantization' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
