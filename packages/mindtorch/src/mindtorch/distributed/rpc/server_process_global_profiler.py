"""``torch.distributed.rpc.server_process_global_profiler``: a profile of what others call here."""

from __future__ import annotations

from itertools import chain

from ...autograd.profiler_events import FunctionEvent
from ...autograd.profiler_legacy import profile
from ...autograd.profiler_util import EventList
from .profiling import ServedProfile

__all__: list[str] = []


class _server_process_global_profile(profile):
    """Follow the threads that run what other workers call in this process.

    After the ``with`` block ``process_global_function_events`` has a list of events for each call,
    and ``function_events`` all of them. Blocks may be inside of each other.
    """

    def __enter__(self) -> _server_process_global_profile | None:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("autograd profiler traces are not reentrant")
        self.entered = True
        self._served = ServedProfile(self.config())
        self._served.begin()
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        if not self.enabled:
            return
        self._served.end()
        threads: list[list[FunctionEvent]] = [events for _, events in self._served.threads]
        self.process_global_function_events = threads
        self.function_events = EventList(
            list(chain.from_iterable(threads)), profile_memory=self.profile_memory
        )
        self.function_events._build_tree()
