"""Tracebacks of errors that nobody caught say which process they are of."""

from __future__ import annotations

import sys
from typing import Any

from .world import get_rank, get_world_size, is_initialized

__all__ = ["begin", "end"]

#: The hook that was there before.
_plain: Any = None


def begin() -> None:
    """Say it from now on."""
    global _plain
    if _plain is None:
        _plain, sys.excepthook = sys.excepthook, _say_rank


def _say_rank(kind: Any, error: Any, trace: Any) -> None:
    if is_initialized() and get_world_size() > 1:
        sys.stderr.write(f"[rank{get_rank()}]: ")
    _plain(kind, error, trace)


def end() -> None:
    """Say it no more."""
    global _plain
    if _plain is not None:
        sys.excepthook, _plain = _plain, None
