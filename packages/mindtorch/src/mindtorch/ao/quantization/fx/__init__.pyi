# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _decomposed as _decomposed
from . import custom_config as custom_config
from . import decomposed_library as decomposed_library
from . import decomposed_parts as decomposed_parts
from . import decomposed_per_tensor as decomposed_per_tensor
from . import fuse_handler as fuse_handler
from . import graph_module as graph_module
from . import lower_to_fbgemm as lower_to_fbgemm
from . import lower_to_qnnpack as lower_to_qnnpack
from . import lstm_utils as lstm_utils
from . import match_utils as match_utils
from . import pattern_utils as pattern_utils
from . import qconfig_mapping_utils as qconfig_mapping_utils
from . import quantize_handler as quantize_handler
from . import tracer as tracer
from . import utils as utils
from mindtorch.ao.quantization.fx.convert import convert as convert
from mindtorch.ao.quantization.fx.fuse import fuse as fuse
from mindtorch.ao.quantization.fx.prepare import prepare as prepare

