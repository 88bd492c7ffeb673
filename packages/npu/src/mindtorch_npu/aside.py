"""Kernels that a library runs to learn what they give: on no stream, in memory that is not booked.

What is learnt of a call for the next time must not show: neither in the statistics of the allocator
nor in the order of a stream, in its lanes or in its count of faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_npu.block import NOWHERE
from mindtorch_npu.completion import Ticket
from mindtorch_npu.thread_state import bound_queue, here, queues_apart
from mindtorch_npu.workqueue import WorkQueue

__all__ = ["aside"]


class _Nowhere(WorkQueue):
    """A stream that runs what it is given at once, whatever comes of it."""

    __slots__ = ()

    def __init__(self, device_index: int) -> None:
        super().__init__(device_index, 0, NOWHERE, label="no stream")

    def refresh(self) -> None:
        """Neither faults nor lanes are of this stream, nor is memory booked."""
        self.special = False
        self.at_once = self.turn
        self.arena = NOWHERE

    def enqueue(
        self,
        function: Callable[..., object],
        args: tuple[Any, ...] = (),
        name: str = "",
        site: Any = None,
    ) -> Ticket:
        """Run ``function(*args)``."""
        try:
            function(*args)
        except Exception as error:
            self.error = error
        return self._done

    def keep_error(self, error: Exception, name: str, site: Any) -> None:
        """Keep it: :func:`aside` raises it at its end."""
        self.error = error


@contextmanager
def aside(device_index: int) -> Iterator[None]:
    """Run what this thread launches on a device now, and book nothing.

    Kernels see the numbers that are there, also where others are on their way. Raises at the end
    what a kernel raised.
    """
    before = bound_queue(device_index)
    place, queue = here[device_index], _Nowhere(device_index)
    with queues_apart():
        try:
            place.queue = queue
            yield
        finally:
            place.queue = before
    if queue.error is not None:
        raise queue.error
