"""The threads that run streams: what they do first, and how they end with the interpreter."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindtorch_npu.workqueue import WorkQueue

__all__ = ["halt", "on_worker_start", "setups", "started", "stop_all"]

halt = threading.Event()  # set once, when the interpreter exits
setups: list[Callable[[], object]] = []
started: list[WorkQueue] = []  # queues that ever had a worker


def on_worker_start(setup: Callable[[], object]) -> None:
    """Call *setup* at the start of every worker thread (say, to set numpy's error state)."""
    setups.append(setup)


def stop_all() -> None:
    """At interpreter exit: let the kernel that runs now finish, start no other.

    A daemon thread that is inside numpy when the interpreter goes away may abort the process.
    """
    halt.set()
    for queue in started:
        queue.held = [*queue.held]
        queue.entries.clear()
        # Its worker, and workers of other streams that wait for what will not come.
        for gate in (queue._wake, *[gate for gate, _ in tuple(queue._waiters)]):
            try:
                gate.release()
            except RuntimeError:
                pass
    deadline = time.monotonic() + 5.0
    for queue in started:
        thread = queue._thread
        if thread is not None and thread is not threading.current_thread():
            try:
                thread.join(max(0.0, deadline - time.monotonic()))
            except RuntimeError:
                pass  # its start was broken off
