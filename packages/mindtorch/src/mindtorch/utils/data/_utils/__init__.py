"""What loaders, their workers and their threads share."""

from __future__ import annotations

from typing import Any

from ...._utils import ExceptionWrapper as ExceptionWrapper
from . import _process, collate, fetch, pin_memory, signal_handling, worker
from ._process import IS_WINDOWS as IS_WINDOWS
from ._process import MP_STATUS_CHECK_INTERVAL as MP_STATUS_CHECK_INTERVAL
from ._process import _set_python_exit_flag as _set_python_exit_flag

HAS_NUMPY = True

__all__ = ["collate", "fetch", "pin_memory", "signal_handling", "worker"]


def __getattr__(name: str) -> Any:
    if name == "python_exit_status":  # it changes
        return _process.python_exit_status
    raise AttributeError(f"module 'torch.utils.data._utils' has no attribute '{name}'")
