"""Which Python functions run while a profiler with stacks is on."""

from __future__ import annotations

import os
import site
import sys
import time
from threading import get_native_id
from types import CodeType, FrameType
from typing import Any

from ._profiler_records import Record, thread_number

__all__ = ["PythonTracer", "own_code"]

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: What of mindtorch is Python in torch too: its functions are shown.
_SHOWN = tuple(
    os.path.join(_HERE, *part.split("/"))
    for part in (
        "nn/modules",
        "nn/functional",
        "nn/init",
        "optim",
        "utils/data",
        "utils/tensorboard",
        "distributions",
        "profiler",
    )
)
#: Names of code that comes from no file and is a user's; others are functions made at run time.
_TYPED = ("<stdin>", "<string>", "<console>", "<ipython", "<frozen", "<module")
_own: dict[CodeType, bool] = {}


def own_code(code: CodeType) -> bool:
    """Whether *code* belongs to mindtorch's inside, which torch has in C++."""
    found = _own.get(code)
    if found is None:
        path = code.co_filename
        packages = os.path.dirname(_HERE), f"{os.sep}mindtorch_"
        inside = path.startswith(_HERE + os.sep) or packages[1] in path
        made = path.startswith("<") and not path.startswith(_TYPED)
        found = made or (inside and not path.startswith(_SHOWN))
        _own[code] = found
    return found


def _prefixes() -> list[str]:
    found = [*sys.path, site.getuserbase() or "", site.getusersitepackages()]
    return sorted({os.path.abspath(p) + os.sep for p in found if p}, key=len, reverse=True)


class PythonTracer:
    """Tells a collector of every Python function that begins and ends in this thread."""

    def __init__(self, collector: Any) -> None:
        self.collector = collector
        self._before: Any = None
        self._open: list[tuple[FrameType, Any, Any]] = []
        self._names: dict[CodeType, str] = {}
        self._prefixes = _prefixes()
        self._count = 0
        self._modules: dict[type, dict[int, int]] = {}

    def start(self) -> None:
        """Follow this thread."""
        from ..nn.modules.module import Module

        self._call_code = getattr(Module.__call__, "__code__", None)
        frames = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            frames.append(frame)
            frame = frame.f_back
        for around in reversed(frames):
            if not own_code(around.f_code) and "profiler" not in around.f_code.co_filename:
                self._begin(around, f"{self._path(around.f_code)}({around.f_lineno}): "
                            f"{around.f_code.co_name}")  # fmt: skip
        self._before = sys.getprofile()
        sys.setprofile(self._told)

    def stop(self) -> None:
        """Follow it no more; what still runs ends now."""
        sys.setprofile(self._before)
        while self._open:
            self._end()

    def stack(self) -> list[str]:
        """The functions that run now, innermost first."""
        return [record.name for _, record, _ in reversed(self._open)]

    def _path(self, code: CodeType) -> str:
        path = code.co_filename
        for prefix in self._prefixes:
            if path.startswith(prefix):
                return path[len(prefix) :]
        return path

    def _name(self, frame: FrameType) -> str:
        code = frame.f_code
        found = self._names.get(code)
        if found is None:
            found = f"{self._path(code)}({code.co_firstlineno}): {code.co_name}"
            self._names[code] = found
        return found

    def _told(self, frame: FrameType, what: str, argument: Any) -> None:
        code = frame.f_code
        if what == "call":
            if code is self._call_code:
                self._begin(frame, *self._module_name(frame))
            elif not own_code(code):
                self._begin(frame, self._name(frame))
        elif what == "return":
            while self._open and self._open[-1][0] is frame:
                last = self._open[-1]
                self._end()
                if last[2] is None:
                    break
        elif what == "c_call":
            if self._open and self._open[-1][0] is frame and argument is not sys.setprofile:
                self._begin(frame, repr(argument), function=argument)
        elif self._open and self._open[-1][2] is argument:  # c_return, c_exception
            self._end()

    def _module_name(self, frame: FrameType) -> tuple[str, int]:
        module = frame.f_locals.get("self")
        kind = type(module)
        known = self._modules.setdefault(kind, {})
        number = known.setdefault(id(module), len(known))
        return f"nn.Module: {kind.__name__}_{number}", number

    def _begin(self, frame: FrameType, name: str, module: int = -1, function: Any = None) -> None:
        record = Record("python_function", name, 0)
        self._count += 1
        record.python = self._count
        record.parent = self._open[-1][1].python if self._open else -1
        record.module = module
        record.thread, record.native = thread_number(), get_native_id()
        if self.collector.on:
            self.collector.records.append(record)
        record.start = time.perf_counter_ns()
        self._open.append((frame, record, function))

    def _end(self) -> None:
        self._open.pop()[1].end = time.perf_counter_ns()
