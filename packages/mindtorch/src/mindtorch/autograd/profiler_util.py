"""What profilers find: names as tables show them, records of memory, lists of events."""

from __future__ import annotations

import bisect
import itertools
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mindtorch_storage.device import CUDA

from .._C._autograd import DeviceType  # type: ignore[attr-defined]  # a lazy name
from ..core.module_names import adopt
from . import profiler_events, profiler_table
from .profiler_events import _EVENT_METADATA_KEYS as _EVENT_METADATA_KEYS
from .profiler_events import (
    EventMetadata,
    FormattedTimesMixin,
    FunctionEvent,
    FunctionEventAvg,
    Interval,
    Kernel,
)
from .profiler_events import _attr_formatter as _attr_formatter
from .profiler_events import _build_metadata as _build_metadata
from .profiler_events import _to_bool as _to_bool
from .profiler_events import _to_str as _to_str

__all__ = [
    "EventList",
    "EventMetadata",
    "FormattedTimesMixin",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"

_build_table = profiler_table.build_table
_format_memory = profiler_table.format_memory
_format_time = profiler_table.format_time
_format_time_share = profiler_table.format_time_share


class StringTable(defaultdict[str, str]):
    """Names as people read them."""

    def __missing__(self, key: str) -> str:
        self[key] = key
        return key


class MemRecordsAcc:
    """Finds the records of memory between two times."""

    def __init__(self, mem_records: list[Any]) -> None:
        self._mem_records = mem_records
        order = sorted((record[0].start_ns(), i) for i, record in enumerate(mem_records))
        self._start_nses = [start for start, _ in order]
        self._indices = [i for _, i in order]

    def in_interval(self, start_ns: int, end_ns: int) -> Iterator[Any]:
        """The records whose time lies in there, both ends included."""
        first = bisect.bisect_left(self._start_nses, start_ns)
        last = bisect.bisect_right(self._start_nses, end_ns)
        for i in range(first, last):
            yield self._mem_records[self._indices[i]]


# Functions that are of no interest, by their files.
_INSIDE = {
    "autograd/__init__": ("_make_grads", "backward"),
    "torch/tensor": ("backward",),
    "_internal/common_utils": ("prof_callable", "prof_func_call", "prof_meth_call"),
}


def _filter_stack_entry(entry: str) -> bool:
    """Whether an entry of a stack is worth showing."""
    return not any(
        file in entry and any(function in entry for function in functions)
        for file, functions in _INSIDE.items()
    )


_FILTERED = frozenset(
    (
        MEMORY_EVENT_NAME,
        OUT_OF_MEMORY_EVENT_NAME,
        "profiler::_record_function_enter",
        "profiler::_record_function_enter_new",
        "profiler::_record_function_exit",
        "aten::is_leaf",
        "aten::output_nr",
        "aten::_version",
    )
)


def _filter_name(name: str) -> bool:
    """Whether events of this name are left out."""
    return name in _FILTERED


_names = StringTable()


def _rewrite_name(name: str, with_wildcard: bool = False) -> str:
    """The name as tables show it."""
    name = _names[name]
    if with_wildcard and name.startswith("ProfilerStep#"):
        return "ProfilerStep*"
    return name


# Lists of events ----------------------------------------------------------------------------------


class EventList(list[Any]):
    """A list of events, or of averages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._tree_built = False
        self._use_device = kwargs.pop("use_device", None)
        self._with_flops = kwargs.pop("with_flops", False)
        self._profile_memory = kwargs.pop("profile_memory", False)
        super().__init__(*args, **kwargs)

    def _build_tree(self) -> None:
        for step in (
            self._populate_cpu_children,
            self._remove_dup_nodes,
            self._set_backward_stacktraces,
        ):
            step()
        self._tree_built = True

    def __str__(self) -> str:
        return self.table()

    def _remove_dup_nodes(self) -> None:
        """Let an only child of its parent's name be the parent."""
        while True:
            gone = set()
            for i, event in enumerate(self):
                parent = event.cpu_parent
                if (
                    parent is not None
                    and parent.name == event.name
                    and len(parent.cpu_children) == 1
                ):
                    parent.cpu_children = event.cpu_children
                    parent.kernels = event.kernels
                    for child in event.cpu_children:
                        child.cpu_parent = parent
                    gone.add(i)
            if not gone:
                break
            kept = [event for i, event in enumerate(self) if i not in gone]
            self.clear()
            self.extend(kept)

    def _populate_cpu_children(self) -> None:
        """Put the events of each thread inside each other."""
        synchronous = [e for e in self if not e.is_async and e.device_type == DeviceType.CPU]
        events = sorted(synchronous, key=lambda e: e.thread)
        for _, of_thread in itertools.groupby(events, key=lambda e: (e.thread, e.node_id)):
            around: list[Any] = []
            for event in sorted(of_thread, key=lambda e: (e.time_range.start, -e.time_range.end)):
                span = event.time_range
                while around:
                    last = around[-1].time_range
                    if span.start >= last.end or span.end > last.end:
                        around.pop()
                        continue
                    around[-1].append_cpu_child(event)
                    if event.cpu_parent is not None:
                        raise AssertionError(f"There is already a CPU parent event for {event.key}")
                    event.set_cpu_parent(around[-1])
                    break
                around.append(event)

    def _set_backward_stacktraces(self) -> None:
        """Give what runs in a node the stack of the call that made the node."""

        def node_around(event: Any) -> Any:
            while event is not None and event.scope != 1:
                event = event.cpu_parent
            return event

        forward: dict[tuple[int, int], Any] = {}
        for event in self:
            if node_around(event) is None and event.stack is not None:
                key = (event.sequence_nr, event.thread)
                forward.setdefault(key, event.stack)
        for event in self:
            node = node_around(event)
            if node is not None:
                if node.fwd_thread is None:
                    raise AssertionError("Expected fwd_thread to be set for backward parent")
                event.stack = forward.get((node.sequence_nr, node.fwd_thread), [])

    @property
    def self_cpu_time_total(self) -> float:
        """Time on the host, of all."""
        return sum(event.self_cpu_time_total for event in self)

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int | None = 75,
        max_name_column_width: int | None = 55,
        max_shapes_column_width: int | None = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
        time_unit: str | None = None,
    ) -> str:
        """The events as a table.

        :param sort_by: an attribute, the largest first: ``cpu_time_total``, ``count``, …
        :param time_unit: ``"s"``, ``"ms"`` or ``"us"`` for all times.
        """
        return _build_table(
            self,
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            profile_memory=self._profile_memory,
            with_flops=self._with_flops,
            top_level_events_only=top_level_events_only,
            time_unit=time_unit,
        )

    def export_chrome_trace(self, path: str) -> None:
        """Write a short trace, without what only the profiler knows."""
        device = self._use_device or CUDA
        lines: list[dict[str, Any]] = []
        arrow = 0
        for event in self:
            if event.trace_name is None:
                continue
            remote = event.is_remote
            thread = f'" node_id:{event.node_id}, thread_id:{event.thread} "'
            common = {
                "name": event.trace_name,
                "ph": "X",
                "ts": event.time_range.start,
                "dur": event.time_range.elapsed_us(),
                "tid": thread if remote else event.thread,
                "pid": "CPU functions",
                "args": {},
            }
            lines.append(common)
            for _ in event.kernels:
                lines.append(
                    {
                        "name": event.trace_name,
                        "ph": "s",
                        "ts": event.time_range.start,
                        "tid": event.thread,
                        "pid": "CPU functions",
                        "id": arrow,
                        "cat": f"cpu_to_{device}",
                        "args": {},
                    }
                )
                arrow += 1
        Path(path).write_text(json.dumps(lines), "utf-8")

    def supported_export_stacks_metrics(self) -> list[str]:
        """What :meth:`export_stacks` can sum."""
        return [f"self_{kind}_time_total" for kind in ("cpu", *profiler_table.KINDS_OF_TIMES)]

    def export_stacks(self, path: str, metric: str) -> None:
        """Write each stack with its time, for flame graphs."""
        if metric not in self.supported_export_stacks_metrics():
            raise ValueError(
                "metric should be one of: " + str(self.supported_export_stacks_metrics())
            )
        table = str.maketrans(" ;\t\n", "____")
        metric = profiler_table.of_any_device(metric)
        with open(path, "w", encoding="utf-8") as file:
            for event in self:
                if event.stack and len(event.stack) > 0:
                    value = getattr(event, metric)
                    if int(value) > 0:
                        names = [entry.translate(table) for entry in reversed(event.stack)]
                        file.write(f"{';'.join(names)} {int(value)}\n")

    def key_averages(
        self,
        group_by_input_shapes: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:
        """The sums of events of one name, and if wanted of one stack, shapes, or overload."""
        if not self._tree_built:
            raise AssertionError("Expected tree to be built before calling key_averages")
        stats: dict[tuple[str, ...], FunctionEventAvg] = defaultdict(FunctionEventAvg)
        for event in self:
            sort = (event.key, event.node_id, event.device_type)
            flags = (event.is_legacy, event.is_user_annotation)
            key = [
                *map(str, sort + flags),
                *([event.overload_name] if group_by_overload_name else ()),
                *([str(event.input_shapes)] if group_by_input_shapes else ()),
                *(event.stack[:group_by_stack_n] if group_by_stack_n > 0 else ()),
            ]
            stats[tuple(key)].add(event)
        options = {
            n: getattr(self, f"_{n}") for n in ("use_device", "profile_memory", "with_flops")
        }
        averages = EventList(stats.values(), **options)
        for average in averages:
            average.stack = average.stack[:group_by_stack_n]
            if not group_by_input_shapes:
                average.input_shapes = ""
            if not group_by_overload_name:
                average.overload_name = ""
        return averages

    def total_average(self) -> FunctionEventAvg:
        """The sum of all events."""
        total = FunctionEventAvg()
        for event in self:
            total += event
            total.key = None
        total.key = "Total"
        return total


def _canonicalize_profiler_events(events: Any) -> list[dict[str, Any]]:
    """The events of a trace's JSON without what differs from run to run."""
    chosen = [e for e in events if e.get("ph") == "X" and e.get("cat") in ("cpu_op", "kernel")]
    return [
        {"event_name": e["name"], "seq": e.get("args", {}).get("Sequence number")}
        for e in sorted(chosen, key=lambda e: e["ts"])
    ]


adopt(__name__, profiler_events)
