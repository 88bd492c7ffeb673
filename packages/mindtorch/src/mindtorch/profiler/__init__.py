"""``torch.profiler``: what a program runs, how long it takes, on which stream."""

from __future__ import annotations

import os
from typing import Any

from .._C._autograd import (  # type: ignore[attr-defined]  # lazy names
    DeviceType,
    _supported_activities,
    kineto_available,
)
from .._C._profiler import ProfilerActivity, RecordScope, _ExperimentalConfig
from ..autograd.profiler import KinetoStepTracker, record_function
from ..core.submodules import reached as _reached
from ..optim.optimizer import Optimizer, register_optimizer_step_post_hook
from . import itt
from .profiler import (
    ExecutionTraceObserver,
    ProfilerAction,
    _KinetoProfile,
    profile,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

__all__ = [
    "profile",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
    "ProfilerAction",
    "ProfilerActivity",
    "kineto_available",
    "DeviceType",
    "record_function",
    "ExecutionTraceObserver",
]


def _optimizer_post_hook(optimizer: Optimizer, args: tuple[Any, ...], kwargs: Any) -> None:
    KinetoStepTracker.increment_step("Optimizer")


if os.environ.get("KINETO_USE_DAEMON", ""):
    _ = register_optimizer_step_post_hook(_optimizer_post_hook)


__getattr__ = _reached(__name__, ("_pattern_matcher", "_utils"))


def __dir__() -> list[str]:
    return sorted({*__all__, "itt", "profiler"})
