# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _async as _async
from . import _await as _await
from . import _freeze as _freeze
from . import _fuser as _fuser
from . import _script as _script
from . import _serialization as _serialization
from . import _state as _state
from . import _trace as _trace
from . import annotations as annotations
from . import frontend as frontend
from . import internal as internal
from . import script_types as script_types
from collections.abc import Iterator
from contextlib import contextmanager
from mindtorch.futures import Future as Future
from mindtorch.jit._async import fork as fork
from mindtorch.jit._async import wait as wait
from mindtorch.jit._errors import Error as Error
from mindtorch.jit._errors import Error as _JITException_
from mindtorch.jit._freeze import freeze as freeze
from mindtorch.jit._freeze import optimize_for_inference as optimize_for_inference
from mindtorch.jit._fuser import set_fusion_strategy as set_fusion_strategy
from mindtorch.jit._script import CompilationUnit as CompilationUnit
from mindtorch.jit._script import ScriptFunction as ScriptFunction
from mindtorch.jit._script import ScriptModule as ScriptModule
from mindtorch.jit._script import interface as interface
from mindtorch.jit._script import script as script
from mindtorch.jit._serialization import load as load
from mindtorch.jit._serialization import save as save
from mindtorch.jit._trace import trace as trace
from mindtorch.jit._trace import trace_module as trace_module
from mindtorch.jit.internal import export as export
from mindtorch.jit.internal import ignore as ignore
from mindtorch.jit.internal import unused as unused
from typing import Any

Attribute: Any
JITException = _JITException_
class RecursiveScriptClass: ...
class _OneDnn:
    fusion = False
@contextmanager
def _hide_source_ranges() -> Iterator[None]: ...
def _unwrap_optional(x: Any) -> Any: ...
def annotate(the_type: Any, the_value: Any) -> Any: ...
def enable_onednn_fusion(enabled: bool) -> None: ...
def export_opnames(m: Any) -> Any: ...
def isinstance(obj: Any, target_type: Any) -> bool: ...
def onednn_fusion_enabled() -> bool: ...
def script_if_tracing(fn: Any) -> Any: ...
class strict_fusion:

    def __init__(self) -> None:
        ...

    def __enter__(self) -> None:
        ...

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        ...
