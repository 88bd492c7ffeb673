"""Timers of processes of this host, asked for through a queue."""

from __future__ import annotations

import logging
import os
import signal
import time
from queue import Empty
from typing import Any

from .api import RequestQueue, TimerClient, TimerRequest, TimerServer

__all__ = ["LocalTimerClient", "LocalTimerServer", "MultiprocessingRequestQueue"]

logger = logging.getLogger(__name__)


class LocalTimerClient(TimerClient):
    """Asks for timers through *mp_queue*."""

    def __init__(self, mp_queue: Any) -> None:
        super().__init__()
        self._mp_queue = mp_queue

    def acquire(self, scope_id: str, expiration_time: float) -> None:
        """Ask for a timer of this process."""
        self._mp_queue.put(TimerRequest(os.getpid(), scope_id, expiration_time))

    def release(self, scope_id: str) -> None:
        """Give it back."""
        self._mp_queue.put(TimerRequest(os.getpid(), scope_id, -1))


class MultiprocessingRequestQueue(RequestQueue):
    """A queue between processes."""

    def __init__(self, mp_queue: Any) -> None:
        super().__init__()
        self._mp_queue = mp_queue

    def size(self) -> int:
        """How many wishes wait."""
        return int(self._mp_queue.qsize())

    def get(self, size: int, timeout: float) -> list[TimerRequest]:
        """Up to *size* wishes, waiting no more than *timeout* seconds."""
        found: list[TimerRequest] = []
        wait = timeout
        for _ in range(size):
            began = time.time()
            try:
                found.append(self._mp_queue.get(block=True, timeout=wait))
            except Empty:
                break
            wait -= time.time() - began
            if wait <= 0:
                break
        return found


class LocalTimerServer(TimerServer):
    """Ends processes of this host."""

    def __init__(self, mp_queue: Any, max_interval: float = 60, daemon: bool = True) -> None:
        super().__init__(MultiprocessingRequestQueue(mp_queue), max_interval, daemon)
        self._timers: dict[tuple[Any, str], TimerRequest] = {}

    def register_timers(self, timer_requests: list[TimerRequest]) -> None:
        """Take wishes."""
        for request in timer_requests:
            key = (request.worker_id, request.scope_id)
            if request.expiration_time < 0:
                self._timers.pop(key, None)
            else:
                self._timers[key] = request

    def clear_timers(self, worker_ids: set[int]) -> None:
        """Forget the timers of processes."""
        for key in [k for k in self._timers if k[0] in worker_ids]:
            del self._timers[key]

    def get_expired_timers(self, deadline: float) -> dict[Any, list[TimerRequest]]:
        """The timers that end before *deadline*, by process."""
        found: dict[Any, list[TimerRequest]] = {}
        for request in self._timers.values():
            if request.expiration_time <= deadline:
                found.setdefault(request.worker_id, []).append(request)
        return found

    def _reap_worker(self, worker_id: int) -> bool:
        try:
            os.kill(worker_id, signal.SIGKILL)
        except ProcessLookupError:  # it has ended by itself
            logger.info("Process with pid=%s does not exist. Skipping", worker_id)
        except Exception:
            logger.exception("Error terminating pid=%s", worker_id)
            return False
        return True
