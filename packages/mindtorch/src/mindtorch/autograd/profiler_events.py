"""One event of a profile, and the average of events of one key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from mindtorch_storage.device import CUDA

from .._C._profiler_events import DeviceType
from ..core.warning import warn
from . import profiler_table

__all__ = [
    "EventMetadata",
    "FormattedTimesMixin",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
]


def _renamed(old: str, new: str, text: str) -> Any:
    """A property under a name that is going out of use."""

    def get(self: Any) -> Any:
        warn(text, FutureWarning)
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


def _attr_formatter(name: str) -> property:
    return property(lambda self: profiler_table.format_time(getattr(self, name)))


class FormattedTimesMixin:
    """Times as texts, and per call."""

    count: int
    cpu_time_total: Any
    device_time_total: Any

    cpu_time_str, cpu_time_total_str, self_cpu_time_total_str = map(
        _attr_formatter, ("cpu_time", "cpu_time_total", "self_cpu_time_total")
    )
    device_time_str, device_time_total_str, self_device_time_total_str = map(
        _attr_formatter, ("device_time", "device_time_total", "self_device_time_total")
    )

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


def _check_host(event: FunctionEvent, what: str) -> None:
    if event.device_type != DeviceType.CPU:
        raise AssertionError(f"Expected {what} to be CPU")


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
        _check_host(self, "device_type")
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child: FunctionEvent) -> None:
        """Add an event that ran inside this one."""
        self._check_relative(child, "child")
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent: FunctionEvent) -> None:
        """Say inside which event this one ran."""
        self._check_relative(parent, "parent")
        self.cpu_parent = parent

    def _check_relative(self, other: Any, role: str) -> None:
        """Only calls of the host stand inside each other."""
        _check_host(self, "device_type")
        if not isinstance(other, FunctionEvent):
            raise AssertionError(f"Expected {role} to be a FunctionEvent")
        _check_host(other, f"{role} device_type")

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
        warn(text, FutureWarning)
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
        self.flops: int | None = 0
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
        known = [n for n in (self.flops, other.flops) if n is not None]
        self.flops = sum(known) if known else None
        return self

    def __iadd__(self, other: Any) -> FunctionEventAvg:
        return self.add(other)

    def __repr__(self) -> str:
        device = self.use_device or CUDA
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} "
            f"cpu_time={self.cpu_time_str}  self_{device}_time={self.self_device_time_total_str} "
            f"{device}_time={self.device_time_str} input_shapes={self.input_shapes!s} "
            f"cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage}>"
        )
