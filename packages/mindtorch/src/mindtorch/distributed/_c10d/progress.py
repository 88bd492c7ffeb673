"""The thread that carries exchanges on which nobody waits for, and tells of their ends.

MPI moves data only while somebody asks it. A caller that waits asks by itself; of calls that were
begun with ``async_op=True`` this thread asks, and completes their futures.

Functions that are called at ends may make calls of their own, and wait for them. All processes must
make the calls of a group in one order, but how these fall between those of the program is chance.
So ends are told one after the other, in the order in which they were asked for, by this thread
alone; and an engine keeps the calls of this thread apart from all others (:func:`here`).
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from mindtorch.futures._future import let_thread_work

__all__ = ["PAUSES", "carry", "give_way", "here", "tell"]

#: The pauses between two questions in seconds: the first after a change, and the longest.
PAUSES = (2e-5, 1e-3)


def give_way() -> None:
    """Let other threads and processes run, if any can."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        time.sleep(0)


_Told = tuple[Any, Callable[[BaseException | None], None]]


class _Progress:
    """The thread and what it has to do; it ends with the process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._carried: list[Any] = []
        #: What is to be told, begun by the program and by functions that this thread calls.
        self._outer: deque[_Told] = deque()
        self._inner: deque[_Told] = deque()
        self.thread = threading.Thread(target=self._run, name="pt_progress", daemon=True)
        self.thread.start()

    def carry(self, exchange: Any) -> None:
        with self._changed:
            self._carried.append(exchange)
            self._changed.notify()

    def tell(self, exchange: Any, function: Callable[[BaseException | None], None]) -> None:
        inner = threading.current_thread() is self.thread
        with self._changed:
            self._carried.append(exchange)
            (self._inner if inner else self._outer).append((exchange, function))
            self._changed.notify()

    def _run(self) -> None:
        let_thread_work(self._wait_inside)
        pause = PAUSES[0]
        while True:
            with self._changed:
                while not (self._carried or self._outer or self._inner):
                    self._changed.wait()
                    pause = PAUSES[0]
            # A function's own calls end before the next is told, in all processes alike.
            moved = self._turn(self._inner or self._outer)
            now = time.monotonic()
            if moved or any(now < each.eager_until for each in self._carried):
                pause = PAUSES[0]
                give_way()
            else:
                pause = min(1.2 * pause, PAUSES[1])
                time.sleep(pause)

    def _wait_inside(self) -> None:
        """A turn while a function that was called here waits: for calls of such functions only."""
        if not self._turn(self._inner):
            time.sleep(PAUSES[0])

    def _turn(self, queue: deque[_Told]) -> bool:
        """Ask once for all, and tell of the first of *queue* if it has ended; whether any has."""
        with self._changed:
            carried = list(self._carried)
        ended = {id(each) for each in carried if each.done()}
        if ended:
            with self._changed:
                self._carried = [each for each in self._carried if id(each) not in ended]
        if queue and queue[0][0].done():
            exchange, function = queue.popleft()
            function(exchange.error)
            return True
        return bool(ended)


_LOCK = threading.Lock()
_progress: _Progress | None = None


def _running() -> _Progress:
    global _progress
    with _LOCK:
        if _progress is None or not _progress.thread.is_alive():  # a fork leaves threads behind
            _progress = _Progress()
        return _progress


def carry(exchange: Any) -> None:
    """Ask MPI for *exchange* until it has ended."""
    _running().carry(exchange)


def tell(exchange: Any, function: Callable[[BaseException | None], None]) -> None:
    """Call *function* in the thread with the error of *exchange*, or None, once it has ended."""
    _running().tell(exchange, function)


def here() -> bool:
    """Whether the caller is the thread, which is to say a function that was told of an end."""
    return _progress is not None and threading.current_thread() is _progress.thread
