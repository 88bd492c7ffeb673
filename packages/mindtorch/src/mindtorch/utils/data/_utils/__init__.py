"""What loaders, their workers and their threads share."""

from __future__ import annotations

import atexit
import multiprocessing.util  # before the flag: what is registered last runs first
import sys

from ...._utils import ExceptionWrapper as ExceptionWrapper

IS_WINDOWS = sys.platform == "win32"
#: How often, in seconds, a process that waits looks whether the others still live.
MP_STATUS_CHECK_INTERVAL = 5.0
#: Whether the interpreter is going down: True from its last steps on, None after the module.
python_exit_status: bool | None = False
HAS_NUMPY = True


def _set_python_exit_flag() -> None:
    """From here on workers are the business of ``multiprocessing``, which ends daemons."""
    global python_exit_status
    python_exit_status = True


atexit.register(_set_python_exit_flag)

from . import collate, fetch, pin_memory, signal_handling, worker  # noqa: E402  # which read those

_FIRST = multiprocessing.util

__all__ = ["collate", "fetch", "pin_memory", "signal_handling", "worker"]
