"""Warnings that point at the user's line, as torch's do."""

from __future__ import annotations

import sys
import warnings

__all__ = ["warn"]


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn of *text* at the innermost line that is not mindtorch's own.

    The code that is generated for a call has no module name; it counts as ours.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _ours(frame.f_globals.get("__name__", "mindtorch")):
        frame = frame.f_back
        level += 1
    warnings.warn(text, category, stacklevel=level - 1)


def _ours(module: str) -> bool:
    return module.partition(".")[0].startswith("mindtorch")
