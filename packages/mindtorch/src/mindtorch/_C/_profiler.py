"""``torch._C._profiler``: what profilers are told, and the classes of what they find."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from ..core import ranges
from . import _execution_trace
from ._choices import Choice
from ._profiler_records import switches
from ._tracebacks import CapturedTraceback, gather_traceback, symbolize_tracebacks

__all__ = [
    "ActiveProfilerType",
    "CapturedTraceback",
    "ProfilerActivity",
    "ProfilerConfig",
    "ProfilerState",
    "RecordScope",
    "_EventType",
    "_ExperimentalConfig",
    "_ExtraFields_Allocation",
    "_ExtraFields_Backend",
    "_ExtraFields_Kineto",
    "_ExtraFields_OutOfMemory",
    "_ExtraFields_PyCCall",
    "_ExtraFields_PyCall",
    "_ExtraFields_TorchOp",
    "_ExtraFields_Vulkan",
    "_NNModuleInfo",
    "_OptimizerInfo",
    "_ProfilerEvent",
    "_PyFrameState",
    "_RecordFunctionFast",
    "_TensorMetadata",
    "_add_execution_trace_observer",
    "_disable_execution_trace_observer",
    "_enable_execution_trace_observer",
    "_get_approximate_time",
    "_remove_execution_trace_observer",
    "_set_cuda_sync_enabled_val",
    "_set_fwd_bwd_enabled_val",
    "_set_record_concrete_inputs_enabled_val",
    "gather_traceback",
    "symbolize_tracebacks",
]


class ProfilerActivity(Choice):
    """What a profiler follows."""

    CPU = 0
    XPU = 1
    MTIA = 4
    CUDA = 2
    HPU = 3
    PrivateUse1 = 5


class ProfilerState(Choice):
    """Which profiler."""

    Disabled = 0
    CPU = 1
    CUDA = 2
    NVTX = 3
    ITT = 4
    PRIVATEUSE1 = 5
    KINETO = 6
    KINETO_GPU_FALLBACK = 7
    KINETO_PRIVATEUSE1_FALLBACK = 8
    KINETO_PRIVATEUSE1 = 9


class ActiveProfilerType(Choice):
    """Which profiler runs."""

    NONE = 0
    LEGACY = 1
    KINETO = 2
    NVTX = 3
    ITT = 4
    PRIVATEUSE1 = 5


class RecordScope(Choice):
    """What an event is of."""

    FUNCTION = 0
    BACKWARD_FUNCTION = 1
    TORCHSCRIPT_FUNCTION = 2
    KERNEL_FUNCTION_DTYPE = 3
    CUSTOM_CLASS = 4
    BUILD_FEATURE = 5
    LITE_INTERPRETER = 6
    USER_SCOPE = 7
    STATIC_RUNTIME_OP = 8
    STATIC_RUNTIME_MODEL = 9


class _EventType(Choice):
    """What a node of the tree of events is."""

    TorchOp = 0
    Backend = 1
    Vulkan = 2
    Allocation = 3
    PyCall = 5
    PyCCall = 6
    Kineto = 7


class _ExperimentalConfig:
    """Options of profilers that may change."""

    def __init__(
        self,
        profiler_metrics: Sequence[str] = (),
        profiler_measure_per_kernel: bool = False,
        verbose: bool = False,
        performance_events: Sequence[str] = (),
        enable_cuda_sync_events: bool = False,
        adjust_profiler_step: bool = False,
        disable_external_correlation: bool = False,
        profile_all_threads: bool = False,
        capture_overload_names: bool = False,
        record_python_gc_info: bool = False,
        expose_kineto_event_metadata: bool = False,
        custom_profiler_config: str = "",
        adjust_timestamps: bool = False,
        trace_only: bool = False,
    ) -> None:
        self._profiler_metrics = list(profiler_metrics)
        self._profiler_measure_per_kernel = profiler_measure_per_kernel
        self._verbose = verbose
        self._performance_events = list(performance_events)
        self._enable_cuda_sync_events = enable_cuda_sync_events
        self._adjust_profiler_step = adjust_profiler_step
        self._disable_external_correlation = disable_external_correlation
        self._profile_all_threads = profile_all_threads
        self._capture_overload_names = capture_overload_names
        self._record_python_gc_info = record_python_gc_info
        self._expose_kineto_event_metadata = expose_kineto_event_metadata
        self.custom_profiler_config = custom_profiler_config
        self._adjust_timestamps = adjust_timestamps
        self.trace_only = trace_only


class ProfilerConfig:
    """What one run of a profiler keeps."""

    def __init__(
        self,
        state: ProfilerState,
        report_input_shapes: bool,
        profile_memory: bool,
        with_stack: bool,
        with_flops: bool,
        with_modules: bool,
        experimental_config: _ExperimentalConfig,
        trace_id: str = "",
    ) -> None:
        self._state = state
        self._report_input_shapes = report_input_shapes
        self._profile_memory = profile_memory
        self._with_stack = with_stack
        self._with_flops = with_flops
        self._with_modules = with_modules
        self._experimental_config = experimental_config
        self._trace_id = trace_id


class _RecordFunctionFast:
    """A ``with`` block that a running profiler shows under a name."""

    def __init__(
        self,
        name: str,
        input_values: Sequence[Any] | None = None,
        keyword_values: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(name, str):
            raise TypeError("_RecordFunctionFast name must be a string")
        self._name = name
        self._inputs = list(input_values or ())
        self._keywords = dict(keyword_values or {})
        self._range: AbstractContextManager[Any] | None = None

    def __enter__(self) -> None:
        source = ranges.active
        if source is not None:
            found: AbstractContextManager[Any] | None = source(
                self._name, self._inputs, self._keywords
            )
            if found is not None:
                found.__enter__()
                self._range = found

    def __exit__(self, *exc_info: object) -> None:
        found, self._range = self._range, None
        if found is not None:
            found.__exit__(None, None, None)


# The tree of events -------------------------------------------------------------------------------


class _TensorMetadata:
    """An argument that was a tensor."""

    def __init__(self, **facts: Any) -> None:
        self.impl_ptr: int | None = facts["impl_ptr"]
        self.storage_data_ptr: int | None = facts["storage_data_ptr"]
        self.id: int | None = facts["id"]
        self.allocation_id: int | None = facts["allocation_id"]
        self.layout: Any = facts["layout"]
        self.device: Any = facts["device"]
        self.dtype: Any = facts["dtype"]
        self.sizes: list[int] = facts["sizes"]
        self.strides: list[int] = facts["strides"]

    @property
    def dim(self) -> int:
        """How many dimensions it has."""
        return len(self.sizes)


class _Fields:
    """Base of what only events of a kind have."""

    def __init__(self, **facts: Any) -> None:
        vars(self).update(facts)


class _ExtraFields_TorchOp(_Fields):
    """Of a call of an operator, a node or a range."""

    name: str
    inputs: list[Any]
    scope: RecordScope
    sequence_number: int
    allow_tf32_cublas: bool


class _ExtraFields_Allocation(_Fields):
    """Of memory that was taken or given back."""

    ptr: int
    id: int | None
    allocation_id: int | None
    alloc_size: int
    total_allocated: int
    total_reserved: int
    device: Any


class _ExtraFields_OutOfMemory(_Fields):
    """Of memory that was not to be had."""


class _ExtraFields_Backend(_Fields):
    """Of an event that a backend tells."""


class _ExtraFields_Kineto(_Fields):
    """Of an event of a device."""


class _ExtraFields_Vulkan(_Fields):
    """Of an event of Vulkan."""


class _PyFrameState(_Fields):
    """Where a Python function is."""

    line_number: int
    file_name: str
    function_name: str


class _NNModuleInfo(_Fields):
    """The module that was called."""


class _OptimizerInfo(_Fields):
    """The optimizer that made a step."""


class _ExtraFields_PyCall(_Fields):
    """Of a call of a Python function."""

    callsite: _PyFrameState
    caller: _PyFrameState
    module: _NNModuleInfo | None
    optimizer: _OptimizerInfo | None


class _ExtraFields_PyCCall(_Fields):
    """Of a call of a built-in function."""

    caller: _PyFrameState


class _ProfilerEvent:
    """A node of the tree of events."""

    def __init__(self, **facts: Any) -> None:
        self.name: str = facts["name"]
        self.overload_name: str = facts.get("overload_name", "")
        self.tag: _EventType = facts["tag"]
        self.typed: tuple[_EventType, Any] = (facts["tag"], facts["fields"])
        self.extra_fields: Any = facts["fields"]
        self.parent: _ProfilerEvent | None = None
        self.children: list[_ProfilerEvent] = []
        self.start_time_ns: int = facts["start"]
        self.end_time_ns: int = facts["end"]
        self.start_tid: int = facts["thread"]
        self.correlation_id: int = facts["id"]
        self.id = id(self)

    @property
    def duration_time_ns(self) -> int:
        """How long it took."""
        return self.end_time_ns - self.start_time_ns


# Switches -----------------------------------------------------------------------------------------


def _get_approximate_time() -> int:
    """A clock's count that only differences mean something of."""
    return time.perf_counter_ns()


def _set_record_concrete_inputs_enabled_val(val: bool, /) -> None:
    """Keep the numbers that calls are given, or do not."""
    switches.keeps_concrete_inputs = val


def _set_fwd_bwd_enabled_val(val: bool, /) -> None:
    """Link forward calls with their backward nodes in traces, or do not."""
    switches.links_backward = val


def _set_cuda_sync_enabled_val(val: bool, /) -> None:
    """Nothing: there is no CUDA to follow."""


# The observer that writes every call to a file ----------------------------------------------------


def _add_execution_trace_observer(output_file_path: str, /) -> bool:
    """Prepare to write what is called to *output_file_path*; False if one is there already."""
    return _execution_trace.add(output_file_path)


def _remove_execution_trace_observer() -> None:
    """Write the end of the file."""
    _execution_trace.remove()


def _enable_execution_trace_observer() -> None:
    """Write what is called from now on."""
    _execution_trace.enable()


def _disable_execution_trace_observer() -> None:
    """Write nothing more for now."""
    _execution_trace.disable()
