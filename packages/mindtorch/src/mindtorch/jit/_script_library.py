"""The functions and layers of the library as scripts, by the names that programs know."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from . import _layers

__all__ = ["script_of"]


def script_of(qualified_name: str) -> Any:
    """The function or class that is the script of ``__torch__.…``; None if there is none."""
    return _all().get(qualified_name)


@cache
def _all() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for module in _layers.MODULES:
        for value in vars(import_module(f"{_layers.__name__}.{module}")).values():
            qualified = vars(value).get("script_home_") if hasattr(value, "__dict__") else None
            if qualified is not None:
                value._jit_override_qualname = qualified
                found[qualified] = value
    for qualified, value in found.items():
        for each in getattr(value, "script_overloads_", ()):
            each._jit_override_qualname = qualified
    return found
