"""``torch.ao.nn``: modules of quantized numbers. The names are here; refused when called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...core.submodules import reached as _reached

__all__ = ["intrinsic", "qat", "quantizable", "quantized", "sparse"]


__getattr__ = _reached(__name__, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
