"""``torch_npu.profiler``: torch's profiler, with the hardware's names.

What only hardware can count (metrics of its cores, caches) is taken and remembered; the traces are
those of ``torch.profiler``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from mindtorch import profiler
from mindtorch.profiler import ProfilerAction

__all__ = [
    "AiCMetrics",
    "ExportType",
    "ProfilerAction",
    "ProfilerActivity",
    "ProfilerLevel",
    "profile",
    "schedule",
    "supported_activities",
    "supported_ai_core_metrics",
    "supported_export_type",
    "supported_profiler_level",
    "tensorboard_trace_handler",
]


class ProfilerActivity:
    """What is watched."""

    CPU = profiler.ProfilerActivity.CPU
    NPU = profiler.ProfilerActivity.PrivateUse1


class ExportType(Enum):
    """How results are written."""

    Text = "text"
    Db = "db"


class ProfilerLevel(Enum):
    """How much the hardware tells."""

    Level_none = "Level_none"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class AiCMetrics(Enum):
    """What the hardware's cores count."""

    AiCoreNone = "ACL_AICORE_NONE"
    PipeUtilization = "ACL_AICORE_PIPE_UTILIZATION"
    ArithmeticUtilization = "ACL_AICORE_ARITHMETIC_UTILIZATION"
    Memory = "ACL_AICORE_MEMORY_BANDWIDTH"
    MemoryL0 = "ACL_AICORE_L0B_AND_WIDTH"
    MemoryUB = "ACL_AICORE_MEMORY_UB"
    ResourceConflictRatio = "ACL_AICORE_RESOURCE_CONFLICT_RATIO"
    L2Cache = "ACL_AICORE_L2_CACHE"
    MemoryAccess = "ACL_AICORE_MEMORY_ACCESS"


class _ExperimentalConfig:
    """Settings of the hardware's profiler, as attributes."""

    def __init__(
        self,
        profiler_level: ProfilerLevel = ProfilerLevel.Level0,
        aic_metrics: AiCMetrics = AiCMetrics.AiCoreNone,
        export_type: ExportType | list[ExportType] = ExportType.Text,
        **settings: Any,
    ) -> None:
        self.profiler_level, self.aic_metrics = profiler_level, aic_metrics
        self.export_type = export_type
        self.__dict__.update(settings)


class profile(profiler.profile):
    """``torch.profiler.profile``, by default of the host and the NPU."""

    def __init__(
        self,
        activities: Iterable[Any] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: _ExperimentalConfig | None = None,
        use_cuda: bool | None = None,
    ) -> None:
        super().__init__(
            activities=supported_activities() if activities is None else activities,
            schedule=schedule,
            on_trace_ready=on_trace_ready,
            record_shapes=record_shapes,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_flops=with_flops,
            with_modules=with_modules,
        )
        self.npu_config = experimental_config or _ExperimentalConfig()


def schedule(
    wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0
) -> Callable[[int], ProfilerAction]:
    """``torch.profiler.schedule``."""
    return profiler.schedule(
        wait=wait, warmup=warmup, active=active, repeat=repeat, skip_first=skip_first
    )


def tensorboard_trace_handler(
    dir_name: str,
    worker_name: str | None = None,
    analyse_flag: bool = True,
    async_mode: bool = False,
) -> Callable[[Any], None]:
    """``torch.profiler.tensorboard_trace_handler``: traces are written as they are."""
    return profiler.tensorboard_trace_handler(dir_name, worker_name)


def supported_activities() -> set[Any]:
    """The host and the NPU."""
    return {ProfilerActivity.CPU, ProfilerActivity.NPU}


def supported_profiler_level() -> set[ProfilerLevel]:
    """All levels."""
    return set(ProfilerLevel)


def supported_ai_core_metrics() -> set[AiCMetrics]:
    """All metrics."""
    return set(AiCMetrics)


def supported_export_type() -> set[ExportType]:
    """All ways."""
    return set(ExportType)
