"""Warnings that point at the user's line, as torch's do."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

__all__ = ["always", "warn", "warn_once", "warn_resized"]

#: Not empty: what is said once per process is said every time (``torch.set_warn_always``).
always: list[bool] = []
_said: set[str] = set()


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn of *text* at the innermost line that is not mindtorch's own.

    The code that is generated for a call has no module name; it counts as ours.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _ours(frame.f_globals.get("__name__", "mindtorch")):
        frame = frame.f_back
        level += 1
    warnings.warn(text, category, stacklevel=level - 1)


def warn_once(text: str) -> None:
    """Warn of *text*, by its first line once in the process only. Source: TORCH_WARN_ONCE."""
    line = text.partition("\n")[0]
    if always or line not in _said:
        _said.add(line)
        warn(text)


def warn_resized(have: Sequence[int], want: Sequence[int]) -> None:
    """Warn that an ``out=`` with elements gets another shape.

    Source: torch aten/src/ATen/native/Resize.cpp, resize_output_check.
    """
    warn(
        f"An output with one or more elements was resized since it had shape {list(have)}, "
        f"which does not match the required output shape {list(want)}. This behavior is "
        "deprecated, and in a future PyTorch release outputs will not be resized unless they "
        "have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, "
        "to zero elements with t.resize_(0)."
    )


def _ours(module: str) -> bool:
    return module.partition(".")[0].startswith("mindtorch")
