"""Preparing TorchScript modules for phones; there is no TorchScript here."""

from __future__ import annotations

from enum import Enum
from typing import Any, NoReturn

__all__ = ["LintCode", "generate_mobile_module_lints", "optimize_for_mobile"]


class LintCode(Enum):
    """What can be wrong with a module for phones."""

    BUNDLED_INPUT = 1
    REQUIRES_GRAD = 2
    DROPOUT = 3
    BATCHNORM = 4


def _refuse(script_module: Any) -> NoReturn:
    raise TypeError(f"Got {type(script_module)}, but ScriptModule is expected.")


def optimize_for_mobile(
    script_module: Any,
    optimization_blocklist: Any = None,
    preserved_methods: Any = None,
    backend: str = "CPU",
) -> NoReturn:
    """Refuse what is no ScriptModule, which nothing is."""
    _refuse(script_module)


def generate_mobile_module_lints(script_module: Any) -> NoReturn:
    """Refuse what is no ScriptModule, which nothing is."""
    _refuse(script_module)
