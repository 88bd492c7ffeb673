"""The profiler of older releases: its interface over what the present one finds."""

from __future__ import annotations

from typing import Any

from .._C._profiler import ProfilerConfig, ProfilerState, _ExperimentalConfig
from .._C._thread_profiler import ThreadProfiler
from ..core.warning import warn
from .profiler import _enter_once
from .profiler_threads import events_of
from .profiler_util import EventList

__all__ = ["profile"]


class profile:
    """Follow what a ``with`` block runs; ``torch.profiler`` is to be used instead.

    :param enabled: False does nothing.
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
    ) -> None:
        self.enabled: bool = enabled
        if not self.enabled:
            return
        self.use_cuda = use_cuda
        self.function_events: EventList | None = None
        self.entered = False
        self.record_shapes = record_shapes | with_flops
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_modules = with_modules
        if self.use_cuda:
            warn("CUDA is not available, disabling CUDA profiling")
            self.use_cuda = False

    def config(self) -> ProfilerConfig:
        """What the profiler is told."""
        recorded = (self.record_shapes, self.profile_memory, self.with_stack)
        more = (self.with_flops, self.with_modules, _ExperimentalConfig())
        return ProfilerConfig(ProfilerState.CPU, *recorded, *more)

    def __enter__(self) -> profile | None:
        if not _enter_once(self, "Profiler"):
            return None
        self._start_trace()
        return self

    def _start_trace(self) -> None:
        self._run = ThreadProfiler(self.config())
        self._run.begin()

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        if not self.enabled:
            return
        self._run.end()
        self.function_events = EventList(
            events_of(self._run), profile_memory=self.profile_memory, with_flops=self.with_flops
        )
        self.function_events._build_tree()

    def __repr__(self) -> str:
        if self.function_events is None:
            return "<unfinished profiler_legacy.profile>"
        return repr(self.function_events)

    def __str__(self) -> str:
        if self.function_events is None:
            return "<unfinished profiler_legacy.profile>"
        return str(self.function_events)

    def _check_finish(self) -> EventList:
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

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
        return self._check_finish().table(
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            top_level_events_only=top_level_events_only,
        )

    def export_chrome_trace(self, path: str) -> None:
        """Write the trace for Perfetto or Chrome to *path*."""
        self._check_finish().export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write each stack with its time, for flame graphs."""
        self._check_finish()
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        self._check_finish().export_stacks(path, metric)

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0
    ) -> EventList:
        """The sums of events of one name."""
        return self._check_finish().key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self) -> Any:
        """The sum of all events."""
        return self._check_finish().total_average()

    @property
    def self_cpu_time_total(self) -> float:
        """Time on the host, of all events."""
        return self._check_finish().self_cpu_time_total
