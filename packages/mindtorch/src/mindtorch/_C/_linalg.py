"""``torch._C._linalg``: the functions of op rows for linear algebra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten.register import LINALG_FUNCTIONS


def __getattr__(name: str) -> Callable[..., Any]:
    found = LINALG_FUNCTIONS.get(name)
    if found is None:
        raise AttributeError(f"module 'torch._C._linalg' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(LINALG_FUNCTIONS)
