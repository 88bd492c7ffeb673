"""A stream of the simulator: a FIFO of kernels that run asynchronously to Python.

Note [Who runs a queued kernel]. A queue has a worker thread, which guarantees progress: work that
was queued runs whether or not anybody waits for it. But handing each kernel to another thread costs
two context switches and a fight for the GIL, tens of times the price of a small kernel. So a thread
that *waits* for an entry does not just sleep: when nobody is running the queue it runs the entries
itself, in order, up to the one it needs. Whoever runs the queue has its ``turn``; the worker and
helpers exclude each other, so the order is always that of the queue. A program which launches a
few hundred small kernels and then reads a number pays one wake-up, not one for each kernel.

A kernel that takes a fraction of a millisecond is run by the launching thread at once where its
stream is idle. Handing it over would take longer than to run it, for a worker gets the GIL from a
busy thread after five milliseconds only; and nobody can tell the difference, as the launch has
returned before anybody can know of it. It has the turn meanwhile, so what others queue comes after
it. Everything else goes into the queue.

Note [No wake-up is lost]. The worker announces sleep (``_awake = False``) *before* it looks at the
queue for a last time; an enqueuer appends *before* it reads ``_awake``. One of both sees the other.
The same holds between the worker that finds the queue taken and the helper that gives it back.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from opcode import opmap
from types import FrameType
from typing import Any

from mindtorch_npu import faults, timeline
from mindtorch_npu.arenas import arena_of
from mindtorch_npu.call_site import describe
from mindtorch_npu.captures import Capture, Point, check_safe, underway
from mindtorch_npu.completion import BUSY, Ticket, wait
from mindtorch_npu.timing_event import Mark
from mindtorch_npu.turn import NEVER, Turn
from mindtorch_npu.workers import halt, setups, started

__all__ = ["AT_ONCE", "WorkQueue"]

# As on hardware, a launch blocks when too much is waiting; the launching thread then runs half.
_QUEUE_LIMIT = 1024
# A kernel that looks at so many bytes takes some 0.3 ms.
AT_ONCE = 1 << 22
# A worker that had nothing to do for so long ends; the next launch starts another.
_IDLE_SECONDS = 5.0
# After so long who waits for the thread that runs a queue looks whether there is one.
_BELT_SECONDS = 0.1
#: What takes a turn.
_TAKES = opmap["DELETE_ATTR"]
_recovering = threading.Lock()
#: Errors that streams heard of from streams which they waited for, and all these streams.
_spread: list[tuple[BaseException, WorkQueue]] = []


class WorkQueue:
    """One stream. All methods may be called from any thread."""

    __slots__ = (
        "__weakref__",
        "_awake",
        "_done",
        "_runner",
        "_thread",
        "_waiters",
        "_wake",
        "arena",
        "at_once",
        "blocking",
        "captured_by",
        "device_index",
        "entries",
        "error",
        "handle",
        "label",
        "later_errors",
        "special",
        "stream_id",
        "turn",
    )

    def __init__(
        self,
        device_index: int,
        stream_id: int,
        handle: int,
        *,
        label: str,
        blocking: bool = False,
    ) -> None:
        self.device_index = device_index
        self.stream_id = stream_id
        self.handle = handle
        self.label = label
        self.blocking = blocking
        self.captured_by: Capture | None = None  # see capturing_queues.py
        self.special = False
        self.error: BaseException | None = None
        self.later_errors = 0
        self.entries: deque[Ticket] = deque()  # empty: nothing runs or waits
        self._done: Ticket = [None, None, "", None, self]
        self.turn = Turn()  # of who runs a kernel
        self.at_once = self.turn  # of who launches one, to run it at once
        self.refresh()
        self._runner = 0  # the thread that has the turn; 0: nobody, or nobody has said so yet
        self._wake = threading.Lock()
        self._wake.acquire()
        self._awake = False
        self._thread: threading.Thread | None = None
        self._waiters: list[tuple[Any, Ticket]] = []

    # ---- adding work

    def launch(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...],
        name: str,
        site: Any,
        nbytes: int,
    ) -> Ticket:
        """:meth:`enqueue`, or run it now: a kernel that looks at *nbytes* bytes."""
        if nbytes <= AT_ONCE:
            try:
                if self.compute(function, *args) is not BUSY:
                    return self._done
            except Exception as error:
                self.keep_error(error, name, site)
                return self._done
        return self.enqueue(function, args, name, site)

    def compute(self, function: Callable[..., Any], *args: Any) -> Any:
        """``function(*args)``, run at once as the next kernel; BUSY where it has to wait."""
        if self.entries:
            return BUSY
        turn: Any = self.at_once  # see _frames_of
        try:
            del turn.free
        except AttributeError:
            return BUSY
        try:
            return function(*args)
        finally:
            turn.free = True
            turn = None
            if self.entries:
                self.rouse()

    def rouse(self) -> None:
        """Something waits: wake the worker if it sleeps."""
        if not self._awake:
            self._rouse()

    def enqueue(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...] = (),
        name: str = "",
        site: Any = None,
    ) -> Ticket:
        """Queue ``function(*args)``; return at once (but see ``special``)."""
        if self.special:
            return self._enqueue_specially(function, args, name, site)
        return self._append(function, args, name, site)

    def _append(self, *ticket_parts: Any) -> Ticket:
        ticket = [*ticket_parts, self]
        self.entries.append(ticket)
        if not self._awake:
            self._rouse()
        if len(self.entries) > _QUEUE_LIMIT:
            self._throttle()
        return ticket

    def _enqueue_specially(
        self, function: Callable[..., object], args: tuple[Any, ...], name: str, site: Any
    ) -> Ticket:
        """With faults, lanes that are recorded, or launches that block."""
        if faults.kernels:
            function = faults.failing(self.device_index, name, function)
        if timeline.recording is not None:
            function = timeline.recording.timed(self, name, site, function)
        ticket = self._append(function, args, name, site)
        if self.blocking:
            wait(ticket)
        return ticket

    def refresh(self) -> None:
        """Faults or lanes came or went, or requests for memory are diverted or no longer so."""
        self.special = bool(self.blocking or faults.kernels or timeline.recording is not None)
        self.at_once = NEVER if self.special else self.turn
        self.arena = arena_of(self.device_index, self.handle)

    def sleep(self, nanoseconds: int) -> Ticket:
        """Queue work that takes so long."""
        ticket = self._enqueue_mark(nanoseconds)[1]
        time.sleep(0)  # give the worker the GIL: it should be asleep while Python goes on
        return ticket

    def mark(self) -> tuple[Mark, Ticket | None]:
        """Record the time at which everything queued so far ends."""
        if self.turn.is_free() and not self.entries:
            mark = Mark(0, time.perf_counter_ns(), None)
            mark.run()
            return mark, None
        return self._enqueue_mark(0)

    def _enqueue_mark(self, nanoseconds: int) -> tuple[Mark, Ticket]:
        mark = Mark(nanoseconds, None, None)
        try:
            last = self.entries[-1][0]
        except IndexError:
            mark.start = time.perf_counter_ns()
        else:
            owner = getattr(last, "__self__", None)
            if type(owner) is Mark:
                mark.previous = owner
        return mark, self.enqueue(mark.run, (), "sleep" if nanoseconds else "event")

    def last(self) -> Ticket | None:
        """The newest unfinished entry; None when the stream is idle."""
        try:
            return self.entries[-1]
        except IndexError:  # unless another thread runs what it launches
            return None if self.turn.is_free() else self._append(int, (), "", None)

    def point(self) -> Ticket | None:
        """What others wait for: :meth:`last`; where it failed and nobody knows, also if idle."""
        last = self.last()
        return self._done if last is None and self.error is not None else last

    def wait_for(self, ticket: Ticket | Point | None) -> None:
        """Work queued from now on starts after *ticket* (of any stream).

        If that stream's work has failed, whoever waits for this stream hears of it too.
        """
        if type(ticket) is Point:
            ticket.join(self)
            return
        if ticket is None or ticket[4] is self:
            return
        if ticket[0] is None and ticket[4].error is None:
            return
        # Behind what is queued here, which may have errors of its own to tell.
        self.enqueue(self._wait_for, (ticket,), "wait_event")

    def _wait_for(self, ticket: Ticket) -> None:
        other = ticket[4]
        other.finish(ticket)
        if other.error is not None:
            self._hear(other)

    def _hear(self, other: WorkQueue) -> None:
        error = other.error
        if error is not None and self.error is None:
            self.error = error
            _spread.append((error, other))
            _spread.append((error, self))

    # ---- waiting

    def query(self) -> bool:
        """Whether all queued work has finished."""
        if underway:
            check_safe()
        if self.entries or not self.turn.is_free():
            time.sleep(0)  # somebody who polls must let the worker have the GIL
        return self.turn.is_free() and not self.entries

    def synchronize(self) -> None:
        """Wait for all work queued so far, then raise the error of a kernel, if there was one."""
        if underway:
            check_safe()
        ticket = self.last()
        if ticket is not None:
            self.finish(ticket)
        if self.error is not None:
            self.raise_error()

    def raise_error(self) -> None:
        """Raise the first error since the last call; the stream is usable again."""
        error, self.error = self.error, None
        later, self.later_errors = self.later_errors, 0
        for entry in tuple(_spread):  # it is told once
            if entry[0] is error:
                with suppress(ValueError):  # another thread was quicker
                    _spread.remove(entry)
                if entry[1].error is error:
                    entry[1].error = None
        if error is not None:
            if later:
                error.add_note(f"{later} more queued operation(s) on {self.label} failed after it")
            try:
                raise error
            finally:
                del error  # a frame that holds its own error keeps all that it sees alive

    def finish(self, ticket: Ticket) -> None:
        """Wait until *ticket* has run; errors stay with the stream."""
        while ticket[0] is not None:
            if not self._help(ticket):
                self._await_runner(ticket)
            elif ticket[0] is not None and not self.entries:
                return  # the queue was dropped: the process is ending or was forked

    def _await_runner(self, ticket: Ticket) -> None:
        if self._runner == threading.get_ident():
            if self._recover():
                return
            raise RuntimeError(f"a kernel of {self.label} waits for its own stream")
        if _has_turn(self, sys._getframe(1)):
            # A signal's handler in the middle of a launch: what waits does so for this thread.
            try:
                self._run(ticket)
            finally:
                self._runner = 0
            return
        gate = threading.Lock()
        gate.acquire()
        waiter = (gate, ticket)  # compared with others': gates differ, and tickets hold arrays
        self._waiters.append(waiter)
        # The runner may have finished between the caller's look and the append.
        if ticket[0] is not None and not self.turn.is_free():
            # The timeout is a belt for Ctrl-C (see `_recover`), and for the worker dying inside a
            # kernel (interpreter exit).
            if not gate.acquire(True, 0.01 if halt.is_set() else _BELT_SECONDS):
                self._recover()
        if waiter in self._waiters:
            self._waiters.remove(waiter)

    def _recover(self) -> bool:
        """Free the queue if its runner was killed in the middle.

        Then its turn is not free, and no thread is where it may have it.
        """
        with _recovering:
            frames = sys._current_frames().values()
            if self.turn.is_free() or any([_may_run(self, frame) for frame in frames]):
                return False
            self._runner = 0
            self.turn = Turn()
            self.refresh()
            return True

    def _throttle(self) -> None:
        try:
            middle = self.entries[_QUEUE_LIMIT // 2]
        except IndexError:
            return
        self.finish(middle)

    # ---- running

    def _help(self, until: Ticket | None) -> bool:
        """Run entries up to *until*, or all, unless another thread does; whether it did."""
        turn: Any = self.turn  # see _frames_of
        try:
            del turn.free
        except AttributeError:
            return False
        try:
            self._run(until)
        finally:
            self._runner = 0
            turn.free = True
            turn = None
            if self.entries:
                self.rouse()
        return True

    def _run(self, until: Ticket | None) -> None:
        """Run entries in order up to *until*, or all. The caller has the turn."""
        entries = self.entries
        self._runner = threading.get_ident()
        while True:
            try:
                ticket = entries[0]
            except IndexError:
                return
            function = ticket[0]
            if function is not None:  # None: an interrupt came before it could be removed
                try:
                    function(*ticket[1])
                except Exception as error:
                    self.keep_error(error, ticket[2], ticket[3])
                # Anything else (KeyboardInterrupt in a thread that helps) leaves the entry at the
                # head: it has not finished, and the worker runs it again.
                ticket[0] = function = None
                ticket[1] = None
            try:
                entries.popleft()
            except IndexError:
                return  # emptied meanwhile by stop_all or a fork
            if self._waiters:
                self._notify()
            if ticket is until:
                return

    def _notify(self) -> None:
        for waiter in tuple(self._waiters):
            if waiter[1][0] is None and waiter[0].locked():
                try:
                    waiter[0].release()
                except RuntimeError:
                    pass  # its timeout was quicker

    def keep_error(self, error: Exception, name: str, site: Any) -> None:
        """A kernel failed: the next synchronisation says so."""
        # The traceback would keep the kernel's arrays alive until somebody synchronises.
        error.__traceback__ = None
        if self.error is not None:
            self.later_errors += 1
            return
        note = f"raised by {name or 'a kernel'} on {self.label}"
        where = describe(site)
        error.add_note(f"{note}, queued at {where}" if where else note)
        self.error = error

    # ---- the worker

    def _rouse(self) -> None:
        self._awake = True
        thread = self._thread
        if thread is None or not thread.is_alive():
            self._start()
            return
        try:
            self._wake.release()
        except RuntimeError:
            pass  # two threads roused it at once

    def _start(self) -> None:
        if halt.is_set():
            return
        thread = threading.Thread(target=self._work, name=f"mindtorch {self.label}", daemon=True)
        self._thread = thread
        if self not in started:
            started.append(self)
        thread.start()

    def _work(self) -> None:
        me = threading.current_thread()
        for setup in setups:
            setup()
        while not halt.is_set() and self._thread is me:
            if self.entries:
                self._help(None)
            self._awake = False
            if self.entries and self.turn.is_free():
                self._awake = True
                continue
            if not self._wake.acquire(True, _IDLE_SECONDS):
                if not self.entries:
                    # Leave, then look once more: somebody may have roused this thread meanwhile.
                    self._thread = None
                    if self.entries:
                        self._rouse()
                    return
                self._recover()
            self._awake = True

    def drop(self) -> None:
        """Forget everything queued, and the worker (which a forked child does not have)."""
        self.entries.clear()
        self._thread = None
        self._awake = False
        self.turn = Turn()
        self._runner = 0
        self.refresh()
        self._wake = threading.Lock()
        self._wake.acquire()
        self._waiters.clear()

    def stop(self) -> None:
        """The interpreter exits: start nothing more, and wake whoever waits for what will not come.

        That is the worker, and workers of other streams.
        """
        self.entries.clear()
        for gate in (self._wake, *[gate for gate, _ in tuple(self._waiters)]):
            try:
                gate.release()
            except RuntimeError:
                pass

    def join(self, seconds: float) -> None:
        """Wait so long for the worker to end."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            try:
                thread.join(seconds)
            except RuntimeError:
                pass  # its start was broken off


def _frames_of(queue: WorkQueue, frame: FrameType | None) -> Iterator[FrameType]:
    """*frame* and its callers, as far as the turn of *queue* is their ``turn``.

    They have it or are about to take it, for there is None once they have given it back.
    """
    at = frame
    while at is not None:
        if "turn" in at.f_code.co_varnames and at.f_locals.get("turn") is queue.turn:
            yield at
        at = at.f_back


def _may_run(queue: WorkQueue, frame: FrameType | None) -> bool:
    """Whether *frame* or one of its callers has the turn of *queue*, or is about to take it."""
    return any(True for _ in _frames_of(queue, frame))


def _has_turn(queue: WorkQueue, frame: FrameType | None) -> bool:
    """Whether *frame*, of this thread, or one of its callers has the turn of *queue*.

    While it takes it, only the garbage collector may have come in between, as it fails.
    """
    return any([f.f_code.co_code[f.f_lasti] != _TAKES for f in _frames_of(queue, frame)])
