"""Agents, which start processes and watch them: the names of their states."""

from __future__ import annotations

from .api import (
    WorkerSpec,
    WorkerState,
)

__all__ = [
    "WorkerSpec",
    "WorkerState",
]
