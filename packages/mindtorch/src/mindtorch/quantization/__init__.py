"""``torch.quantization``: the older place of ``torch.ao.quantization``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..ao import quantization as _ao
from ..ao.quantization import *

#: What only the newer place has.
_NEWER = (
    "AffineQuantizedObserverBase FixedQParamsObserver Granularity MappingType MatchAllNode "
    "ObserverOrFakeQuantize Pattern PerAxis PerBlock PerGroup PerRow PerTensor PerToken "
    "QConfigMapping ReuseInputObserver TorchAODType UniformQuantizationObserverBase "
    "ZeroPointDomain default_affine_fixed_qparams_fake_quant "
    "default_affine_fixed_qparams_observer default_dynamic_fake_quant "
    "default_embedding_fake_quant default_embedding_fake_quant_4bit "
    "default_fixed_qparams_range_0to1_observer default_fixed_qparams_range_neg1to1_observer "
    "default_float_qparams_observer_4bit default_reuse_input_observer "
    "default_symmetric_fixed_qparams_fake_quant default_symmetric_fixed_qparams_observer "
    "fuse_convtranspose_bn fuse_modules_qat "
    "fused_per_channel_wt_fake_quant_range_neg_127_to_127 "
    "fused_wt_fake_quant_range_neg_127_to_127 get_block_size get_combined_dict "
    "get_default_custom_config_dict get_default_dynamic_sparse_quant_module_mappings "
    "get_default_qat_qconfig_dict get_default_qat_qconfig_mapping get_default_qconfig_dict "
    "get_default_qconfig_mapping get_default_static_quant_reference_module_mappings "
    "get_default_static_sparse_quant_module_mappings get_embedding_qat_module_mappings "
    "get_embedding_static_quant_module_mappings get_fuser_method_new "
    "per_channel_weight_observer_range_neg_127_to_127 weight_observer_range_neg_127_to_127 "
).split()
__all__ = [name for name in _ao.__all__ if name not in _NEWER]


def __getattr__(name: str) -> Any:
    if name in _ao._MODULES:
        return import_module(f"..ao.quantization.{name}", __name__)
    raise AttributeError(f"module 'torch.quantization' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
