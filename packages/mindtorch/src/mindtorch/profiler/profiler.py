"""``torch.profiler.profile``: a profiler with a schedule of steps."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import tempfile
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import Any, Self

from .._C import _get_privateuse1_backend_name
from .._C._autograd import (  # type: ignore[attr-defined]  # lazy names
    _add_metadata_json,
    _supported_activities,
    kineto_available,
)
from .._C._profiler import (
    ProfilerActivity,
    _add_execution_trace_observer,
    _disable_execution_trace_observer,
    _enable_execution_trace_observer,
    _ExperimentalConfig,
    _remove_execution_trace_observer,
)
from ..autograd import profiler as prof

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


def _warn_once(msg: str, category: type[Warning] = UserWarning, stacklevel: int = 2) -> None:
    if msg not in _WARNINGS_SHOWN:
        _WARNINGS_SHOWN.add(msg)
        warnings.warn(msg, category=category, stacklevel=stacklevel)


class _NumpyEncoder(json.JSONEncoder):
    """Writes numpy's numbers and arrays as JSON."""

    def default(self, obj: Any) -> Any:
        import numpy as np

        if isinstance(obj, np.integer):
            return int(obj)
        if isinstance(obj, np.floating):
            return float(obj)
        if isinstance(obj, np.ndarray):
            return obj.tolist()
        return json.JSONEncoder.default(self, obj)


def supported_activities() -> set[ProfilerActivity]:
    """What can be followed: the host, and the kernels of devices that are there."""
    found: set[ProfilerActivity] = _supported_activities()
    return found


class _ITraceObserver(ABC):
    """Something that records while a profiler does."""

    @abstractmethod
    def start(self) -> None:
        """Record from now on."""

    @abstractmethod
    def stop(self) -> None:
        """Record no more."""

    @abstractmethod
    def cleanup(self) -> None:
        """Write what is left, and forget it."""


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
        if ProfilerActivity.CUDA in self.activities:
            self.use_device = "cuda"
        elif ProfilerActivity.XPU in self.activities:
            self.use_device = "xpu"
        elif ProfilerActivity.MTIA in self.activities:
            self.use_device = "mtia"
        elif ProfilerActivity.HPU in self.activities:
            self.use_device = "hpu"
        elif ProfilerActivity.PrivateUse1 in self.activities:
            self.use_device = _get_privateuse1_backend_name()
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

    def _existing(self, doing: str) -> Any:
        """The profiler underneath. Raises AssertionError where there is none, before *doing*."""
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {doing}")
        return self.profiler

    def start_trace(self) -> None:
        """Follow from now on. Raises AssertionError where nothing was prepared."""
        if self.execution_trace_observer:
            self.execution_trace_observer.start()
        self._existing("starting trace")._start_trace()
        if kineto_available():
            info = self._get_distributed_info()
            if info:
                self.add_metadata_json("distributedInfo", json.dumps(info, cls=_NumpyEncoder))
            for key, value in self.preset_metadata.items():
                self.add_metadata_json(key, value)

    def stop_trace(self) -> None:
        """Follow no longer. Raises AssertionError where nothing was prepared."""
        self._existing("stopping trace").__exit__(None, None, None)
        if self.execution_trace_observer:  # what began first ends last
            self.execution_trace_observer.stop()

    def export_chrome_trace(self, path: str, use_python_export: bool = False) -> None:
        """Write the trace for Perfetto or Chrome; compressed where *path* ends in ``.gz``."""
        profiler = self._existing("exporting chrome trace")
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
        return self._existing("exporting stacks").export_stacks(path, metric)

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
        return self._existing("getting key averages").key_averages(
            group_by_input_shape, group_by_stack_n, group_by_overload_name
        )

    def events(self) -> Any:
        """The events."""
        return self._existing("accessing events").function_events

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
        required = ("record_shapes", "profile_memory", "with_stack")
        missing = [f"{i}=True" for i in required if not getattr(self, i)]
        if missing:
            raise ValueError(f"{', '.join(missing)} required for memory profiling.")
        if self.profiler is None or self.profiler.kineto_results is None:
            raise AssertionError("Profiler and kineto_results must be initialized")
        raise NotImplementedError(
            "Memory is not sorted by what it is used for (parameters, gradients, activations). "
            "`profile_memory=True` tells who allocates how much, in tables and in traces."
        )

    def export_memory_timeline(self, path: str, device: str | None = None) -> None:
        """Refuse: which memory is used for what is not known here. Raises NotImplementedError."""
        warnings.warn(
            "`export_memory_timeline` is deprecated and will be removed in a future version. "
            "Please use `torch.cuda.memory._record_memory_history` and "
            "`torch.cuda.memory._export_memory_snapshot` instead.",
            FutureWarning,
            stacklevel=2,
        )
        self.mem_tl = self._memory_profile()


class ProfilerAction(Enum):
    """What a profiler does in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


def schedule(
    *,
    wait: int,
    warmup: int,
    active: int,
    repeat: int = 0,
    skip_first: int = 0,
    skip_first_wait: int = 0,
) -> Callable[[int], ProfilerAction]:
    """A function that says of each step what to do.

    :param skip_first: so many steps are passed over at first; then come cycles.
    :param wait: steps of a cycle that are not followed.
    :param warmup: steps that are followed and thrown away.
    :param active: steps that are kept.
    :param repeat: how many cycles; 0: without end.
    :param skip_first_wait: not 0: the first cycle does not wait.
    """

    def schedule_fn(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        length = wait + warmup + active
        if repeat > 0 and step / length >= repeat:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE

    if not (wait >= 0 and warmup >= 0 and active > 0 and repeat >= 0 and skip_first >= 0):
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} "
            f"(need >= 0), active={active} (need > 0), repeat={repeat} (need >= 0), "
            f"skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warnings.warn(
            "Profiler won't be using warmup, this can skew profiler results", stacklevel=2
        )
    return schedule_fn


def _default_schedule_fn(_: int) -> ProfilerAction:
    """Keep every step."""
    return ProfilerAction.RECORD


def tensorboard_trace_handler(
    dir_name: str,
    worker_name: str | None = None,
    use_gzip: bool = False,
    use_python_export: bool = False,
) -> Callable[[Any], None]:
    """A function for ``on_trace_ready`` that writes traces into a folder for TensorBoard.

    :param worker_name: the beginning of the files' names; host and process by default.
    """

    def handler_fn(prof: Any) -> None:
        nonlocal worker_name
        try:
            os.makedirs(dir_name, exist_ok=True)
        except Exception as e:
            raise RuntimeError("Can't create directory: " + dir_name) from e
        worker_name = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        ending = ".pt.trace.json.gz" if use_gzip else ".pt.trace.json"
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker_name}.{time.time_ns()}{ending}"))

    return handler_fn


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
            warnings.warn(
                "`use_cuda` is deprecated, use `activities` argument instead",
                FutureWarning,
                stacklevel=2,
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
        prof.KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)
        if self.execution_trace_observer:
            self.execution_trace_observer.cleanup()

    def start(self) -> None:
        """Begin with step 0, as the schedule says."""
        self._transit_action(ProfilerAction.NONE, self.current_action)
        if self.record_steps:
            self.step_rec_fn = prof.record_function("ProfilerStep#" + str(self.step_num))
            self.step_rec_fn.__enter__()

    def stop(self) -> None:
        """End with the step that runs."""
        if self.record_steps and self.step_rec_fn:
            self.step_rec_fn.__exit__(None, None, None)
        self._transit_action(self.current_action, None)

    def step(self) -> None:
        """Say that the next step begins."""
        if self.record_steps and self.step_rec_fn:
            self.step_rec_fn.__exit__(None, None, None)
        previous = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        self._transit_action(previous, self.current_action)
        prof.KinetoStepTracker.increment_step(PROFILER_STEP_NAME)
        if self.record_steps:
            self.step_rec_fn = prof.record_function("ProfilerStep#" + str(self.step_num))
            self.step_rec_fn.__enter__()

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


class ExecutionTraceObserver(_ITraceObserver):
    """Writes every call, with what it was given and what it returned, to a JSON file."""

    def __init__(self) -> None:
        self.output_file_path = self.output_file_path_observer = self.resources_dir = ""
        self.extra_resources_collection = False
        self._registered = self._execution_trace_running = False

    def __del__(self) -> None:
        self.unregister_callback()

    @staticmethod
    def build_execution_trace_obs_from_env() -> ExecutionTraceObserver | None:
        """An observer if ENABLE_PYTORCH_EXECUTION_TRACE is 1 in the environment."""
        if os.environ.get("ENABLE_PYTORCH_EXECUTION_TRACE", "0") != "1":
            return None
        try:
            handle, path = tempfile.mkstemp("_et.json.gz")
        except Exception as e:
            warnings.warn(
                f"Execution trace will not be recorded. Exception on creating default temporary "
                f"file: {e}",
                stacklevel=2,
            )
            return None
        os.close(handle)
        made = ExecutionTraceObserver()
        made.register_callback(path)
        return made

    def set_extra_resource_collection(self, val: bool) -> None:
        """Collect generated sources too, of which there are none here."""
        self.extra_resources_collection = val
        if self.extra_resources_collection:
            self.get_resources_dir(can_create=True)

    def register_callback(self, output_file_path: str) -> Self:
        """Write to *output_file_path*, compressed where it ends in ``.gz``."""
        if not self._registered:
            self.output_file_path = output_file_path
            if output_file_path.endswith(".gz"):
                handle, self.output_file_path_observer = tempfile.mkstemp(".json")
                os.close(handle)
            else:
                self.output_file_path_observer = output_file_path
            self._registered = _add_execution_trace_observer(self.output_file_path_observer)
        return self

    def get_resources_dir(self, can_create: bool = False) -> str | None:
        """The folder of collected sources."""
        if not self.extra_resources_collection:
            return None
        if self.resources_dir:
            return self.resources_dir
        found = self.get_resources_dir_for_et_path(self.output_file_path, create_dir=can_create)
        if found:
            self.resources_dir = found
        return found

    @staticmethod
    def get_resources_dir_for_et_path(trace_path: str, create_dir: bool = False) -> str | None:
        """The folder of collected sources beside the file *trace_path*."""
        work_dir, file_name = os.path.split(trace_path)
        folder = os.path.join(work_dir, os.path.splitext(file_name)[0] + "_resources")
        if not os.path.exists(folder):
            if not create_dir:
                return None
            try:
                os.mkdir(folder)
            except Exception:
                warnings.warn(f"Execution trace exception when creating {folder}", stacklevel=2)
                return None
        return folder

    def unregister_callback(self) -> None:
        """Write the end of the file."""
        if not self._registered:
            return
        self.stop()
        _remove_execution_trace_observer()
        self._registered = False
        if self.output_file_path.endswith(".gz"):
            try:
                with (
                    open(self.output_file_path_observer, "rb") as source,
                    gzip.open(self.output_file_path, "wb") as target,
                ):
                    shutil.copyfileobj(source, target)
                os.remove(self.output_file_path_observer)
            except Exception as e:
                warnings.warn(f"Failed to compress the execution trace: {e}", stacklevel=2)

    @property
    def is_registered(self) -> bool:
        """Whether there is a file to write to."""
        return self._registered

    def is_running(self) -> bool:
        """Whether calls are written."""
        return self._execution_trace_running

    def start(self) -> None:
        """Write from now on."""
        if self._execution_trace_running or not self._registered:
            return
        _enable_execution_trace_observer()
        self._execution_trace_running = True
        self._record_pg_config()

    def stop(self) -> None:
        """Write no more for now."""
        if self._execution_trace_running:
            _disable_execution_trace_observer()
            self._execution_trace_running = False

    def cleanup(self) -> None:
        """Write the end of the file."""
        self.unregister_callback()

    def get_output_file_path(self) -> str | None:
        """The file; None before one is registered."""
        return self.output_file_path if self.output_file_path else None

    def _record_pg_config(self) -> None:
        """Write the process groups, where there are some."""
