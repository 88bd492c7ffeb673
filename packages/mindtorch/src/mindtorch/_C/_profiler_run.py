"""Starting and stopping the profiler: ``torch._C._autograd._enable_profiler`` and its like."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from mindtorch_dispatch.trace import tracing
from mindtorch_npu import is_initialized, observer, synchronize
from mindtorch_npu import timeline as lanes
from mindtorch_npu.devices import device_count
from mindtorch_storage.device import ACCELERATOR_IS_CUDA

from . import _thread_profiler
from ._collector import Collector
from ._followed_threads import follow, unfollow
from ._profiler import (
    ActiveProfilerType,
    ProfilerActivity,
    ProfilerConfig,
    RecordScope,
)
from ._profiler_events import DeviceType, _KinetoEvent, event_of, event_of_memory
from ._profiler_records import Memory
from ._profiler_results import _ProfilerResult
from ._python_tracer import PythonTracer

__all__ = [
    "_add_metadata_json",
    "_disable_profiler",
    "_enable_profiler",
    "_kineto_step",
    "_prepare_profiler",
    "_profiler_enabled",
    "_profiler_type",
    "_supported_activities",
    "_toggle_collection_dynamic",
]


@dataclass
class _Run:
    """The profiler that runs in this process."""

    config: ProfilerConfig
    activities: Set[ProfilerActivity]
    collector: Collector
    guard: tracing
    start: int
    offset: int
    lanes: _Kernels | None = None
    memory: _DeviceMemory | None = None


_run: _Run | None = None
#: The activity of the accelerator, which programs for CUDA may call ``cuda``.
_KERNELS = ProfilerActivity.CUDA if ACCELERATOR_IS_CUDA else ProfilerActivity.PrivateUse1
_DEVICE = DeviceType[_KERNELS.name]
#: What the next trace, or every trace, is to say beside its events.
_metadata: dict[str, Any] = {}


def _supported_activities() -> set[ProfilerActivity]:
    """What can be followed: the host, and the NPU's kernels."""
    return {ProfilerActivity.CPU, _KERNELS}


def _profiler_enabled() -> bool:
    """Whether a profiler runs in this thread."""
    return _run is not None or _thread_profiler.current() is not None


def _profiler_type() -> ActiveProfilerType:
    """Which profiler runs in this thread."""
    if _thread_profiler.current() is not None:
        return ActiveProfilerType.LEGACY
    return ActiveProfilerType.NONE if _run is None else ActiveProfilerType.KINETO


def _prepare_profiler(
    config: ProfilerConfig,
    activities: Set[ProfilerActivity],
    activity_filter: Mapping[ProfilerActivity, Set[str]] | None = None,
) -> None:
    """Load what following the program needs, so that the first events do not pay for it."""
    from ..functionality import tracing as _  # noqa: F401  # loaded, not used
    from ..optim import optimizer as _optimizer  # noqa: F401  # loaded, not used


class _Kernels(lanes.Recording):
    """The kernels of all streams, each with the call that launched it."""

    def __init__(self, collector: Collector) -> None:
        super().__init__()
        self.collector = collector
        #: Device, stream, name, launching call, launched, begun, ended.
        self.kernels: list[tuple[int, int, str, int, int, int, int]] = []

    def timed(self, queue: Any, name: str, site: Any, function: Any) -> Any:
        """*function*, noting when it begins and ends, and what is open in this thread."""
        top = self.collector.innermost()
        number = 0 if top is None else top.number
        launched, kernels = time.time_ns(), self.kernels
        device, stream = queue.device_index, queue.stream_id

        def run(*args: Any) -> None:
            start = time.time_ns()
            try:
                function(*args)
            finally:
                kernels.append((device, stream, name, number, launched, start, time.time_ns()))

        return run


class _DeviceMemory(observer.Observer):
    """Notes what is taken of the memory of devices."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.sizes: dict[tuple[int, int], int] = {}
        self.totals: dict[int, int] = {}

    def allocated(self, address: int, nbytes: int, device_index: int, stream: int) -> None:
        if device_index >= 0:
            self.sizes[device_index, address] = nbytes
            self._note(device_index, nbytes, address)

    def freed(self, address: int, device_index: int) -> None:
        nbytes = self.sizes.pop((device_index, address), None)
        if nbytes is not None:
            self._note(device_index, -nbytes, address)

    def _note(self, index: int, nbytes: int, address: int) -> None:
        total = self.totals[index] = self.totals.get(index, 0) + nbytes
        if self.collector.on:
            kind = _DEVICE.value
            self.collector.memories.append(Memory(nbytes, address, kind, index, total))


def _enable_profiler(
    config: ProfilerConfig,
    activities: Set[ProfilerActivity],
    scopes: Set[RecordScope] = frozenset(),
) -> None:
    """Follow this thread from now on. Raises RuntimeError where a profiler runs already."""
    global _run
    if _run is not None:
        raise RuntimeError("Profiler is already enabled on this thread")
    if _thread_profiler.current() is not None:
        raise RuntimeError("Profiler is already enabled on this thread.")
    _prepare_profiler(config, activities)
    more = config._experimental_config
    host = ProfilerActivity.CPU in activities
    collector = Collector(
        inputs=config._report_input_shapes,
        memory=config._profile_memory and host,
        flops=config._with_flops,
        stacks=config._with_stack and more._verbose,
        overloads=more._capture_overload_names,
    )
    collector.on = host
    run = _Run(config, activities, collector, tracing(collector), 0, 0)
    if _KERNELS in activities:
        run.lanes = _Kernels(collector)
        lanes.record_lanes(run.lanes)
    if config._profile_memory:
        run.memory = _DeviceMemory(collector)
        observer.watch(run.memory)
    follow()
    run.offset = time.time_ns() - time.perf_counter_ns()
    run.start = time.time_ns()
    run.guard.__enter__()
    _run = run
    if config._with_stack and host:
        collector.tracer = PythonTracer(collector)
        collector.tracer.start()


def _disable_profiler() -> _ProfilerResult:
    """Follow no longer; what was found. Raises RuntimeError where no profiler runs."""
    global _run
    run = _run
    if run is None:
        raise RuntimeError("Can't disable Kineto profiler when it's not running")
    collector = run.collector
    if collector.tracer is not None:
        collector.tracer.stop()
    run.guard.__exit__()
    _run = None
    unfollow()
    if run.lanes is not None:
        _await_devices()
        lanes.record_lanes(None)
    if run.memory is not None:
        observer.unwatch(run.memory)
    collector.finish_memory()
    return _result(run)


def _await_devices() -> None:
    """Let every stream finish: what was launched belongs to what is shown."""
    if is_initialized():
        for index in range(device_count()):
            synchronize(index)


def _result(run: _Run) -> _ProfilerResult:
    offset, process = run.offset, os.getpid()
    latest = time.perf_counter_ns()
    events = [event_of(r, offset, process, latest) for r in run.collector.records]
    events += [event_of_memory(m, offset) for m in run.collector.memories]
    if run.lanes is not None:
        events += [_kernel(*each) for each in run.lanes.kernels]
    events.sort(key=lambda e: (e.start_ns(), -e.end_ns()))
    config = run.config
    facts: dict[str, Any] = {"trace_id": config._trace_id}
    for name in ("profile_memory", "with_stack", "with_modules", "with_flops"):
        if getattr(config, f"_{name}"):
            facts[name] = 1
    if config._report_input_shapes:
        facts["record_shapes"] = 1
    facts |= _metadata
    _metadata.clear()
    return _ProfilerResult(events, run.start, latest + offset, facts)


def _kernel(
    device: int, stream: int, name: str, linked: int, launched: int, start: int, end: int
) -> _KinetoEvent:
    extra = {"stream": str(stream), "correlation": str(linked), "device": str(device)}
    return _KinetoEvent(
        name=name or "kernel",
        kind="kernel",
        start=start,
        end=end,
        device=device,
        device_type=_DEVICE.value,
        resource=stream,
        linked=linked,
        number=linked,
        launched=launched,
        extra=extra,
    )


def _toggle_collection_dynamic(enable: bool, activities: Set[ProfilerActivity], /) -> None:
    """Keep the events of *activities* from now on, or do not."""
    run = _run
    if run is None:
        return
    if ProfilerActivity.CPU in activities:
        run.collector.on = enable
    if _KERNELS in activities and run.lanes is not None:
        lanes.record_lanes(run.lanes if enable else None)


def _add_metadata_json(key: str, value: str, /) -> None:
    """Say *value*, which is JSON, under *key* in the next trace."""
    try:
        _metadata[key] = json.loads(value)
    except ValueError:
        _metadata[key] = value


def _kineto_step() -> None:
    """Nothing: there is nobody outside of the process who counts steps."""
