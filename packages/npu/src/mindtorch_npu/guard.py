"""A lock whose holder is not interrupted: Ctrl-C waits until the books are whole again.

Python raises KeyboardInterrupt between any two calls of the main thread. Where a block has left one
list and is not in the next one yet, it would be lost. So while the main thread holds a
:class:`Guard`, a handler of SIGINT that only takes note stands in for the program's; the program's
own is called as soon as the lock is free. Where the holder waits for a stream it is called at once.

Handlers of other signals, and finalizers that the garbage collector runs, come in between all the
same. What they free waits; where one needs the books themselves, which nobody can finish before it
returns, it is refused with a RuntimeError. What a handler raises may leave the lock behind (at the
entry of ``__exit__`` nothing can catch it), so a lock that nobody's frames can hold is made anew.
"""

from __future__ import annotations

# The functions of ``signal`` make enums in Python: they take eight times as long, and Ctrl-C may
# come in the middle of them.
import _signal  # type: ignore[import-not-found]
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from mindtorch_npu import errors

__all__ = ["Guard"]

#: Seconds after which a main thread that waits for the lock looks for Ctrl-C.
_PATIENCE = 0.05
#: Who holds a guard runs code of this folder.
_FOLDER = str(Path(__file__).parent)
_SIGINT = signal.SIGINT
_recovering = threading.Lock()


def _is_inside(frame: FrameType | None) -> bool:
    """Whether one of the frames from *frame* outwards may hold a guard."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_FOLDER):
            return True
        frame = frame.f_back
    return False


def _is_left_behind(lock: Any) -> bool:
    """Whether *lock* is held, and no thread is where it is held."""
    if lock._is_owned():
        at: FrameType | None = sys._getframe(1)
        asks = True
        while at is not None and asks and at.f_code.co_filename.startswith(_FOLDER):
            # The call that asks. Where the garbage collector ran in the middle of the holder, it
            # begins with a finalizer, and the holder's own frames lie right below that.
            asks = at.f_code.co_name != "__del__"
            at = at.f_back
        return not _is_inside(at)
    if lock.acquire(False):
        lock.release()
        return False
    me = threading.get_ident()
    return not any(_is_inside(at) for who, at in sys._current_frames().items() if who != me)


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
            before = _signal.getsignal(_SIGINT)
            if callable(before):
                self.before = before
                _signal.signal(_SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.noted = True
        if self.waits:
            self.tell()

    def tell(self) -> None:
        """Call the program's handler if there was a Ctrl-C."""
        if self.noted and self.before is not None:
            self.noted = False
            self.before(_SIGINT, None)

    def end(self) -> None:
        if self.before is not None:
            _signal.signal(_SIGINT, self.before)
            self.tell()


class Guard:
    """See the module. ``with guard:`` takes it, a second time in one thread raises RuntimeError."""

    __slots__ = ("_deferral", "_lock", "lent", "owed")

    def __init__(self) -> None:
        # It is never taken twice: it is of this kind because it knows its owner without a gap.
        self._lock: Any = threading.RLock()
        self._deferral = _Deferral()  # of who holds the lock
        self.owed: list[_Deferral] = []  # see release
        self.lent = False  # held while a user's code runs

    def acquire(self, blocking: bool = True) -> bool:
        """Take the lock and put Ctrl-C off; whether that was done.

        Raises RuntimeError where this thread holds it already and would wait for itself.
        """
        if self._lock._is_owned():
            # Who need not wait may be a free that the garbage collector runs in the middle of the
            # holder, without a frame in between: never a reason to take the lock for left behind.
            if not blocking:
                return False
            if not self._recover():
                raise errors.reentered()
        while True:
            lock = self._lock
            deferral = _Deferral()
            try:
                deferral.begin()
                if lock.acquire(blocking, _PATIENCE if blocking else -1):
                    self._deferral = deferral
                    return True
            except BaseException:
                if lock._is_owned():
                    lock.release()
                deferral.end()
                raise
            deferral.end()
            if not blocking:
                return False
            self._recover()

    def _recover(self) -> bool:
        """Make the lock anew if an exception has taken its holder away; whether that was so."""
        with _recovering:
            lock = self._lock
            if self.lent or not _is_left_behind(lock):
                return False
            self._lock = threading.RLock()
            self.owed.append(self._deferral)
            self.tell()
            return True

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
