# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _str
from . import errors as errors
from . import operators as operators
from . import ops as ops
from . import symbolic_helper as symbolic_helper
from . import symbolic_opset10 as symbolic_opset10
from . import symbolic_opset11 as symbolic_opset11
from . import symbolic_opset12 as symbolic_opset12
from . import symbolic_opset13 as symbolic_opset13
from . import symbolic_opset14 as symbolic_opset14
from . import symbolic_opset15 as symbolic_opset15
from . import symbolic_opset16 as symbolic_opset16
from . import symbolic_opset17 as symbolic_opset17
from . import symbolic_opset18 as symbolic_opset18
from . import symbolic_opset19 as symbolic_opset19
from . import symbolic_opset20 as symbolic_opset20
from . import symbolic_opset7 as symbolic_opset7
from . import symbolic_opset8 as symbolic_opset8
from . import symbolic_opset9 as symbolic_opset9
from . import testing as testing
from . import utils as utils
from . import verification as verification
from collections.abc import Callable
from enum import Enum
from mindtorch.onnx.errors import OnnxExporterError as OnnxExporterError
from typing import Any

ExportableModule: Any
InputObserver: Any
ONNXProgram: Any
class OperatorExportTypes(Enum):
    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3
class TrainingMode(Enum):
    EVAL = 0
    PRESERVE = 1
    TRAINING = 2
def _refusing(module: str) -> Callable[[str], Any]: ...
def export(
    model: Any,
    args: Any = ...,
    f: Any = None,
    *,
    kwargs: Any = None,
    verbose: Any = None,
    input_names: Any = None,
    output_names: Any = None,
    opset_version: Any = None,
    dynamo: Any = True,
    external_data: Any = True,
    dynamic_shapes: Any = None,
    custom_translation_table: Any = None,
    report: Any = False,
    optimize: Any = True,
    verify: Any = False,
    profile: Any = False,
    dump_exported_program: Any = False,
    artifacts_dir: Any = ".",
    export_params: Any = True,
    keep_initializers_as_inputs: Any = False,
    dynamic_axes: Any = None,
    training: Any = ...,
    operator_export_type: Any = ...,
    do_constant_folding: Any = True,
    custom_opsets: Any = None,
    export_modules_as_functions: Any = False,
    autograd_inlining: Any = True,
) -> Any: ...
def is_in_onnx_export() -> bool: ...
producer_name: _str
def register_custom_op_symbolic(symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int) -> None: ...
def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None: ...
