"""``torch.quantization``: the older place of ``torch.ao.quantization``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..ao import quantization as _ao
from ..ao.quantization import *

#: What only the newer place has.
_NEWER = (
    "QConfigMapping fuse_modules_qat get_default_qat_qconfig_mapping get_default_qconfig_mapping"
).split()
__all__ = [name for name in _ao.__all__ if name not in _NEWER]


def __getattr__(name: str) -> Any:
    if name in _ao._MODULES:
        return import_module(f"..ao.quantization.{name}", __name__)
    raise AttributeError(f"module 'torch.quantization' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
