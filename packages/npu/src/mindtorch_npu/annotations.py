"""Ranges that a program names (``record_function``), beside the history of memory.

Source: torch csrc/cuda/memory_snapshot.cpp, _initRecordAnnotations.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any

from mindtorch_npu import thread_state

__all__ = ["Annotations", "named_ranges"]


class Annotations:
    """Where named ranges begin and end, while the history of memory is recorded."""

    def __init__(self) -> None:
        #: Whether ranges are noted now.
        self.on = False
        self._thread: int | None = None  # the only one whose ranges are; None: all of them
        self._entries: deque[dict[str, Any]] = deque()

    def record(self, on: bool, max_entries: int, every_thread: bool, clear: bool) -> None:
        """Start or stop; by default the ranges of this thread are noted."""
        if clear or not on:
            self._entries.clear()
        self._entries = deque(self._entries, min(max_entries, 1 << 31) if on else 0)
        self._thread = None if every_thread else threading.get_ident()
        self.on = on

    def note(self, name: str, stage: str) -> None:
        """A range begins (``START``) or ends (``END``)."""
        if self._thread is None or self._thread == threading.get_ident():
            now = time.time_ns() // 1000
            entry = {"name": name, "stage": stage, "device": thread_state.tls.device}
            self._entries.append(entry | {"time_us": now})

    def shown(self) -> list[dict[str, Any]]:
        """What a snapshot tells of them."""
        return list(self._entries)


named_ranges = Annotations()
