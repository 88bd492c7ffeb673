"""Profilers of single threads: what the interface of older releases starts, and remote calls."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

from mindtorch_dispatch.trace import tracing

from ._collector import Collector
from ._followed_threads import follow, unfollow
from ._profiler import ProfilerConfig
from ._profiler_events import event_of, event_of_memory
from ._profiler_results import _ProfilerResult
from ._python_tracer import PythonTracer

__all__ = ["ThreadProfiler", "current", "node_id", "set_node_id"]

_threads = threading.local()
_node = -1


def node_id() -> int:
    """The number of this process among those whose events come together in profiles."""
    return _node


def set_node_id(number: int) -> None:
    """Set :func:`node_id`, which is -1 at first."""
    global _node
    _node = number


def current() -> ThreadProfiler | None:
    """The profiler of this thread."""
    return getattr(_threads, "profiler", None)


class ThreadProfiler:
    """Follows the thread that begins it, until that ends it."""

    def __init__(self, config: ProfilerConfig) -> None:
        self.config = config
        #: Events of other processes, by whoever received them: lists beside their beginnings.
        self.received: list[tuple[int, list[Any]]] = []
        self._collector = Collector(
            inputs=config._report_input_shapes,
            memory=config._profile_memory,
            flops=config._with_flops,
        )
        self._guard = tracing(self._collector)
        self._offset = 0
        #: When it began, in nanoseconds since the epoch.
        self.start = 0

    def begin(self) -> None:
        """Follow this thread. Raises RuntimeError where a profiler of its own does already."""
        if current() is not None:
            raise RuntimeError("Profiler is already enabled on this thread")
        follow()
        self._offset = time.time_ns() - time.perf_counter_ns()
        self.start = time.time_ns()
        self._guard.__enter__()
        _threads.profiler = self
        if self.config._with_stack:
            self._collector.tracer = PythonTracer(self._collector)
            self._collector.tracer.start()

    def end(self) -> None:
        """Follow the thread no longer. Raises RuntimeError where another one does."""
        if current() is not self:
            raise RuntimeError("Can't disable the profiler of a thread when it's not running")
        if self._collector.tracer is not None:
            self._collector.tracer.stop()
        _threads.profiler = None
        self._guard.__exit__()
        unfollow()
        self._collector.finish_memory()

    def result(self) -> _ProfilerResult:
        """What has ended of what was found: remote calls may end later than the profiler."""
        latest, process = time.perf_counter_ns(), os.getpid()
        ended = [r for r in list(self._collector.records) if r.end]
        events = [event_of(r, self._offset, process, latest) for r in ended]
        events += [event_of_memory(m, self._offset) for m in self._collector.memories]
        events.sort(key=lambda e: (e.start_ns(), -e.end_ns()))
        return _ProfilerResult(events, self.start, latest + self._offset, {})
