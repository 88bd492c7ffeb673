"""Warnings of names of ``torch.jit`` that programs should not use any more."""

from __future__ import annotations

import warnings

__all__ = ["TO_COMPILE", "TO_EXPORT", "USE_COMPILE", "deprecated"]


def deprecated(name: str, instead: str) -> None:
    """Warn of a name of ``torch.jit`` at a line of this package, as torch does.

    Python hides a DeprecationWarning that does not come from the program's main module.
    """
    text = f"`torch.jit.{name}` is deprecated. Please {instead}."
    warnings.warn(text, DeprecationWarning, stacklevel=2)


TO_COMPILE = "switch to `torch.compile` or `torch.export`"
USE_COMPILE = "use `torch.compile` instead"
TO_EXPORT = "switch to `torch.export`"
