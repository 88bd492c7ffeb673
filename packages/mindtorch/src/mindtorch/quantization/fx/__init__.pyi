# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import fusion_patterns as fusion_patterns
from . import graph_module as graph_module
from . import match_utils as match_utils
from . import pattern_utils as pattern_utils
from . import quantization_patterns as quantization_patterns
from . import quantization_types as quantization_types
from . import utils as utils
from mindtorch.ao.quantization.fx.fuse import fuse as fuse

def convert(
    model: Any,
    is_reference: Any = False,
    convert_custom_config: Any = None,
    is_standalone_module: Any = False,
    _remove_qconfig_flag: Any = True,
    qconfig_mapping: Any = None,
    backend_config: Any = None,
    is_decomposed: Any = False,
    keep_original_weights: Any = False,
) -> Any: ...
def prepare(
    model: Any,
    qconfig_mapping: Any,
    is_qat: Any,
    node_name_to_scope: Any,
    example_inputs: Any,
    prepare_custom_config: Any = None,
    _equalization_config: Any = None,
    backend_config: Any = None,
    is_standalone_module: Any = False,
) -> Any: ...
