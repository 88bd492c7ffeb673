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
    whose fifth is the queue; see Note [Tickets] in ``completion.py``. A *site* is where the user's
    program asked for it, as :func:`mindtorch_npu.call_site.call_site` gives it.
    """

    device_index: int
    stream_id: int
    """Its number on the device; 0 is the default stream."""
    handle: int
    """What names it among all streams; 0 for a default stream."""
    arena: int
    """What requests for memory on it name; see ``arenas.py``."""
    captured_by: Any
    """The :class:`mindtorch_npu.captures.Capture` in which it takes part, or None."""
    error: BaseException | None
    """What a kernel raised since the last synchronisation."""

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
    ) -> list[Any]:
        """Queue ``function(*args)``, the op *name*; its ticket."""
        ...

    def compute(self, function: Any, *args: Any) -> Any:
        """``function(*args)``, run now as the next kernel; BUSY where it would have to wait."""
        ...

    def launch(
        self, function: Any, args: tuple[Any, ...], name: str, site: Any, nbytes: int
    ) -> list[Any]:
        """:meth:`compute` of what looks at few bytes, if it can be; else :meth:`enqueue`."""
        ...

    def sleep(self, nanoseconds: int) -> list[Any]:
        """Queue work that takes so long."""
        ...

    def mark(self) -> tuple[Any, list[Any] | None]:
        """A point of time after all work queued so far, whose ``end`` is in nanoseconds."""
        ...

    def last(self) -> list[Any] | None:
        """The ticket of the newest unfinished entry; None where the stream is idle."""
        ...

    def point(self) -> Any:
        """What other streams wait for: :meth:`last`, or any ticket of it that tells of an error."""
        ...

    def wait_for(self, ticket: Any) -> None:
        """Work queued from now on starts after *ticket*, what :meth:`point` of any stream gave."""
        ...

    def finish(self, ticket: list[Any]) -> None:
        """Wait until *ticket*, of this stream, has run; raises no error of a kernel."""
        ...

    def query(self) -> bool:
        """Whether all work queued so far has finished."""
        ...

    def synchronize(self) -> None:
        """Wait for all work queued so far, then :meth:`raise_error`."""
        ...

    def keep_error(self, error: Exception, name: str, site: Any) -> None:
        """A kernel raised *error*: the next synchronisation says so."""
        ...

    def raise_error(self) -> None:
        """Raise what a kernel raised, if one did, and forget it."""
        ...

    def refresh(self) -> None:
        """Faults or recordings came or went, or requests for memory are diverted or not."""
        ...

    def drop(self) -> None:
        """Forget all work: this process was forked from the one that queued it."""
        ...


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
    def allocator(self, device_index: int) -> Any:
        """A new :class:`mindtorch_npu.allocator.CachingAllocator`, or what has its methods."""
        ...

    def allocate_segment(self, device_index: int, nbytes: int) -> int | None:
        """The address of new device memory; None where there is no room."""
        ...

    def free_segment(self, device_index: int, address: int, nbytes: int) -> None:
        """Take back what :meth:`allocate_segment` gave."""
        ...

    def memory_info(self, device_index: int) -> tuple[int, int]:
        """Free and total bytes."""
        ...

    def queue(self, device_index: int, stream_id: int) -> Queue:
        """The stream of this id; the same object each time."""
        ...

    def queues(self, device_index: int) -> Sequence[Queue]:
        """Every stream of the device that was ever used."""
        ...

    def has_context(self, device_index: int) -> bool:
        """Whether anything of this process is on the device."""
        ...

    def synchronize(self, device_index: int) -> None:
        """Wait for all streams of the device, then raise a kernel's error if there was one."""
        ...

    def set_sync_debug_mode(self, mode: int) -> int:
        """Take the debug mode; what reads of a device ask for: 0 where the driver warns itself."""
        ...

    def priority_classes(self) -> int:
        """How many stream priorities there are: 0, -1, … -(n - 1)."""
        ...

    def shut_down(self) -> None:
        """The interpreter exits."""
        ...
