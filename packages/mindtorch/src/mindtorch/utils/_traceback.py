"""Tracebacks that are captured cheaply and read later."""

from __future__ import annotations

import contextlib
import inspect
import os
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from .._C._tracebacks import frames_of


@contextlib.contextmanager
def report_compile_source_on_error() -> Iterator[None]:
    """Show the source of code that was compiled from a text, when it fails in the block.

    The text is what the frame's globals have as ``__compile_source__``.
    """
    try:
        yield
    except Exception as exc:
        frames = list(traceback.walk_tb(exc.__traceback__))
        for frame, _ in frames:
            source = frame.f_globals.get("__compile_source__")
            if frame.f_code.co_filename == "<string>" and source is not None:
                import linecache

                with tempfile.NamedTemporaryFile("w", delete=False, suffix=".py") as f:
                    f.write(source)
                lines = source.splitlines(keepends=True)
                linecache.cache[frame.f_code.co_filename] = (len(source), None, lines, f.name)
        raise


def shorten_filename(fn: str, *, base: str | None = None) -> str:
    """*fn* without the folder that it shares with *base*, torch's own by default."""
    base = str(Path(__file__).parents[1]) if base is None else base
    try:
        shared = len(os.path.commonpath([fn, base])) + 1
    except ValueError:  # on another drive, or not absolute
        return fn
    return fn[shared:]


def format_frame(frame: Any, *, base: str | None = None, line: bool = False) -> str:
    """A frame of a summary in one line; with its source if *line*."""
    extra = f"{frame.line}  # " if line else ""
    return f"{extra}{shorten_filename(frame.filename, base=base)}:{frame.lineno} in {frame.name}"


def format_traceback_short(tb: Any) -> str:
    """The innermost frame of a traceback in one line."""
    return format_frame(traceback.extract_tb(tb)[-1])


class CapturedTraceback:
    """Where a program is, kept cheaply: texts are made when they are asked for."""

    __slots__ = ["skip", "tb"]

    def __init__(self, tb: Any, skip: int = 0) -> None:
        self.tb = tb
        self.skip = skip

    def cleanup(self) -> None:
        """Forget the frames."""
        self.tb = None

    def summary(self) -> traceback.StackSummary:
        """The frames, outermost first."""
        if self.tb is None:
            return traceback.StackSummary()
        return _extract_symbolized_tb(self.tb, self.skip)

    def __getstate__(self) -> Any:
        return (None, {"tb": None, "skip": self.skip})

    @staticmethod
    def extract(*, script: bool = False, cpp: bool = False, skip: int = 0) -> CapturedTraceback:
        """Where the caller is.

        :param script: frames of TorchScript too, of which there are none.
        :param cpp: frames in C++ too, of which there are none.
        :param skip: leave out so many of the innermost frames.
        """
        if script or cpp:
            if skip != 0:
                raise AssertionError("skip with script/cpp NYI")
        here = inspect.currentframe()
        kept = frames_of(here.f_back if here is not None else None)
        return CapturedTraceback(kept, 0 if script or cpp else skip)

    def format(self) -> list[str]:
        """The frames as the interpreter shows them."""
        return traceback.format_list(self.summary())

    @staticmethod
    def format_all(tbs: list[Any]) -> list[list[str]]:
        """The same for several; None stands for none."""
        return [["No traceback available\n"] if tb is None else tb.format() for tb in tbs]


def _extract_symbolized_tb(tb: Any, skip: int) -> traceback.StackSummary:
    """The frames that were kept, outermost first, without the *skip* innermost."""
    if isinstance(tb, TracebackType):
        return traceback.extract_tb(tb)
    stack = traceback.StackSummary()
    for code, lineno in reversed(tb[skip:]):
        stack.append(traceback.FrameSummary(code.co_filename, lineno, code.co_name))
    return stack
