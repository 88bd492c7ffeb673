"""Exchanges of tensors that MPI has under way: asked for, waited for, given up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from . import progress
from .progress import PAUSES, give_way

__all__ = ["Exchange", "Lost"]

#: How long a caller asks MPI without a pause, in seconds: always, and for each byte.
_EAGER = 5e-3
_EAGER_PER_BYTE = 1e-8
#: How long what a process has sent before its end may take to arrive, in seconds; and a launcher
#: to end those that are left, so that the error behind it all is not buried by theirs.
_GRACE = 1.0
#: Where errors arise: those of torch's gloo begin with the file, too, and programs tell them by the
#: words that follow a space.
_AT = "[mindtorch/distributed/_c10d/exchange.py]"


def _eager(size: int) -> float:
    return _EAGER + size * _EAGER_PER_BYTE


#: What was given up: MPI may write into its memory as long as the process lives.
_GIVEN_UP: list[Any] = []


class Lost(Protocol):
    """What an exchange asks of the group it is in."""

    def lost(self, peers: Iterable[int] | None) -> int | None:
        """A process among *peers* (None: all) that has ended or given up, by its rank."""
        ...

    def give_up(self, error: Exception) -> None:
        """Note that an exchange has failed, which leaves the group in no certain state."""
        ...


class Exchange:
    """A call that is under way, which ends with *request*.

    *finish* is called once after that, by whoever notices it first: it writes results where they
    belong. *kept* is memory that MPI uses. *peers* are those without whom it cannot end, None for
    all of the group. *sends* and *seconds*, the time-out, are for the text of the error.
    """

    def __init__(
        self,
        request: Any,
        group: Lost,
        kept: Any,
        finish: Callable[[Any], None] | None = None,
        *,
        status: Any = None,
        peers: Iterable[int] | None = None,
        sends: bool = False,
        seconds: float,
        size: int = 0,
    ) -> None:
        self._request, self._group, self._kept, self._finish = request, group, kept, finish
        self._status, self._peers, self._sends = status, peers, sends
        self._seconds = seconds
        self._size = size
        now = time.monotonic()
        self._until = now + seconds
        #: Until when it is likely to end soon, so that asking without a pause is worth it.
        self.eager_until = now + _eager(size)
        self._lost_since = 0.0
        self._lock = threading.Lock()
        self._ended = False
        self._told: list[Callable[[], None]] = []
        #: What went wrong.
        self.error: BaseException | None = None
        #: Who has sent what was received.
        self.source: int | None = None

    def done(self) -> bool:
        """Whether it has ended; does not wait."""
        if self._ended:
            return True
        if not self._lock.acquire(blocking=False):
            return False  # another thread asks
        try:
            return self._ended or self._ask()
        finally:
            self._lock.release()

    def _ask(self) -> bool:
        try:
            if self._request.Test(self._status):
                if self._finish is not None:
                    self._finish(self)
                self._end(None)
            else:
                self._look_around()
        except Exception as e:  # of MPI, or of what writes the results
            self._fail(e if isinstance(e, RuntimeError) else RuntimeError(str(e)))
        return self._ended

    def _look_around(self) -> None:
        """Give up where it cannot end any more, or not in time."""
        now = time.monotonic()
        if now > self._until:
            kind = "send" if self._sends else "recv"
            waited = round(1000 * self._seconds)
            self._fail(
                RuntimeError(f"{_AT} Timed out waiting {waited}ms for {kind} operation to complete")
            )
            return
        lost = self._group.lost(self._peers)
        if lost is None:
            return
        self._lost_since = self._lost_since or now
        if now > self._lost_since + _GRACE:
            why = f"rank {lost} has ended, or has given up a call of the group"
            self._fail(RuntimeError(f"{_AT} Connection closed by peer: {why}"))

    def _fail(self, error: Exception) -> None:
        _GIVEN_UP.append((self._request, self._kept))
        self._group.give_up(error)
        self._end(error)

    def _end(self, error: Exception | None) -> None:
        self.error = error
        self._ended = True
        self._finish = self._kept = None
        for function in self._told:
            function()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, no longer than *seconds*; whether it has.

        Raises what went wrong: RuntimeError after the time-out of the group, where a process has
        ended without whom this cannot end, and for what MPI refuses.
        """
        begin = time.monotonic()
        eager = begin + _eager(self._size)
        pause, longest = PAUSES
        while not self.done():
            now = time.monotonic()
            if seconds is not None and now - begin > seconds:
                return False
            if now < eager:
                give_way()
            else:
                time.sleep(pause)
                pause = min(1.2 * pause, longest)
        if self.error is not None:
            raise self.error
        return True

    def at_end(self, function: Callable[[], None]) -> None:
        """Call *function* once somebody notices the end, in the thread of whoever does."""
        with self._lock:
            if not self._ended:
                self._told.append(function)
                return
        function()

    def expire(self, seconds: float) -> None:
        """Fail unless it has ended *seconds* from now."""
        self._seconds, self._until = seconds, time.monotonic() + seconds

    def carry_on(self) -> None:
        """Let it go on while nobody waits for it."""
        progress.carry(self)

    def when_done(self, function: Callable[[BaseException | None], None]) -> None:
        """Call *function* with what went wrong, or None, in another thread once it has ended."""
        progress.tell(self, function)
