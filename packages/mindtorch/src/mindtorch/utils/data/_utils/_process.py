"""What a process of a loader knows: how often it looks after others, and whether it is ending."""

from __future__ import annotations

import atexit
import multiprocessing.util  # before the flag: what is registered last runs first
import sys

IS_WINDOWS = sys.platform == "win32"
#: How often, in seconds, a process that waits looks whether the others still live.
MP_STATUS_CHECK_INTERVAL = 5.0
#: Whether the interpreter is going down: True from its last steps on, None after the module.
python_exit_status: bool | None = False

_FIRST = multiprocessing.util


def _set_python_exit_flag() -> None:
    """From here on workers are the business of ``multiprocessing``, which ends daemons."""
    global python_exit_status
    python_exit_status = True


atexit.register(_set_python_exit_flag)
