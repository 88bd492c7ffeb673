# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import fusion_patterns as fusion_patterns
from . import graph_module as graph_module
from . import match_utils as match_utils
from . import pattern_utils as pattern_utils
from . import quantization_patterns as quantization_patterns
from . import quantization_types as quantization_types
from . import utils as utils
from mindtorch.ao.quantization.fx.convert import convert as convert
from mindtorch.ao.quantization.fx.fuse import fuse as fuse
from mindtorch.ao.quantization.fx.prepare import prepare as prepare

