# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import backend_config as backend_config
from . import default_qconfigs as default_qconfigs
from . import fake_quantize as fake_quantize
from . import fuser_method_mappings as fuser_method_mappings
from . import fx as fx
from . import histograms as histograms
from . import observer as observer
from . import observing as observing
from . import qconfig as qconfig
from . import qconfig_mapping as qconfig_mapping
from . import quant_type as quant_type
from . import quantization_mappings as quantization_mappings
from . import quantize_fx as quantize_fx
from . import ranges as ranges
from . import stubs as stubs
from . import utils as utils
from mindtorch.ao.quantization.default_qconfigs import QConfig as QConfig
from mindtorch.ao.quantization.default_qconfigs import QConfigAny as QConfigAny
from mindtorch.ao.quantization.default_qconfigs import QConfigDynamic as QConfigDynamic
from mindtorch.ao.quantization.default_qconfigs import default_activation_only_qconfig as default_activation_only_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_debug_qconfig as default_debug_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_dynamic_qat_qconfig as default_dynamic_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_dynamic_qconfig as default_dynamic_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_embedding_qat_qconfig as default_embedding_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_embedding_qat_qconfig_4bit as default_embedding_qat_qconfig_4bit
from mindtorch.ao.quantization.default_qconfigs import default_per_channel_qconfig as default_per_channel_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_per_channel_symmetric_qnnpack_qat_qconfig as default_per_channel_symmetric_qnnpack_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_per_channel_symmetric_qnnpack_qconfig as default_per_channel_symmetric_qnnpack_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_qat_qconfig as default_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_qat_qconfig_v2 as default_qat_qconfig_v2
from mindtorch.ao.quantization.default_qconfigs import default_qconfig as default_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_quint8_weight_qconfig as default_quint8_weight_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_reuse_input_qconfig as default_reuse_input_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_symmetric_qnnpack_qat_qconfig as default_symmetric_qnnpack_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_symmetric_qnnpack_qconfig as default_symmetric_qnnpack_qconfig
from mindtorch.ao.quantization.default_qconfigs import default_weight_only_qconfig as default_weight_only_qconfig
from mindtorch.ao.quantization.default_qconfigs import float16_dynamic_qconfig as float16_dynamic_qconfig
from mindtorch.ao.quantization.default_qconfigs import float16_static_qconfig as float16_static_qconfig
from mindtorch.ao.quantization.default_qconfigs import float_qparams_weight_only_qconfig as float_qparams_weight_only_qconfig
from mindtorch.ao.quantization.default_qconfigs import float_qparams_weight_only_qconfig_4bit as float_qparams_weight_only_qconfig_4bit
from mindtorch.ao.quantization.default_qconfigs import get_default_qat_qconfig as get_default_qat_qconfig
from mindtorch.ao.quantization.default_qconfigs import get_default_qconfig as get_default_qconfig
from mindtorch.ao.quantization.default_qconfigs import per_channel_dynamic_qconfig as per_channel_dynamic_qconfig
from mindtorch.ao.quantization.default_qconfigs import qconfig_equals as qconfig_equals
from mindtorch.ao.quantization.fake_quantize import FakeQuantize as FakeQuantize
from mindtorch.ao.quantization.fake_quantize import FixedQParamsFakeQuantize as FixedQParamsFakeQuantize
from mindtorch.ao.quantization.fake_quantize import FusedMovingAvgObsFakeQuantize as FusedMovingAvgObsFakeQuantize
from mindtorch.ao.quantization.fake_quantize import default_affine_fixed_qparams_fake_quant as _default_fixed_qparams_range_0to1_fake_quant_
from mindtorch.ao.quantization.fake_quantize import default_affine_fixed_qparams_fake_quant as default_affine_fixed_qparams_fake_quant
from mindtorch.ao.quantization.fake_quantize import default_symmetric_fixed_qparams_fake_quant as _default_fixed_qparams_range_neg1to1_fake_quant_
from mindtorch.ao.quantization.fake_quantize import default_symmetric_fixed_qparams_fake_quant as default_symmetric_fixed_qparams_fake_quant
from mindtorch.ao.quantization.fake_quantize import disable_fake_quant as disable_fake_quant
from mindtorch.ao.quantization.fake_quantize import disable_observer as disable_observer
from mindtorch.ao.quantization.fake_quantize import enable_fake_quant as enable_fake_quant
from mindtorch.ao.quantization.fake_quantize import enable_observer as enable_observer
from mindtorch.ao.quantization.fuse_modules import fuse_modules as fuse_modules
from mindtorch.ao.quantization.fuse_modules import fuse_modules_qat as fuse_modules_qat
from mindtorch.ao.quantization.fuser_method_mappings import fuse_conv_bn as fuse_conv_bn
from mindtorch.ao.quantization.fuser_method_mappings import fuse_conv_bn_relu as fuse_conv_bn_relu
from mindtorch.ao.quantization.fuser_method_mappings import fuse_convtranspose_bn as fuse_convtranspose_bn
from mindtorch.ao.quantization.fuser_method_mappings import fuse_linear_bn as fuse_linear_bn
from mindtorch.ao.quantization.fuser_method_mappings import get_fuser_method as get_fuser_method
from mindtorch.ao.quantization.fuser_method_mappings import get_fuser_method_new as get_fuser_method_new
from mindtorch.ao.quantization.histograms import HistogramObserver as HistogramObserver
from mindtorch.ao.quantization.observer import FixedQParamsObserver as FixedQParamsObserver
from mindtorch.ao.quantization.observer import MinMaxObserver as MinMaxObserver
from mindtorch.ao.quantization.observer import MovingAverageMinMaxObserver as MovingAverageMinMaxObserver
from mindtorch.ao.quantization.observer import MovingAveragePerChannelMinMaxObserver as MovingAveragePerChannelMinMaxObserver
from mindtorch.ao.quantization.observer import NoopObserver as NoopObserver
from mindtorch.ao.quantization.observer import PerChannelMinMaxObserver as PerChannelMinMaxObserver
from mindtorch.ao.quantization.observer import PlaceholderObserver as PlaceholderObserver
from mindtorch.ao.quantization.observer import PlaceholderObserver as _default_placeholder_observer_
from mindtorch.ao.quantization.observer import RecordingObserver as RecordingObserver
from mindtorch.ao.quantization.observer import RecordingObserver as _default_debug_observer_
from mindtorch.ao.quantization.observer import ReuseInputObserver as ReuseInputObserver
from mindtorch.ao.quantization.observer import ReuseInputObserver as _default_reuse_input_observer_
from mindtorch.ao.quantization.observer import default_affine_fixed_qparams_observer as _default_fixed_qparams_range_0to1_observer_
from mindtorch.ao.quantization.observer import default_affine_fixed_qparams_observer as default_affine_fixed_qparams_observer
from mindtorch.ao.quantization.observer import default_symmetric_fixed_qparams_observer as _default_fixed_qparams_range_neg1to1_observer_
from mindtorch.ao.quantization.observer import default_symmetric_fixed_qparams_observer as default_symmetric_fixed_qparams_observer
from mindtorch.ao.quantization.observer import get_observer_state_dict as get_observer_state_dict
from mindtorch.ao.quantization.observer import load_observer_state_dict as load_observer_state_dict
from mindtorch.ao.quantization.observing import FakeQuantizeBase as FakeQuantizeBase
from mindtorch.ao.quantization.observing import ObserverBase as ObserverBase
from mindtorch.ao.quantization.observing import UniformQuantizationObserverBase as UniformQuantizationObserverBase
from mindtorch.ao.quantization.observing import _PartialWrapper as _PartialWrapper
from mindtorch.ao.quantization.qconfig import get_default_qat_qconfig_dict as get_default_qat_qconfig_dict
from mindtorch.ao.quantization.qconfig import get_default_qconfig_dict as get_default_qconfig_dict
from mindtorch.ao.quantization.qconfig_mapping import QConfigMapping as QConfigMapping
from mindtorch.ao.quantization.qconfig_mapping import get_default_qat_qconfig_mapping as get_default_qat_qconfig_mapping
from mindtorch.ao.quantization.qconfig_mapping import get_default_qconfig_mapping as get_default_qconfig_mapping
from mindtorch.ao.quantization.quant_type import QuantType as QuantType
from mindtorch.ao.quantization.quantization_mappings import get_default_compare_output_module_list as get_default_compare_output_module_list
from mindtorch.ao.quantization.quantization_mappings import get_default_dynamic_quant_module_mappings as get_default_dynamic_quant_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_default_qat_module_mappings as get_default_qat_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_default_qconfig_propagation_list as get_default_qconfig_propagation_list
from mindtorch.ao.quantization.quantization_mappings import get_default_static_quant_module_mappings as get_default_static_quant_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_dynamic_quant_module_class as get_dynamic_quant_module_class
from mindtorch.ao.quantization.quantization_mappings import get_embedding_qat_module_mappings as get_embedding_qat_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_embedding_static_quant_module_mappings as get_embedding_static_quant_module_mappings
from mindtorch.ao.quantization.quantization_mappings import get_static_quant_module_class as get_static_quant_module_class
from mindtorch.ao.quantization.quantize import add_quant_dequant as add_quant_dequant
from mindtorch.ao.quantization.quantize import convert as convert
from mindtorch.ao.quantization.quantize import prepare as prepare
from mindtorch.ao.quantization.quantize import prepare_qat as prepare_qat
from mindtorch.ao.quantization.quantize import propagate_qconfig_ as propagate_qconfig_
from mindtorch.ao.quantization.quantize import quantize as quantize
from mindtorch.ao.quantization.quantize import quantize_dynamic as quantize_dynamic
from mindtorch.ao.quantization.quantize import quantize_qat as quantize_qat
from mindtorch.ao.quantization.quantize import swap_module as swap_module
from mindtorch.ao.quantization.stubs import DeQuantStub as DeQuantStub
from mindtorch.ao.quantization.stubs import QuantStub as QuantStub
from mindtorch.ao.quantization.stubs import QuantWrapper as QuantWrapper

AffineQuantizedObserverBase: Any
DEFAULT_DYNAMIC_QUANT_MODULE_MAPPINGS: Any
DEFAULT_MODULE_TO_ACT_POST_PROCESS: Any
DEFAULT_QAT_MODULE_MAPPINGS: Any
DEFAULT_STATIC_QUANT_MODULE_MAPPINGS: Any
Granularity: Any
MappingType: Any
def ObserverOrFakeQuantize() -> Any: ...
PerAxis: Any
PerBlock: Any
PerGroup: Any
PerRow: Any
PerTensor: Any
PerToken: Any
TorchAODType: Any
ZeroPointDomain: Any
def convert_dynamic_jit(
    model: Any, inplace: Any = False, debug: Any = False, preserved_attrs: Any = None
) -> Any: ...
def convert_jit(
    model: Any, inplace: Any = False, debug: Any = False, preserved_attrs: Any = None
) -> Any: ...
default_debug_observer = _default_debug_observer_
default_dynamic_fake_quant: _PartialWrapper
default_dynamic_quant_observer: _PartialWrapper
default_embedding_fake_quant: _PartialWrapper
default_embedding_fake_quant_4bit: _PartialWrapper
def default_eval_fn(model: Any, calib_data: Any) -> Any: ...
default_fake_quant: _PartialWrapper
default_fixed_qparams_range_0to1_fake_quant = _default_fixed_qparams_range_0to1_fake_quant_
default_fixed_qparams_range_0to1_observer = _default_fixed_qparams_range_0to1_observer_
default_fixed_qparams_range_neg1to1_fake_quant = _default_fixed_qparams_range_neg1to1_fake_quant_
default_fixed_qparams_range_neg1to1_observer = _default_fixed_qparams_range_neg1to1_observer_
default_float_qparams_observer: _PartialWrapper
default_float_qparams_observer_4bit: _PartialWrapper
default_fused_act_fake_quant: _PartialWrapper
default_fused_per_channel_wt_fake_quant: _PartialWrapper
default_fused_wt_fake_quant: _PartialWrapper
default_histogram_fake_quant: _PartialWrapper
default_histogram_observer: _PartialWrapper
default_observer: _PartialWrapper
default_per_channel_weight_fake_quant: _PartialWrapper
default_per_channel_weight_observer: _PartialWrapper
default_placeholder_observer = _default_placeholder_observer_
default_reuse_input_observer = _default_reuse_input_observer_
default_weight_fake_quant: _PartialWrapper
default_weight_observer: _PartialWrapper
def fuse_conv_bn_jit(model: Any, inplace: Any = False) -> Any: ...
fused_per_channel_wt_fake_quant_range_neg_127_to_127: _PartialWrapper
fused_wt_fake_quant_range_neg_127_to_127: _PartialWrapper
def get_block_size(input_shape: Any, granularity: Any) -> Any: ...
def get_default_custom_config_dict() -> Any: ...
def get_default_dynamic_sparse_quant_module_mappings() -> Any: ...
def get_default_float_to_quantized_operator_mappings() -> Any: ...
def get_default_static_quant_reference_module_mappings() -> Any: ...
def get_default_static_sparse_quant_module_mappings() -> Any: ...
def get_quantized_operator(float_op: Any) -> Any: ...
def no_observer_set() -> Any: ...
per_channel_weight_observer_range_neg_127_to_127: _PartialWrapper
def prepare_dynamic_jit(model: Any, qconfig_dict: Any, inplace: Any = False) -> Any: ...
def prepare_jit(model: Any, qconfig_dict: Any, inplace: Any = False) -> Any: ...
def quantize_dynamic_jit(
    model: Any, qconfig_dict: Any, inplace: Any = False, debug: Any = False
) -> Any: ...
def quantize_jit(
    model: Any,
    qconfig_dict: Any,
    run_fn: Any,
    run_args: Any,
    inplace: Any = False,
    debug: Any = False,
) -> Any: ...
def script_qconfig(qconfig: Any) -> Any: ...
def script_qconfig_dict(qconfig_dict: Any) -> Any: ...
weight_observer_range_neg_127_to_127: _PartialWrapper
