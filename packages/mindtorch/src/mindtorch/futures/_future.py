"""The future that ``torch.futures`` and ``torch.jit.fork`` share: ``torch._C.Future``."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Future", "let_thread_work"]

_of_thread = threading.local()


def let_thread_work(function: Callable[[], None]) -> None:
    """Let the calling thread call *function* again and again while it waits for a future.

    For a thread that completes futures: it would wait in vain for those it has to complete.
    """
    _of_thread.work = function


def _callback_error(error: Exception) -> str:
    """torch's text for an error of a callback: the error and where it rose, innermost first."""
    frames: list[traceback.FrameSummary] = list(traceback.extract_tb(error.__traceback__))
    outer = traceback.extract_stack(sys._getframe(2))
    places = [f"  {f.filename}({f.lineno}): {f.name}" for f in [*outer, *frames]]
    return (
        f"Got the following error when running the callback: {type(error).__name__}: {error}\n\n"
        "At:\n" + "\n".join(reversed(places)) + "\n"
    )


class Future:
    """What ``torch._C.Future`` is: a value or an exception, and who waits for it."""

    def __init__(self, devices: Sequence[Any], /) -> None:
        self._devices = list(devices)
        self._changed = threading.Condition()
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None
        #: Whether a program has set the exception, in place of a value.
        self._error_is_set = False
        self._callbacks: list[Callable[[], None]] = []
        self._unwrap: Callable[[Any], Any] | None = None

    def done(self) -> bool:
        """Whether there is a value or an exception."""
        return self._done

    def wait(self) -> Any:
        """The value, once it is there; raises the exception if there is one."""
        work = getattr(_of_thread, "work", None)
        if work is not None:
            while not self._done:
                work()
        with self._changed:
            self._changed.wait_for(lambda: self._done)
        return self.value()

    def value(self) -> Any:
        """The value, which is there; raises the exception if there is one."""
        if not self._done:
            raise RuntimeError(
                "completed() INTERNAL ASSERT FAILED, please report a bug to PyTorch. "
            )
        if self._error is not None:
            raise self._error
        if self._unwrap is not None:
            self._unwrap(self._value)
        return self._value

    def _complete(self, value: Any, error: BaseException | None) -> None:
        with self._changed:
            if self._done:
                raise RuntimeError(
                    "Attempting to mark a completed Future as complete again. Note that a Future "
                    "can only be marked completed once."
                )
            self._done, self._value, self._error = True, value, error
            callbacks, self._callbacks = self._callbacks, []
            self._changed.notify_all()
        for callback in callbacks:
            callback()

    def set_result(self, result: Any, /) -> None:
        """Make *result* the value. Raises RuntimeError if there is one."""
        self._complete(result, None)

    def _set_unwrap_func(self, func: Callable[[Any], Any], /) -> None:
        self._unwrap = func

    def _when_done(self, callback: Callable[[], None]) -> None:
        with self._changed:
            if not self._done:
                self._callbacks.append(callback)
                return
        callback()

    def _checked(self, name: str, callback: Any) -> None:
        if not callable(callback):
            returns = "torch._C.Future" if name == "then" else "None"
            raise TypeError(
                f"{name}(): incompatible function arguments. The following argument types are "
                "supported:\n    1. (self: torch._C.Future, arg0: collections.abc.Callable) -> "
                f"{returns}\n\nInvoked with: {self!r}, {callback!r}"
            )

    def then(self, callback: Callable[[Any], Any], /) -> Any:
        """A future of what *callback* returns for this one, run once this one is done."""
        self._checked("then", callback)
        after = Future(self._devices)

        def run() -> None:
            try:
                result = callback(self)
            except Exception as error:
                after._complete(None, RuntimeError(_callback_error(error)))
            else:
                after._complete(result, None)

        self._when_done(run)
        return after

    def add_done_callback(self, callback: Callable[[Any], None], /) -> None:
        """Run *callback* with this future once it is done; its errors are only printed."""
        self._checked("add_done_callback", callback)

        def run() -> None:
            try:
                callback(self)
            except Exception as error:
                print(_callback_error(error), file=sys.stderr)

        self._when_done(run)

    def __reduce__(self) -> Any:
        raise RuntimeError("Can not pickle torch.futures.Future")

    def __repr__(self) -> str:
        return f"<torch.Future object at {id(self):#x}>"
