# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _str
from . import _internal as _internal
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
from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from enum import Enum
from mindtorch.nn import Module
from mindtorch.onnx._internal.exporter._onnx_program import ONNXProgram as ONNXProgram
from mindtorch.onnx.errors import OnnxExporterError as OnnxExporterError
from typing import Any
import os

ExportableModule: Any
InputObserver: Any
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
def export(model: Any, args: tuple[Any, ...]=(), f: str | os.PathLike[str] | None=None, *, kwargs: dict[str, Any] | None=None, verbose: bool | None=None, input_names: Sequence[str] | None=None, output_names: Sequence[str] | None=None, opset_version: int | None=None, dynamo: bool=True, external_data: bool=True, dynamic_shapes: dict[str, Any] | tuple[Any, ...] | list[Any] | None=None, custom_translation_table: dict[Callable[..., Any], Callable[..., Any]] | None=None, report: bool=False, optimize: bool=True, verify: bool=False, profile: bool=False, dump_exported_program: bool=False, artifacts_dir: str | os.PathLike[str]='.', export_params: bool=True, keep_initializers_as_inputs: bool=False, dynamic_axes: Mapping[str, Mapping[int, str]] | Mapping[str, Sequence[int]] | None=None, training: TrainingMode=TrainingMode.EVAL, operator_export_type: OperatorExportTypes=OperatorExportTypes.ONNX, do_constant_folding: bool=True, custom_opsets: Mapping[str, int] | None=None, export_modules_as_functions: bool | Collection[type[Module]]=False, autograd_inlining: bool=True) -> ONNXProgram | None: ...
def is_in_onnx_export() -> bool: ...
producer_name: _str
