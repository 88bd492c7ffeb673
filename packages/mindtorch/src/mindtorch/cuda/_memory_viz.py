"""``torch.cuda._memory_viz``: snapshots of an accelerator's memory as text and as pages.

A page loads torch's viewer from the net and gives it the snapshot.
"""

from __future__ import annotations

import base64
import json
import pickle
import warnings
from typing import Any

from ..core.unavailable import offer

__all__ = ["Bytes", "filter_alloc_free_pairs", "segment_plot", "segsum", "trace_plot"]

PAGE_SIZE = 20 * 1024 * 1024


class Bytes:
    """A number of bytes that is shown in the unit that fits."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __add__(self, rhs: float) -> Bytes:
        return Bytes(self.value + rhs)

    def __repr__(self) -> str:
        size = self.value
        for unit in ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi"):
            if abs(size) < 1024.0:
                return f"{size:3.1f}{unit}B"
            size /= 1024.0
        return f"{size:.1f}YiB"


_LEGEND = f"""
Legend:
    [a     ] - a segment in the allocator
     ^-- a page {Bytes(PAGE_SIZE)} of memory in the segment
    a-z: pages filled with a single block's content
    ' ': page is completely free
    *: page if completely full with multiple blocks
    0-9: page is partially full with tensors of multiple blocks (9 == 90% full)
    (X% internal) - of the free memory, X% is free because we rounded the size of the allocation.
"""


def _asked_for(block: dict[str, Any]) -> int:
    """How much of a block a program asked for."""
    return int(block.get("requested_size", block["size"]))


def _free(outside: int, inside: int) -> str:
    total = outside + inside
    share = f" ({inside / total * 100:.1f}% internal)" if total else ""
    return f"{Bytes(total)}{share}"


def _pages(segment: dict[str, Any]) -> str:
    """A segment, a letter per page."""
    count = (segment["total_size"] - 1) // PAGE_SIZE + 1
    marks, filled = [" "] * count, [0.0] * count
    offset = number = 0
    for block in segment["blocks"]:
        if block["state"] == "active_allocated":
            begin, end = offset, offset + _asked_for(block)
            for page in range(begin // PAGE_SIZE, (end - 1) // PAGE_SIZE + 1):
                first, last = max(begin, page * PAGE_SIZE), min(end, (page + 1) * PAGE_SIZE)
                filled[page] += (last - first) / PAGE_SIZE
                taken = marks[page] != " "
                marks[page] = (
                    "0123456789*"[int(filled[page] * 10)] if taken else chr(97 + number % 26)
                )
            number += 1
        offset += block["size"]
    return "".join(marks)


def segsum(data: dict[str, Any]) -> str:
    """How the allocator has filled its segments: gaps are free.

    :param data: a snapshot.
    """
    lines = [f"Summary of segments >= {Bytes(PAGE_SIZE)} in size"]
    reserved = allocated = outside = inside = 0

    def used(segment: dict[str, Any]) -> list[dict[str, Any]]:
        return [b for b in segment["blocks"] if b["state"] == "active_allocated"]

    def order(segment: dict[str, Any]) -> tuple[int, int]:
        return segment["total_size"], sum(b["size"] for b in used(segment))

    for segment in sorted(data["segments"], key=order):
        own = sum(map(_asked_for, used(segment)))
        held = sum(b["size"] for b in used(segment))
        size = segment["total_size"]
        reserved, allocated = reserved + size, allocated + own
        outside, inside = outside + size - held, inside + held - own
        if size >= PAGE_SIZE:
            stream = f" stream_{segment['stream']}" if segment["stream"] else ""
            lines.append(
                f"[{_pages(segment)}] {Bytes(size)} allocated, "
                f"{_free(size - held, held - own)} free{stream}"
            )
    lines += [
        f"segments: {len(data['segments'])}",
        f"total_reserved: {Bytes(reserved)}",
        f"total_allocated: {Bytes(allocated)}",
        f"total_free: {_free(outside, inside)}",
    ]
    return "\n".join(lines) + "\n" + _LEGEND


_VIEWER = "https://cdn.jsdelivr.net/gh/pytorch/pytorch@main/torch/utils/viz/MemoryViz.js"


def _format_viz(data: Any, viz_kind: str, device: Any) -> str:
    """A page with the snapshot, which opens the viewer of that kind."""
    if device is not None:
        warnings.warn(
            "device argument is deprecated, plots now contain all device",
            FutureWarning,
            stacklevel=3,
        )
    held = base64.b64encode(pickle.dumps(data)).decode()
    files = json.dumps([{"name": "snapshot.pickle", "base64": held}])
    return (
        "<!DOCTYPE html>\n<html>\n<head>\n</head>\n<body>\n"
        f'<script type="module">\nimport {{add_local_files}} from "{_VIEWER}"\n'
        f"const local_files = {files}\nadd_local_files(local_files, {viz_kind!r})\n"
        "</script>\n</body>\n"
    )


def filter_alloc_free_pairs(data: dict[str, Any]) -> dict[str, Any]:
    """The snapshot *data* without what was asked for and given back again."""
    for number, events in enumerate(data["device_traces"]):
        gone: set[int] = set()
        taken: dict[int, int] = {}
        requested: set[int] = set()
        for i, event in enumerate(events):
            action, address = event["action"], event["addr"]
            if action == "alloc":
                taken[address] = i
            elif action == "free_requested":
                requested.add(address)
                if address in taken:
                    gone |= {i, taken.pop(address)}
            elif action == "free_completed" and address in requested:
                requested.discard(address)
                gone.add(i)
        data["device_traces"][number] = [e for i, e in enumerate(events) if i not in gone]
    return data


def trace_plot(
    data: dict[str, Any],
    device: Any = None,
    plot_segments: bool = False,
    filter_freed: bool = False,
) -> str:
    """A page of the memory in use over time.

    :param data: a snapshot.
    :param plot_segments: memory that the allocator holds, in the place of blocks.
    :param filter_freed: leave out what was given back.
    """
    if filter_freed:
        data = filter_alloc_free_pairs(data)
    kind = "Active Cached Memory Timeline" if plot_segments else "Active Memory Timeline"
    return _format_viz(data, kind, device)


def segment_plot(data: Any, device: Any = None) -> str:
    """A page of the allocator's segments.

    :param data: a snapshot.
    """
    return _format_viz(data, "Allocator State History", device)


offer(
    globals(),
    "reads events of a profiler that mindtorch's does not have: take a snapshot",
    "_profile_to_snapshot compare memory profile_plot segments trace",
    public=" ",
)
