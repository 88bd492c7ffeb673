"""Snapshots in files: what is none is refused, and a program's empty_cache is replayed."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend, memory
from mindtorch_npu.peak_usage import usage
from mindtorch_npu.replay import Trace, replay
from mindtorch_npu.snapshot_files import completed, load_snapshot

MIB = 1 << 20


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    """Each test starts with an empty cache and ends without recording."""
    npu.empty_cache()
    yield
    memory._record_memory_history(None)
    npu.empty_cache()


def two_phases() -> dict[str, Any]:
    """The history of a program that empties the cache between two phases."""
    memory._record_memory_history(context="all", clear_history=True)
    for size in (30, 45):
        held = [backend.allocate(size * MIB, 0) for _ in range(4)]
        for block in held:
            block.free()
        npu.empty_cache()
        few = backend.allocate(1000, 0)
        few.free()
    return memory._snapshot()


@pytest.mark.parametrize("stacks", [True, False])
def test_a_programs_empty_cache_is_replayed(stacks: bool) -> None:
    """Else the replay reserves the memory of both phases. Without stacks: by what follows."""
    snapshot = two_phases()
    trace = snapshot["device_traces"][0]
    if not stacks:
        for entry in trace:
            entry.pop("frames", None)
        # What asks for a segment at once may as well have been given the room by the allocator.
        trace[:] = [entry for entry in trace if entry["size"] != 1000]
    assert replay(Trace(snapshot))["peak_reserved"] // (4 * 45 * MIB) == 1


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a snapshot."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:8])
    for key, each in inner:
        yield (*path, key)
        if isinstance(each, (dict, list)):
            yield from places(each, (*path, key))


def test_damaged_snapshots_are_refused_or_read(tmp_path: Path) -> None:
    """ValueError, or a snapshot with which everything works: never another exception later on."""
    kept = backend.allocate(3 * MIB, 0)
    whole = two_phases()
    kept.free()
    for entry in whole["device_traces"][0]:
        del entry["frames"][2:]  # how deep the stack is depends on who runs the test
    for segment in whole["segments"]:
        for block in segment["blocks"]:
            del block["frames"][2:]
    rng = random.Random(7)
    known = list(places(whole))
    path = tmp_path / "snap.pickle"
    refused = 0
    for _ in range(120):
        damaged = copy.deepcopy(whole)
        *way, last = rng.choice(known)
        inner: Any = damaged
        for key in way:
            inner = inner[key]
        if rng.random() < 0.5:
            inner[last] = rng.choice([None, "x", [], {}, 1.5, [[]], b"z"])
        else:
            del inner[last]
        path.write_bytes(pickle.dumps(damaged))
        try:
            found = load_snapshot(path)
            trace = Trace(found)
        except ValueError as error:
            refused += 1
            assert str(error).startswith(
                (f"{path} is not a memory snapshot: ", "the snapshot has ")
            )
        else:
            usage(found)
            replay(trace)
    assert 20 < refused < 110


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Whatever is in them; a file that is not there is the system's error."""
    path = tmp_path / "x.pickle"
    for content in (b"", b"garbage\n", b"\x80\x05", pickle.dumps(7), b"I\nx.", b"(lp0\n."):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is not a memory snapshot"):
            load_snapshot(path)
    with pytest.raises(FileNotFoundError):
        load_snapshot(tmp_path / "none")


def test_frees_that_a_history_was_told_to_skip() -> None:
    """``skip_actions`` leaves out some kinds of entries: memory comes back all the same."""

    def entry(action: str, address: int = 512) -> dict[str, Any]:
        return {"action": action, "addr": address, "size": 512, "stream": 0}

    whole = [entry(a) for a in ("alloc", "free_requested", "free_completed")] * 3
    assert completed(whole) is whole
    for skipped in (("free_completed",), ("free_requested",), ("free_requested", "free_completed")):
        seen = completed([e for e in whole if e["action"] not in skipped])
        live = most = 0
        for each in seen:
            live += (each["action"] == "alloc") - (each["action"] == "free_completed")
            most = max(most, live)
        assert most == 1, skipped
    late = [entry("alloc"), entry("free_requested"), entry("alloc", 9), entry("free_completed")]
    assert completed(late) is late  # another stream used it until then


def test_segments_without_traces(tmp_path: Path) -> None:
    """As ``include_traces=False`` leaves them: each device has an empty history."""
    kept = backend.allocate(3 * MIB, 1)
    found = memory._snapshot() | {"device_traces": []}
    path = tmp_path / "snap.pickle"
    path.write_bytes(pickle.dumps(found))
    loaded = load_snapshot(path)
    assert loaded["device_traces"] == [[], []]
    assert replay(Trace(loaded, 1))["peak_requested"] >= 3 * MIB
    kept.free()
    found["segments"][0]["device"] = 1 << 40
    path.write_bytes(pickle.dumps(found))
    with pytest.raises(ValueError, match="segment 0 lacks what a segment has"):
        load_snapshot(path)


#: What torch 2.13 writes on CUDA (rules 11.2).
KEYS = {
    "snapshot": "segments device_traces allocator_settings external_annotations",
    "segment": "device address total_size allocated_size active_size requested_size stream "
    "segment_type segment_pool_id is_expandable frames blocks",
    "block": "address size requested_size state frames",
    "frame": "filename line name",
    "entry": "action addr size stream time_us pool_id compile_context user_metadata frames",
    "settings": "PYTORCH_CUDA_ALLOC_CONF max_split_size garbage_collection_threshold "
    "expandable_segments pinned_num_register_threads release_lock_on_cudamalloc "
    "pinned_use_cuda_host_register graph_capture_record_stream_reuse roundup_power2_divisions",
}


def test_what_is_written_has_torchs_keys() -> None:
    """Each kind of dictionary has all of them and no other."""
    held = backend.allocate(3 * MIB, 0)
    two_phases()
    with pytest.raises(npu.OutOfMemoryError):
        backend.allocate(1 << 50, 0)
    found = memory._snapshot()
    held.free()
    trace = found["device_traces"][0]
    # Nobody asked for what notes that a snapshot was taken.
    last = [entry | {"frames": []} for entry in trace if entry["action"] == "snapshot"]
    entries = [entry for entry in trace if entry["action"] not in ("oom", "snapshot")]
    ooms = [entry for entry in trace if entry["action"] == "oom"]
    every = {
        "snapshot": [found],
        "segment": found["segments"],
        "block": [block for segment in found["segments"] for block in segment["blocks"]],
        "frame": [frame for entry in entries for frame in entry["frames"]],
        "entry": entries + last,
        "settings": [found["allocator_settings"]],
    }
    for kind, names in KEYS.items():
        assert every[kind], kind
        for each in every[kind]:
            assert each.keys() == set(names.split()), kind
    assert ooms[0].keys() == {*KEYS["entry"].split(), "device_free"} - {"addr"}
