"""``torch.ao``: quantization; pruning, which is refused when called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..core.submodules import reached as _reached

__all__ = ["nn", "ns", "pruning", "quantization"]


__getattr__ = _reached(__name__, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
