"""``torch.autograd.profiler``: one run of the profiler, and ranges with names."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, ClassVar, Self

from mindtorch_storage.device import CUDA

from .. import cuda
from .._C import _get_privateuse1_backend_name
from .._C._autograd import (  # type: ignore[attr-defined]  # lazy names
    _disable_profiler,
    _enable_profiler,
    _prepare_profiler,
    _ProfilerResult,
    _toggle_collection_dynamic,
)
from .._C._profiler import (
    ProfilerActivity,
    ProfilerConfig,
    ProfilerState,
    _ExperimentalConfig,
)
from ..aten import torch
from ..core.module_names import adopt
from ..core.warning import warn
from . import profiler_nvprof, profiler_ranges, profiler_steps
from .profiler_nvprof import EnforceUnique, load_nvprof, parse_nvprof_trace
from .profiler_parsing import events_of_result
from .profiler_ranges import record_function
from .profiler_steps import KinetoStepTracker
from .profiler_util import (
    EventList,
    FunctionEvent,
    MemRecordsAcc,
)

__all__ = [
    "EnforceUnique",
    "EventList",
    "FunctionEvent",
    "KinetoStepTracker",
    "MemRecordsAcc",
    "emit_itt",
    "emit_nvtx",
    "load_nvprof",
    "parse_nvprof_trace",
    "profile",
    "record_function",
]

_is_profiler_enabled = False


def _set_is_profiler_enabled(enable: bool) -> None:
    global _is_profiler_enabled
    _is_profiler_enabled = enable


def _run_on_profiler_start() -> None:
    """Note that a profiler runs."""
    _set_is_profiler_enabled(True)


def _run_on_profiler_stop() -> None:
    """Note that none runs."""
    _set_is_profiler_enabled(False)


def _enter_once(block: Any, what: str) -> bool:
    """Whether *block* is on. Raises RuntimeError where it was entered before."""
    if not block.enabled:
        return False
    if block.entered:
        raise RuntimeError(f"{what} context manager is not reentrant")
    block.entered = True
    return True


@dataclass
class _ProfilerStats:
    """What the profiler itself cost."""

    profiling_window_duration_sec: float = 0
    number_of_events: int = 0
    profiler_prepare_call_duration_us: int = 0
    profiler_enable_call_duration_us: int = 0
    profiler_disable_call_duration_us: int = 0
    parse_kineto_call_duration_us: int = 0
    function_events_build_tree_call_duration_us: int = 0


#: The kinds of devices that ``use_device`` may name, and what is then followed.
_ACTIVITY_OF = {
    CUDA: ProfilerActivity.CUDA,
    "xpu": ProfilerActivity.XPU,
    "mtia": ProfilerActivity.MTIA,
    "hpu": ProfilerActivity.HPU,
}


def _is_there(device: str) -> bool:
    module = getattr(torch, device, None)
    return module is not None and bool(module.is_available())


class profile:
    """Follow what a ``with`` block runs; afterwards this is a list of its events.

    :param enabled: False does nothing.
    :param use_device: a device whose kernels are followed too.
    :param record_shapes: keep what calls are given.
    :param with_flops: count the operations of products.
    :param profile_memory: keep who allocates memory and who frees it.
    :param with_stack: follow Python functions too.
    :param acc_events: keep the events of earlier runs, too.
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = False,
        use_cpu: bool = True,
        experimental_config: _ExperimentalConfig | None = None,
        acc_events: bool = False,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
        activity_filters: dict[ProfilerActivity, set[str]] | None = None,
    ) -> None:
        self.enabled = enabled
        if not self.enabled:
            return
        self.use_cuda = use_cuda
        if self.use_cuda:
            warn(
                "The attribute `use_cuda` will be deprecated soon, "
                f"please use ``use_device = {CUDA!r}`` instead.",
                FutureWarning,
            )
            self.use_device: str | None = CUDA
        else:
            self.use_device = use_device
        self._function_events: EventList | None = None
        self._old_function_events: EventList | None = None
        self._needs_processing = False
        self.entered = False
        self.record_shapes = record_shapes
        self.with_flops = with_flops
        self.record_shapes |= self.with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_modules = with_modules
        self.use_cpu = use_cpu
        self.acc_events = acc_events
        self.experimental_config = experimental_config or _ExperimentalConfig()
        self._stats = _ProfilerStats()
        self.profiling_start_time_ns = self.profiling_end_time_ns = 0
        self.kineto_results: _ProfilerResult | None = None
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.activity_filters = activity_filters or {}
        self.trace_id = ""
        if not self.use_cpu and not use_kineto:
            raise AssertionError("Device-only events supported only with Kineto (use_kineto=True)")
        own = _get_privateuse1_backend_name()
        self.kineto_activities: set[ProfilerActivity] = set()
        if self.use_device is not None:
            self._check_device(own)
        if self.use_cpu:
            self.kineto_activities.add(ProfilerActivity.CPU)
        self.profiler_kind = ProfilerState.KINETO
        if self.use_device is not None:  # the accelerator may go by a name that torch knows
            of_own = ProfilerActivity.PrivateUse1
            self.kineto_activities.add(_ACTIVITY_OF.get(self.use_device, of_own))
        if not self.kineto_activities:
            raise AssertionError("No activities specified for the profiler")

    def _check_device(self, own: str) -> None:
        device = self.use_device
        assert device is not None
        if device not in (*_ACTIVITY_OF, own):
            warn(f"The {device} is not a valid device option.")
            self.use_device = None
        elif not _is_there(device):
            word = device.upper()
            warn(f"{word} is not available, disabling {word} profiling")
            self.use_cuda = False
            self.use_device = None

    def default_trace_id(self) -> str:
        """A new name for a trace."""
        return f"{uuid.uuid4().int:032X}"

    def create_trace_id(self) -> str:
        """The name of the next trace: the callback's, or a new one."""
        if self.custom_trace_id_callback:
            return self.custom_trace_id_callback()
        return self.default_trace_id()

    def config(self, create_trace_id: bool = False) -> ProfilerConfig:
        """What the profiler is told."""
        if create_trace_id:
            self.trace_id = self.create_trace_id()
        recorded = (self.record_shapes, self.profile_memory, self.with_stack)
        more = (self.with_flops, self.with_modules, self.experimental_config, self.trace_id)
        return ProfilerConfig(self.profiler_kind, *recorded, *more)

    def __enter__(self) -> profile | None:
        if not _enter_once(self, "Profiler"):
            return None
        self._prepare_trace()
        self._start_trace()
        return self

    def _prepare_trace(self) -> None:
        self.entered = True
        start = perf_counter_ns()
        _prepare_profiler(self.config(create_trace_id=True), self.kineto_activities)
        self._stats.profiler_prepare_call_duration_us = (perf_counter_ns() - start) // 1000

    def _start_trace(self) -> None:
        self.entered = True
        _run_on_profiler_start()
        start = perf_counter_ns()
        try:
            _enable_profiler(self.config(create_trace_id=False), self.kineto_activities)
        except BaseException:
            _run_on_profiler_stop()
            raise
        now = perf_counter_ns()
        self._stats.profiler_enable_call_duration_us = (now - start) // 1000
        self.profiling_start_time_ns = now

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        if not self.enabled:
            return
        start = perf_counter_ns()
        self.kineto_results = _disable_profiler()
        _run_on_profiler_stop()
        end = perf_counter_ns()
        self._stats.profiler_disable_call_duration_us = (end - start) // 1000
        self.profiling_end_time_ns = start
        window = self.profiling_end_time_ns - self.profiling_start_time_ns
        self._stats.profiling_window_duration_sec = window * 1e-9
        if self.acc_events and self._function_events:
            self._old_function_events = self._function_events
        self._needs_processing, self._function_events = True, None

    def __repr__(self) -> str:
        return self._shown(repr)

    def __str__(self) -> str:
        return self._shown(str)

    def _shown(self, show: Callable[[Any], str]) -> str:
        if self._needs_processing:
            self._ensure_function_events()
        events = self._function_events
        return "<unfinished torch.autograd.profile>" if events is None else show(events)

    def _ensure_function_events(self) -> None:
        """Make the events of what was found, when they are first asked for."""
        if self._function_events is not None:
            return
        if self.experimental_config.trace_only:
            raise RuntimeError(
                "Event-based APIs are not available when trace_only=True. "
                "Use export_chrome_trace() instead."
            )
        self._needs_processing = False
        start = perf_counter_ns()
        parsed = []
        if self.kineto_results is not None:
            parsed = self._parse_kineto_results(self.kineto_results, self.post_processing_timeout_s)
        middle = perf_counter_ns()
        self._stats.parse_kineto_call_duration_us = (middle - start) // 1000
        self._function_events = EventList(
            parsed,
            use_device=self.use_device,
            profile_memory=self.profile_memory,
            with_flops=self.with_flops,
        )
        self._function_events._build_tree()
        took = perf_counter_ns() - middle
        self._stats.function_events_build_tree_call_duration_us = took // 1000
        self._stats.number_of_events = len(self._function_events)
        if self._old_function_events and self.acc_events:
            self._function_events.extend(self._old_function_events)
        self._old_function_events = None

    @property
    def function_events(self) -> EventList:
        """The events."""
        if self._function_events is None or self._needs_processing:
            self._ensure_function_events()
        assert self._function_events is not None
        return self._function_events

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
    ) -> str:
        """The events as a table."""
        self._ensure_function_events()
        return self.function_events.table(
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            top_level_events_only=top_level_events_only,
        )

    table.__doc__ = EventList.table.__doc__

    def export_chrome_trace(
        self, path: str, metadata: dict[str, Any] | None = None, use_python_export: bool = False
    ) -> None:
        """Write the trace for Perfetto or Chrome to *path*."""
        if self.kineto_results is not None:
            self.kineto_results.save(path)
        else:
            self._ensure_function_events()
            self.function_events.export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write each stack with its time, for flame graphs."""
        events = self.function_events
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        events.export_stacks(path, metric)

    def toggle_collection_dynamic(
        self, enabled: bool, activities: Iterable[ProfilerActivity]
    ) -> None:
        """Follow *activities* from now on, or do not."""
        _toggle_collection_dynamic(enabled, set(activities))

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:
        """The sums of events of one name."""
        self._ensure_function_events()
        return self.function_events.key_averages(
            group_by_input_shape, group_by_stack_n, group_by_overload_name
        )

    key_averages.__doc__ = EventList.key_averages.__doc__

    def total_average(self) -> Any:
        """The sum of all events."""
        self._ensure_function_events()
        return self.function_events.total_average()

    @property
    def self_cpu_time_total(self) -> float:
        """Time on the host, of all events."""
        self._ensure_function_events()
        return self.function_events.self_cpu_time_total

    def _parse_kineto_results(
        self, result: _ProfilerResult, timeout_s: float | None = None
    ) -> list[FunctionEvent]:
        """The events of *result*, with the memory and the kernels of each."""
        return events_of_result(result, self.use_device, timeout_s)


class _Annotations:
    """A ``with`` block, entered once, in which another tool is told of every call."""

    _tool: ClassVar[str]

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self) -> Self | None:
        if not _enter_once(self, f"{self._tool} annotation"):
            return None
        self._begin()
        return self

    def _begin(self) -> None:
        raise NotImplementedError

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        if self.enabled:
            _run_on_profiler_stop()


class emit_itt(_Annotations):
    """Tell Intel's VTune of every call; nothing follows where VTune is not there.

    :param enabled: False does nothing.
    :param record_shapes: tell shapes too.
    """

    _tool = "ITT"

    def _begin(self) -> None:
        _run_on_profiler_start()


class emit_nvtx(_Annotations):
    """Tell NVIDIA's tools of every call, which needs CUDA; on the simulated NPU none listens.

    :param enabled: False does nothing.
    :param record_shapes: tell shapes too.
    """

    _tool = "NVTX"

    def _begin(self) -> None:
        cuda.synchronize()  # raises where there is no device
        _run_on_profiler_start()


adopt(__name__, profiler_nvprof, profiler_ranges, profiler_steps)
