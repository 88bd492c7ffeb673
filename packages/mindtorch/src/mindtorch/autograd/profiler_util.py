"""What profilers find: events, averages of them, and lists of both."""

from __future__ import annotations

import bisect
import itertools
import json
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .._C._autograd import DeviceType  # type: ignore[attr-defined]  # a lazy name
from . import profiler_table

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


def _renamed(old: str, new: str, text: str) -> Any:
    """A property under a name that is going out of use."""

    def get(self: Any) -> Any:
        warnings.warn(text, FutureWarning, stacklevel=2)
        return getattr(self, new)

    get.__name__ = old
    get.__doc__ = f"The same as ``{new}``, which is to be used instead."
    return property(get)


# Facts of an event --------------------------------------------------------------------------------


def _to_str(v: str) -> str:
    return v.strip('"')


def _to_bool(v: str) -> bool:
    return v.lower() in ("1", "true")


# What traces say of an event, by how its text is read. :class:`EventMetadata` has it under the
# trace's name as an identifier, or the name that stands beside it.
_READ_AS: dict[Callable[[str], Any], list[str | tuple[str, str]]] = {
    int: [
        *("registers per thread", "shared memory", "priority", "queued", "graph id"),
        *("graph node id", "stream", "context", "channel", "channel_type", "bytes"),
        *("In msg nelems", "Out msg nelems", "Global rank start", "Global rank stride"),
        *("Group size", "Rank", "Src Rank", "Dst Rank", "Seq"),
    ],
    float: [
        *("blocks per SM", "warps per SM"),
        ("est. achieved occupancy %", "est_occupancy_pct"),
        ("memory bandwidth (GB/s)", "bandwidth_gb_s"),
    ],
    json.loads: ["grid", "block", "occupancy"],
    _to_str: [
        *("Collective name", "dtype", "In split size", "Out split size", "Process Group Name"),
        ("Process Group Description", "process_group_desc"),
        ("Process Group Ranks", "group_ranks"),
    ],
    _to_bool: [("Is asynchronized op", "is_async")],
}


def _metadata_keys() -> Iterator[tuple[str, tuple[str, Callable[[str], Any]]]]:
    for read, names in _READ_AS.items():
        for name in names:
            pair = (name, name.lower().replace(" ", "_")) if isinstance(name, str) else name
            yield pair[0], (pair[1], read)


#: What traces call it, what :class:`EventMetadata` calls it, and how its text is read.
_EVENT_METADATA_KEYS = dict(_metadata_keys())


class EventMetadata(NamedTuple):
    """What a device tells of a kernel, a copy or a collective; None for what it does not tell."""

    registers_per_thread: int | None = None
    shared_memory: int | None = None
    grid: list[int] | None = None
    block: list[int] | None = None
    priority: int | None = None
    blocks_per_sm: float | None = None
    warps_per_sm: float | None = None
    occupancy: Any = None
    est_occupancy_pct: float | None = None
    queued: int | None = None
    graph_id: int | None = None
    graph_node_id: int | None = None
    stream: int | None = None
    context: int | None = None
    channel: int | None = None
    channel_type: int | None = None
    bytes: int | None = None
    bandwidth_gb_s: float | None = None
    collective_name: str | None = None
    dtype: str | None = None
    in_msg_nelems: int | None = None
    out_msg_nelems: int | None = None
    in_split_size: str | None = None
    out_split_size: str | None = None
    global_rank_start: int | None = None
    global_rank_stride: int | None = None
    group_size: int | None = None
    process_group_name: str | None = None
    process_group_desc: str | None = None
    group_ranks: str | None = None
    rank: int | None = None
    src_rank: int | None = None
    dst_rank: int | None = None
    seq: int | None = None
    is_async: bool | None = None


def _build_metadata(extra_meta: dict[str, str] | None) -> EventMetadata | None:
    """The facts of *extra_meta*, read; None where there are none."""
    if not extra_meta:
        return None
    found = {}
    for key, value in extra_meta.items():
        if key in _EVENT_METADATA_KEYS:
            name, read = _EVENT_METADATA_KEYS[key]
            found[name] = read(value)
    return EventMetadata(**found)


class Interval:
    """From when to when, in microseconds."""

    def __init__(self, start: float, end: float) -> None:
        self.start = start
        self.end = end

    def elapsed_us(self) -> float:
        """How long."""
        return self.end - self.start


class Kernel(NamedTuple):
    """A kernel that a call launched."""

    name: str
    device: int
    duration: float


Kernel.__new__.__doc__ = None


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


# Events -------------------------------------------------------------------------------------------


def _attr_formatter(name: str) -> property:
    return property(lambda self: _format_time(getattr(self, name)))


class FormattedTimesMixin:
    """Times as texts, and per call."""

    count: int
    cpu_time_total: Any
    device_time_total: Any

    cpu_time_str = _attr_formatter("cpu_time")
    device_time_str = _attr_formatter("device_time")
    cpu_time_total_str = _attr_formatter("cpu_time_total")
    device_time_total_str = _attr_formatter("device_time_total")
    self_cpu_time_total_str = _attr_formatter("self_cpu_time_total")
    self_device_time_total_str = _attr_formatter("self_device_time_total")

    @property
    def cpu_time(self) -> float:
        """Time on the host, per call."""
        return 0.0 if self.count == 0 else 1.0 * self.cpu_time_total / self.count

    @property
    def device_time(self) -> float:
        """Time on the device, per call."""
        return 0.0 if self.count == 0 else 1.0 * self.device_time_total / self.count

    cuda_time = _renamed(
        "cuda_time", "device_time", "`cuda_time` is deprecated, please use `device_time` instead."
    )


_ACCELERATORS = (
    DeviceType.CUDA,
    DeviceType.PrivateUse1,
    DeviceType.MTIA,
    DeviceType.HPU,
    DeviceType.XPU,
)


class FunctionEvent(FormattedTimesMixin):
    """One event of a profile.

    Times are microseconds from the profile's beginning.
    """

    def __init__(
        self,
        id: int,
        name: str,
        thread: int,
        start_us: float,
        end_us: float,
        overload_name: str | None = None,
        fwd_thread: int | None = None,
        input_shapes: Any = None,
        stack: Any = None,
        scope: int = 0,
        use_device: str | None = None,
        cpu_memory_usage: int = 0,
        device_memory_usage: int = 0,
        is_async: bool = False,
        is_remote: bool = False,
        sequence_nr: int = -1,
        node_id: int = -1,
        device_type: DeviceType = DeviceType.CPU,
        device_index: int = 0,
        device_resource_id: int | None = None,
        is_legacy: bool = False,
        flops: int | None = None,
        trace_name: str | None = None,
        concrete_inputs: Any = None,
        kwinputs: Any = None,
        is_user_annotation: bool = False,
        is_python_function: bool = False,
        activity_type: str | None = None,
        metadata_json: str | None = None,
        flow_id: int | None = None,
        flow_type: int | None = None,
        flow_start: bool | None = None,
        external_id: int = 0,
        linked_correlation_id: int = 0,
        extra_meta: dict[str, str] | None = None,
        structured_input_shapes: Any = None,
        structured_input_strides: Any = None,
        input_dtypes: Any = None,
        python_id: int = -1,
        python_parent_id: int = -1,
        python_module_id: int = -1,
    ) -> None:
        self.id = id
        self.node_id = node_id
        self.name = name
        self.overload_name = overload_name
        self.trace_name = trace_name
        self.time_range = Interval(start_us, end_us)
        self.thread = thread
        self.fwd_thread = fwd_thread
        self.kernels: list[Kernel] = []
        self.count = 1
        self.cpu_children: list[FunctionEvent] = []
        self.cpu_parent: FunctionEvent | None = None
        self.input_shapes = input_shapes
        self.concrete_inputs = concrete_inputs
        self.kwinputs = kwinputs
        self.stack = stack
        self.scope = scope
        self.use_device = use_device
        self.cpu_memory_usage = cpu_memory_usage
        self.device_memory_usage = device_memory_usage
        self.is_async = is_async
        self.is_remote = is_remote
        self.sequence_nr = sequence_nr
        self.device_type = device_type
        self.device_index = device_index
        self.device_resource_id = thread if device_resource_id is None else device_resource_id
        self.is_legacy = is_legacy
        self.flops = flops
        self.is_user_annotation = is_user_annotation
        self.is_python_function = is_python_function
        self.activity_type = activity_type
        self.self_cpu_percent: Any = -1
        self.total_cpu_percent: Any = -1
        self.total_device_percent: Any = -1
        self._metadata_json = metadata_json
        self.flow_id = flow_id
        self.flow_type = flow_type
        self.flow_start = flow_start
        self.external_id = external_id
        self.linked_correlation_id = linked_correlation_id
        self.event_metadata = _build_metadata(extra_meta)
        self.structured_input_shapes = structured_input_shapes
        self.structured_input_strides = structured_input_strides
        self.input_dtypes = input_dtypes
        self.python_id = python_id
        self.python_parent_id = python_parent_id
        self.python_module_id = python_module_id

    def append_kernel(self, name: str, device: int, duration: float) -> None:
        """Add a kernel that this call launched."""
        if self.device_type != DeviceType.CPU:
            raise AssertionError("Expected device_type to be CPU")
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child: FunctionEvent) -> None:
        """Add an event that ran inside this one."""
        if self.device_type != DeviceType.CPU:
            raise AssertionError("Expected device_type to be CPU")
        if not isinstance(child, FunctionEvent):
            raise AssertionError("Expected child to be a FunctionEvent")
        if child.device_type != DeviceType.CPU:
            raise AssertionError("Expected child device_type to be CPU")
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent: FunctionEvent) -> None:
        """Say inside which event this one ran."""
        if self.device_type != DeviceType.CPU:
            raise AssertionError("Expected device_type to be CPU")
        if not isinstance(parent, FunctionEvent):
            raise AssertionError("Expected parent to be a FunctionEvent")
        if parent.device_type != DeviceType.CPU:
            raise AssertionError("Expected parent device_type to be CPU")
        self.cpu_parent = parent

    @property
    def _on_host(self) -> bool:
        return not self.is_async and self.device_type == DeviceType.CPU

    @property
    def self_cpu_memory_usage(self) -> int:
        """Memory of the host that no inner event accounts for."""
        if not self._on_host:
            return 0
        return self.cpu_memory_usage - sum(c.cpu_memory_usage for c in self.cpu_children)

    @property
    def self_device_memory_usage(self) -> int:
        """Memory of the device that no inner event accounts for."""
        if not self._on_host:
            return 0
        return self.device_memory_usage - sum(c.device_memory_usage for c in self.cpu_children)

    @property
    def metadata_json(self) -> str | None:
        """What else was told, as JSON."""
        text = "`metadata_json` is deprecated. Use `event_metadata` instead."
        warnings.warn(text, FutureWarning, stacklevel=2)
        return self._metadata_json

    @property
    def cpu_time_total(self) -> float:
        """Time on the host."""
        return self.time_range.elapsed_us() if self.device_type == DeviceType.CPU else 0

    @property
    def self_cpu_time_total(self) -> float:
        """Time on the host that no inner event accounts for."""
        if not self._on_host:
            return 0
        return self.cpu_time_total - sum(c.cpu_time_total for c in self.cpu_children)

    @property
    def device_time_total(self) -> float:
        """Time on the device, of the kernels that it launched, or its own."""
        if self.is_async or not self.use_device:
            return 0
        if self.device_type == DeviceType.CPU:
            total = sum(kernel.duration for kernel in self.kernels)
            if not self.is_legacy:
                total += sum(c.device_time_total for c in self.cpu_children)
            return total
        if self.device_type not in _ACCELERATORS:
            raise AssertionError(f"Expected device_type to be CUDA, but got {self.device_type}")
        return self.time_range.elapsed_us()

    @property
    def self_device_time_total(self) -> float:
        """Time on the device that no inner event accounts for."""
        if self.is_async or not self.use_device:
            return 0
        if self.device_type == DeviceType.CPU:
            return self.device_time_total - sum(c.device_time_total for c in self.cpu_children)
        if self.device_type not in _ACCELERATORS:
            raise AssertionError(f"Expected device_type to be CUDA, but got {self.device_type}")
        return self.device_time_total

    self_cuda_memory_usage = _renamed(
        "self_cuda_memory_usage",
        "self_device_memory_usage",
        "`self_cuda_memory_usage` is deprecated. Use `self_device_memory_usage` instead.",
    )
    cuda_time_total = _renamed(
        "cuda_time_total",
        "device_time_total",
        "`cuda_time_total` is deprecated. Use `device_time_total` instead.",
    )
    self_cuda_time_total = _renamed(
        "self_cuda_time_total",
        "self_device_time_total",
        "`self_cuda_time_total` is deprecated. Use `self_device_time_total` instead.",
    )

    @property
    def key(self) -> str:
        """What averages are made over."""
        return self.name

    def __repr__(self) -> str:
        device = self.use_device
        on_device = self.device_time_str
        children = str([child.id for child in self.cpu_children])
        return (
            f"<FunctionEvent id={self.id} name={self.name} overload_name={self.overload_name} "
            f"device_type={self.device_type} node_id={self.node_id} cpu_time={self.cpu_time_str} "
            f"start_us={self.time_range.start} end_us={self.time_range.end} "
            f"cpu_children={children} {device}_time={on_device} name={self.name} "
            f"thread={self.thread} input_shapes={self.input_shapes!s} "
            f"cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage} is_async={self.is_async} "
            f"is_remote={self.is_remote} seq_nr={self.sequence_nr} is_legacy={self.is_legacy}>"
        )


class FunctionEventAvg(FormattedTimesMixin):
    """The sum of the events of one key."""

    def __init__(self) -> None:
        self.key: str | None = None
        self.count = 0
        self.node_id = 0
        self.is_async = False
        self.is_remote = False
        self.use_device: str | None = None
        self.cpu_time_total: Any = 0
        self.device_time_total: Any = 0
        self.self_cpu_time_total: Any = 0
        self.self_device_time_total: Any = 0
        self.input_shapes: Any = None
        self.overload_name: str | None = None
        self.stack: Any = None
        self.scope: int | None = None
        self.cpu_memory_usage = 0
        self.device_memory_usage = 0
        self.self_cpu_memory_usage = 0
        self.self_device_memory_usage = 0
        self.cpu_children: Any = None
        self.cpu_parent: Any = None
        self.device_type: DeviceType = DeviceType.CPU
        self.is_legacy = False
        self.flops = 0
        self.is_user_annotation: Any = None

    def add(self, other: Any) -> FunctionEventAvg:
        """Add an event, or an average, of the same key."""
        if self.key is None:
            self.key = other.key
            for name in (
                "node_id is_async is_remote cpu_parent cpu_children overload_name input_shapes "
                "stack scope device_type is_legacy use_device is_user_annotation"
            ).split():
                setattr(self, name, getattr(other, name))
        if not isinstance(other, (FunctionEvent, FunctionEventAvg)):
            raise AssertionError("Expected other to be a FunctionEvent or FunctionEventAvg")
        if other.key != self.key:
            raise AssertionError(f"Expected keys to match, but got {other.key} vs {self.key}")
        for name in (
            "cpu_time_total device_time_total self_cpu_time_total self_device_time_total "
            "cpu_memory_usage device_memory_usage self_cpu_memory_usage self_device_memory_usage "
            "count"
        ).split():
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if self.flops is None:
            self.flops = other.flops
        elif other.flops is not None:
            self.flops += other.flops
        return self

    def __iadd__(self, other: Any) -> FunctionEventAvg:
        return self.add(other)

    def __repr__(self) -> str:
        device = self.use_device or "cuda"
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str}  self_{device}_time={self.self_device_time_total_str} "
            f"{device}_time={self.device_time_str} input_shapes={self.input_shapes!s} "
            f"cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage}>"
        )


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
        device = "cuda" if not self._use_device else self._use_device
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
        return [
            "self_cpu_time_total",
            "self_cuda_time_total",
            "self_xpu_time_total",
            "self_privateuse1_time_total",
        ]

    def export_stacks(self, path: str, metric: str) -> None:
        """Write each stack with its time, for flame graphs."""
        if metric not in self.supported_export_stacks_metrics():
            raise ValueError(
                "metric should be one of: " + str(self.supported_export_stacks_metrics())
            )
        table = str.maketrans(" ;\t\n", "____")
        for word in ("cuda", "xpu", "privateuse1"):
            metric = metric.replace(word, "device")
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
