"""``torch.nn``: layers, their functions, and how parameters begin."""

from __future__ import annotations

from . import functional, init, modules, parameter, utils
from .modules import *
from .modules import __all__ as _layers
from .parameter import Buffer, Parameter

__all__ = [
    *_layers,
    "Buffer",
    "Parameter",
    "functional",
    "init",
    "modules",
    "parameter",
    "utils",
]
del _layers


def __dir__() -> list[str]:
    return sorted(__all__)
