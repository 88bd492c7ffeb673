"""Old names of modules that moved."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ...core.warning import warn

_MESSAGE = (
    "`{}` has been moved to `{}`. The old import path is deprecated and will be removed in a "
    "future version."
)


def lazy_deprecated_import(
    all: list[str], old_module: str, new_module: str
) -> Callable[[str], Any]:
    """A ``__getattr__`` that finds the names *all* in *new_module*, with a warning."""
    warning = _MESSAGE.format(old_module, new_module)

    def getattr_dunder(name: str) -> Any:
        if name in all:
            warn(warning, RuntimeWarning)
            return getattr(importlib.import_module(new_module), name)
        raise AttributeError(f"Module {new_module!r} has no attribute {name!r}.")

    return getattr_dunder
