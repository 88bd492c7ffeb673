"""The threads that run streams: what they do first, and how they end with the interpreter."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

__all__ = ["Stoppable", "halt", "on_worker_start", "setups", "started", "stop_all"]


class Stoppable(Protocol):
    """A stream that ever had a worker."""

    def stop(self) -> None:
        """Forget what waits, and wake whoever waits for it."""
        ...

    def join(self, seconds: float) -> None:
        """Wait so long for the worker to end."""
        ...


halt = threading.Event()  # set once, when the interpreter exits
setups: list[Callable[[], object]] = []
started: list[Stoppable] = []


def on_worker_start(setup: Callable[[], object]) -> None:
    """Call *setup* at the start of every worker thread (say, to set numpy's error state)."""
    setups.append(setup)


def stop_all() -> None:
    """At interpreter exit: let the kernel that runs now finish, start no other.

    A daemon thread that is inside numpy when the interpreter goes away may abort the process.
    """
    halt.set()
    for queue in started:
        queue.stop()
    deadline = time.monotonic() + 5.0
    for queue in started:
        queue.join(max(0.0, deadline - time.monotonic()))
