# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import custom_ops as custom_ops
from . import decomp_utils as decomp_utils
from . import dynamic_shapes as dynamic_shapes
from . import exported_program as exported_program
from . import graph_signature as graph_signature
from . import pt2_archive as pt2_archive
from collections.abc import Mapping
from mindtorch._decomp.core_aten import CustomDecompTable as CustomDecompTable
from mindtorch.export.dynamic_shapes import AdditionalInputs as AdditionalInputs
from mindtorch.export.dynamic_shapes import Constraint as Constraint
from mindtorch.export.dynamic_shapes import Dim as Dim
from mindtorch.export.dynamic_shapes import ShapesCollection as ShapesCollection
from mindtorch.export.dynamic_shapes import dims as dims
from mindtorch.export.exported_program import ExportedProgram as ExportedProgram
from mindtorch.export.exported_program import ModuleCallEntry as ModuleCallEntry
from mindtorch.export.exported_program import ModuleCallSignature as ModuleCallSignature
from mindtorch.export.exported_program import default_decompositions as default_decompositions
from mindtorch.export.graph_signature import ExportBackwardSignature as ExportBackwardSignature
from mindtorch.export.graph_signature import ExportGraphSignature as ExportGraphSignature
from mindtorch.export.unflatten import FlatArgsAdapter as FlatArgsAdapter
from mindtorch.export.unflatten import UnflattenedModule as UnflattenedModule
from mindtorch.export.unflatten import unflatten as unflatten
from mindtorch.nn import Module
from os import PathLike
from typing import Any
from typing import IO

def draft_export(
    mod: Any,
    args: Any,
    kwargs: Any = None,
    *,
    dynamic_shapes: Any = None,
    preserve_module_call_signature: Any = ...,
    strict: Any = False,
    prefer_deferred_runtime_asserts_over_guards: Any = False,
) -> Any: ...
def export(mod: Module, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None=None, *, dynamic_shapes: dict[str, Any] | tuple[Any, ...] | list[Any] | None=None, strict: bool=False, preserve_module_call_signature: tuple[str, ...]=(), prefer_deferred_runtime_asserts_over_guards: bool=False) -> ExportedProgram: ...
def load(f: str | PathLike[str] | IO[bytes], *, extra_files: dict[str, Any] | None=None, expected_opset_version: dict[str, int] | None=None) -> ExportedProgram: ...
def register_dataclass(cls: type, *, serialized_type_name: str | None=None) -> None: ...
def save(ep: ExportedProgram, f: str | PathLike[str] | IO[bytes], *, extra_files: dict[str, Any] | None=None, opset_version: dict[str, int] | None=None, pickle_protocol: int=2) -> None: ...
