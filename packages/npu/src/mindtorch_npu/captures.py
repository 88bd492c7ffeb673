"""What streams are given while they are captured: it is written down, and not run.

A capture begins on one stream. Others take part once they wait for an event that was recorded in
it, and have to be waited for before it ends. Each *work* knows which ones come before it. An event
that was recorded meanwhile is no :class:`~mindtorch_npu.completion.Ticket` but a :class:`Point`:
the host cannot wait for it or ask it, for nothing runs.

Rules, texts and numbers of errors are those of the CUDA runtime (stream capture).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from mindtorch_npu import graph_errors

__all__ = [
    "MODES",
    "Capture",
    "EventWork",
    "Point",
    "Work",
    "check_device",
    "check_safe",
    "kinds",
    "launch_what_waits",
    "underway",
]

#: What may be done meanwhile that could wait or look at work that is not captured: nothing in any
#: thread, nothing in the thread that captures, or everything.
MODES = ("global", "thread_local", "relaxed")

#: Called before a capture begins or ends, or is replayed: what this thread has put off is launched.
launch_what_waits: list[Callable[[], object]] = []
#: The captures that go on.
underway: list[Capture] = []
#: By the kind of a queue, what it is while it is captured; see ``capturing_queues.py``.
kinds: dict[type, type] = {}


class Work(NamedTuple):
    """A kernel to be queued at each replay, after those with the numbers *needs*."""

    needs: tuple[int, ...]
    function: Callable[..., object]
    args: tuple[Any, ...]
    name: str
    site: Any

    def replay(self, queue: Any) -> None:
        """Queue it."""
        queue.enqueue(self.function, self.args, self.name, self.site)


class EventWork(NamedTuple):
    """Records an external event at each replay, or lets the stream wait for one."""

    needs: tuple[int, ...]
    replay: Callable[[Any], object]
    name: str


class Point:
    """Where a captured stream was when an event was recorded."""

    __slots__ = ("_capture", "_queue", "_tips")

    def __init__(self, capture: Capture, queue: Any, tips: tuple[int, ...]) -> None:
        self._capture = capture
        self._queue = queue
        self._tips = tips

    def __getitem__(self, index: int) -> Any:
        """The queue, as a ticket has it. Raises AcceleratorError for all else: nothing runs."""
        if index == 4:
            return self._queue
        self._capture.is_valid = False
        raise graph_errors.captured_event()

    def join(self, queue: Any) -> None:
        """*queue* waits for it: so it is captured too. Raises AcceleratorError where it cannot."""
        capture = self._capture
        if capture not in underway:
            raise graph_errors.captured_event()
        other = queue.captured_by
        if other is None:
            capture.take_in(queue, self._tips)
        elif other is capture:
            capture.tips[queue] = (*capture.tips[queue], *self._tips)
        else:
            other.is_valid = capture.is_valid = False
            raise graph_errors.captures_merged()


class Capture:
    """See the module. *origin* is the stream on which it begins.

    Raises AcceleratorError where that is captured already.
    """

    def __init__(self, origin: Any, mode: str) -> None:
        self.origin = origin
        self.mode = mode
        self.thread = threading.get_ident()
        #: False once something was tried that may not be done meanwhile.
        self.is_valid = True
        self.works: list[Work | EventWork] = []
        #: Called with the stream before the works of each replay, by whom they belong to.
        self.before_replay: dict[Any, Callable[[Any], object]] = {}
        #: Called with the stream after them, for who watches what works read and write.
        self.at_replay: list[Callable[[Any], object]] = []
        #: For each stream that takes part: what comes next there comes after these works.
        self.tips: dict[Any, tuple[int, ...]] = {}
        self._lock = threading.RLock()
        if origin.captured_by is not None:
            raise graph_errors.illegal_state()
        self.take_in(origin, ())
        underway.append(self)

    def take_in(self, queue: Any, tips: tuple[int, ...]) -> None:
        """*queue* takes part from now on."""
        self.tips[queue] = tips
        queue.captured_by = self
        queue.__class__ = kinds[queue.__class__]
        queue.refresh()

    def add(
        self,
        queue: Any,
        function: Callable[..., object],
        args: tuple[Any, ...],
        name: str,
        site: Any,
    ) -> Point:
        """Write down what *queue* is given. Raises AcceleratorError where the capture failed."""
        return self._put(queue, Work(self.tips[queue], function, args, name, site))

    def add_event(self, queue: Any, replay: Callable[[Any], object], name: str) -> Point:
        """Write down what is done with an external event."""
        return self._put(queue, EventWork(self.tips[queue], replay, name))

    def _put(self, queue: Any, work: Work | EventWork) -> Point:
        if not self.is_valid:
            raise graph_errors.capture_failed()
        with self._lock:
            self.tips[queue] = tips = (len(self.works),)
            self.works.append(work)
        return Point(self, queue, tips)

    def point(self, queue: Any) -> Point:
        """Where *queue* is."""
        return Point(self, queue, self.tips[queue])

    def has_handle(self, handle: int) -> bool:
        """Whether a stream of the origin's device that takes part has this handle."""
        index = self.origin.device_index
        return any(queue.handle == handle and queue.device_index == index for queue in self.tips)

    def end(self) -> None:
        """All streams are as before. Raises AcceleratorError where nothing came of the capture."""
        if self.mode != "relaxed" and self.thread != threading.get_ident():
            raise graph_errors.capture_of_other_thread()
        underway.remove(self)
        usual = {captured: kind for kind, captured in kinds.items()}
        for queue in self.tips:
            queue.captured_by = None
            queue.__class__ = usual[queue.__class__]
            queue.refresh()
        if not self.is_valid:
            raise graph_errors.capture_failed()
        if self._reached() != len(self.works):
            raise graph_errors.capture_unjoined()

    def _reached(self) -> int:
        """How many works come before the end of the origin."""
        found: set[int] = set()
        left = list(self.tips[self.origin])
        while left:
            number = left.pop()
            if number not in found:
                found.add(number)
                left += self.works[number].needs
        return len(found)

    def refuse(self) -> Exception:
        """The error of what may not be done meanwhile; the capture has failed."""
        self.is_valid = False
        return graph_errors.not_while_capturing()


def check_safe() -> None:
    """Before something that may wait, or look at work that is not captured.

    Raises AcceleratorError where a capture forbids that in this thread; the capture has failed.
    """
    me = threading.get_ident()
    for capture in tuple(underway):
        if capture.mode == "global" or (capture.mode == "thread_local" and capture.thread == me):
            raise capture.refuse()


def check_device(device_index: int) -> None:
    """Before all streams of a device are waited for; as :func:`check_safe`."""
    for capture in tuple(underway):
        if any(queue.device_index == device_index for queue in capture.tips):
            raise capture.refuse()
    check_safe()
