"""Memory history: trace entries, stacks and the snapshot, in the format of torch's viewer."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from types import CodeType
from typing import Any, ClassVar

from mindtorch_npu.block_pool import ALLOCATED, DEFAULT_POOL, PENDING, Node, PoolId, Segment
from mindtorch_npu.call_site import Site, line_of, stack

__all__ = ["History", "describe_segments", "show_frames"]

_STATES = {0: "inactive", ALLOCATED: "active_allocated", PENDING: "active_pending_free"}
_CONTEXTS: dict[str | None, int] = {None: 0, "state": 1, "alloc": 2, "all": 3}

Stack = tuple[Site, ...]
#: So many different stacks are known at a time.
_STACKS = 1 << 16


class History:
    """The trace of one device. ``enabled`` is what the allocator asks on each call."""

    __slots__ = (
        *("_context", "_entries", "_freed", "_internals", "_known", "_skip", "enabled", "serves"),
    )

    #: A text of the user's, put to every entry of every device.
    metadata: ClassVar[str] = ""

    def __init__(self) -> None:
        self.enabled = False
        self.serves = False  # what is given back makes room for an allocation
        self._context = 0
        self._freed: tuple[Node | None, Stack | None] = None, None
        self._internals = True
        self._known: dict[Stack, Stack] = {}  # a loop has the same stacks again and again
        self._entries: deque[dict[str, Any]] = deque(maxlen=1)
        self._skip: frozenset[str] = frozenset()

    def configure(
        self,
        enabled: str | None,
        context: str | None,
        max_entries: int,
        *,
        stacks: str = "all",
        clear: bool = False,
        skip: Iterable[str] = (),
    ) -> None:
        """Start, change or (``enabled=None``) stop recording; stopping forgets the trace."""
        keep = () if enabled is None or clear else tuple(self._entries)
        # Only "all" keeps more than one entry. A deque takes no bound above ssize_t.
        bound = min(max(max_entries, 1), sys.maxsize) if enabled == "all" else 1
        self._entries = deque(keep, maxlen=bound)
        self._context = _CONTEXTS[context] if enabled is not None else 0
        self._internals = stacks == "all"
        self._skip = frozenset(skip)
        self._known.clear()
        self.enabled = enabled is not None

    def allocation_site(self) -> Stack | None:
        """The stack to keep with an allocation."""
        return self._stack() if self._context >= 1 else None

    def _stack(self) -> Stack:
        found = tuple(stack(3, self._internals))
        if len(self._known) > _STACKS:
            self._known.clear()
        return self._known.setdefault(found, found)

    def note(
        self,
        action: str,
        address: int,
        size: int,
        stream: int,
        site: Stack | None = None,
        pool: PoolId = DEFAULT_POOL,
    ) -> None:
        """Add a trace entry."""
        if not self.enabled or action in self._skip:
            return
        entry: dict[str, Any] = {
            "action": action,
            "device_free" if action == "oom" else "addr": address,
            "size": size,
            "stream": stream,
            "time_us": time.time_ns() // 1000,
            "pool_id": pool,
            "compile_context": "N/A",
            "user_metadata": self.metadata,
        }
        if site is not None and self._context >= 2:
            entry["frames"] = site
        self._entries.append(entry)

    def _knows_who(self) -> bool:
        """Whether a free has the stack of who caused it."""
        return self._context >= (1 if self.serves else 3)

    def note_free(self, action: str, node: Node) -> None:
        """Add the entry of a free, with the stack of who freed or else of who allocated."""
        freed, site = self._freed
        if freed is not node:  # else it is the second entry of one free: the stack is the same
            site = self._stack() if self._knows_who() else node.site
        at_once = action == "free_requested" and node.uses is None
        self._freed = (node, site) if at_once else (None, None)
        pool = node.cache.pool.id
        self.note(action, node.address, node.nbytes, node.stream, site, pool)

    def note_segment_free(self, segment: Segment) -> None:
        """Add the entry of a segment that goes back to the driver."""
        site = self._stack() if self._knows_who() else segment.site
        pool = segment.pool.id
        self.note("segment_free", segment.address, segment.size, segment.stream, site, pool)

    def trace(self) -> list[dict[str, Any]]:
        """The entries, oldest first, with stacks spelt out: equal ones are the same object."""
        entries = tuple(self._entries)
        shown: dict[int, list[dict[str, Any]]] = {}  # by the stack, which the entry keeps alive
        found = []
        for entry in entries:
            sites = entry.get("frames")
            if sites is None:
                found.append(dict(entry))
                continue
            frames = shown.get(id(sites))
            if frames is None:
                frames = shown[id(sites)] = show_frames(sites)
            found.append(entry | {"frames": frames})
        return found


def show_frames(sites: Stack | None) -> list[dict[str, Any]]:
    """A stack as the dictionaries of torch's snapshots; equal frames are the same object."""
    return [_frame(code, offset) for code, offset in sites or ()]


@lru_cache(maxsize=65536)
def _frame(code: CodeType, offset: int) -> dict[str, Any]:
    return {"filename": code.co_filename, "line": line_of(code, offset), "name": code.co_name}


def describe_segments(device: int, segments: Iterable[Segment]) -> list[dict[str, Any]]:
    """Segments by address, each with its blocks in order."""
    found = []
    for segment in sorted(segments, key=lambda s: s.address):
        blocks = []
        allocated = active = requested = 0
        for node in segment.nodes():
            if node.state == ALLOCATED:
                allocated += node.size
            if node.state in (ALLOCATED, PENDING):
                active += node.size
                requested += node.nbytes
            blocks.append(
                {
                    "address": node.address,
                    "size": node.size,
                    "requested_size": node.nbytes,
                    "state": _STATES[node.state],
                    "frames": show_frames(node.site),
                }
            )
        found.append(
            {
                "device": device,
                "address": segment.address,
                "total_size": segment.size,
                "allocated_size": allocated,
                "active_size": active,
                "requested_size": requested,
                "stream": segment.stream,
                "segment_type": "small" if segment.pool.is_small else "large",
                "segment_pool_id": segment.pool.id,
                "is_expandable": False,
                "frames": show_frames(segment.site),
                "blocks": blocks,
            }
        )
    return found
