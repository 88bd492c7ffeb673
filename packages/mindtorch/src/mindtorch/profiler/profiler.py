"""``torch.profiler.profile``: a profiler with a schedule of steps."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Self

from mindtorch_storage.device import CUDA

from .._C import _get_privateuse1_backend_name
from .._C._autograd import (  # type: ignore[attr-defined]  # lazy names
    _add_metadata_json,
    _supported_activities,
    kineto_available,
)
from .._C._profiler import (
    ProfilerActivity,
    _ExperimentalConfig,
)
from ..autograd import profiler as prof
from ..core.module_names import adopt
from ..core.warning import warn
from . import execution_trace, schedules
from .execution_trace import ExecutionTraceObserver, _ITraceObserver
from .schedules import ProfilerAction, _default_schedule_fn, schedule, tensorboard_trace_handler

__all__ = [
    "supported_activities",
    "ProfilerAction",
    "schedule",
    "tensorboard_trace_handler",
    "profile",
    "ExecutionTraceObserver",
]

PROFILER_STEP_NAME = "ProfilerStep"

_WARNINGS_SHOWN: set[str] = set()


def _warn_once(msg: str, category: type[Warning] = UserWarning) -> None:
    if msg not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(msg)
        warn(msg, category)


class _NumpyEncoder(json.JSONEncoder):
    """Writes numpy's numbers and arrays as JSON."""

    def default(self, obj: Any) -> Any:
        import numpy as np

        if isinstance(obj, (np.integer, np.floating, np.ndarray)):
            return obj.tolist()  # plain numbers, in lists where it is an array
        return super().default(obj)


def supported_activities() -> set[ProfilerActivity]:
    """What can be followed: the host, and the kernels of devices that are there."""
    found: set[ProfilerActivity] = _supported_activities()
    return found


def _parse_activities(
    activities: Iterable[Any],
) -> tuple[set[ProfilerActivity], dict[ProfilerActivity, set[str]]]:
    """The activities, and for some the only events that are wanted."""
    found: set[ProfilerActivity] = set()
    filters: dict[ProfilerActivity, set[str]] = {}
    for each in activities:
        if isinstance(each, dict):
            for activity, events in each.items():
                found.add(activity)
                filters[activity] = set(events)
        else:
            found.add(each)
    return found, filters


def _parse_custom_profiler_config(
    experimental_config: _ExperimentalConfig | None,
) -> dict[str, Any]:
    text = getattr(experimental_config, "custom_profiler_config", "")
    if not text:
        return {}
    try:
        read = json.loads(text)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


# The devices whose times tables show: the first that is followed; a build's own has no name here.
_DEVICES = (
    (ProfilerActivity.CUDA, CUDA),
    (ProfilerActivity.XPU, "xpu"),
    (ProfilerActivity.MTIA, "mtia"),
    (ProfilerActivity.HPU, "hpu"),
    (ProfilerActivity.PrivateUse1, None),
)

# What is passed on to the profiler underneath, by one name here and there.
_PASSED_ON = (
    *("use_device", "record_shapes", "profile_memory", "with_stack", "with_modules"),
    *("with_flops", "experimental_config", "acc_events", "custom_trace_id_callback"),
    *("post_processing_timeout_s", "activity_filters"),
)


class _KinetoProfile:
    """A profiler that is started and stopped.

    :param activities: what to follow; all that can be by default.
    :param record_shapes: keep what calls are given.
    :param profile_memory: keep who allocates memory and who frees it.
    :param with_stack: follow Python functions too.
    :param with_flops: count the operations of products.
    :param execution_trace_observer: records what is called while this runs.
    :param acc_events: keep the events of earlier cycles, too.
    """

    def __init__(
        self,
        *,
        activities: Iterable[Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: _ExperimentalConfig | None = None,
        execution_trace_observer: _ITraceObserver | None = None,
        acc_events: bool = False,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
    ) -> None:
        self.activities: set[ProfilerActivity]
        self.activity_filters: dict[ProfilerActivity, set[str]] = {}
        if activities:
            self.activities, self.activity_filters = _parse_activities(activities)
        else:
            self.activities = supported_activities() if activities is None else set()
        self.record_shapes = record_shapes
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_modules = with_modules
        self.experimental_config = experimental_config
        self.execution_trace_observer = execution_trace_observer
        self.acc_events = acc_events
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.profiler: prof.profile | None = None
        self.has_cudagraphs = False
        self.mem_tl: Any = None
        self.use_device: str | None = None
        for activity, device in _DEVICES:
            if activity in self.activities:
                self.use_device = device or _get_privateuse1_backend_name()
                break
        self.preset_metadata: dict[str, str] = {}

    def start(self) -> None:
        """Prepare, and follow from now on."""
        self.prepare_trace()
        self.start_trace()

    def stop(self) -> None:
        """Follow no longer."""
        self.stop_trace()

    def prepare_trace(self) -> None:
        """Prepare, so that the start takes no time."""
        if self.profiler is not None and not self.acc_events:
            _warn_once(
                "Warning: Profiler clears events at the end of each cycle. Only events from the "
                "current cycle will be reported. To keep events across cycles, set "
                "acc_events=True."
            )
        if self.profiler is None or not self.acc_events:
            self.profiler = prof.profile(
                use_cpu=ProfilerActivity.CPU in self.activities,
                use_kineto=True,
                **{name: getattr(self, name) for name in _PASSED_ON},
            )
        self.profiler._prepare_trace()

    def _existing_(self, doing: str) -> Any:
        """The profiler underneath. Raises AssertionError where there is none, before *doing*."""
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {doing}")
        return self.profiler

    def start_trace(self) -> None:
        """Follow from now on. Raises AssertionError where nothing was prepared."""
        if self.execution_trace_observer:
            self.execution_trace_observer.start()
        self._existing_("starting trace")._start_trace()
        if kineto_available():
            info = self._get_distributed_info()
            if info:
                self.add_metadata_json("distributedInfo", json.dumps(info, cls=_NumpyEncoder))
            for key, value in self.preset_metadata.items():
                self.add_metadata_json(key, value)

    def stop_trace(self) -> None:
        """Follow no longer. Raises AssertionError where nothing was prepared."""
        self._existing_("stopping trace").__exit__(None, None, None)
        if self.execution_trace_observer:  # what began first ends last
            self.execution_trace_observer.stop()

    def export_chrome_trace(self, path: str, use_python_export: bool = False) -> None:
        """Write the trace for Perfetto or Chrome; compressed where *path* ends in ``.gz``."""
        profiler = self._existing_("exporting chrome trace")
        if path.endswith(".gz"):
            handle, plain = tempfile.mkstemp(suffix=".json")
            os.close(handle)
            try:
                profiler.export_chrome_trace(plain)
                with open(plain, "rb") as source, gzip.open(path, "wb") as target:
                    shutil.copyfileobj(source, target)
            finally:
                os.remove(plain)
        else:
            profiler.export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write each stack with its time, for flame graphs.

        :param metric: what to sum: ``self_cpu_time_total`` or ``self_cuda_time_total``.
        """
        return self._existing_("exporting stacks").export_stacks(path, metric)

    def toggle_collection_dynamic(
        self, enable: bool, activities: Iterable[ProfilerActivity]
    ) -> None:
        """Follow *activities* from now on, or do not."""
        if self.profiler is None:
            return
        self.profiler.toggle_collection_dynamic(enable, activities)

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> Any:
        """The sums of events of one name, and if wanted of one stack, shapes, or overload."""
        return self._existing_("getting key averages").key_averages(
            group_by_input_shape, group_by_stack_n, group_by_overload_name
        )

    def events(self) -> Any:
        """The events."""
        return self._existing_("accessing events").function_events

    def add_metadata(self, key: str, value: str) -> None:
        """Say *value* under *key* in the trace."""
        _add_metadata_json(key, '"' + value.replace('"', '\\"') + '"')

    def add_metadata_json(self, key: str, value: str) -> None:
        """The same with a *value* that is JSON."""
        _add_metadata_json(key, value)

    def preset_metadata_json(self, key: str, value: str) -> None:
        """The same in every trace from the next start on."""
        self.preset_metadata[key] = value

    def _get_distributed_info(self) -> dict[str, Any] | None:
        import sys

        dist = sys.modules.get(f"{__name__.split('.')[0]}.distributed")
        if dist is None or not dist.is_available() or not dist.is_initialized():
            return None
        return {
            "backend": dist.get_backend(),
            "rank": dist.get_rank(),
            "world_size": dist.get_world_size(),
            "pg_count": dist.get_pg_count(),
        }

    def _memory_profile(self) -> Any:
        """Refuse to sort memory by its use. Raises ValueError where too little was kept."""
        needed = ("record_shapes", "profile_memory", "with_stack")
        off = ", ".join(f"{option}=True" for option in needed if not getattr(self, option))
        if off:
            raise ValueError(f"{off} required for memory profiling.")
        if self.profiler is None or self.profiler.kineto_results is None:
            raise AssertionError("Profiler and kineto_results must be initialized")
        raise NotImplementedError(
            "Memory is not sorted by what it is used for (parameters, gradients, activations). "
            "`profile_memory=True` tells who allocates how much, in tables and in traces."
        )

    def export_memory_timeline(self, path: str, device: str | None = None) -> None:
        """Refuse: which memory is used for what is not known here. Raises NotImplementedError."""
        warn(
            "`export_memory_timeline` is deprecated and will be removed in a future version. "
            "Please use `torch.cuda.memory._record_memory_history` and "
            "`torch.cuda.memory._export_memory_snapshot` instead.",
            FutureWarning,
        )
        self.mem_tl = self._memory_profile()


class profile(_KinetoProfile):
    """A profiler for a ``with`` block, with a schedule of steps.

    :param activities: what to follow; all that can be by default.
    :param schedule: says of each step what to do (see :func:`schedule`); by default all is kept.
    :param on_trace_ready: called with this object when a cycle is over.
    :param record_shapes: keep what calls are given.
    :param profile_memory: keep who allocates memory and who frees it.
    :param with_stack: follow Python functions too.
    :param with_flops: count the operations of products.
    :param acc_events: keep the events of earlier cycles, too.
    """

    def __init__(
        self,
        *,
        activities: Iterable[Any] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: _ExperimentalConfig | None = None,
        execution_trace_observer: _ITraceObserver | None = None,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
    ) -> None:
        found = (
            _parse_activities(activities)[0] if activities is not None else supported_activities()
        )
        if use_cuda is not None:
            warn(
                "`use_cuda` is deprecated, use `activities` argument instead",
                FutureWarning,
            )
            if use_cuda:
                found.add(ProfilerActivity.CUDA)
            elif ProfilerActivity.CUDA in found:
                found.remove(ProfilerActivity.CUDA)
        if not found or not all(isinstance(each, ProfilerActivity) for each in found):
            raise AssertionError("No valid profiler activities found")
        super().__init__(
            activities=found if activities is None or use_cuda is not None else activities,
            record_shapes=record_shapes,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_flops=with_flops,
            with_modules=with_modules,
            experimental_config=experimental_config,
            execution_trace_observer=execution_trace_observer
            if execution_trace_observer
            else ExecutionTraceObserver.build_execution_trace_obs_from_env(),
            acc_events=acc_events,
            custom_trace_id_callback=custom_trace_id_callback,
            post_processing_timeout_s=post_processing_timeout_s,
        )
        self.schedule: Callable[[int], ProfilerAction]
        if schedule:
            self.schedule = schedule
            self.record_steps = True
        else:
            self.schedule = _default_schedule_fn
            self.record_steps = False
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = self.schedule(self.step_num)
        self.step_rec_fn: prof.record_function | None = None
        none, warmup = ProfilerAction.NONE, ProfilerAction.WARMUP
        record, save = ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE
        prepare, start, stop = self.prepare_trace, self.start_trace, self.stop_trace
        ready = self._trace_ready
        #: What to do between two steps, by what is done in them; None: the program begins or ends.
        self.action_map: dict[tuple[Any, Any], list[Any]] = {
            (none, none): [],
            (none, warmup): [prepare],
            (none, record): [prepare, start],
            (none, save): [prepare, start],
            (warmup, none): [
                partial(warnings.warn, "Incorrect schedule: WARMUP followed by NONE"),
                start,
                stop,
            ],
            (warmup, warmup): [],
            (warmup, record): [start],
            (warmup, save): [start],
            (record, none): [
                partial(warnings.warn, "Incorrect schedule: RECORD followed by NONE"),
                stop,
            ],
            (record, warmup): [
                partial(warnings.warn, "Incorrect schedule: RECORD followed by WARMUP"),
                stop,
            ],
            (record, record): [],
            (record, save): [],
            (save, none): [stop, ready],
            (save, warmup): [stop, ready, prepare],
            (save, record): [stop, ready, prepare, start],
            (save, save): [stop, ready, prepare, start],
            (warmup, None): [start, stop],
            (record, None): [stop, ready],
            (save, None): [stop, ready],
        }
        prof.KinetoStepTracker.init_step_count(PROFILER_STEP_NAME)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        self.stop()
        observer = self.execution_trace_observer
        if observer:
            observer.cleanup()
        prof.KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)

    def start(self) -> None:
        """Begin with step 0, as the schedule says."""
        self._transit_action(ProfilerAction.NONE, self.current_action)
        self._begin_step_()

    def stop(self) -> None:
        """End with the step that runs."""
        self._end_step_()
        self._transit_action(self.current_action, None)

    def step(self) -> None:
        """Say that the next step begins."""
        self._end_step_()
        previous = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        self._transit_action(previous, self.current_action)
        prof.KinetoStepTracker.increment_step(PROFILER_STEP_NAME)
        self._begin_step_()

    def _begin_step_(self) -> None:
        """Begin the range of the present step, where a schedule counts them."""
        if self.record_steps:
            self.step_rec_fn = prof.record_function(f"ProfilerStep#{self.step_num}")
            self.step_rec_fn.__enter__()

    def _end_step_(self) -> None:
        if self.record_steps and self.step_rec_fn:
            self.step_rec_fn.__exit__(None, None, None)

    def set_custom_trace_id_callback(self, callback: Callable[[], str]) -> None:
        """Let *callback* name the next trace."""
        self.custom_trace_id_callback = callback

    def get_trace_id(self) -> str | None:
        """The name of the trace."""
        return None if self.profiler is None else self.profiler.trace_id

    def _trace_ready(self) -> None:
        if self.on_trace_ready:
            self.on_trace_ready(self)

    def _transit_action(self, prev_action: Any, current_action: Any) -> None:
        for action in self.action_map.get((prev_action, current_action), ()):
            action()

    def _stats(self) -> prof._ProfilerStats | None:
        """What the profiler itself cost."""
        return None if self.profiler is None else self.profiler._stats


adopt(__name__, execution_trace, schedules)
