"""``torch._C._VariableFunctions``: the functions of op rows that are torch's own.

``torch._C._functions``: classes of nodes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from mindtorch_autograd import AccumulateGrad

from ..aten.register import FUNCTIONS, aten_function
from ..call.declared import declared
from ..core.module_names import is_home
from ..core.unavailable import why_refused


def _function(holder: Any, name: str) -> Callable[..., Any]:
    # torch's own, which is Python here
    found = None if is_home("torch", name) else FUNCTIONS.get(name)
    if found is None:
        found = getattr(sys.modules["mindtorch"], name, None)
        if found is None or not (why_refused(found) or is_home("torch", name)):
            found = op_function(name)
        if found is None:
            said = "type object" if isinstance(holder, type) else ""
            what = f"{said} 'torch._C._VariableFunctionsClass'{'' if said else ' object'}".strip()
            raise AttributeError(f"{what} has no attribute '{name}'")
    return found


def op_function(name: str) -> Callable[..., Any] | None:
    """The op *name*, also one that is declared only; None where there is none."""
    declared = getattr(sys.modules["mindtorch"].ops.aten, name, None)
    return None if declared is None else aten_function(name) or declared


def declared_function(name: str, module: str) -> Callable[..., Any] | None:
    """The op *name* if it is declared only, as one whose function is in this *module* of torch."""
    return (
        op_function(name) if any(one.module == module for one in declared().get(name, ())) else None
    )


class _FunctionsOfClass(type):
    """torch's functions are static methods: pickles of torch name them by the class."""

    __getattr__ = _function


class _VariableFunctionsClass(metaclass=_FunctionsOfClass):
    __slots__ = ()

    __getattr__ = _function

    def __dir__(self) -> list[str]:
        return sorted(FUNCTIONS)


_VariableFunctions = _VariableFunctionsClass()


def __getattr__(name: str) -> Any:
    if name in ("DelayedError", "UndefinedGrad", "UndefinedGradBackward"):
        from . import _test_nodes  # tests alone ask for it

        return getattr(_test_nodes, name)
    if name == "AccumulateGrad":
        return AccumulateGrad
    raise AttributeError(f"module 'torch._C._functions' has no attribute '{name}'")
