"""``torch._C._nn``: the functions of op rows that torch keeps there."""

from __future__ import annotations

from typing import Any

from ..aten.register import NN_FUNCTIONS
from ..core.submodules import computed as _computed
from ..tensor.casting import parse_module_to
from ._functions import declared_function


def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool, Any]:
    """What a call of ``Module.to`` asks for: device, dtype, non_blocking, memory format."""
    return parse_module_to(args, kwargs)


_of_row, __dir__ = _computed(__name__, NN_FUNCTIONS, NN_FUNCTIONS.get)


def __getattr__(name: str) -> Any:
    return declared_function(name, "nn") or _of_row(name)
