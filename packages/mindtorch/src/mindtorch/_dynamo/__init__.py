"""``torch._dynamo``: graphs of functions for backends of the program's own.

Python's bytecode is not read: see :mod:`mindtorch._dynamo.function_recorder`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..core.unavailable import COMPILER, refusals
from . import config
from .backends.registry import list_backends, lookup_backend, register_backend
from .compiled_graphs import forget_all
from .decorators import (
    allow_in_graph,
    assume_constant_result,
    disable,
    disallow_in_graph,
    error_on_graph_break,
    forbid_in_graph,
    graph_break,
    mark_dynamic,
    mark_static,
    mark_static_address,
    maybe_mark_dynamic,
    nonstrict_trace,
    patch_dynamo_config,
    run,
    set_stance,
    skip_frame,
    step_unsupported,
    substitute_in_graph,
)
from .eval_frame import OptimizedModule, explain, optimize
from .external_utils import is_compiling
from .utils import reset_recompile_user_contexts

optimize_assert = optimize
orig_code_map: dict[Any, Any] = {}
_MODULES = (
    *("backends", "decorators", "eval_frame", "exc", "external_utils", "test_case", "testing"),
    "utils",
)
_COMPILERS = ("export", "replay")


def is_dynamo_supported() -> bool:
    """False: there is no compiler here."""
    return False


def is_inductor_supported() -> bool:
    """False: there is no compiler here."""
    return False


def reset() -> None:
    """Forget what was compiled: backends are given their graphs anew."""
    forget_all()


def reset_code_caches() -> None:
    """Forget what was compiled: backends are given their graphs anew."""
    forget_all()


def set_recursion_limit(limit: int) -> None:
    """Set how deep the compiler may go: there is none."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _COMPILERS:
        return refusals("torch._dynamo", [name], COMPILER)[name]
    raise AttributeError(f"module 'torch._dynamo' has no attribute '{name}'")
