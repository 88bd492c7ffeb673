"""Who held the memory: the peak of a history, and the lines of the program behind it.

A *snapshot* is the dictionary of ``_snapshot()``, of this package or of ``torch.cuda.memory``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["Holder", "device_usage", "line_of_frames", "usage"]

#: Of a timeline.
PARTS = 40

Entry = Mapping[str, Any]
#: (file:line in function, bytes, number of blocks)
Holder = tuple[str, int, int]

#: Parts of paths whose frames are not the user's program.
_LIBRARIES = (
    *("/mindtorch/", "/mindtorch_npu/", "/mindtorch_storage/", "/mindtorch_dispatch/"),
    *("/mindtorch_autograd/", "/mindtorch_cli/", "/torch/", "/runpy.py"),
    *("/click/", "/typer/"),
)


#: What stands in the names of functions of ``torch.distributed`` that exchange tensors.
_EXCHANGE = re.compile("all_gather|reduce_scatter|all_reduce|all_to_all|broadcast|scatter|gather")

#: Frames of C++, which a history with all stacks has too; those without a line are called "??".
_CXX = (".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hpp")


def line_of_frames(frames: Sequence[Mapping[str, Any]]) -> str:
    """The innermost frame of the user's own program, as ``file.py:12 in train``.

    Where it has processes exchange tensors, the exchange too: ``file.py:12 in train (all_gather)``.
    """
    exchange = ""
    for frame in frames:
        name = str(frame["filename"]).replace("\\", "/")
        written = frame["line"] and not name.startswith(("<", "??")) and not name.endswith(_CXX)
        if written and not any(part in name for part in _LIBRARIES):
            return f"{name}:{frame['line']} in {frame['name']}{exchange}"
        if "/torch/distributed/" in name or "/mindtorch/distributed/" in name:
            found = _EXCHANGE.search(str(frame["name"]))
            exchange = f" ({found[0]})" if found else exchange
    if not frames:
        return "(no stack was recorded)"
    frame = frames[-1]
    return f"{frame['filename']}:{frame['line']} in {frame['name']}"


def before_the_history(segments: Iterable[Entry], trace: Sequence[Entry]) -> dict[int, Any]:
    """Blocks in use when *trace* begins: address -> (size, frames).

    They are found from both ends: what is freed without having been allocated was there, and what
    is in use at the end without having been allocated still is.
    """
    here: dict[int, Any] = {}
    known: set[int] = set()
    for entry in trace:
        action = entry["action"]
        if action == "alloc":
            known.add(entry["addr"])
        elif action == "free_completed" and entry["addr"] not in known:
            known.add(entry["addr"])
            here[entry["addr"]] = (entry["size"], ())
    for segment in segments:
        address = segment["address"]
        for block in segment["blocks"]:
            where = block.get("address", address)
            if block["state"] != "inactive" and where not in known:
                here[where] = _asked(block)
            address = where + block["size"]
    return here


def _asked(block: Entry) -> tuple[int, Any]:
    """Bytes asked for, and the stack. Torch 2.0 has both in a history of the block."""
    for past in block.get("history", ()):
        return past["real_size"], past.get("frames", ())
    return block.get("requested_size", block["size"]), block.get("frames", ())


def usage(snapshot: Mapping[str, Any]) -> list[dict[str, Any]]:
    """:func:`device_usage` of every device that has a history or holds memory."""
    found = []
    for device, trace in enumerate(snapshot["device_traces"]):
        segments = [s for s in snapshot["segments"] if s["device"] == device]
        if trace or segments:
            found.append({"device": device} | device_usage(segments, trace))
    return found


def device_usage(segments: Sequence[Entry], trace: Sequence[Entry]) -> dict[str, Any]:
    """What one device held at its peak (or when memory ran out) and who held it.

    Bytes are those asked for, as a history records them. The ``timeline`` is the most that was held
    in each of up to 40 equal parts of the history.
    """
    live = {address: size for address, (size, _) in before_the_history(segments, trace).items()}
    total = peak = sum(live.values())
    totals = [total]
    at = 0
    out_of_memory = None
    for index, entry in enumerate(trace):
        action = entry["action"]
        if action == "alloc":
            live[entry["addr"]] = entry["size"]
            total += entry["size"]
            if total > peak:
                peak, at = total, index + 1
        elif action == "free_completed":
            total -= live.pop(entry["addr"], 0)
        elif action == "oom" and out_of_memory is None:
            out_of_memory = index
        totals.append(total)
    every = -(-len(totals) // PARTS)
    moment = at if out_of_memory is None else out_of_memory
    holders = holding(segments, trace, moment)
    result: dict[str, Any] = {
        "peak_bytes": peak,
        "held_bytes": sum(size for _, size, _ in holders),
        "moment": moment,
        "entries": len(trace),
        "timeline": [max(totals[i : i + every]) for i in range(0, len(totals), every)],
        "holders": [{"line": line, "bytes": size, "blocks": n} for line, size, n in holders],
        "out_of_memory": None,
    }
    if out_of_memory is not None:
        entry = trace[out_of_memory]
        result["out_of_memory"] = {
            "line": line_of_frames(entry.get("frames", ())),
            "asked_bytes": entry["size"],
            "free_bytes": entry["device_free"],
        }
    return result


def holding(segments: Iterable[Entry], trace: Sequence[Entry], moment: int) -> list[Holder]:
    """Who holds memory before entry *moment*: most bytes first."""
    live: dict[int, tuple[int, Any]] = before_the_history(segments, trace)
    for entry in trace[:moment]:
        if entry["action"] == "alloc":
            live[entry["addr"]] = (entry["size"], entry.get("frames", ()))
        elif entry["action"] == "free_completed":
            live.pop(entry["addr"], None)
    sizes: Counter[str] = Counter()
    blocks: Counter[str] = Counter()
    lines: dict[int, str] = {}  # stacks are shared between entries
    for size, frames in live.values():
        line = lines.get(id(frames))
        if line is None:
            line = lines[id(frames)] = line_of_frames(frames)
        sizes[line] += size
        blocks[line] += 1
    return [(line, size, blocks[line]) for line, size in sizes.most_common()]
