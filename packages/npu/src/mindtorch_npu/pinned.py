"""The caching allocator of pinned host memory, which devices read and write without the host.

Sizes are powers of two with one free list each, last in first out. A block that a stream was told
of comes back when the events recorded on those streams at its free are complete; that is noticed at
a later allocation. Rules and statistics: torch ATen/core/CachingHostAllocator.h (2.13).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any
from weakref import finalize

from mindtorch_storage.allocator import bytes_over, empty_bytes

from mindtorch_npu import observer
from mindtorch_npu.allocator_config import config
from mindtorch_npu.protocols import Queue
from mindtorch_npu.statistics import Counter

__all__ = ["HostAllocator", "host_allocator"]

_FIELDS = ("current", "peak", "allocated", "freed")
Bytes = Any  # an ndarray of uint8


class _Block:
    """Pinned bytes; *streams* used them since they were handed out."""

    __slots__ = ("events", "raw", "size", "streams")

    def __init__(self, size: int) -> None:
        self.size = size
        self.raw: Bytes = empty_bytes(size)
        self.streams: dict[int, Queue] = {}
        self.events = 0

    def view(self, nbytes: int) -> Bytes:
        """The first *nbytes*. Whatever looks at them keeps this array alive."""
        return bytes_over(self.raw.data[:nbytes])


class _Class:
    """One power of two: its free blocks, and the counters of what is in use."""

    __slots__ = ("free", "requests", "size")

    def __init__(self) -> None:
        self.free: list[_Block] = []
        self.requests = Counter()
        self.size = Counter()


class _Times:
    """Durations of calls of the driver, in whole microseconds."""

    __slots__ = ("count", "max", "min", "total")

    def __init__(self) -> None:
        self.total = self.count = self.max = self.min = 0

    def add(self, seconds: float) -> None:
        taken = int(seconds * 1e6)
        self.total += taken
        self.max = max(self.max, taken)
        self.min = min(self.min, taken) if self.min else taken  # 0 is none yet
        self.count += 1

    def as_dict(self) -> dict[str, int]:
        average = self.total // self.count if self.count else 0
        return {
            "total": self.total,
            "max": self.max,
            "min": self.min,
            "count": self.count,
            "avg": average,
        }


class HostAllocator:
    """See the module."""

    def __init__(self) -> None:
        # Reentrant: the collector may drop a view, and so free, in the middle of an allocation.
        self._lock = threading.RLock()
        self._classes: dict[int, _Class] = {}
        self._in_use: dict[int, _Block] = {}  # by address
        self._registered: dict[int, int] = {}  # memory that others made: its end, by address
        self._waiting: dict[int, deque[tuple[list[Any] | None, _Block]]] = {}
        self._blocks = Counter()
        self._bytes = Counter()
        self._alloc_times = _Times()
        self._free_times = _Times()

    def allocate(self, nbytes: int) -> Bytes:
        """*nbytes* of undefined content; they come back when nobody holds the array or a view."""
        if nbytes <= 0:
            return empty_bytes(0)
        with self._lock:
            self._poll()
            size = self._rounded(nbytes)
            kind = self._classes.get(size)
            if kind is None:
                kind = self._classes[size] = _Class()
            block = kind.free.pop() if kind.free else self._new_block(size)
            kind.requests.increase()
            kind.size.increase(size)
            address = int(block.raw.ctypes.data)
            self._in_use[address] = block
        if observer.current is not None:
            observer.current.allocated(address, nbytes, -1, 0)
        view = block.view(nbytes)
        finalize(view, self._free, address).atexit = False
        return view

    @staticmethod
    def _rounded(nbytes: int) -> int:
        limit = config.pinned_max_round_threshold
        if limit and nbytes > limit:
            return nbytes
        return 1 << (nbytes - 1).bit_length()

    def _new_block(self, size: int) -> _Block:
        start = time.perf_counter()
        block = _Block(size)
        self._alloc_times.add(time.perf_counter() - start)
        self._blocks.increase()
        self._bytes.increase(size)
        return block

    def owns(self, address: int) -> bool:
        """Whether pinned memory that is in use starts at *address*."""
        return address in self._in_use

    def covers(self, address: int) -> bool:
        """Whether *address* lies in memory that was registered."""
        return any(start <= address < end for start, end in self._registered.items())

    def register(self, address: int, nbytes: int) -> bool:
        """Count memory that others made as pinned; False where it was already."""
        if self.owns(address) or self.covers(address):
            return False
        self._registered[address] = address + nbytes
        return True

    def unregister(self, address: int) -> bool:
        """Count it so no more; False where nobody registered it."""
        return self._registered.pop(address, None) is not None

    def record(self, address: int, queue: Queue) -> bool:
        """A stream uses the memory at *address*; False where that is not pinned."""
        block = self._in_use.get(address)
        if block is None:
            return False
        with self._lock:
            block.streams[queue.handle] = queue
        return True

    def _free(self, address: int) -> None:
        with self._lock:
            block = self._in_use.pop(address)
            if not block.streams:
                self._back(block)
                return
            streams, block.streams = block.streams, {}
            for handle, queue in streams.items():
                block.events += 1
                self._waiting.setdefault(handle, deque()).append((queue.last(), block))

    def _back(self, block: _Block) -> None:
        kind = self._classes[block.size]
        kind.requests.decrease()
        kind.size.decrease(block.size)
        limit = config.pinned_max_cached_size
        if limit and block.size > limit:
            self._destroy(block)
        else:
            kind.free.append(block)

    def _poll(self) -> None:
        for handle in tuple(self._waiting):
            waiting = self._waiting[handle]
            while waiting:
                ticket, block = waiting[0]
                if ticket is not None and ticket[0] is not None:
                    break
                waiting.popleft()
                block.events -= 1
                if block.events == 0:
                    self._back(block)
            if not waiting:
                del self._waiting[handle]

    def _destroy(self, block: _Block) -> None:
        start = time.perf_counter()
        size = block.size
        del block
        self._free_times.add(time.perf_counter() - start)
        self._blocks.decrease()
        self._bytes.decrease(size)

    def empty_cache(self) -> None:
        """Return every block that nobody uses."""
        with self._lock:
            self._poll()
            for kind in self._classes.values():
                while kind.free:
                    self._destroy(kind.free.pop())

    # ---- statistics

    def stats(self) -> dict[str, Any]:
        """The nested statistics. Peaks of what is in use are sums of the classes' own peaks."""
        with self._lock:
            requests = [kind.requests.as_dict() for kind in self._classes.values()]
            sizes = [kind.size.as_dict() for kind in self._classes.values()]
            return {
                "num_host_alloc": self._blocks.allocated,
                "num_host_free": self._blocks.freed,
                "allocations": self._blocks.as_dict(),
                "allocated_bytes": self._bytes.as_dict(),
                "active_requests": {f: sum(each[f] for each in requests) for f in _FIELDS},
                "active_bytes": {f: sum(each[f] for each in sizes) for f in _FIELDS},
                "host_alloc_time": self._alloc_times.as_dict(),
                "host_free_time": self._free_times.as_dict(),
            }

    def _counters(self) -> list[Counter]:
        classes = [c for kind in self._classes.values() for c in (kind.requests, kind.size)]
        return [self._blocks, self._bytes, *classes]

    def reset_peak(self) -> None:
        with self._lock:
            for counter in self._counters():
                counter.peak = counter.current
            for times in (self._alloc_times, self._free_times):
                times.min = times.max = 0

    def reset_accumulated(self) -> None:
        with self._lock:
            for counter in self._counters():
                counter.allocated = counter.freed = 0
            for times in (self._alloc_times, self._free_times):
                times.total = times.count = 0


host_allocator = HostAllocator()
