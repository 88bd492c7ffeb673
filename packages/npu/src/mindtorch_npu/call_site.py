"""Where in the user's program something was queued or allocated."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any

__all__ = [
    "Site",
    "as_python_prints",
    "call_site",
    "describe",
    "end_stacks_at",
    "line_of",
    "stack",
    "users_frame",
    "whole_stack",
]

# A code object and the offset of the instruction in it: cheap to take, does not keep locals alive
# as a frame would, and the line number is worked out only when somebody asks.
Site = tuple[CodeType, int]


#: torch is what mindtorch's modules are called where it runs under that name.
_PACKAGES = frozenset(
    (
        *("mindtorch", "mindtorch_npu", "mindtorch_storage", "mindtorch_dispatch"),
        *("mindtorch_autograd", "torch"),
    )
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


def users_frame(depth: int = 1) -> FrameType | None:
    """The frame of that caller; None where all of them are mindtorch's."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
    return frame


def whole_stack(depth: int) -> list[Site]:
    """All frames from *depth* frames up, innermost first: what takes milliseconds to write out."""
    found: list[Site] = []
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found


def as_python_prints(stack: list[Site]) -> str:
    """*stack* with its lines of source, outermost first, as in a traceback."""
    import traceback  # not at import: few programs come here

    frames = [(c.co_filename, line_of(c, offset), c.co_name, None) for c, offset in stack]
    return "".join(traceback.format_list(frames[::-1]))


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


#: Parts of the packages that are Python in torch as well: stacks of Python show them.
_PYTHON_PARTS = (
    *("mindtorch.amp.", "mindtorch.autograd.", "mindtorch.func.", "mindtorch.fx."),
    *("mindtorch.multiprocessing.", "mindtorch.nn.", "mindtorch.optim.", "mindtorch.utils."),
    *("mindtorch.accelerator.", "mindtorch_npu.accelerator.", "mindtorch_npu.memory."),
)
_PYTHON, _INTERNAL, _ALLOCATOR, _LAST = range(4)
_kinds: dict[CodeType, int] = {}  # what was found out about a piece of code


def _kind(frame: FrameType) -> int:
    """Whether torch too would have this frame; if not, whether it is this package's own."""
    name: str = frame.f_globals.get("__name__", "")
    package = name.partition(".")[0]
    if package == "torch":
        name = f"mind{name}"
    if package not in _PACKAGES or f"{name}.".startswith(_PYTHON_PARTS):
        found = _PYTHON
    else:
        found = _ALLOCATOR if package == "mindtorch_npu" else _INTERNAL
    _kinds[frame.f_code] = found
    return found


def end_stacks_at(code: CodeType) -> None:
    """Let stacks end with the frame of *code*, above which nothing is the user's program."""
    _kinds[code] = _LAST


def stack(depth: int, internals: bool) -> list[Site]:
    """The stack from *depth* frames up, innermost first, without the allocator's own frames.

    :param internals: whether frames are wanted that are C++ in torch.
    """
    last = _INTERNAL if internals else _PYTHON
    found: list[Site] = []
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None:
        code = frame.f_code
        kind = _kinds.get(code)
        if kind is None:
            kind = _kind(frame)
        if kind <= last:
            found.append((code, frame.f_lasti))
        elif kind == _LAST:
            found.append((code, frame.f_lasti))
            break
        frame = frame.f_back
    return found
