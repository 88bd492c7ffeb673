"""A process that has imported one framework and forks for each first call that is timed.

``python -m benchmarks.ops.first_calls FRAMEWORK FILE`` reads pickled commands as the worker does.
A fork costs milliseconds where a process that imports the framework anew costs seconds; both gave
the same times where they were compared.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pickle
import re
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from time import process_time_ns
from typing import Any

from .portable import unpack
from .statements import function
from .worker import own_output, serve

#: What a program has done before it comes to the op: the first call of all pays for much that is
#: not the op's (torch's takes half a millisecond). Two ways, so that no op is warm by itself.
WARMING = (("mul", "exp", "sum", "mm", "reshape", "gt"), ("add", "sigmoid", "mean", "bmm", "lt"))
_POPULATE_WRITE = 23  # of madvise(2)


def warm_up(torch: Any, which: int) -> None:
    """Some calls of other ops, and a backward."""
    numpy = importlib.import_module("numpy")
    a = torch.from_numpy(numpy.ones((3, 3), "float32"))
    w = torch.from_numpy(numpy.ones((3, 3), "float32")).requires_grad_(True)
    for name in WARMING[which]:
        if name == "reshape":
            a.reshape(9)
        elif name in ("gt", "lt"):
            getattr(torch, name)(a, 0)
        elif name == "bmm":
            torch.bmm(a[None], a[None])
        else:
            getattr(torch, name)(*((a, a) if name in ("mul", "mm", "add") else (a,)))
    if which:
        (w + a).mean().backward()
    else:
        (w * a).sum().backward()


class Forks:
    """Times first calls, each in a child of its own."""

    def __init__(self, framework: str, ops: list[Any], which: int) -> None:
        self.torch = importlib.import_module(framework)
        self.torch.set_num_threads(1)
        self.ops = ops
        self.which = which
        # Python writes counts of references into pages that a fork shares, and each first write
        # copies one: 1.3 times the time of a first call. torch's own show no such effect.
        self.ranges = resident() if framework == "mindtorch" else []

    def first(self, number: int) -> float | None:
        """Nanoseconds of CPU time of the op's first call; None if it fails."""
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.write(writing, repr(self._timed(number)).encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            text = file.read()
        os.waitpid(child, 0)
        return float(text) if text else None

    def _timed(self, number: int) -> int:
        op = self.ops[number]
        made = unpack(self.torch, op.cases[0].call)
        call = function(self.torch, op.way)
        args, kwargs = made.args, made.kwargs
        own_pages(self.ranges)
        # In the child: a parent that is warm already leaves it as many pages to fault in again as
        # a first call has itself (75 µs for torch's sin, which takes 35 in a process of its own).
        warm_up(self.torch, self.which)
        process_time_ns()
        start = process_time_ns()
        call(*args, **kwargs)
        return process_time_ns() - start


def resident() -> list[tuple[int, int]]:
    """Where in memory Python's objects may lie: writable, and mostly in use."""
    found, head = [], None
    try:
        lines = Path("/proc/self/smaps").read_text().splitlines()
    except OSError:
        return []
    for line in lines:
        if match := re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line):
            head = (int(match[1], 16), int(match[2], 16))
        elif re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            head = None
        elif line.startswith("Anonymous:") and head is not None:
            if int(line.split()[1]) * 2048 > head[1] - head[0]:
                found.append(head)
    return found


def own_pages(ranges: list[tuple[int, int]]) -> None:
    """Copy what is shared with the parent now, so that no write pays for it later."""
    if not ranges:
        return
    library = ctypes.CDLL(None)
    for low, high in ranges:
        library.madvise(ctypes.c_void_p(low), ctypes.c_size_t(high - low), _POPULATE_WRITE)


def main(argv: Iterable[str]) -> int:
    answers = own_output()
    warnings.simplefilter("ignore")
    framework, path, which = argv
    with open(path, "rb") as file:
        forks = Forks(framework, pickle.load(file), int(which))
    gc.collect()
    gc.freeze()
    gc.disable()
    serve(forks, sys.stdin.buffer, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
