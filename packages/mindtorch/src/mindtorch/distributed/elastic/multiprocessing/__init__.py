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
    """Refuse: several processes are not available yet."""
    raise RuntimeError(
        f"cannot start processes for {name}: several processes are not available yet"
    )
