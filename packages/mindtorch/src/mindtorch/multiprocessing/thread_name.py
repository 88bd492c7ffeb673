"""The name of a thread as the system shows it."""

from __future__ import annotations

import threading
from pathlib import Path

__all__ = ["_get_thread_name", "_set_thread_name"]

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
