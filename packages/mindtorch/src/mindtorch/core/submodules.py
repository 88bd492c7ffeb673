"""Modules of a package that programs reach by attributes, without importing them.

``import torch`` loads these in torch; here they are loaded when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any

__all__ = ["reached"]


def reached(package: str, names: Collection[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of *package* that loads the modules of these *names*."""
    shown = package.replace("mindtorch", "torch", 1)

    def __getattr__(name: str) -> Any:
        if name in names:
            return import_module(f".{name}", package)
        raise AttributeError(f"module '{shown}' has no attribute '{name}'")

    return __getattr__
