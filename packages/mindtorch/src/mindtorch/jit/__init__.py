"""``torch.jit``: scripted and traced programs, which run as the Python programs they are.

A scripted or traced function or module computes what it was made of computes. It is compiled to
TorchScript when its source, its graph or its archive is asked for; what has no TorchScript is
refused then. Archives that torch wrote are read (:func:`load`): their source runs as Python.
"""

# No import of the feature "annotations": torch.jit.annotations is a module.
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from ..core.submodules import reached as _reached
from ..core.unavailable import SCRIPTS, refusals
from ..core.warning import warn
from ..futures import Future
from . import annotations
from ._async import _fork, _wait, fork, wait
from ._await import _Await, _awaitable, _awaitable_nowait, _awaitable_wait
from ._errors import Error
from ._freeze import freeze, optimize_for_inference, run_frozen_optimizations
from ._fuser import (
    fuser,
    last_executed_optimized_graph,
    optimized_execution,
    set_fusion_strategy,
)
from ._script import (
    Attribute,
    CompilationUnit,
    RecursiveScriptModule,
    ScriptFunction,
    ScriptModule,
    ScriptWarning,
    interface,
    script,
    script_method,
)
from ._serialization import (
    jit_module_from_flatbuffer,
    load,
    save,
    save_jit_module_to_flatbuffer,
)
from ._trace import (
    ONNXTracedModule,
    TopLevelTracedModule,
    TracedModule,
    TracerWarning,
    TracingCheckError,
    _get_trace_graph,
    _script_if_tracing,
    _unique_state_dict,
    is_tracing,
    trace,
    trace_module,
)
from .internal import (
    _drop,
    _IgnoreContextManager,
    _isinstance,
    _overload,
    _overload_method,
    export,
    ignore,
    is_scripting,
    unused,
)

__all__ = [
    "Attribute",
    "CompilationUnit",
    "Error",
    "Future",
    "ScriptFunction",
    "ScriptModule",
    "annotate",
    "enable_onednn_fusion",
    "export",
    "export_opnames",
    "fork",
    "freeze",
    "ignore",
    "interface",
    "isinstance",
    "load",
    "onednn_fusion_enabled",
    "optimize_for_inference",
    "save",
    "script",
    "script_if_tracing",
    "set_fusion_strategy",
    "strict_fusion",
    "trace",
    "trace_module",
    "unused",
    "wait",
]

_set_fusion_strategy = set_fusion_strategy


#: The name of the error in ``torch``.
JITException = Error


class RecursiveScriptClass:
    """An object of a class that was scripted."""


class _OneDnn:
    fusion = False


def annotate(the_type: Any, the_value: Any) -> Any:
    """Return *the_value*: the type is said for a compiler."""
    return the_value


def script_if_tracing(fn: Any) -> Any:
    """A function that calls *fn*: torch scripts it when it is first traced."""
    return _script_if_tracing(fn)


def isinstance(obj: Any, target_type: Any) -> bool:
    """``isinstance`` that knows of ``list[int]`` and the like, and looks into containers."""
    return _isinstance(obj, target_type)


class strict_fusion:
    """A block whose ops a compiler must join: nothing is different, but for a warning."""

    def __init__(self) -> None:
        warn("Only works in script mode")

    def __enter__(self) -> None:
        pass

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        pass


@contextmanager
def _hide_source_ranges() -> Iterator[None]:
    """A block in which graphs are printed without places: nothing is different."""
    yield


def enable_onednn_fusion(enabled: bool) -> None:
    """Set whether oneDNN may join ops: remembered, for there is none."""
    _OneDnn.fusion = enabled


def onednn_fusion_enabled() -> bool:
    """What was set by :func:`enable_onednn_fusion`."""
    return _OneDnn.fusion


def _unwrap_optional(x: Any) -> Any:
    """*x*, which is not None; raises AssertionError if it is."""
    if x is None:
        raise AssertionError("Unwrapping null optional")
    return x


globals().update(refusals("torch.jit", ["export_opnames"], SCRIPTS))

_MODULES = frozenset(
    "_async _await _freeze _fuser _script _serialization _state _trace frontend".split()
)


__getattr__ = _reached(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
