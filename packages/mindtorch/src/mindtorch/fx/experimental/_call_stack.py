"""Where in a program an operator is called: in which modules, and on which lines."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ...nn import Module

__all__ = ["PLACE", "CallStack"]

#: What a node's ``meta`` says of where it is called.
PLACE = ("nn_module_stack", "stack_trace")
ROOT = "L__self__"


class CallStack:
    """Tells of the calls of ``forward`` that lead to the caller, below those of *root*.

    :param root: the module whose parts have names.
    """

    def __init__(self, root: Module) -> None:
        self._root = root
        #: By module: where the modules below it stand.
        self._parts: dict[int, dict[int, str]] = {}
        #: The frames of each module's calls, in order: kept, so that no new one is taken for them.
        self._calls: dict[str, list[FrameType]] = {}

    def describe(self) -> dict[str, Any]:
        """What a node's ``meta`` says of it: ``nn_module_stack`` and ``stack_trace``.

        A module's second call is told from its first by ``@1``.
        """
        modules: dict[str, tuple[str, str]] = {}
        lines = []
        for frame, module, name in self._forwards():
            calls = self._calls.setdefault(name, [])
            if frame not in calls:
                calls.append(frame)
            again = calls.index(frame)
            kind = type(module)
            shown = f"{kind.__module__}.{kind.__qualname__}".replace("mindtorch.", "torch.", 1)
            modules[f"{ROOT}{name}" + (f"@{again}" if again else "")] = name, shown
            file, line = frame.f_code.co_filename, frame.f_lineno
            source = linecache.getline(file, line).strip()
            lines.append(f'File "{file}", line {line}, in forward\n    {source}')
        return {"nn_module_stack": modules, "stack_trace": "\n  ".join(lines)} if modules else {}

    def _forwards(self) -> Iterator[tuple[FrameType, Module, str]]:
        """The frames of ``forward``, the outermost first, with their modules and these' names."""
        found: list[tuple[FrameType, Module]] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not (found and found[-1][1] is self._root):
            code = frame.f_code
            if code.co_name == "forward" and code.co_argcount:
                module = frame.f_locals.get(code.co_varnames[0])
                if isinstance(module, Module):
                    found.append((frame, module))
            frame = frame.f_back
        within, name = self._root, ""
        for frame, module in reversed(found):
            below = self._below(within).get(id(module))
            if below is not None:
                name = ".".join(filter(None, (name, below)))
                yield frame, module, name
                within = module

    def _below(self, module: Module) -> dict[int, str]:
        """The names of *module* and of the modules below it; of several the first."""
        if id(module) not in self._parts:
            named = list(module.named_modules(remove_duplicate=False))
            self._parts[id(module)] = {id(m): name for name, m in reversed(named)}
        return self._parts[id(module)]
