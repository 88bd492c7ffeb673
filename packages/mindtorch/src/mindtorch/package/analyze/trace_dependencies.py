"""``torch.package.analyze.trace_dependencies``: the modules that a function runs in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["trace_dependencies"]


def trace_dependencies(
    callable: Callable[..., Any], inputs: Iterable[tuple[Any, ...]]
) -> list[str]:
    """The names of the modules whose functions run when *callable* is called with *inputs*."""
    used: set[str] = set()

    def note(frame: Any, event: str, arg: Any) -> None:
        if event == "call":
            name = frame.f_globals.get("__name__")
            if name:
                used.add(name)

    before = sys.getprofile()
    try:
        sys.setprofile(note)
        for arguments in inputs:
            callable(*arguments)
    finally:
        sys.setprofile(before)
    return list(used)
