"""``torch.utils``."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from . import hooks

__all__ = ["hooks"]

_LAZY = (
    "_device",
    "_mode_utils",
    "_python_dispatch",
    "_pytree",
    "backend_registration",
    "checkpoint",
    "dlpack",
    "serialization",
)
_REGISTRATION = ("generate_methods_for_privateuse1_backend", "rename_privateuse1_backend")


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return _import_module(f".{name}", __name__)
    if name in _REGISTRATION:
        from . import backend_registration

        return getattr(backend_registration, name)
    if name == "swap_tensors":
        from . import swapping

        return swapping.swap_tensors
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY, *_REGISTRATION, "swap_tensors"})
