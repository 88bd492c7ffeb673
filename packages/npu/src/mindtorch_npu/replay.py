"""What if: the history of a program under another capacity or other settings.

A history recorded by ``torch.cuda.memory._record_memory_history`` on real hardware, or by the
simulator, goes through our allocator; so one run of the program answers for every setting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mindtorch_npu import allocator_config as configuration
from mindtorch_npu.allocator_config import Config, config
from mindtorch_npu.arenas import STREAM
from mindtorch_npu.block_pool import DEFAULT_POOL, Node, PoolId
from mindtorch_npu.device_profiles import SIMULATOR, Profile
from mindtorch_npu.errors import OutOfMemoryError
from mindtorch_npu.peak_usage import before_the_history, holding, line_of_frames
from mindtorch_npu.replay_device import ReplayAllocator, ReplayDevice

__all__ = ["Trace", "replay", "settings"]

#: More than any program allocates: the replay is to show what it needs.
UNLIMITED_MEMORY = 1 << 50
#: So many steps are replayed between two calls of ``watch``.
_SLICE = 4096

Alloc, Free, FreeLater, Complete, Refused, Emptied, PoolLeft = range(7)
_PRIVATE = 1 << STREAM  # arenas from here on are of private pools
#: Stands for all streams that still use a block.
_SOME_STREAM = -1


@contextmanager
def settings(text: str) -> Iterator[None]:
    """The allocator settings of *text*, and none else, inside the context.

    Raises ValueError with torch's text for settings that do not parse.
    """
    before = {name: getattr(config, name) for name in Config.__slots__}
    fresh = Config()
    for name in Config.__slots__:
        setattr(config, name, getattr(fresh, name))
    try:
        if text:
            configuration.parse(text)
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)
        for allocator in configuration.listeners:
            allocator.refresh()


class _Pending:
    """Stands for the streams that still used a freed block."""

    def __init__(self) -> None:
        self.ticket: list[Any] = [len, (), "", None, self]

    def last(self) -> list[Any]:
        return self.ticket

    def finish(self, ticket: list[Any]) -> None:
        ticket[0] = None


class Trace:
    """The requests of one device's history, made ready to be replayed often.

    :ivar before: blocks that were there when the history begins: address, size and arena.
    :ivar pool_ids: the private pools, whose numbers are their places, from 1 on.
    :ivar recorded: the allocator settings under which it was recorded, as text.
    """

    def __init__(self, snapshot: Mapping[str, Any], device: int = 0) -> None:
        traces = snapshot["device_traces"]
        if not 0 <= device < max(len(traces), 1):
            raise ValueError(f"the snapshot has devices 0 to {len(traces) - 1}, none is {device}")
        self.entries: Sequence[Mapping[str, Any]] = traces[device] if traces else ()
        self.segments = [s for s in snapshot["segments"] if s["device"] == device]
        recorded = snapshot.get("allocator_settings", {})
        names = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF")
        self.recorded = next((str(recorded[name]) for name in names if recorded.get(name)), "")
        #: Segments grew when it was recorded, as none do in a replay.
        self.expandable = any(s.get("is_expandable") for s in self.segments) or any(
            entry["action"] == "segment_map" for entry in self.entries
        )
        if not self.entries and not self.segments:
            others = {s["device"] for s in snapshot["segments"]}
            others |= {i for i, entries in enumerate(traces) if entries}
            there = f", but of {', '.join(map(str, sorted(others)))}" if others else ""
            nothing = f"the snapshot has no memory and no history of device {device}"
            hint = "; _record_memory_history() before the program runs makes one"
            raise ValueError(nothing + (there or hint))
        self.pool_ids: list[PoolId] = []
        arenas = {}
        for segment in self.segments:
            address = segment["address"]  # which blocks of older versions do not tell
            for block in segment["blocks"]:
                arenas[block.get("address", address)] = self._arena(segment, "segment_pool_id")
                address += block["size"]
        known = before_the_history(self.segments, self.entries)
        self.before = [
            (address, size, arenas.get(address, 0))
            for address, (size, _) in sorted(known.items())
            if size
        ]
        self.steps = list(self._read())

    def _pool(self, entry: Mapping[str, Any], key: str = "pool_id") -> int:
        """The number of the pool of an entry; 0 for the default one, and where none is told."""
        pool_id = tuple(entry.get(key, DEFAULT_POOL))
        if pool_id == DEFAULT_POOL:
            return 0
        if pool_id not in self.pool_ids:
            self.pool_ids.append(pool_id)
        return self.pool_ids.index(pool_id) + 1

    def _arena(self, entry: Mapping[str, Any], key: str = "pool_id") -> int:
        stream: int = entry["stream"]
        return self._pool(entry, key) << STREAM | stream

    def _read(self) -> Iterator[tuple[int, int, int, int, int]]:
        """(what, address, size, arena, index of the entry) of each request."""
        entries = self.entries
        at_once = -1  # the entry that completes the free before it
        live = {address for address, _, _ in self.before}
        for i, entry in enumerate(entries):
            action = entry["action"]
            if action == "alloc":
                if entry["addr"] in live:  # its free was not recorded
                    yield Free, entry["addr"], 0, 0, i
                live.add(entry["addr"])
                if entry["size"]:
                    yield Alloc, entry["addr"], entry["size"], self._arena(entry), i
            elif action == "free_requested":
                live.discard(entry["addr"])
                done = i + 1 < len(entries) and entries[i + 1]
                if done and done["action"] == "free_completed" and done["addr"] == entry["addr"]:
                    at_once = i + 1
                    yield Free, entry["addr"], 0, 0, i
                else:
                    yield FreeLater, entry["addr"], 0, 0, i
            elif action == "free_completed":
                live.discard(entry["addr"])
                if i != at_once:
                    yield Complete, entry["addr"], 0, 0, i
            elif action == "oom":
                yield Refused, 0, entry["size"], self._arena(entry), i
            elif action == "segment_free":
                if self._pool(entry):
                    yield PoolLeft, 0, 0, self._arena(entry), i
                if self._was_emptied(i):
                    yield Emptied, 0, 0, 0, i

    def _was_emptied(self, i: int) -> bool:
        """Whether the program emptied the cache: not the allocator, to make room for a request.

        The stack says so; without one, what follows: a segment for that request, or its refusal.
        Asked of the last segment that went back.
        """
        following = self.entries[i + 1]["action"] if i + 1 < len(self.entries) else ""
        if following == "segment_free":
            return False
        frames = self.entries[i].get("frames", ())
        if any(frame["name"] == "empty_cache" for frame in frames):
            return True
        return following not in ("segment_alloc", "segment_map", "oom")


def replay(
    trace: Trace,
    text: str = "",
    memory: int = UNLIMITED_MEMORY,
    kind: Profile = SIMULATOR,
    *,
    allowed: int | None = None,
    watch: Callable[[], object] = lambda: None,
) -> dict[str, Any]:
    """Run *trace* under the settings of *text* on a device with *memory* bytes.

    :param kind: the device, for its context and padding.
    :param allowed: end when more requests than this are refused.
    :param watch: called every now and then; what it raises ends the replay.
    :return: ``stats``, the allocator's own at the end; peaks in bytes; fragmentation, the part of
        the reserved memory that nobody used when most was reserved; requests refused, the first
        with its line and who held the memory; ``rescued``, requests that the recorded run was
        refused and this one is not.
    """
    with settings(text):
        result = _run(
            trace, ReplayAllocator(ReplayDevice(memory, kind), trace.pool_ids), allowed, watch
        )
    result["capacity"] = memory
    result["settings"] = text
    return result


def _run(
    trace: Trace, books: ReplayAllocator, allowed: int | None, watch: Callable[[], object]
) -> dict[str, Any]:
    blocks: dict[int, Node] = {}
    waiting: dict[int, _Pending] = {}
    refused: list[int] = []
    rescued = 0
    reserved = 0
    idle_at_peak = 0.0
    allocate, free = books.allocate, books.free
    for address, size, arena in trace.before:
        try:
            if arena >= _PRIVATE:
                books.use_pool(arena >> STREAM)
            blocks[address] = allocate(size, arena)
        except OutOfMemoryError:
            refused.append(0)
    statistics = books.statistics
    for start in range(0, len(trace.steps), _SLICE):
        watch()
        if allowed is not None and len(refused) > allowed:
            break
        for what, address, size, arena, index in trace.steps[start : start + _SLICE]:
            try:
                if what == Alloc:
                    if arena >= _PRIVATE:
                        books.use_pool(arena >> STREAM)
                    blocks[address] = allocate(size, arena)
                    if books.reserved > reserved:
                        reserved = books.reserved
                        idle_at_peak = 1 - statistics.allocated_bytes() / reserved
                elif what == Free:
                    if address in blocks:
                        free(blocks.pop(address))
                elif what == FreeLater:
                    if address in blocks:
                        waiting[address] = _Pending()
                        blocks[address].uses = {_SOME_STREAM: waiting[address]}
                        free(blocks.pop(address))
                elif what == Complete:
                    pending = waiting.pop(address, None)
                    if pending is not None:
                        pending.ticket[0] = None
                    elif address in blocks:  # asked for before the history began
                        free(blocks.pop(address))
                elif what == Refused:
                    if arena >= _PRIVATE:
                        books.use_pool(arena >> STREAM)
                    free(allocate(size, arena))
                    rescued += 1
                elif what == PoolLeft:
                    books.leave_pool(arena >> STREAM)
                else:
                    books.flush()
            except OutOfMemoryError:
                refused.append(index)
                if allowed is not None and len(refused) > allowed:
                    break
    stats = statistics.as_nested_dict()
    return {
        "peak_allocated": stats["allocated_bytes"]["all"]["peak"],
        "peak_requested": stats["requested_bytes"]["all"]["peak"],
        "peak_reserved": stats["reserved_bytes"]["all"]["peak"],
        "fragmentation": idle_at_peak,
        "retries": stats["num_alloc_retries"],
        "segments": stats["num_device_alloc"],
        "refused": len(refused),
        "rescued": rescued,
        "first_refused": _describe(trace, refused[0]) if refused else None,
        "stats": stats,
    }


def _describe(trace: Trace, index: int) -> dict[str, Any]:
    entry: Mapping[str, Any] = trace.entries[index] if trace.entries else {"size": 0}
    holders = holding(trace.segments, trace.entries, index)
    return {
        "entry": index,
        "asked_bytes": entry["size"],
        "line": line_of_frames(entry.get("frames", ())),
        "holders": [{"line": line, "bytes": n, "blocks": k} for line, n, k in holders[:10]],
    }
