"""Requests that are made again where they fail: those that workers hold their common state by."""

from __future__ import annotations

from collections.abc import Callable

from ...futures._future import Future

__all__ = ["retried"]

#: How many times a request is made again, after how many seconds first, and by how much later.
_TIMES, _FIRST, _LATER = 5, 1.0, 1.5


def retried(
    request: Callable[[], Future], after: Callable[[float, Callable[[], None]], None]
) -> Future:
    """A future of the answer to *request*, which is made again some times where it fails.

    :param after: calls a function in so many seconds.
    """
    answer = Future([])

    def attempt(left: int, wait: float) -> None:
        try:
            made = request()
        except RuntimeError as error:  # this worker has ended
            answer._complete(None, error)
            return
        made._when_done(lambda: settle(made, left, wait))

    def settle(made: Future, left: int, wait: float) -> None:
        if made._error is None or not left:
            answer._complete(made._value, made._error)
        else:
            after(wait, lambda: attempt(left - 1, wait * _LATER))

    attempt(_TIMES, _FIRST)
    return answer
