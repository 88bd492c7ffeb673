"""Starting processes and knowing how they end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .api import (
    DefaultLogsSpecs,
    LogsDest,
    LogsSpecs,
    MultiprocessContext,
    PContext,
    RunProcsResult,
    SignalException,
    Std,
    SubprocessContext,
    to_map,
)
from .errors import ChildFailedError, ProcessFailure, record

__all__ = [
    "ChildFailedError",
    "DefaultLogsSpecs",
    "LogsDest",
    "LogsSpecs",
    "MultiprocessContext",
    "PContext",
    "ProcessFailure",
    "RunProcsResult",
    "SignalException",
    "Std",
    "SubprocessContext",
    "record",
    "start_processes",
    "to_map",
]


def start_processes(name: str, entrypoint: Callable[..., Any] | str, *args: Any, **kw: Any) -> Any:
    """Refuse: launches start processes, see ``torch.distributed.launcher``."""
    raise RuntimeError(
        f"cannot start processes for {name}: start_processes is not available; use "
        "torch.distributed.launcher.elastic_launch or torch.multiprocessing.spawn"
    )
