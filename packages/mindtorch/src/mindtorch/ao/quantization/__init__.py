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
# Settings that torch makes of observers: they are there to be imported, and refuse to be called.
offer(
    globals(),
    QUANTIZED,
    "convert_dynamic_jit convert_jit default_affine_fixed_qparams_fake_quant "
    "default_affine_fixed_qparams_observer default_debug_observer "
    "default_dynamic_fake_quant default_dynamic_quant_observer default_embedding_fake_quant "
    "default_embedding_fake_quant_4bit default_eval_fn default_fake_quant "
    "default_fixed_qparams_range_0to1_fake_quant default_fixed_qparams_range_0to1_observer "
    "default_fixed_qparams_range_neg1to1_fake_quant "
    "default_fixed_qparams_range_neg1to1_observer default_float_qparams_observer "
    "default_float_qparams_observer_4bit default_fused_act_fake_quant "
    "default_fused_per_channel_wt_fake_quant default_fused_wt_fake_quant "
    "default_histogram_fake_quant default_histogram_observer default_observer "
    "default_per_channel_weight_fake_quant default_per_channel_weight_observer "
    "default_placeholder_observer default_reuse_input_observer "
    "default_symmetric_fixed_qparams_fake_quant default_symmetric_fixed_qparams_observer "
    "default_weight_fake_quant default_weight_observer fuse_conv_bn_jit "
    "fuse_convtranspose_bn fused_per_channel_wt_fake_quant_range_neg_127_to_127 "
    "fused_wt_fake_quant_range_neg_127_to_127 get_block_size "
    "get_default_compare_output_module_list get_default_custom_config_dict "
    "get_default_dynamic_quant_module_mappings "
    "get_default_dynamic_sparse_quant_module_mappings "
    "get_default_float_to_quantized_operator_mappings get_default_qat_module_mappings "
    "get_default_qat_qconfig_dict get_default_qconfig_dict "
    "get_default_qconfig_propagation_list get_default_static_quant_module_mappings "
    "get_default_static_quant_reference_module_mappings "
    "get_default_static_sparse_quant_module_mappings get_dynamic_quant_module_class "
    "get_embedding_qat_module_mappings get_embedding_static_quant_module_mappings "
    "get_fuser_method get_fuser_method_new get_quantized_operator "
    "get_static_quant_module_class no_observer_set "
    "per_channel_weight_observer_range_neg_127_to_127 prepare_dynamic_jit prepare_jit "
    "quantize_dynamic_jit quantize_jit script_qconfig script_qconfig_dict "
    "weight_observer_range_neg_127_to_127",
    "AffineQuantizedObserverBase FixedQParamsObserver Granularity MappingType "
    "ObserverOrFakeQuantize PerAxis PerBlock PerGroup PerRow PerTensor PerToken "
    "QConfigDynamic QuantType ReuseInputObserver TorchAODType "
    "UniformQuantizationObserverBase ZeroPointDomain",
)
offer(
    globals(),
    QUANTIZED,
    "default_activation_only_qconfig default_debug_qconfig default_dynamic_qconfig "
    "default_per_channel_qconfig default_qat_qconfig default_qat_qconfig_v2 default_qconfig "
    "default_weight_only_qconfig float16_dynamic_qconfig float16_static_qconfig "
    "float_qparams_weight_only_qconfig per_channel_dynamic_qconfig ",
    "",
)
_MODULES = "fake_quantize observer qconfig qconfig_mapping quantize quantize_fx stubs".split()


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.ao.quantization' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
