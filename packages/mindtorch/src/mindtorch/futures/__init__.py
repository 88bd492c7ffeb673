"""``torch.futures``: values that are there later."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar, cast

from ..aten import torch
from ._future import Future as _CFuture

__all__ = ["Future", "collect_all", "wait_all"]

T = TypeVar("T")
S = TypeVar("S")


class Future(_CFuture, Generic[T]):
    """A value of type ``T`` that is there later, or an exception in its place."""

    def __init__(self, *, devices: list[int | str | torch.device] | None = None) -> None:
        found = [torch.device(d) for d in devices or ()]
        for d in found[1:]:
            if d.type != found[0].type:
                raise ValueError(
                    "Expected all devices to be of the same type, but got a mismatch between "
                    f"{found[0]} and {d}"
                )
        for d in found:
            if d.index is None:
                raise ValueError(f"Expected devices to have indices, got {d}")
        super().__init__(found)

    def done(self) -> bool:
        """Whether there is a value or an exception."""
        return super().done()

    def wait(self) -> T:
        """The value, once it is there; raises the exception if there is one."""
        return cast(T, super().wait())

    def value(self) -> T:
        """The value, which is there already; raises the exception if there is one."""
        return cast(T, super().value())

    def then(self, callback: Callable[[Future[T]], S]) -> Future[S]:
        """A future of what *callback* returns for this one, run once this one is done."""
        return cast("Future[S]", super().then(callback))

    def add_done_callback(self, callback: Callable[[Future[T]], None]) -> None:
        """Run *callback* with this future once it is done; its errors are only printed."""
        super().add_done_callback(callback)

    def set_result(self, result: T) -> None:
        """Make *result* the value. Raises RuntimeError if there is one."""
        super().set_result(result)

    def set_exception(self, result: T) -> None:
        """Raise the exception *result* for whoever asks for the value."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._error_is_set = True
        self._complete(None, result)

    def __repr__(self) -> str:
        return f"<torch.jit.Future object at {id(self):#x}>"


def _collect(futures: Any) -> _CFuture:
    if not isinstance(futures, Sequence) or not all(isinstance(f, _CFuture) for f in futures):
        raise TypeError(
            "_collect_all(): incompatible function arguments. The following argument types are "
            "supported:\n    1. (arg0: collections.abc.Sequence[torch._C.Future]) -> "
            f"torch._C.Future\n\nInvoked with: {futures!r}"
        )
    whole = _CFuture([])
    left = len(futures)
    lock = threading.Lock()
    if not left:
        whole.set_result([])

    def one_is_done(future: _CFuture) -> None:
        nonlocal left
        fails = future._error is not None and not future._error_is_set
        with lock:
            left -= 1
            ends = left == 0 or (left > 0 and fails)
            if fails:
                left = 0  # those that come later count below it
        if fails and ends:
            whole._complete(None, future._error)
        elif ends:
            errors = [f._error for f in futures if f._error is not None]
            whole._complete(None if errors else list(futures), errors[0] if errors else None)

    for future in futures:
        future._when_done(partial(one_is_done, future))
    return whole


def collect_all(futures: list[Future[Any]]) -> Future[list[Future[Any]]]:
    """A future of the list of *futures*, done when all of them are or one has failed.

    Its value raises the exception of that one: of a remote call or a callback. An exception that
    was set counts as a value: the others are waited for, and the first in the list is raised.
    """
    return cast("Future[list[Future[Any]]]", _collect(futures))


def wait_all(futures: list[Future[Any]]) -> list[Any]:
    """The values of all *futures*, once they are there; raises what ends one of them."""
    return [future.wait() for future in _collect(futures).wait()]


def __dir__() -> list[str]:
    return sorted(__all__)
