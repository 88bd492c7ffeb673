"""Requests to workers and their answers: each message is answered, or an error takes its place."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, NamedTuple

from ...futures import Future
from ...futures._future import Future as AnyFuture
from .deadlines import Deadlines
from .membership import Membership
from .wire import Wire
from .worker_info import WorkerInfo

__all__ = ["Answer", "Handler", "Requests"]

#: How many answers may wait for each other at a time: callbacks of futures may make calls.
_ANSWERING = 512

#: The kinds of requests that run functions of users.
_FUNCTIONS = ("call", "remote", "script_call", "script_remote")

#: Sends what a function writes down, or why it could not.
Answer = Callable[[Callable[[], Any]], None]
#: Does what a worker's request of a kind asks for, and answers it.
Handler = Callable[[int, str, Any, Answer], None]


class _Expected(NamedTuple):
    """A request that is not answered yet."""

    future: AnyFuture
    to: int


def _late(limit: float) -> RuntimeError:
    return RuntimeError(
        f"RPCErr:1:RPC ran for more than set timeout ({round(limit * 1000)} ms) and will now be "
        "marked with an error"
    )


class Requests:
    """Sends requests to the workers of *membership*, and lets *handle* answer theirs.

    :param threads: how many requests that run functions of users are handled at the same time.
    """

    def __init__(self, membership: Membership, threads: int, handle: Handler) -> None:
        self._membership, self._handle, self.threads = membership, handle, threads
        self._functions = ThreadPoolExecutor(threads, thread_name_prefix="rpc")
        self._answers = ThreadPoolExecutor(_ANSWERING, thread_name_prefix="rpc-answer")
        self._deadlines = Deadlines()
        self._numbers = count()
        self._expected: dict[int, _Expected] = {}
        self._active = 0
        #: How many requests this worker has made that run functions of users.
        self.made = 0
        self._lock = threading.Lock()
        self._quiet = threading.Condition(self._lock)
        #: Whether it is measured how long requests of others wait for a thread.
        self.measures_waits = False
        self._waits = [0, 0]  # how many, and for how long in microseconds
        #: Whether this worker takes and makes no more requests.
        self.closed = False
        self._wire = Wire(membership.info.id, membership.secret, self._arrived, self._lost)

    @property
    def address(self) -> str:
        """Where this worker listens."""
        return self._wire.address

    # What is sent

    def request(self, worker: WorkerInfo, kind: str, content: Any, limit: float) -> AnyFuture:
        """Send a message; a future of the answer.

        :param limit: after how many seconds an error takes its place; 0 for never.
        """
        future: AnyFuture = Future()
        with self._lock:
            if self.closed:
                raise RuntimeError("RPC has been shut down")
            self.made += kind in _FUNCTIONS
            number = next(self._numbers)
            self._expected[number] = _Expected(future, worker.id)
        if limit:
            self.after(limit, lambda: self._answered(number, None, _late(limit)))
        self._transmit(worker, kind, number, content)
        return future

    def _transmit(self, worker: WorkerInfo, kind: str, number: int, content: Any) -> None:
        try:
            self._send(worker.id, (kind, number, content))
        except (OSError, EOFError) as error:
            self._answered(number, None, self._unreachable(worker, error))

    def after(self, seconds: float, function: Callable[[], None]) -> None:
        """Call *function* in so many seconds, unless this worker ends before."""
        self._deadlines.after(seconds, function)

    def _unreachable(self, worker: WorkerInfo, error: BaseException | str) -> RuntimeError:
        return RuntimeError(f"{self._membership.info!r} cannot reach {worker!r}: {error}")

    def _send(self, to: int, message: Any) -> None:
        data = pickle.dumps(message)
        if to == self._membership.info.id:
            self._arrived(to, data)
        else:
            self._wire.send(to, self._membership.address(to), data)

    def _answered(self, number: int, value: Any, error: BaseException | None) -> None:
        with self._lock:
            expected = self._expected.pop(number, None)
            self._quiet.notify_all()
        if expected is not None:  # else another answer has come before, or its time had passed
            expected.future._complete(value, error)

    def _lost(self, worker: int) -> None:
        """Let those that wait for an answer of *worker*, which is gone, wait no more."""
        with self._lock:
            waiting = [n for n, each in self._expected.items() if each.to == worker]
        if not waiting:
            return
        gone = self._membership.find(worker)
        error = self._unreachable(gone, "connection closed by the other end")
        for number in waiting:
            self._pass(self._answers, self._answered, number, None, error)

    # What arrives

    def _pass(self, pool: ThreadPoolExecutor, function: Any, *args: Any) -> None:
        try:
            pool.submit(function, *args)
        except RuntimeError:  # the pool is closed: so is this worker
            pass

    def _arrived(self, sender: int, data: bytes) -> None:
        kind, number, content = pickle.loads(data)
        if kind == "answer":
            self._pass(self._answers, self._answered, number, content, None)
        elif kind == "refusal":
            error = RuntimeError(content)
            self._pass(self._answers, self._answered, number, None, error)
        else:
            with self._lock:
                self._active += 1
            pool = self._functions if kind in _FUNCTIONS else self._answers
            self._pass(pool, self._serve, sender, kind, number, content, time.perf_counter())

    def _serve(self, sender: int, kind: str, number: int, content: Any, arrived: float) -> None:
        if self.measures_waits:
            waited = round((time.perf_counter() - arrived) * 1e6)
            with self._lock:
                self._waits = [self._waits[0] + 1, self._waits[1] + waited]

        def answer(write: Callable[[], Any]) -> None:
            try:
                message = "answer", number, write()
            except RuntimeError as error:
                message = "refusal", number, f"{error}"
            except Exception as error:  # pickle's, of what cannot be sent
                message = "refusal", number, f"{type(error).__name__}: {error}"
            self._reply(sender, message)

        try:
            self._handle(sender, kind, content, answer)
        except Exception as error:
            self._reply(sender, ("refusal", number, f"{error}"))

    def _reply(self, to: int, message: Any) -> None:
        try:
            self._send(to, message)
        except (OSError, EOFError):
            pass  # who asked is gone
        with self._lock:
            self._active -= 1
            self._quiet.notify_all()

    # The end

    def wait_until_quiet(self, timeout: float) -> None:
        """Wait until every request, of this worker and of others, is answered.

        :param timeout: for so many seconds at most; 0 for as long as it takes.
        """
        end = time.monotonic() + timeout if timeout else None
        with self._quiet:
            while self._expected or self._active:
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    return
                self._quiet.wait(1 if left is None else min(left, 1))

    def close(self) -> None:
        """Take and make no more requests."""
        with self._lock:
            self.closed = True
            waiting = list(self._expected)
        self._deadlines.close()
        self._wire.close()
        for number in waiting:
            self._answered(number, None, RuntimeError("RPC agent is shutting down"))
        self._functions.shutdown(wait=False, cancel_futures=True)
        self._answers.shutdown(wait=False, cancel_futures=True)

    def counts(self) -> tuple[int, int]:
        """How many requests are not answered yet: of this worker, and of others."""
        with self._lock:
            return len(self._expected), self._active

    def average_wait(self) -> float | None:
        """How many microseconds requests waited for a thread; None where it is not measured."""
        if not self.measures_waits:
            return None
        number, total = self._waits
        return total / number if number else 0.0
