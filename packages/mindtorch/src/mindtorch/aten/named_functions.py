"""The functions that formulas call by name, through :mod:`mindtorch.core.operators`."""

from __future__ import annotations

from typing import Any

from . import torch
from .register import MODULES, aten_function, internal

__all__ = ["function_named"]


def function_named(name: str) -> Any:
    """The op *name*: a helper of gradients directly, any other as ``torch.x``.

    Raises AttributeError where there is none.
    """
    found = internal(name) or next((home[name] for home in MODULES.values() if name in home), None)
    found = found or aten_function(name)
    return getattr(torch, name) if found is None else found
