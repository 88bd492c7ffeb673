"""Files of nvprof, read."""

from __future__ import annotations

from typing import Any

from .profiler_util import (
    EventList,
    FunctionEvent,
)

__all__ = [
    "EnforceUnique",
    "load_nvprof",
    "parse_nvprof_trace",
]


class EnforceUnique:
    """Raises if a key is seen more than once."""

    def __init__(self) -> None:
        self.seen: set[Any] = set()

    def see(self, *key: Any) -> None:
        """Note *key*."""
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


def load_nvprof(path: str) -> EventList:
    """The events of a file of ``nvprof``."""
    return EventList(parse_nvprof_trace(path))


def parse_nvprof_trace(path: str) -> list[FunctionEvent]:
    """The ranges of a file of ``nvprof``, which is a database, with their kernels."""
    import sqlite3

    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    strings = {
        row["id"]: str(row["value"])
        for row in connection.execute("SELECT _id_ as id, value FROM StringTable")
    }
    query = """
    SELECT start.id AS marker_id, start.name, start.timestamp AS start_time,
           end.timestamp AS end_time
    FROM CUPTI_ACTIVITY_KIND_MARKER AS start INNER JOIN CUPTI_ACTIVITY_KIND_MARKER AS end
    ON start.id = end.id
    WHERE start.name != 0 AND end.name = 0
    """
    events: dict[int, FunctionEvent] = {}
    unique = EnforceUnique()
    for row in connection.execute(query):
        unique.see(row["marker_id"])
        events[row["marker_id"]] = FunctionEvent(
            id=row["marker_id"],
            node_id=0,
            name=strings[row["name"]],
            start_us=row["start_time"],
            end_us=row["end_time"],
            thread=0,
        )
    query = """
    SELECT start.id AS marker_id, runtime._id_ AS runtime_id, kernel.name as kernel_name,
           kernel.start AS kernel_start, kernel.end AS kernel_end
    FROM CUPTI_ACTIVITY_KIND_MARKER AS start
    INNER JOIN CUPTI_ACTIVITY_KIND_MARKER AS end ON start.id = end.id
    INNER JOIN CUPTI_ACTIVITY_KIND_RUNTIME as runtime
    ON (start.timestamp < runtime.start AND runtime.end < end.timestamp)
    INNER JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel
    ON kernel.correlationId = runtime.correlationId
    """
    unique = EnforceUnique()
    for row in connection.execute(query):
        unique.see(row["marker_id"], row["runtime_id"])
        took = row["kernel_end"] - row["kernel_start"]
        events[row["marker_id"]].append_kernel(row["kernel_name"], 0, took)
    return sorted(events.values(), key=lambda event: event.time_range.start)
