"""Profiles of calls: the caller's shows each call, and what it ran in the worker that was called.

Only profilers of single threads do so, those of ``torch.autograd.profiler_legacy``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from ..._C._profiler import ProfilerConfig
from ..._C._thread_profiler import ThreadProfiler, current
from ...autograd.profiler_events import FunctionEvent
from ...autograd.profiler_ranges import record_function
from ...autograd.profiler_threads import events_of
from ...jit._builtins import _find_builtin
from ...jit._script import ScriptFunction
from .internal import RPCExecMode, _build_rpc_profiling_key
from .worker_info import WorkerInfo

__all__ = ["CallProfile", "Events", "ServedProfile", "profiled", "served"]

#: What a worker found while it ran a function: when it began, in nanoseconds, and the events.
Events = tuple[int, list[FunctionEvent]]


# The worker that calls


class CallProfile:
    """What the profiler of the calling thread shows of one call.

    :param block: the range that begins with the call, and ends with its answer.
    """

    def __init__(self, profiler: ThreadProfiler, key: str, block: record_function) -> None:
        self._profiler, self._key, self._block = profiler, key, block

    @property
    def config(self) -> ProfilerConfig:
        """What the worker that is called is to keep."""
        return self._profiler.config

    def receive(self, worker: int, events: Events) -> None:
        """Show what *worker* ran for the call; what others ran for it keeps their numbers."""
        begin, found = events
        for event in found:
            event.name = f"{self._key}#remote_op: {event.name}"
            if not event.is_remote:
                event.node_id, event.is_remote = worker, True
        self._profiler.received.append(events)

    def until(self, future: Any) -> Any:
        """A future of what *future* gives, done when the call has been shown."""
        return self._block._call_end_callbacks_on_future(future)


@contextmanager
def profiled(
    mode: RPCExecMode, func: Any, caller: WorkerInfo, called: WorkerInfo
) -> Generator[CallProfile | None]:
    """Gives the profile of a call that is made within; None where no profiler follows it."""
    profiler = current()
    if profiler is None:
        yield None
        return
    key = _build_rpc_profiling_key(mode, _name_of(func), caller.name, called.name)
    with record_function(key) as block:
        yield CallProfile(profiler, key, block)


def _name_of(func: Any) -> str:
    """What a call is called by: an operator's name, or the qualified one of a function."""
    if isinstance(func, ScriptFunction):
        func = func._torchdynamo_inline
        return f"__torch__.{func.__module__}.{func.__qualname__}"
    return _find_builtin(func) or str(getattr(func, "__qualname__", func))


# The worker that is called


class ServedProfile:
    """Follows the threads that run what others call, while it is entered.

    :ivar threads: the events of each call, once it has run.
    """

    def __init__(self, config: ProfilerConfig) -> None:
        self.config = config
        self.threads: list[Events] = []

    def begin(self) -> None:
        """Follow the calls that come from now on."""
        with _lock:
            _served.append(self)

    def end(self) -> None:
        """Follow them no longer; what runs now is not shown."""
        with _lock:
            _served.remove(self)


_lock = threading.Lock()
#: Those that are entered, the outermost first.
_served: list[ServedProfile] = []


@contextmanager
def served(config: ProfilerConfig | None) -> Generator[Callable[[], Events | None]]:
    """Follow this thread, which runs a call, where its caller or somebody here wants it.

    :param config: what the caller wants to be kept; None: nothing.

    Gives a function that gives the caller's events when the call has its result.
    """
    with _lock:
        entered = list(_served)
    wanted = config or (entered[-1].config if entered else None)
    if wanted is None:
        yield lambda: None
        return
    profiler = ThreadProfiler(wanted)

    def events() -> Events | None:
        found = profiler.start, events_of(profiler)
        with _lock:
            for each in entered:
                if each in _served:
                    each.threads.append(found)
        return None if config is None else found

    profiler.begin()
    try:
        yield events
    finally:
        profiler.end()
