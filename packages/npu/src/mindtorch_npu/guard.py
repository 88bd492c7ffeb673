"""A lock whose holder is not interrupted: Ctrl-C waits until the books are whole again.

Python raises KeyboardInterrupt between any two calls of the main thread. Where a block has left one
list and is not in the next one yet, it would be lost. So while the main thread holds a
:class:`Guard`, a handler of SIGINT that only takes note stands in for the program's; the program's
own is called as soon as the lock is free. Where the holder waits for a stream it is called at once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Guard"]

#: Seconds after which a main thread that waits for the lock looks for Ctrl-C.
_PATIENCE = 0.05


class _Deferral:
    """Stands in for the handler of SIGINT."""

    __slots__ = ("before", "noted", "waits")

    def __init__(self) -> None:
        #: The program's handler; None where this thread gets no signals.
        self.before: Callable[[int, FrameType | None], object] | None = None
        self.noted = False
        self.waits = False

    def begin(self) -> None:
        if threading.get_ident() == threading.main_thread().ident:
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self.before = before
                signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.noted = True
        if self.waits:
            self.tell()

    def tell(self) -> None:
        """Call the program's handler if there was a Ctrl-C."""
        if self.noted and self.before is not None:
            self.noted = False
            self.before(signal.SIGINT, None)

    def end(self) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
            self.tell()


class Guard:
    """See the module. ``with guard:`` takes it; it is not re-entrant."""

    __slots__ = ("_deferral", "_lock", "owed")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deferral = _Deferral()  # of who holds the lock
        self.owed: list[_Deferral] = []  # see release

    def acquire(self, blocking: bool = True) -> bool:
        """Take the lock and put Ctrl-C off; whether that was done."""
        while True:
            deferral = _Deferral()
            deferral.begin()
            if self._lock.acquire(blocking, _PATIENCE if blocking else -1):
                self._deferral = deferral
                return True
            deferral.end()
            if not blocking:
                return False

    def release(self, tell: bool = True) -> None:
        """Give the lock back; then the program hears of a Ctrl-C that came meanwhile.

        :param tell: False where the caller has something to write down before; then he calls
            :meth:`tell` if something is ``owed``.
        """
        deferral = self._deferral
        self._lock.release()
        if tell:
            deferral.end()
        elif deferral.before is not None:
            self.owed.append(deferral)

    def tell(self) -> None:
        """What is owed to the main thread, if this is it."""
        while self.owed and threading.get_ident() == threading.main_thread().ident:
            self.owed.pop().end()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """The holder waits for something, with its books in order."""
        deferral = self._deferral
        deferral.waits = True
        try:
            deferral.tell()
            yield
        finally:
            deferral.waits = False
