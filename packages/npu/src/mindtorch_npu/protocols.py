"""What this package needs from a driver; the simulator is one, real hardware another."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any, NamedTuple, Protocol

__all__ = ["DeviceProperties", "Driver", "Queue"]


class DeviceProperties(NamedTuple):
    """What a driver knows of one device. Sizes are bytes."""

    name: str
    total_memory: int
    major: int
    minor: int
    multi_processor_count: int
    L2_cache_size: int
    uuid: str


class Queue(Protocol):
    """One stream of a device: a FIFO of kernels that run asynchronously to Python.

    ``enqueue`` gives a *ticket*: a list whose first item becomes None when the entry has run and
    whose fifth is the queue.
    """

    device_index: int
    stream_id: int
    handle: int
    error: BaseException | None

    @property
    def special(self) -> bool:
        """Whether somebody looks at every launch."""
        ...

    @property
    def entries(self) -> Sized:
        """Empty where nothing runs or waits."""
        ...

    def enqueue(
        self, function: Any, args: tuple[Any, ...] = (), name: str = "", site: Any = None
    ) -> list[Any]: ...
    def compute(self, function: Any, *args: Any) -> Any: ...
    def keep_error(self, error: Exception, name: str, site: Any) -> None: ...
    def launch(
        self, function: Any, args: tuple[Any, ...], name: str, site: Any, nbytes: int
    ) -> list[Any]: ...
    def sleep(self, nanoseconds: int) -> list[Any]: ...
    def mark(self) -> tuple[Any, list[Any] | None]: ...
    def last(self) -> list[Any] | None: ...
    def wait_for(self, ticket: list[Any] | None) -> None: ...
    def finish(self, ticket: list[Any]) -> None: ...
    def query(self) -> bool: ...
    def raise_error(self) -> None: ...
    def refresh(self) -> None: ...
    def synchronize(self) -> None: ...
    def drop(self) -> None: ...


class Driver(Protocol):
    """The devices of one kind of machine. Device indexes are valid when they arrive here."""

    clock_rate: int
    """Cycles per second, for ``_sleep``."""
    padding: int
    """Bytes added to each request of memory before it is rounded."""
    shares_events: bool
    """Whether an event's work can be told to other processes."""

    def device_count(self) -> int: ...
    def properties(self, device_index: int) -> DeviceProperties: ...
    def allocate_segment(self, device_index: int, nbytes: int) -> int | None:
        """The address of new device memory; None where there is no room."""
        ...

    def free_segment(self, device_index: int, address: int, nbytes: int) -> None: ...
    def memory_info(self, device_index: int) -> tuple[int, int]:
        """Free and total bytes."""
        ...

    def queue(self, device_index: int, stream_id: int) -> Queue:
        """The stream of this id; the same object each time."""
        ...

    def queues(self, device_index: int) -> Sequence[Queue]:
        """Every stream of the device that was ever used."""
        ...

    def priority_classes(self) -> int:
        """How many stream priorities there are: 0, -1, … -(n - 1)."""
        ...

    def shut_down(self) -> None:
        """The interpreter exits."""
        ...
