"""Where in the user's program something was queued or allocated."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any

__all__ = ["Site", "call_site", "describe", "frames", "line_of"]

# A code object and the offset of the instruction in it: cheap to take, does not keep locals alive
# as a frame would, and the line number is worked out only when somebody asks.
Site = tuple[CodeType, int]


_PACKAGES = frozenset(
    ("mindtorch", "mindtorch_npu", "mindtorch_storage", "mindtorch_dispatch", "mindtorch_autograd")
)
_ours: dict[CodeType, bool] = {}  # what was found out about a piece of code


def _is_ours(frame: FrameType) -> bool:
    name: str = frame.f_globals.get("__name__", "")
    ours = _ours[frame.f_code] = name.partition(".")[0] in _PACKAGES
    return ours


def call_site(depth: int = 1) -> Site | None:
    """The nearest caller, *depth* frames up or further, that is not part of mindtorch."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        code = frame.f_code
        ours = _ours.get(code)
        if ours is None:
            ours = _is_ours(frame)
        if not ours:
            return code, frame.f_lasti
        frame = frame.f_back
    return None


def line_of(code: CodeType, offset: int) -> int:
    """The line of the instruction at *offset*."""
    for start, end, line in code.co_lines():
        if start <= offset < end and line is not None:
            return line
    return code.co_firstlineno


def describe(site: Any) -> str:
    """``file.py:12 in train``; a string stays as it is; '' for None."""
    if not site:
        return ""
    if isinstance(site, str):
        return site
    code, offset = site
    return f"{code.co_filename}:{line_of(code, offset)} in {code.co_name}"


def frames(depth: int = 1) -> list[Site]:
    """The whole stack from *depth* frames up, innermost first."""
    found: list[Site] = []
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found
