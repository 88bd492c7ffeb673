"""Where a program is, kept as code and line of each frame: what ``gather_traceback`` gives."""

from __future__ import annotations

import inspect
from types import CodeType
from typing import Any, NamedTuple

__all__ = ["CapturedTraceback", "frames_of", "gather_traceback", "symbolize_tracebacks"]


class Place(NamedTuple):
    """A frame: its code and line."""

    code: CodeType
    line: int


def frames_of(frame: Any) -> list[Place]:
    """*frame* and those around it, innermost first."""
    found = []
    while frame is not None:
        found.append(Place(frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return found


class CapturedTraceback:
    """Where a program was; ``gather_traceback`` makes them."""

    __slots__ = ("_places",)
    _places: list[Place]
    __module__ = "torch._C._profiler"

    def __new__(cls, *args: Any, **kwargs: Any) -> CapturedTraceback:
        """Raise TypeError."""
        raise TypeError(f"cannot create '{cls.__module__}.{cls.__name__}' instances")


def gather_traceback(
    python: bool = True, script: bool = True, cpp: bool = True
) -> CapturedTraceback:
    """Where the caller is.

    :param script: frames of TorchScript too, of which there are none.
    :param cpp: frames in C++ too, of which there are none.
    """
    here = inspect.currentframe()
    made: CapturedTraceback = object.__new__(CapturedTraceback)
    made._places = frames_of(here.f_back) if python and here is not None else []
    return made


def symbolize_tracebacks(to_symbolize: list[CapturedTraceback]) -> list[list[dict[str, Any]]]:
    """The frames of each: name, file and line, innermost first."""
    return [
        [
            {"name": p.code.co_name, "filename": p.code.co_filename, "line": p.line}
            for p in t._places
        ]
        for t in to_symbolize
    ]
