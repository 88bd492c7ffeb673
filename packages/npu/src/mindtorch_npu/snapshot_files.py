"""Reading the pickles of ``_dump_snapshot``, of this package or of ``torch.cuda.memory``."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mindtorch_npu.block_pool import DEFAULT_POOL

__all__ = ["load_snapshot"]


class _Data(pickle.Unpickler):
    """Reads plain data only: a snapshot is lists, dictionaries, numbers and texts."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"a memory snapshot has no {module}.{name}")


def load_snapshot(path: str | Path) -> dict[str, Any]:
    """The snapshot in a file. Raises ValueError for what is none, OSError as open does."""
    with open(path, "rb") as file:
        try:
            found = _Data(file).load()
        except Exception as error:  # whatever the bytes of another file lead to
            what = _kind_of(path)
            raise ValueError(f"{path} is not a memory snapshot: {what} ({error})") from None
    if not isinstance(found, dict) or not {"segments", "device_traces"} <= found.keys():
        raise ValueError(f"{path} is not a memory snapshot: it has no segments and device_traces")
    for trouble in _troubles(found):
        raise ValueError(f"{path} is not a memory snapshot: {trouble}")
    traces = [completed(trace) for trace in found["device_traces"]]
    # Without traces (include_traces=False) there may be segments of devices all the same.
    devices = 1 + max((segment["device"] for segment in found["segments"]), default=-1)
    traces += [[] for _ in range(devices - len(traces))]
    return found | {"device_traces": traces}


def _kind_of(path: str | Path) -> str:
    """What a file is that could not be read."""
    with open(path, "rb") as file:
        begin = file.read(64).lstrip()
    if not begin:
        return "it is empty"
    if begin.startswith(b"\x80"):
        return "a pickle that cannot be read"
    if begin.startswith((b"{", b"[")):
        return "it may be JSON; wanted is the pickle that _dump_snapshot() writes"
    return "not a pickle"


def completed(trace: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """*trace* with the frees that it must have had.

    ``skip_actions`` leaves out what it names. Where no free was completed, each was when it was
    asked for; and memory that is given out anew had been freed before.
    """
    at_once = not any(entry["action"] == "free_completed" for entry in trace)
    live: dict[int, dict[str, Any]] = {}
    found: list[dict[str, Any]] = []
    for entry in trace:
        action = entry["action"]
        if action == "alloc":
            former = live.get(entry["addr"])
            if former is not None:
                if former["action"] == "alloc":
                    found.append(former | {"action": "free_requested"})
                found.append(former | {"action": "free_completed"})
            live[entry["addr"]] = entry
        elif action == "free_completed":
            live.pop(entry["addr"], None)
        found.append(entry)
        if action == "free_requested":
            live[entry["addr"]] = entry
            if at_once:
                found.append(entry | {"action": "free_completed"})
                del live[entry["addr"]]
    return found if len(found) > len(trace) else trace


_SEGMENT = {
    **dict.fromkeys(("device", "address", "total_size", "allocated_size", "stream"), int),
    "blocks": list,
}
#: No machine has so many.
_DEVICES = 4096
#: What a stream ran, which only our own snapshots have.
_SPAN = {"device": int, "stream": int, "name": str, "site": str, "start_us": int, "end_us": int}
_SIZES = ("size", "total_size", "allocated_size", "requested_size", "real_size")
_BLOCK = {"size": int, "state": str}
_NO_STACK: list[Any] = []
#: What blocks of older versions lack, or newer ones.
_NO_BLOCK: dict[str, Any] = {"address": 0, "requested_size": 0, "history": _NO_STACK}
_NO_BLOCK_KINDS: dict[str, type] = {name: type(value) for name, value in _NO_BLOCK.items()}
_PAST = {"real_size": int}
_FRAME = {"filename": str, "line": int, "name": str}
#: Of trace entries, by action; others have no more than a name.
_ENTRIES: dict[str, dict[str, type]] = {
    "alloc": {"addr": int, "size": int, "stream": int},
    "free_requested": {"addr": int, "size": int},
    "free_completed": {"addr": int, "size": int},
    "segment_alloc": {"addr": int, "size": int},
    "segment_free": {"addr": int, "size": int},
    "oom": {"device_free": int, "size": int, "stream": int},
}


def _troubles(found: dict[str, Any]) -> Iterator[str]:
    """What is not as in a snapshot."""
    segments, traces = found["segments"], found["device_traces"]
    lanes = found.get("stream_lanes", [])
    if not isinstance(found.get("allocator_settings", {}), dict):
        yield "its allocator_settings are no dictionary"
        return
    stacks: dict[int, Any] = {}  # they are shared between entries
    if not isinstance(segments, list):
        yield "its segments are no list"
        return
    if not isinstance(traces, list) or not all(isinstance(trace, list) for trace in traces):
        yield "its device_traces are no list of lists"
        return
    if not isinstance(lanes, list) or not all(_has(span, _SPAN) for span in lanes):
        yield "its stream_lanes are no list of what streams ran"
        return
    for i, segment in enumerate(segments):
        if not _has(segment, _SEGMENT) or not 0 <= segment["device"] < _DEVICES:
            yield f"segment {i} lacks what a segment has"
            return
        if not _names_pool(segment, "segment_pool_id"):
            yield f"segment {i} names no pool"
            return
        for block in segment["blocks"]:
            if not _has(block, _BLOCK) or not _has(_NO_BLOCK | block, _NO_BLOCK_KINDS):
                yield f"segment {i} has a block that lacks what a block has"
                return
            if not all(_has(past, _PAST) for past in block.get("history", ())):
                yield f"segment {i} has a block whose history lacks what one has"
                return
            frames = block.get("frames", _NO_STACK)
            stacks[id(frames)] = frames
    for device, trace in enumerate(traces):
        for i, entry in enumerate(trace):
            action = entry.get("action") if isinstance(entry, dict) else None
            if not isinstance(action, str) or not _has(entry, _ENTRIES.get(action, {})):
                yield f"entry {i} of device {device} lacks what such an entry has"
                return
            if not _names_pool(entry, "pool_id"):
                yield f"entry {i} of device {device} names no pool"
                return
            frames = entry.get("frames", _NO_STACK)
            stacks[id(frames)] = frames
    if not all(isinstance(frames, list) for frames in stacks.values()):
        yield "a stack in it is no list of frames"
        return
    once = {id(frame): frame for frames in stacks.values() for frame in frames}  # shared, too
    if not all(_has(frame, _FRAME) for frame in once.values()):
        yield "a stack in it is no list of frames"


def _names_pool(entry: Mapping[str, Any], key: str) -> bool:
    """Whether the pool of *entry*, if it names one, is named by two numbers."""
    pool_id = entry.get(key, DEFAULT_POOL)
    pair = isinstance(pool_id, tuple | list) and len(pool_id) == 2
    return pair and all(isinstance(number, int) for number in pool_id)


def _has(value: object, wanted: Mapping[str, type]) -> bool:
    """Whether *value* is a dictionary with such values, of which no size is negative."""
    return isinstance(value, dict) and all(
        isinstance(value.get(name), kind) and not (name in _SIZES and value[name] < 0)
        for name, kind in wanted.items()
    )
