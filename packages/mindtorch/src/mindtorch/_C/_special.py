"""``torch._C._special``: the functions of op rows for special functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten.register import SPECIAL_FUNCTIONS


def __getattr__(name: str) -> Callable[..., Any]:
    found = SPECIAL_FUNCTIONS.get(name)
    if found is None:
        raise AttributeError(f"module 'torch._C._special' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(SPECIAL_FUNCTIONS)
