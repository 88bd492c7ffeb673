"""``torch.utils``."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from . import hooks

__all__ = ["hooks"]

#: Names that are looked for when first asked for: the submodule, "" where it is the name itself.
_LAZY = {
    "_device": "",
    "_mode_utils": "",
    "_python_dispatch": "",
    "_pytree": "",
    "backend_registration": "",
    "checkpoint": "",
    "deterministic": "",
    "dlpack": "",
    "generate_methods_for_privateuse1_backend": "backend_registration",
    "rename_privateuse1_backend": "backend_registration",
    "serialization": "",
    "swap_tensors": "swapping",
}


def __getattr__(name: str) -> Any:
    home = _LAZY.get(name)
    if home is None:
        raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")
    found = _import_module(f".{home or name}", __name__)
    return getattr(found, name) if home else found


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY})
