"""The events that profilers of single threads found, here and in the processes they called."""

from __future__ import annotations

from .._C._thread_profiler import ThreadProfiler, node_id
from .profiler_events import FunctionEvent
from .profiler_parsing import events_of_result

__all__ = ["events_of"]


def events_of(profiler: ThreadProfiler) -> list[FunctionEvent]:
    """What *profiler* found, with the events that it received, in the order of their beginnings."""
    found = events_of_result(profiler.result())
    for event in found:
        event.node_id, event.is_legacy, event.overload_name = node_id(), True, None
    for began, events in profiler.received:
        later = (began - profiler.start) / 1000.0
        for event in events:
            event.time_range.start += later
            event.time_range.end += later
        found += events
    return sorted(found, key=lambda e: (e.time_range.start, -e.time_range.end))
