"""Tracebacks of errors that leave the library: they end in the line of the user's that was wrong.

Note [Errors leave]
    A function that users call ends in ::

        except Exception as error:
            shorten(error)
            raise

    which costs nothing where nothing is wrong. :func:`shorten` takes the library's frames off the
    error, that of the caller included: a bare ``raise`` puts no new one there. So the next frame is
    that of the user's, and whoever prints the traceback (the interpreter, a test runner, a log)
    shows no inside of ours. Frames of functions of the user's that the library called (hooks,
    ``forward``, ``__torch_dispatch__``) stay. Functions that are not called in loops may be
    decorated with :func:`leaving` instead.

    ``MINDTORCH_TRACEBACK=full`` keeps everything; it is read when an error leaves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final, TypeVar

__all__ = ["leaving", "shorten", "users_frame"]

_OURS: Final = frozenset(
    {"mindtorch", "mindtorch_autograd", "mindtorch_dispatch", "mindtorch_npu", "mindtorch_storage"}
)
#: What works for whoever calls it.
_TOOLS: Final = frozenset({"ml_dtypes", "numpy", "scipy"}) | sys.stdlib_module_names
#: How the files of our code are called; what is written at run time stands in none on the disk.
_FILES: Final = (str(Path(__file__).parent.parent), "<mindtorch.")

Function = TypeVar("Function", bound=Callable[..., Any])


def shorten(error: BaseException) -> None:
    """Take the library's frames off *error*, and errors that it met on the way inside.

    See Note [Errors leave].
    """
    if os.environ.get("MINDTORCH_TRACEBACK") != "full":
        _shorten(error)


def leaving(function: Function) -> Function:
    """*function*, whose errors have no frame of the library."""

    @wraps(function)
    def entered(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            shorten(error)
            raise

    return entered  # type: ignore[return-value]


def users_frame(frame: FrameType | None) -> FrameType | None:
    """The nearest frame from *frame* outwards that is neither the library's nor a tool's of it."""
    while frame is not None and (_is_ours(frame) or _is_tool(frame)):
        frame = frame.f_back
    return frame


def _shorten(error: BaseException) -> None:
    error.__traceback__ = _of_users(error.__traceback__)
    met = error.__context__
    while met is not None and met is not error.__cause__ and not _has_frames_of_users(met):
        met = met.__context__  # handled inside: no trace of it is of use outside
    error.__context__ = met
    if error.__cause__ is not None:
        error.__cause__.__traceback__ = _of_users(error.__cause__.__traceback__)


def _of_users(traceback: TracebackType | None) -> TracebackType | None:
    """The entries of *traceback* that are not the library's, nor of what it uses."""
    first = last = None
    for entry in _entries_of_users(traceback):
        if last is None:
            first = entry
        else:
            last.tb_next = entry
        last = entry
    if last is not None:
        last.tb_next = None
    return first


def _has_frames_of_users(error: BaseException) -> bool:
    return next(_entries_of_users(error.__traceback__), None) is not None


def _entries_of_users(entry: TracebackType | None) -> Iterator[TracebackType]:
    called_by_users = False
    while entry is not None:
        following = entry.tb_next  # the caller may change it
        frame = entry.tb_frame
        if _is_ours(frame):
            called_by_users = False
        elif not _is_tool(frame):
            called_by_users = True
        if called_by_users:
            yield entry
        entry = following


def _package(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name.partition(".")[0]


def _is_ours(frame: FrameType) -> bool:
    package = _package(frame)
    # Ours may have been imported as torch: see import_alias.
    return package in _OURS or (package == "torch" and frame.f_code.co_filename.startswith(_FILES))


def _is_tool(frame: FrameType) -> bool:
    return _package(frame) in _TOOLS
