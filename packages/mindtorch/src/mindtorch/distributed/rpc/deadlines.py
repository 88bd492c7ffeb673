"""Errors for calls that take too long, given by one thread."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable
from itertools import count

__all__ = ["Deadlines"]


class Deadlines:
    """Calls functions when their time has come. The thread begins with the first of them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None
        self._closed = False

    def after(self, seconds: float, function: Callable[[], None]) -> None:
        """Call *function* in so many seconds; it returns where nothing is to be done any more."""
        with self._changed:
            at = time.monotonic() + seconds
            heapq.heappush(self._waiting, (at, next(self._numbers), function))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="rpc-time", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (
                    not self._waiting or self._waiting[0][0] > time.monotonic()
                ):
                    first = self._waiting[0][0] - time.monotonic() if self._waiting else None
                    self._changed.wait(first)
                if self._closed:
                    return
                function = heapq.heappop(self._waiting)[2]
            function()

    def close(self) -> None:
        """Call none of those that are left."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify()
