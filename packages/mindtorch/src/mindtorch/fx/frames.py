"""Frames of the program that is traced, as a proxy finds them when it is asked for something."""

from __future__ import annotations

import dis
import inspect
import traceback
from typing import Any

__all__ = ["asks_for_assert", "instruction", "is_ours", "user_frames"]

#: Modules whose frames are the tracer's own.
_OWN = ("mindtorch.fx", "torch.fx", "mindtorch.nn.modules.module", "torch.nn.modules.module")


def is_ours(frame: Any) -> bool:
    """Whether a frame is one of the tracer, or of a module's call."""
    name = frame.f_globals.get("__name__", "")
    return isinstance(name, str) and f"{name}.".startswith(tuple(f"{n}." for n in _OWN))


def user_frames() -> Any:
    """The frames of the program that is traced, from its outermost ``forward`` on, or None."""
    frames = []
    frame = inspect.currentframe()
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    own = ("mindtorch", "torch")
    found = [
        f for f in reversed(frames) if str(f.f_globals.get("__name__")).split(".")[0] not in own
    ]
    for i, f in enumerate(found):
        if f.f_code.co_name == "forward":
            return traceback.StackSummary.extract((g, g.f_lineno) for g in found[i:])
    return None


def instruction(frame: Any) -> Any:
    """The instruction that a frame is at."""
    for found in dis.get_instructions(frame.f_code):
        if found.offset == frame.f_lasti:
            return found
    return None


def asks_for_assert(frame: Any) -> bool:
    """Whether *frame* asks for a truth by an ``assert``: if false, AssertionError is raised."""
    listed = list(dis.get_instructions(frame.f_code))
    at = next(i for i, x in enumerate(listed) if x.offset == frame.f_lasti)
    if listed[at].opname == "TO_BOOL":
        at += 1
    jump = listed[at]
    if "JUMP" not in jump.opname or "IF_TRUE" not in jump.opname:
        return False
    return at + 1 < len(listed) and listed[at + 1].opname in (
        "LOAD_ASSERTION_ERROR",
        "LOAD_COMMON_CONSTANT",
    )
