"""``torch.nn``: layers, their functions, and how parameters begin."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import functional, init, modules, parameter, utils
from .modules import *
from .modules import __all__ as _layers
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    *_layers,
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "init",
    "modules",
    "parameter",
    "utils",
]
del _layers


#: Imported when first asked for.
_LATER = (
    "_reduction attention backends common_types cpp grad intrinsic parallel qat quantizable "
    "quantized"
).split()


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return import_module(f".{name}", __name__)
    if name == "DataParallel":
        return import_module(".parallel", __name__).DataParallel
    raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
