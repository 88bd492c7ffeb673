"""What the system knows of a thread or process: its name, and whom its end is told."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

__all__ = ["_get_thread_name", "_prctl_pr_set_pdeathsig", "_set_thread_name"]

#: What the kernel keeps of a name.
_LONGEST = 15


def _place() -> Path:
    return Path(f"/proc/self/task/{threading.get_native_id()}/comm")


def _set_thread_name(name: str) -> None:
    """Call this thread *name*; nothing where the system has no such names."""
    place = _place()
    if place.exists():
        place.write_bytes(name.encode()[:_LONGEST])


def _get_thread_name() -> str:
    """What this thread is called."""
    place = _place()
    if not place.exists():
        return threading.current_thread().name
    return place.read_text().rstrip("\n")


def _prctl_pr_set_pdeathsig(sig: int) -> None:
    """Have the system send this process *sig* when its parent ends; nothing outside Linux."""
    if sys.platform != "linux":
        return
    import ctypes  # costly, and only processes that were started here need it

    set_pdeathsig = 1
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(set_pdeathsig, int(sig), 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
