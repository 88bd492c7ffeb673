"""The modules of Python's standard library."""

from __future__ import annotations

import sys

__all__ = ["is_stdlib_module"]


def is_stdlib_module(module: str) -> bool:
    """Whether a module, or the package that it is in, comes with Python."""
    return module.partition(".")[0] in sys.stdlib_module_names
