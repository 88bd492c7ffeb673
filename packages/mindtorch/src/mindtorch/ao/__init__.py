"""``torch.ao``: quantization; pruning, which is refused when called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["nn", "ns", "pruning", "quantization"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.ao' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
