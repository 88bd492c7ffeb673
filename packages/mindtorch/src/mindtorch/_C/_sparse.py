"""``torch._C._sparse``: the functions of op rows for sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten.register import SPARSE_FUNCTIONS


def __getattr__(name: str) -> Callable[..., Any]:
    found = SPARSE_FUNCTIONS.get(name)
    if found is None:
        raise AttributeError(f"module 'torch._C._sparse' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(SPARSE_FUNCTIONS)
