"""Timers: clients ask for them, a server ends whoever lets one expire."""

from __future__ import annotations

import abc
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import getframeinfo, stack
from typing import Any

__all__ = ["RequestQueue", "TimerClient", "TimerRequest", "TimerServer", "configure", "expires"]

logger = logging.getLogger(__name__)


class TimerRequest:
    """A wish of a process: a timer until *expiration_time*, or its end where that is negative."""

    __slots__ = ["expiration_time", "scope_id", "worker_id"]

    def __init__(self, worker_id: Any, scope_id: str, expiration_time: float) -> None:
        self.worker_id, self.scope_id = worker_id, scope_id
        self.expiration_time = expiration_time

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TimerRequest):
            return False
        return (
            self.worker_id == other.worker_id
            and self.scope_id == other.scope_id
            and self.expiration_time == other.expiration_time
        )


class TimerClient(abc.ABC):
    """Asks for timers."""

    @abc.abstractmethod
    def acquire(self, scope_id: str, expiration_time: float) -> None:
        """Ask for one."""

    @abc.abstractmethod
    def release(self, scope_id: str) -> None:
        """Give one back."""


class RequestQueue(abc.ABC):
    """Takes wishes from clients to a server."""

    @abc.abstractmethod
    def size(self) -> int:
        """How many wait."""

    @abc.abstractmethod
    def get(self, size: int, timeout: float) -> list[TimerRequest]:
        """Up to *size* of them, waiting no more than *timeout* seconds."""


class TimerServer(abc.ABC):
    """Looks after timers, and ends processes that let one expire."""

    def __init__(
        self, request_queue: RequestQueue, max_interval: float, daemon: bool = True
    ) -> None:
        super().__init__()
        self._request_queue, self._max_interval, self._daemon = request_queue, max_interval, daemon
        self._watchdog_thread: threading.Thread | None = None
        self._stop_signaled = False

    @abc.abstractmethod
    def register_timers(self, timer_requests: list[TimerRequest]) -> None:
        """Take wishes."""

    @abc.abstractmethod
    def clear_timers(self, worker_ids: set[Any]) -> None:
        """Forget the timers of processes."""

    @abc.abstractmethod
    def get_expired_timers(self, deadline: float) -> dict[str, list[TimerRequest]]:
        """The timers that end before *deadline*, by process."""

    @abc.abstractmethod
    def _reap_worker(self, worker_id: Any) -> bool:
        """End a process; whether that went well."""

    def _reap_worker_no_throw(self, worker_id: Any) -> bool:
        try:
            return self._reap_worker(worker_id)
        except Exception:
            logger.exception("Uncaught exception thrown from _reap_worker()")
            return True

    def _watchdog_loop(self) -> None:
        while not self._stop_signaled:
            try:
                self._run_watchdog()
            except Exception:
                logger.exception("Error running watchdog")

    def _run_watchdog(self) -> None:
        count = max(1, self._request_queue.size())
        self.register_timers(self._request_queue.get(count, self._max_interval))
        reaped = {
            worker
            for worker in self.get_expired_timers(time.time())
            if self._reap_worker_no_throw(worker)
        }
        self.clear_timers(reaped)

    def _get_scopes(self, timer_requests: list[TimerRequest]) -> list[str]:
        return [r.scope_id for r in timer_requests]

    def start(self) -> None:
        """Begin to look after timers, in a thread."""
        self._watchdog_thread = threading.Thread(target=self._watchdog_loop, daemon=self._daemon)
        self._watchdog_thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stop_signaled = True
        if self._watchdog_thread:
            self._watchdog_thread.join(self._max_interval)
            self._watchdog_thread = None


_timer_client: TimerClient | None = None


def configure(timer_client: TimerClient) -> None:
    """Let :func:`expires` ask *timer_client*."""
    global _timer_client
    _timer_client = timer_client


@contextmanager
def expires(
    after: float, scope: str | None = None, client: TimerClient | None = None
) -> Iterator[None]:
    """Have the process ended if the block takes longer than *after* seconds.

    Raises RuntimeError where no client was configured.
    """
    client = _timer_client if client is None else client
    if client is None:
        raise RuntimeError("Configure timer client before using countdown timers.")
    if scope is None:
        caller = getframeinfo(stack()[2][0])
        scope = f"{caller.filename}#{caller.lineno}"
    client.acquire(scope, time.time() + after)
    try:
        yield
    finally:
        client.release(scope)
