"""``torch.compile`` for what stands below the compiler, and whether a program is being exported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .late_bound import LateBound

__all__ = ["compile", "exporting", "is_exporting"]

#: Modules compile their calls.
compile = LateBound("compile")
_exporting: ContextVar[bool] = ContextVar("mindtorch_exporting", default=False)


@contextmanager
def exporting() -> Iterator[None]:
    """Inside, this thread draws the graph of a program."""
    token = _exporting.set(True)
    try:
        yield
    finally:
        _exporting.reset(token)


def is_exporting() -> bool:
    """Whether this thread draws the graph of a program."""
    return _exporting.get()
