"""Memory snapshots as PyTorch writes them on CUDA, built by hand.

Keys and values are those of torch 2.4 to 2.13 (``torch.cuda.memory._snapshot``): stacks with
frames of C++, entries without a stack, ``device_free`` in place of ``addr`` where memory ran out,
a history that begins in the middle, expandable segments, several devices.
"""

from __future__ import annotations

from typing import Any

MIB = 1024 * 1024
BASE = 0x7F3A_0000_0000

Entry = dict[str, Any]


def stack(line: int, name: str = "forward") -> list[Entry]:
    """Frames as ``stacks="all"`` has them: C++ first, without a line."""
    return [
        {"filename": "??", "line": 0, "name": "torch::unwind::unwind()"},
        {"filename": "CUDACachingAllocator.cpp", "line": 0, "name": "c10::cuda::malloc(long)"},
        {"filename": "/usr/lib/python3/site-packages/torch/nn/modules/linear.py", "line": 125,
         "name": "forward"},
        {"filename": "/home/me/train.py", "line": line, "name": name},
        {"filename": "/home/me/train.py", "line": 99, "name": "<module>"},
    ]  # fmt: skip


class Recorder:
    """Writes the entries of one device, as the allocator would."""

    def __init__(self, device: int = 0, modern: bool = True) -> None:
        self.device = device
        self.modern = modern
        self.entries: list[Entry] = []
        self._time = 1_700_000_000_000_000

    def add(
        self, action: str, address: int, size: int, frames: Any = None, stream: int = 0
    ) -> None:
        """One entry."""
        self._time += 17
        entry: Entry = {
            "action": action,
            "device_free" if action == "oom" else "addr": address,
            "size": size,
            "stream": stream,
            "time_us": self._time,
        }
        if self.modern:
            entry |= {"compile_context": "N/A", "user_metadata": "", "pool_id": (0, 0)}
        if frames is not None:
            entry["frames"] = frames
        self.entries.append(entry)

    def alloc(self, address: int, size: int, line: int = 12, stream: int = 0) -> None:
        self.add("alloc", address, size, stack(line), stream)

    def free(self, address: int, size: int, stream: int = 0) -> None:
        self.add("free_requested", address, size, stack(30, "step"), stream)
        self.add("free_completed", address, size, stack(30, "step"), stream)


def block(address: int, size: int, asked: int, state: str, line: int = 0) -> Entry:
    """One block of a segment."""
    frames = stack(line) if line else []
    return {
        "address": address,
        "size": size,
        "requested_size": asked,
        "state": state,
        "frames": frames,
    }


def segment(
    device: int, blocks: list[Entry], *, expandable: bool = False, stream: int = 0
) -> Entry:
    """A segment around *blocks*, which cover it."""
    used = [b for b in blocks if b["state"] == "active_allocated"]
    active = [b for b in blocks if b["state"] != "inactive"]
    total = sum(b["size"] for b in blocks)
    return {
        "device": device,
        "address": blocks[0]["address"],
        "total_size": total,
        "allocated_size": sum(b["size"] for b in used),
        "active_size": sum(b["size"] for b in active),
        "requested_size": sum(b["requested_size"] for b in active),
        "stream": stream,
        "segment_type": "small" if total <= 2 * MIB else "large",
        "segment_pool_id": (0, 0),
        "is_expandable": expandable,
        "frames": stack(12),
        "blocks": blocks,
    }


def whole(segments: list[Entry], traces: list[list[Entry]]) -> dict[str, Any]:
    """The whole file."""
    return {
        "segments": segments,
        "device_traces": traces,
        "allocator_settings": {
            "PYTORCH_CUDA_ALLOC_CONF": "",
            "max_split_size": -1,
            "garbage_collection_threshold": 0.0,
            "expandable_segments": any(s["is_expandable"] for s in segments),
            "pinned_num_register_threads": 1,
            "release_lock_on_cudamalloc": False,
            "pinned_use_cuda_host_register": False,
            "roundup_power2_divisions": {str(1 << i): 0 for i in range(16)},
            "graph_capture_record_stream_reuse": False,
        },
        "external_annotations": [],
    }


def truncated() -> dict[str, Any]:
    """The ring was full: the history begins after two weights and in the middle of a free.

    Held all along: 64 MiB at BASE. Freed early: 32 MiB; half freed when it begins: 8 MiB. Then 40
    MiB come and go three times, of which the last stays. Most asked for at once: 104 MiB and 8.
    """
    r = Recorder()
    early, late, half = BASE + 64 * MIB, BASE + 128 * MIB, BASE + 192 * MIB
    r.add("free_completed", half, 8 * MIB, stack(30, "step"))
    r.free(early, 32 * MIB)
    r.add("segment_alloc", late, 40 * MIB, stack(14))
    for _ in range(2):
        r.alloc(late, 40 * MIB, 14)
        r.free(late, 40 * MIB)
    r.alloc(late, 40 * MIB, 14)
    r.add("snapshot", 0, 104 * MIB)
    segments = [
        segment(0, [block(BASE, 64 * MIB, 64 * MIB, "active_allocated", 7)]),
        segment(0, [block(early, 32 * MIB, 32 * MIB, "inactive")]),
        segment(0, [block(late, 40 * MIB, 40 * MIB, "active_allocated", 14)]),
        segment(0, [block(half, 20 * MIB, 8 * MIB, "inactive")]),
    ]
    return whole(segments, [r.entries])


def expandable() -> dict[str, Any]:
    """``expandable_segments:True``: pages are mapped behind each other and unmapped again."""
    r = Recorder()
    for i in range(4):
        r.add("segment_map", BASE + 20 * i * MIB, 20 * MIB, stack(12))
        r.alloc(BASE + 20 * i * MIB, 15 * MIB)
    r.free(BASE + 60 * MIB, 15 * MIB)
    r.add("segment_unmap", BASE + 60 * MIB, 20 * MIB, stack(40, "empty_cache"))
    blocks = [
        piece
        for i in range(3)
        for piece in (
            block(BASE + 20 * i * MIB, 15 * MIB, 15 * MIB, "active_allocated", 12),
            block(BASE + (20 * i + 15) * MIB, 5 * MIB, 0, "inactive"),
        )
    ]
    return whole([segment(0, blocks, expandable=True)], [r.entries])


def out_of_memory() -> dict[str, Any]:
    """Fragments: 8 x 40 MiB, every other one freed, then 100 MiB that nobody had."""
    r = Recorder()
    places = [BASE + 40 * i * MIB for i in range(8)]
    for place in places:
        r.add("segment_alloc", place, 40 * MIB, stack(12))
        r.alloc(place, 40 * MIB)
    for place in places[::2]:
        r.free(place, 40 * MIB)
    for place in places[::2]:
        r.add("segment_free", place, 40 * MIB, stack(50, "backward"))
    r.add("oom", 90 * MIB, 100 * MIB, stack(50, "backward"))
    segments = [
        segment(0, [block(place, 40 * MIB, 40 * MIB, "active_allocated", 12)])
        for place in places[1::2]
    ]
    return whole(segments, [r.entries])


def several_devices() -> dict[str, Any]:
    """Nothing on the first of three; a side stream and a pending free on the second."""
    second, third = Recorder(1), Recorder(2, modern=False)
    second.add("segment_alloc", BASE, 2 * MIB, None, 0x55AA)
    second.add("alloc", BASE, 1000, None, 0x55AA)
    second.add("alloc", BASE + 1024, 3000, None, 0x55AA)
    second.add("free_requested", BASE, 1000, None, 0x55AA)
    second.add("user_defined", 0, 0)
    third.alloc(BASE, 30 * MIB, 77)
    pending = block(BASE, 1024, 1000, "active_pending_free")
    rest = 2 * MIB - 1024 - 3072
    segments = [
        segment(
            1,
            [
                pending,
                block(BASE + 1024, 3072, 3000, "active_allocated"),
                block(BASE + 4096, rest, 0, "inactive"),
            ],
            stream=0x55AA,
        ),
        segment(2, [block(BASE, 30 * MIB, 30 * MIB, "active_allocated", 77)]),
    ]
    return whole(segments, [[], second.entries, third.entries])


def without_history() -> dict[str, Any]:
    """``_dump_snapshot`` without ``_record_memory_history``: one device that holds something."""
    held = [
        block(BASE, 25 * MIB, 25 * MIB - 5, "active_allocated"),
        block(BASE + 25 * MIB, MIB, 0, "inactive"),
    ]
    for each in held:
        del each["frames"]  # torch 2.4 leaves them out where there is none
    found = segment(0, held)
    del found["frames"]
    return whole([found], [[]])


def newer() -> dict[str, Any]:
    """A torch that is not there yet: keys and actions that nobody here knows of.

    A private pool, frames with FX nodes and annotations, which 2.13 has. Held: 30 and 12 MiB.
    """
    r = Recorder()
    r.add("segment_alloc", BASE, 32 * MIB, stack(12))
    r.alloc(BASE, 30 * MIB)
    r.alloc(BASE + 64 * MIB, 12 * MIB, 14)
    r.add("workspace_snapshot", 0, 0)
    for entry in r.entries:
        entry |= {"pool_id": (1, 0), "tenant": {"id": 7}, "compile_context": "0/1"}
    r.entries.insert(1, {"action": "compacted", "moved": [BASE]})
    fx = {"fx_node_op": "call_function", "fx_node_name": "mm", "fx_original_trace": "x @ y"}
    for frame in r.entries[0]["frames"]:
        frame |= fx
    blocks = [
        block(BASE, 30 * MIB, 30 * MIB, "active_allocated", 12),
        block(BASE + 30 * MIB, 2 * MIB, 0, "inactive") | {"age": 3},
    ]
    found = whole(
        [
            segment(0, blocks) | {"segment_pool_id": (1, 0), "registered": 2},
            segment(0, [block(BASE + 64 * MIB, 12 * MIB, 12 * MIB, "active_allocated", 14)]),
        ],
        [r.entries],
    )
    found["allocator_settings"] |= {
        "huge_pages": True,
        "PYTORCH_CUDA_ALLOC_CONF": "huge_pages:True",
    }
    found["external_annotations"] = [
        {"stage": "START", "name": "step", "device": 0, "time_us": 1_700_000_000_000_000}
    ]
    return found | {"version": 3, "hosts": ["a"]}


def older() -> dict[str, Any]:
    """torch 2.0: blocks have a history in place of an address and of the size asked for."""
    r = Recorder(modern=False)
    r.alloc(BASE, 1000)
    history = [{"addr": BASE, "real_size": 1000, "frames": stack(12)}]
    blocks = [
        {"size": 1024, "state": "active_allocated", "history": history},
        {"size": 2 * MIB - 1024, "state": "inactive"},
    ]
    found = {
        "device": 0,
        "address": BASE,
        "total_size": 2 * MIB,
        "allocated_size": 1024,
        "active_size": 1024,
        "stream": 0,
        "segment_type": "small",
        "blocks": blocks,
    }
    return {"segments": [found], "device_traces": [r.entries]}
