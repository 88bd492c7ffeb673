"""``torch.quantization``: the older place of ``torch.ao.quantization``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..ao import quantization as _ao
from ..ao.quantization import *

__all__ = list(_ao.__all__)


def __getattr__(name: str) -> Any:
    if name in _ao._MODULES:
        return import_module(f"..ao.quantization.{name}", __name__)
    raise AttributeError(f"module 'torch.quantization' has no attribute '{name}'")
