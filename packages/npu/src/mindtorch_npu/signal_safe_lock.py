"""A lock whose holder is not interrupted: Ctrl-C waits until the books are whole again.

Python calls the program's handlers of signals between any two calls of the main thread, and what
they raise, KeyboardInterrupt say, ends what goes on there. Where a block has left one list and is
not in the next one yet, it would be lost. So while the main thread holds a :class:`Guard`, a
handler that only takes note stands in for the program's. The program's own is called as soon as the
lock is free; at once where the holder waits for a stream, or the lock is still waited for.

Finalizers that the garbage collector runs come in between all the same. What they free waits; where
one needs the books themselves, which nobody can finish before it returns, it is refused with a
RuntimeError.

Note [Never left behind]. A holder is not thrown out before it has released the lock, so nobody has
to find out whether one that is held was left behind. Whether signals wait is not remembered but
asked, of the locks themselves: where :meth:`Guard.deliver` is cut off after the release, by what a
handler raises, the next signal goes through all the same, and the next guard makes up for it.
"""

from __future__ import annotations

# The functions of ``signal`` make enums in Python: they take eight times as long, and Ctrl-C may
# come in the middle of them.
import _signal  # type: ignore[import-not-found]  # not in the stubs
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from mindtorch_npu import errors

__all__ = ["Guard"]

#: Seconds after which a main thread that waits for the lock looks for Ctrl-C.
_PATIENCE = 0.05
#: The signals whose handlers programs let raise.
_SIGNALS = tuple(
    int(getattr(signal, name))
    for name in ("SIGINT", "SIGALRM", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)

# All of them are the main thread's: nobody else touches them.
_held: list[Guard] = []  # by it, or about to be; empty where no handler stands in
_previous: dict[int, Callable[[int, FrameType | None], object]] = {}  # the program's handlers
_pending: list[int] = []  # signals that came meanwhile


def _is_main() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def _is_busy() -> bool:
    """Whether the main thread, which asks, is in the middle of some books."""
    return any([guard.mutex._is_owned() and not guard.waits for guard in _held])


def _defer(number: int, frame: FrameType | None) -> None:
    """Stands in for the program's handler."""
    if number not in _pending:
        _pending.append(number)
    if not _is_busy():
        _finish()


def _finish() -> None:
    """The program's handlers hear what came; they are back in their place if no guard is held."""
    _held[:] = [guard for guard in _held if guard.mutex._is_owned()]
    if not _held:
        _restore()
    if not _is_busy():
        _deliver()


def _install() -> None:
    for number in _SIGNALS:
        handler = _signal.getsignal(number)
        if callable(handler) and handler is not _defer:
            _previous[number] = handler
            _signal.signal(number, _defer)


def _restore() -> None:
    for number in _SIGNALS:
        if number in _previous and _signal.getsignal(number) is _defer:
            _signal.signal(number, _previous[number])


def _deliver() -> None:
    """Call the program's handlers of what came."""
    if _pending:
        number = _pending.pop(0)
        try:
            _previous[number](number, None)
        finally:
            _deliver()


class Guard:
    """See the module. Who has it already and asks again is refused with a RuntimeError."""

    __slots__ = ("mutex", "waits")

    def __init__(self) -> None:
        #: It is never taken twice: it is of this kind because it knows its owner without a gap.
        self.mutex: Any = threading.RLock()
        self.waits = False  # set by the holder while he waits for something, with books in order

    def acquire(self, blocking: bool = True) -> bool:
        """Take the lock and put signals off; whether that was done.

        Raises RuntimeError where this thread holds it already and would wait for itself.
        """
        mutex = self.mutex
        if mutex._is_owned():
            if blocking:
                raise errors.reentered()
            return False
        if not _is_main():
            return bool(mutex.acquire(blocking))
        try:
            _held.append(self)
            _install()
            while not mutex.acquire(blocking, _PATIENCE if blocking else -1):
                if not blocking:
                    self.deliver()
                    return False
            if not _held:  # a handler that was called meanwhile has used this module too
                _held.append(self)
                _install()
        except BaseException:
            if mutex._is_owned():
                mutex.release()
            self.deliver()
            raise
        return True

    def deliver(self) -> None:
        """The program's handlers are back in their place, and hear what came meanwhile."""
        if _held and _is_main():
            _finish()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *error: object) -> None:
        self.mutex.release()
        self.deliver()
