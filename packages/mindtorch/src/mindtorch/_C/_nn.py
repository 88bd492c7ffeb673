"""``torch._C._nn``: the functions of op rows that torch keeps there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten.register import NN_FUNCTIONS
from ..tensor.casting import parse_module_to


def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool, Any]:
    """What a call of ``Module.to`` asks for: device, dtype, non_blocking, memory format."""
    return parse_module_to(args, kwargs)


def __getattr__(name: str) -> Callable[..., Any]:
    found = NN_FUNCTIONS.get(name)
    if found is None:
        raise AttributeError(f"module 'torch._C._nn' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(NN_FUNCTIONS)
