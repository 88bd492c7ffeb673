"""What profilers keep: events and memory as they were met, and the switches of what is kept."""

from __future__ import annotations

import itertools
import time
from threading import get_ident, get_native_id

from ._profiler_inputs import Inputs

__all__ = ["Memory", "Record", "numbers", "switches", "thread_number"]


class _Switches:
    """What ``torch._C._profiler`` switches for all profilers."""

    keeps_concrete_inputs = True
    links_backward = True


switches = _Switches()

#: Events of all profilers are numbered, and so are threads, in the order in which they are met.
numbers = itertools.count(1)
_threads: dict[int, int] = {}


def thread_number() -> int:
    """The number of this thread."""
    ident = get_ident()
    found = _threads.get(ident)
    if found is None:
        found = _threads[ident] = len(_threads) + 1
    return found


class Record:
    """One event: when, in which thread, and what was given."""

    __slots__ = (
        "chosen",
        "end",
        "flops",
        "forward_thread",
        "inputs",
        "is_async",
        "is_settled",
        "kind",
        "module",
        "name",
        "native",
        "number",
        "overload",
        "parent",
        "python",
        "scope",
        "sequence",
        "stack",
        "start",
        "thread",
    )

    def __init__(self, kind: str, name: str, scope: int) -> None:
        #: ``cpu_op``, ``user_annotation`` or ``python_function``.
        self.kind = kind
        self.name = name
        self.overload = ""
        self.scope = scope
        self.sequence = -1
        self.forward_thread = 0
        self.thread = 0
        self.native = 0
        self.number = 0
        self.start = self.end = 0
        self.inputs: Inputs | None = None
        self.flops = 0
        self.is_async = False
        self.stack: list[str] = []
        #: Of a call: whether a kernel was found for it.
        self.chosen = False
        #: Of a call: whether its number is that of a node, not of the next that may come.
        self.is_settled = False
        #: Of a Python function: its number, that of its caller, and that of the module it is of.
        self.python = self.parent = self.module = -1


class Memory:
    """Memory that was taken (or, with a negative size, given back)."""

    __slots__ = ("address", "device", "device_type", "native", "size", "thread", "time", "total")

    def __init__(self, size: int, address: int, device_type: int, device: int, total: int) -> None:
        self.time = time.perf_counter_ns()
        self.size = size
        self.address = address
        self.device_type = device_type
        self.device = device
        self.total = total
        self.thread = thread_number()
        self.native = get_native_id()
