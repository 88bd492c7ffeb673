"""Agents, which start processes and watch them: the names of their states."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from mindtorch.core.unavailable import offer_listed

__all__ = ["WorkerSpec", "WorkerState"]


class WorkerState(str, Enum):  # noqa: UP042  (torch's bases)
    """How a group of processes is."""

    UNKNOWN = "UNKNOWN"
    INIT = "INIT"
    HEALTHY = "HEALTHY"
    UNHEALTHY = "UNHEALTHY"
    STOPPED = "STOPPED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"

    @staticmethod
    def is_running(state: Any) -> bool:
        """Whether processes run."""
        return state in (WorkerState.HEALTHY, WorkerState.UNHEALTHY)


@dataclass
class WorkerSpec:
    """What processes are to be started."""

    role: str
    local_world_size: int
    rdzv_handler: Any
    fn: Any = None
    entrypoint: Any = None
    args: tuple[Any, ...] = ()
    max_restarts: int = 3
    monitor_interval: float = 0.1
    master_port: int | None = None
    master_addr: str | None = None
    local_addr: str | None = None


offer_listed(globals())
