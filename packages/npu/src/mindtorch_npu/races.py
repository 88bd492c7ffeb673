"""Races between streams: accesses to the same memory that nothing orders.

Every stream has a vector clock: how far of each other stream is known to have finished before what
it runs next. Recording an event copies a clock, waiting for it joins clocks, and what the host has
waited for every later launch knows. Two accesses race when at least one writes and the later one's
clock does not cover the earlier one. So a race is found whether or not it happened in this run.

Source of the idea: torch cuda/_sanitizer.py.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

from mindtorch_npu.call_site import call_site, describe
from mindtorch_npu.observer import Observer
from mindtorch_npu.protocols import Queue

__all__ = ["HOST", "Access", "Race", "Races"]

#: The device index of pinned memory, which the host uses and devices copy from and to.
HOST = -1

Stream = tuple[int, int]  # device, handle
Clock = dict[Stream, int]


class Access(NamedTuple):
    """One use of a piece of memory."""

    stream: Stream
    number: int  # in its stream
    writes: bool
    name: str
    site: Any

    def shown(self) -> dict[str, Any]:
        """As a dictionary for people."""
        device, _ = self.stream
        at = "the host" if device == HOST else f"npu:{device} stream {_ids.get(self.stream, 0)}"
        return {
            "stream": at,
            "op": self.name,
            "access": "write" if self.writes else "read",
            "line": describe(self.site) or "?",
        }


class Race(NamedTuple):
    """Two accesses that nothing orders; or a free while another stream still used the memory."""

    kind: str  # "race" or "freed"
    address: int
    nbytes: int
    first: Access
    second: Access

    def shown(self) -> dict[str, Any]:
        """As a dictionary for people."""
        return {
            "kind": self.kind,
            "address": f"{self.address:#x}",
            "bytes": self.nbytes,
            "first": self.first.shown(),
            "second": self.second.shown(),
        }


class _Memory:
    """What was done to one block since it was allocated."""

    __slots__ = ("last_write", "nbytes", "owner", "reads", "recorded")

    def __init__(self, owner: Stream, nbytes: int) -> None:
        self.owner = owner
        self.nbytes = nbytes
        self.last_write: Access | None = None
        self.reads: dict[Stream, Access] = {}
        self.recorded: set[Stream] = set()

    def accesses(self) -> Iterable[Access]:
        """The last write, and the last read of each stream since."""
        if self.last_write is not None:
            yield self.last_write
        yield from self.reads.values()


def _join(clock: Clock, other: Clock) -> None:
    for stream, number in other.items():
        if number > clock.get(stream, 0):
            clock[stream] = number


#: The numbers of the streams that were met, for people.
_ids: dict[Stream, int] = {}


def _key(queue: Queue) -> Stream:
    stream = queue.device_index, queue.handle
    _ids[stream] = queue.stream_id
    return stream


class Races(Observer):
    """An observer; whoever launches also calls :meth:`launched`. Results are in :attr:`found`."""

    def __init__(self) -> None:
        self.found: list[Race] = []
        self._seen: set[Any] = set()
        self._clocks: dict[Stream, Clock] = {}
        self._host: Clock = {}
        self._events: dict[int, Clock] = {}
        self._memory: dict[tuple[int, int], _Memory] = {}
        # Reentrant: a block may die, and so be freed, while this runs.
        self._lock = threading.RLock()

    def _clock(self, stream: Stream) -> Clock:
        clock = self._clocks.get(stream)
        if clock is None:
            clock = self._clocks[stream] = {stream: 0}
        return clock

    # ---- what orders

    def event_recorded(self, event: Any, queue: Queue) -> None:
        with self._lock:
            clock = self._clock(_key(queue))
            _join(clock, self._host)
            self._events[id(event)] = dict(clock)

    def event_awaited(self, event: Any, queue: Queue) -> None:
        with self._lock:
            _join(self._clock(_key(queue)), self._events.get(id(event), {}))

    def event_synchronized(self, event: Any) -> None:
        with self._lock:
            _join(self._host, self._events.get(id(event), {}))

    #: Who has seen that it is over need not wait.
    event_seen_done = event_synchronized

    def stream_awaited(self, waiting: Queue, awaited: Queue) -> None:
        with self._lock:
            _join(self._clock(_key(waiting)), self._clock(_key(awaited)))

    def stream_synchronized(self, queue: Queue) -> None:
        with self._lock:
            _join(self._host, self._clock(_key(queue)))

    stream_seen_done = stream_synchronized

    def device_synchronized(self, device_index: int) -> None:
        with self._lock:
            for stream, clock in self._clocks.items():
                if stream[0] == device_index:
                    _join(self._host, clock)

    # ---- memory

    def allocated(self, address: int, nbytes: int, device_index: int, stream: int) -> None:
        with self._lock:
            owner = (device_index, stream)
            self._memory[device_index, address] = _Memory(owner, nbytes)

    def stream_recorded(self, address: int, device_index: int, queue: Queue) -> None:
        with self._lock:
            memory = self._memory.get((device_index, address))
            if memory is not None:
                memory.recorded.add(_key(queue))

    def forget(self, address: int, device_index: int) -> None:
        """Whatever was done to that memory is of no interest any more."""
        with self._lock:
            self._memory.pop((device_index, address), None)

    def forget_event(self, event: Any) -> None:
        """Nobody will wait for it any more."""
        with self._lock:
            self._events.pop(id(event), None)

    def freed(self, address: int, device_index: int) -> None:
        with self._lock:
            memory = self._memory.pop((device_index, address), None)
            if memory is None:
                return
            known = dict(self._clock(memory.owner))
            _join(known, self._host)
            for access in memory.accesses():
                stream = access.stream
                if stream in (memory.owner, *memory.recorded):
                    continue
                if access.number > known.get(stream, 0):
                    free = Access(memory.owner, 0, True, "free", call_site(2))
                    self._report("freed", address, memory, access, free)

    # ---- work

    def launched(
        self,
        queue: Queue,
        name: str,
        reads: Iterable[tuple[int, int]],
        writes: Iterable[tuple[int, int]],
        site: Any,
    ) -> int:
        """A kernel on *queue*; memory is named by device index and address.

        Returns its number on the stream, for :meth:`made`.
        """
        with self._lock:
            stream = _key(queue)
            clock = self._clock(stream)
            _join(clock, self._host)
            clock[stream] += 1
            written = set(writes)
            for place in written:
                self._access(place, clock, Access(stream, clock[stream], True, name, site))
            for place in set(reads) - written:
                self._access(place, clock, Access(stream, clock[stream], False, name, site))
            return clock[stream]

    def made(
        self, queue: Queue, number: int, name: str, places: Iterable[tuple[int, int]], site: Any
    ) -> None:
        """The kernel of that number also wrote memory that was allocated for it."""
        with self._lock:
            stream = _key(queue)
            for place in set(places):
                self._access(place, self._clock(stream), Access(stream, number, True, name, site))

    def host_reads(self, address: int, queue: Queue, site: Any) -> None:
        """The host is about to read memory of a device, when *queue* has run dry."""
        place = queue.device_index, address
        self.launched(queue, "read by the host", [place], (), site)

    def host_used(
        self,
        name: str,
        reads: Iterable[tuple[int, int]],
        writes: Iterable[tuple[int, int]],
        site: Any,
    ) -> None:
        """The host itself used pinned memory: what it has not waited for races with that.

        Launches know what the host did before them, so its own accesses need no number.
        """
        with self._lock:
            for place, write in [*((p, False) for p in reads), *((p, True) for p in writes)]:
                memory = self._memory.get(place)
                for other in () if memory is None else tuple(memory.accesses()):
                    waited = other.number <= self._host.get(other.stream, 0)
                    if memory is not None and (write or other.writes) and not waited:
                        access = Access((HOST, 0), 0, write, name, site)
                        self._report("race", place[1], memory, other, access)

    def _access(self, place: tuple[int, int], clock: Clock, access: Access) -> None:
        memory = self._memory.get(place)
        if memory is None:  # allocated before anybody watched
            memory = self._memory[place] = _Memory(access.stream, 0)
        earlier = [memory.last_write] if memory.last_write is not None else []
        if access.writes and memory.reads:  # what is ordered after them is so after the last write
            earlier = list(memory.reads.values())
        for other in earlier:
            if other.stream != access.stream and other.number > clock.get(other.stream, 0):
                self._report("race", place[1], memory, other, access)
        if access.writes:
            memory.last_write = access
            memory.reads.clear()
        else:
            memory.reads[access.stream] = access

    def _report(
        self, kind: str, address: int, memory: _Memory, first: Access, second: Access
    ) -> None:
        # The same two lines once, however often they race.
        key = kind, first.name, first.site, second.name, second.site
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(Race(kind, address, memory.nbytes, first, second))
