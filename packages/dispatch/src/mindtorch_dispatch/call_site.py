"""The user's line behind a call: taken quickly, described later."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

__all__ = ["capture_site", "describe_site"]

#: Modules whose frames are not the user's.
INTERNAL_MODULES: tuple[str, ...] = (
    "mindtorch.",
    "mindtorch_autograd.",
    "mindtorch_dispatch.",
    "mindtorch_npu.",
    "mindtorch_storage.",
    "torch.",  # mindtorch's modules, where it runs under that name
)
Site = tuple[CodeType, int]


def capture_site(depth: int = 1, internal: tuple[str, ...] = INTERNAL_MODULES) -> Site | None:
    """The innermost frame that is not in a module of *internal*: its code and instruction.

    The line number is worked out by :func:`describe_site`, because asking a frame for it costs
    more than the rest together.
    """
    frame = sys._getframe(depth)
    while True:
        name = frame.f_globals.get("__name__", "")
        # A package's own __init__ has no dot behind its name.
        if not (name.startswith(internal) or f"{name}." in internal):
            return frame.f_code, frame.f_lasti
        back = frame.f_back
        if back is None:
            return None
        frame = back


def describe_site(site: Any) -> str:
    """``file:line`` of a captured site (or of a ready-made string)."""
    if site is None:
        return "an unknown place"
    if isinstance(site, str):
        return site
    code, at = site
    if isinstance(code, str):
        return f"{code}:{at}"
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= at < end:
            line = number or line
            break
    return f"{code.co_filename}:{line}"
