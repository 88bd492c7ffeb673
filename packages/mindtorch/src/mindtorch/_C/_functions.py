"""``torch._C._VariableFunctions``: the functions of op rows that are torch's own.

``torch._C._functions``: classes of nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import AccumulateGrad

from ..ops.register import FUNCTIONS


class _VariableFunctionsClass:
    __slots__ = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = FUNCTIONS.get(name)
        if found is None:
            raise AttributeError(
                f"'torch._C._VariableFunctionsClass' object has no attribute '{name}'"
            )
        return found

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
