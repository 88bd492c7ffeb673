# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import fake_quantize as fake_quantize
from . import fuse_modules as fuse_modules
from . import fuser_method_mappings as fuser_method_mappings
from . import fx as fx
from . import observer as observer
from . import qconfig as qconfig
from . import quant_type as quant_type
from . import quantization_mappings as quantization_mappings
from . import quantize as quantize
from . import quantize_fx as quantize_fx
from . import quantize_jit as quantize_jit
from . import stubs as stubs
from . import utils as utils
from mindtorch.ao.quantization.default_qconfigs import QConfig as QConfig
from mindtorch.ao.quantization.default_qconfigs import default_dynamic_qconfig as default_dynamic_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_qat_qconfig as default_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_qconfig as default_qconfig
from mindtorch.ao.quantization.default_qconfigs import float16_dynamic_qconfig as float16_dynamic_qconfig
from mindtorch.ao.quantization.default_qconfigs import float_qparams_weight_only_qconfig as float_qparams_weight_only_qconfig
from mindtorch.ao.quantization.fake_quantize import default_affine_fixed_qparams_fake_quant as _default_fixed_qparams_range_0to1_fake_quant_
from mindtorch.ao.quantization.fake_quantize import default_symmetric_fixed_qparams_fake_quant as _default_fixed_qparams_range_neg1to1_fake_quant_
from mindtorch.ao.quantization.fuser_method_mappings import get_fuser_method as get_fuser_method
from mindtorch.ao.quantization.histograms import HistogramObserver as HistogramObserver
from mindtorch.ao.quantization.observer import PlaceholderObserver as _default_placeholder_observer_
from mindtorch.ao.quantization.observing import ObserverBase as ObserverBase
from mindtorch.ao.quantization.observing import _PartialWrapper as _PartialWrapper
from mindtorch.ao.quantization.quantization_mappings import get_default_compare_output_module_list as get_default_compare_output_module_list
from mindtorch.ao.quantization.quantization_mappings import get_default_dynamic_quant_module_mappings as get_default_dynamic_quant_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_default_qat_module_mappings as get_default_qat_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_default_qconfig_propagation_list as get_default_qconfig_propagation_list
from mindtorch.ao.quantization.quantization_mappings import get_default_static_quant_module_mappings as get_default_static_quant_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_static_quant_module_class as get_static_quant_module_class
from mindtorch.ao.quantization.quantize import add_quant_dequant as add_quant_dequant
from mindtorch.ao.quantization.quantize import convert as convert
from mindtorch.ao.quantization.quantize import prepare as prepare
from mindtorch.ao.quantization.quantize import prepare_qat as prepare_qat
from mindtorch.ao.quantization.quantize import propagate_qconfig_ as propagate_qconfig_
from mindtorch.ao.quantization.quantize import quantize_dynamic as quantize_dynamic
from mindtorch.ao.quantization.quantize import quantize_qat as quantize_qat
from mindtorch.ao.quantization.quantize import swap_module as swap_module
from mindtorch.ao.quantization.stubs import DeQuantStub as DeQuantStub
from mindtorch.ao.quantization.stubs import QuantStub as QuantStub
from mindtorch.ao.quantization.stubs import QuantWrapper as QuantWrapper

QuantType: Any
def default_eval_fn(model: Any, calib_data: Any) -> Any: ...
default_fake_quant: _PartialWrapper
default_fixed_qparams_range_0to1_fake_quant = _default_fixed_qparams_range_0to1_fake_quant_
default_fixed_qparams_range_neg1to1_fake_quant = _default_fixed_qparams_range_neg1to1_fake_quant_
default_histogram_fake_quant: _PartialWrapper
default_observer: _PartialWrapper
default_per_channel_weight_fake_quant: _PartialWrapper
default_per_channel_weight_observer: _PartialWrapper
default_placeholder_observer = _default_placeholder_observer_
default_weight_fake_quant: _PartialWrapper
default_weight_observer: _PartialWrapper
def get_quantized_operator(float_op: Any) -> Any: ...
def quantize_dynamic_jit(
    model: Any, qconfig_dict: Any, inplace: Any = False, debug: Any = False
) -> Any: ...
