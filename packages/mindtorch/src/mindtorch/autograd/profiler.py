"""``torch.autograd.profiler``: one run of the profiler, and ranges with names."""

from __future__ import annotations

import uuid
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import ContextDecorator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, ClassVar

from .. import ranges
from .._C import _get_privateuse1_backend_name
from .._C._autograd import (  # type: ignore[attr-defined]  # lazy names
    DeviceType,
    _disable_profiler,
    _enable_profiler,
    _kineto_step,
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
from .profiler_util import (
    MEMORY_EVENT_NAME,
    EventList,
    FunctionEvent,
    MemRecordsAcc,
    _filter_name,
    _filter_stack_entry,
    _rewrite_name,
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
    "cuda": ProfilerActivity.CUDA,
    "xpu": ProfilerActivity.XPU,
    "mtia": ProfilerActivity.MTIA,
    "hpu": ProfilerActivity.HPU,
}


def _is_there(device: str) -> bool:
    import mindtorch

    module = getattr(mindtorch, device, None)
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
            warnings.warn(
                "The attribute `use_cuda` will be deprecated soon, "
                "please use ``use_device = 'cuda'`` instead.",
                FutureWarning,
                stacklevel=2,
            )
            self.use_device: str | None = "cuda"
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
        if self.use_device == own:
            self.kineto_activities.add(ProfilerActivity.PrivateUse1)
        elif self.use_device is not None:
            self.kineto_activities.add(_ACTIVITY_OF[self.use_device])
        if not self.kineto_activities:
            raise AssertionError("No activities specified for the profiler")

    def _check_device(self, own: str) -> None:
        device = self.use_device
        assert device is not None
        if device not in (*_ACTIVITY_OF, own):
            warnings.warn(f"The {device} is not a valid device option.", stacklevel=3)
            self.use_device = None
        elif not _is_there(device):
            word = device.upper()
            warnings.warn(f"{word} is not available, disabling {word} profiling", stacklevel=3)
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
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
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
        self._ensure_function_events()
        if self._function_events is None:
            raise AssertionError("Expected profiling results")
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        self._function_events.export_stacks(path, metric)

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
        begin = result.trace_start_ns()
        deadline = None if timeout_s is None else perf_counter_ns() + timeout_s * 1e9
        found = result.events()
        memory = [[e, False] for e in found if e.name() == MEMORY_EVENT_NAME]
        of_memory = MemRecordsAcc(memory)
        events: list[FunctionEvent] = []
        of_device: dict[int, list[FunctionEvent]] = defaultdict(list)
        for told in found:
            if deadline is not None and perf_counter_ns() > deadline:
                warnings.warn("Profiler post-processing timed out", stacklevel=2)
                break
            if _filter_name(told.name()) or told.is_hidden_event():
                continue
            on_host = told.device_type() == DeviceType.CPU
            host_memory = device_memory = 0
            if on_host and not told.is_async():
                for record in of_memory.in_interval(told.start_ns(), told.end_ns()):
                    if record[0].device_type() == DeviceType.CPU:
                        host_memory += record[0].nbytes()
                    else:
                        device_memory += record[0].nbytes()
                    record[1] = True
            event = self._event(told, begin, host_memory, device_memory)
            if not on_host and told.linked_correlation_id() > 0:
                of_device[told.linked_correlation_id()].append(event)
            events.append(event)
        for event in events:
            if event.device_type == DeviceType.CPU and not event.is_async:
                for kernel in of_device.get(event.id, ()):
                    took = kernel.time_range.elapsed_us()
                    event.append_kernel(kernel.name, kernel.device_index, took)
        events += [self._event_of_memory(e, begin) for e, within in memory if not within]
        events.sort(key=lambda e: (e.time_range.start, -e.time_range.end))
        return events

    def _event(self, told: Any, begin: int, host_memory: int, device_memory: int) -> FunctionEvent:
        return FunctionEvent(
            id=told.correlation_id(),
            name=_rewrite_name(name=told.name(), with_wildcard=True),
            overload_name=told.overload_name(),
            trace_name=_rewrite_name(name=told.name(), with_wildcard=False),
            thread=told.start_thread_id(),
            start_us=(told.start_ns() - begin) / 1000.0,
            end_us=(told.end_ns() - begin) / 1000.0,
            fwd_thread=told.fwd_thread_id(),
            input_shapes=told.shapes(),
            concrete_inputs=told.concrete_inputs(),
            kwinputs=told.kwinputs(),
            stack=[entry for entry in told.stack() if _filter_stack_entry(entry)],
            scope=told.scope(),
            use_device=self.use_device,
            cpu_memory_usage=host_memory,
            device_memory_usage=device_memory,
            is_async=told.is_async(),
            sequence_nr=told.sequence_nr(),
            device_type=told.device_type(),
            device_index=told.device_index(),
            device_resource_id=told.device_resource_id(),
            flops=told.flops(),
            is_user_annotation=told.is_user_annotation(),
            is_python_function=told.is_python_function(),
            activity_type=told.activity_type(),
            metadata_json=told.metadata_json(),
            flow_id=told.flow_id(),
            flow_type=told.flow_type(),
            flow_start=told.flow_start(),
            external_id=told.external_id(),
            linked_correlation_id=told.linked_correlation_id(),
            extra_meta=told.extra_meta(),
            structured_input_shapes=told.structured_input_shapes(),
            structured_input_strides=told.structured_input_strides(),
            input_dtypes=told.dtypes(),
            python_id=told.python_id(),
            python_parent_id=told.python_parent_id(),
            python_module_id=told.python_module_id(),
        )

    def _event_of_memory(self, told: Any, begin: int) -> FunctionEvent:
        """Memory that was taken or given back outside of all other events."""
        on_host = told.device_type() == DeviceType.CPU
        when = (told.start_ns() - begin) / 1000.0
        return FunctionEvent(
            id=0,
            name=told.name(),
            overload_name="",
            trace_name=None,
            thread=told.start_thread_id(),
            start_us=when,
            end_us=when,
            fwd_thread=told.start_thread_id(),
            input_shapes=[],
            stack=[],
            scope=0,
            use_device=self.use_device,
            cpu_memory_usage=told.nbytes() if on_host else 0,
            device_memory_usage=0 if on_host else told.nbytes(),
            is_async=False,
            sequence_nr=-1,
            device_type=DeviceType.CPU,
            device_index=0,
            flops=0,
            activity_type=told.activity_type(),
        )


class record_function(ContextDecorator):
    """Show a ``with`` block, or a function that is decorated, in profiles.

    :param name: what it is called.
    :param args: what else is to be said of it.
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name: str = name
        self.args: str | None = args
        self.run_callbacks_on_exit: bool = True
        self.record: Any = None

    def __enter__(self) -> record_function:
        if type(self.name) is not str or self.args is not None and type(self.args) is not str:
            _refuse_range(self.name, self.args)
        source = ranges.active
        if source is not None:
            found = source(self.name, () if self.args is None else (self.args,), None)
            if found is not None:
                self.record = found
                found.__enter__()
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if not self.run_callbacks_on_exit:
            return
        record = self.record
        if record is not None:
            self.record = None
            record.__exit__(exc_type, exc_value, traceback)

    def _call_end_callbacks_on_future(self, fut: Any) -> Any:
        """End the range when *fut* is done; a future that is done after that."""
        if not self.run_callbacks_on_exit:
            raise RuntimeError("_call_end_callbacks_on_future can only be called once.")
        self.run_callbacks_on_exit = False
        record, self.record = self.record, None

        def ends(done: Any) -> Any:
            if record is not None:
                for each in record.records:
                    each.is_async = True
                record.__exit__(None, None, None)
            return done.value()

        return fut.then(ends)


def _refuse_range(name: Any, args: Any) -> None:
    """Raise what the operator of the range says of wrong types, unless they are right."""
    for position, (value, argument, kind) in enumerate(
        ((name, "name", "str"), (args, "args", "Optional[str]"))
    ):
        if isinstance(value, str) or position and value is None:
            continue
        to = "'std::string'" if position == 0 else "'std::string'"
        raise RuntimeError(
            f"profiler::_record_function_enter_new() Expected a value of type '{kind}' for "
            f"argument '{argument}' but instead found type '{type(value).__name__}'.\n"
            f"Position: {position}\nValue: {value!r}\n"
            "Declaration: profiler::_record_function_enter_new(str name, str? args=None) -> "
            "__torch__.torch.classes.profiler._RecordFunction\n"
            "Cast error details: Unable to cast Python instance of type "
            f"{type(value)} to C++ type {to}"
        )


class emit_itt:
    """Tell Intel's VTune of every call; nothing follows where VTune is not there.

    :param enabled: False does nothing.
    :param record_shapes: tell shapes too.
    """

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self) -> emit_itt | None:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("ITT annotation context manager is not reentrant")
        self.entered = True
        _run_on_profiler_start()
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        if self.enabled:
            _run_on_profiler_stop()


class emit_nvtx:
    """Tell NVIDIA's tools of every call, which needs CUDA.

    :param enabled: False does nothing.
    :param record_shapes: tell shapes too.
    """

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self) -> emit_nvtx | None:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("NVTX annotation context manager is not reentrant")
        self.entered = True
        import mindtorch

        mindtorch.cuda.synchronize()
        raise AssertionError("Torch not compiled with CUDA enabled")

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None: ...


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


class KinetoStepTracker:
    """Counts steps over all who count them: the step is the furthest of theirs."""

    _current_step = 0
    _step_dict: ClassVar[dict[str, int]] = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester: str) -> None:
        """Let *requester* count too, from the present step on."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester: str) -> bool:
        """Forget *requester*; whether it was known."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester: str) -> int:
        """Count a step of *requester*; the present step."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        furthest = max(cls._step_dict.values())
        if furthest > cls._current_step:
            delta = furthest - cls._current_step
            if delta > 1:
                warnings.warn(
                    "Profiler step count has increased more than 1 - "
                    f"current_step = {cls._current_step} step dict =  {cls._step_dict}",
                    stacklevel=2,
                )
            for _ in range(delta):
                _kineto_step()
            cls._current_step = furthest
        return cls._current_step

    @classmethod
    def current_step(cls) -> int:
        """The present step."""
        return cls._current_step
