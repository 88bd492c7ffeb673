"""``torch.distributed.pipelining``: stages of a model in several processes; not available yet."""

from __future__ import annotations

from enum import Enum
from typing import Any

__all__ = [
    "Pipe",
    "PipelineStage",
    "Schedule1F1B",
    "ScheduleGPipe",
    "ScheduleInterleaved1F1B",
    "ScheduleInterleavedZeroBubble",
    "ScheduleLoopedBFS",
    "ScheduleZBVZeroBubble",
    "SplitPoint",
    "build_stage",
    "pipe_split",
    "pipeline",
]


class SplitPoint(Enum):
    """Where a model is split."""

    BEGINNING = 1
    END = 2


def _refuse(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("pipelines over several processes are not available yet")


class _Several:
    """What needs several processes."""

    __init__ = _refuse


class Pipe(_Several):
    """A model in stages."""


class PipelineStage(_Several):
    """A stage of a model."""


class ScheduleGPipe(_Several):
    """All forwards, then all backwards."""


class Schedule1F1B(_Several):
    """A backward after each forward."""


class ScheduleInterleaved1F1B(_Several):
    """Several stages to a process."""


class ScheduleInterleavedZeroBubble(_Several):
    """Several stages to a process without gaps."""


class ScheduleLoopedBFS(_Several):
    """Several stages to a process, breadth first."""


class ScheduleZBVZeroBubble(_Several):
    """Stages in the order of a V."""


def pipe_split() -> None:
    """Mark a place to split at; does nothing outside of a trace."""


def pipeline(*args: Any, **kwargs: Any) -> Any:
    """Split a model: refused."""
    return _refuse()


def build_stage(*args: Any, **kwargs: Any) -> Any:
    """Make a stage: refused."""
    return _refuse()
