"""Stacks and flame graphs of the memory history."""

from __future__ import annotations

import gc
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import mindtorch_npu as npu
import pytest
from mindtorch_npu import backend, memory
from mindtorch_npu.flame_graph import draw, fold_memory


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    """Each test starts with an empty cache and ends without recording."""
    npu.empty_cache()
    yield
    memory._record_memory_history(None)
    npu.empty_cache()


WHOLE = 12 << 20  # takes a segment of its own, which is not cut


def the_alloc(nbytes: int = 1000) -> Any:
    return backend.allocate(nbytes, 0)


def the_free(block: Any) -> None:
    block.free()


#: context -> functions that the entries of an action name
WANTED: dict[str | None, dict[str, str]] = {
    None: {},
    "state": {},
    "alloc": dict.fromkeys(
        ("segment_alloc", "alloc", "free_requested", "free_completed", "segment_free"), "the_alloc"
    ),
    "all": {
        "segment_alloc": "the_alloc",
        "alloc": "the_alloc",
        "free_requested": "the_free",
        "free_completed": "the_free",
        "segment_free": "empty_cache",
    },
}


@pytest.mark.parametrize("nbytes", [1000, WHOLE])
@pytest.mark.parametrize("context", WANTED)
def test_which_entries_have_which_stacks(context: str | None, nbytes: int) -> None:
    """A free names who freed, or where that is not recorded who allocated.

    CUDA keeps a segment's stack with its first block, which is another one when it was cut.
    """
    memory._record_memory_history(context=context, stacks="python", clear_history=True)
    the_free(the_alloc(nbytes))
    npu.empty_cache()
    entries = memory._snapshot()["device_traces"][0]
    got = {e["action"]: e["frames"][0]["name"] for e in entries if "frames" in e}
    wanted = dict(WANTED[context])
    if context == "alloc" and nbytes != WHOLE:
        del wanted["segment_free"]
    assert got == wanted
    assert {e["action"] for e in entries} >= set(WANTED["all"])


@pytest.mark.parametrize("context", ["alloc", "all"])
def test_who_makes_room_is_named(context: str) -> None:
    """An allocation that ends the wait of a block, or flushes the cache: its stack is theirs."""
    memory._record_memory_history(context=context, stacks="python", clear_history=True)

    def next_in_line() -> None:
        with pytest.raises(npu.OutOfMemoryError):
            backend.allocate(1 << 50, 0)

    for block in [the_alloc(nbytes) for nbytes in (1000, WHOLE)]:
        backend.record_stream(block, npu.Stream())
        the_free(block)
    next_in_line()
    entries = memory._snapshot()["device_traces"][0]
    got = [(e["action"], e["frames"][0]["name"]) for e in entries[-5:]]
    done = ("free_completed", "next_in_line"), ("segment_free", "next_in_line")
    assert got == [done[0], done[0], done[1], done[1], ("oom", "next_in_line")]


@pytest.mark.parametrize("nbytes", [1000, WHOLE])
@pytest.mark.parametrize("context", [None, "state", "alloc", "all"])
def test_blocks_in_use_have_stacks_from_state_on(context: str | None, nbytes: int) -> None:
    """And lose them when they are freed; segments keep theirs until they are cut."""
    memory._record_memory_history("state", context=context)
    block = the_alloc(nbytes)
    (segment,) = memory.memory_snapshot()
    found = [each["frames"] and each["frames"][0]["name"] for each in segment["blocks"]]
    rest = [] if nbytes == WHOLE else [[]]
    assert found == ["the_alloc" if context else [], *rest]
    block.free()
    (segment,) = memory.memory_snapshot()
    assert not segment["blocks"][0]["frames"]
    assert bool(segment["frames"]) == (context is not None and nbytes == WHOLE)


@pytest.mark.parametrize("by_segment", [True, False])
def test_flame_graph(by_segment: bool, tmp_path: Any) -> None:
    """Widths are bytes; the file is an SVG that names the lines."""
    memory._record_memory_history("state", stacks="python")
    block = the_alloc()
    path = tmp_path / "usage.svg"
    save = memory._save_segment_usage if by_segment else memory._save_memory_usage
    save(str(path))
    root = ET.fromstring(path.read_text())
    tips = [str(title.text) for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any("test_history.py" in tip and "the_alloc (1,000 bytes" in tip for tip in tips)
    assert tips[0] == "all (2,097,152 bytes, 100.0%)"
    assert any(tip.startswith("seg_") for tip in tips) == by_segment
    block.free()
    assert "test_history" not in json.dumps(memory._snapshot()["segments"][0]["blocks"])


def test_folding_and_an_empty_picture() -> None:
    """What nobody asked for is a gap; nothing gives a picture of nothing."""
    frames = [
        {"filename": "a/b.py", "line": 3, "name": "f"},
        {"filename": "c.py", "line": 5, "name": "m"},
    ]
    used = {"size": 512, "requested_size": 500, "state": "active_allocated", "frames": frames}
    rest = {"size": 1536, "requested_size": 7, "state": "inactive", "frames": []}
    folded = fold_memory([{"stream": 0, "address": 4096, "blocks": [used, rest]}], True)
    assert folded == {
        ("stream_0", "seg_1000", "active_allocated", "c.py:5:m", "b.py:3:f"): 500,
        ("stream_0", "seg_1000", "active_allocated", "<gaps>"): 12,
        ("stream_0", "seg_1000", "inactive", "<gaps>"): 1536,
    }
    assert "<rect" in draw(folded)
    assert "<rect" not in draw({})


def test_blocks_that_the_collector_finds_while_a_history_is_read() -> None:
    """The reader holds the lock; what the collector frees meanwhile waits and is not lost."""
    allocator = backend.allocator(0)
    allocator.record_history("all", None, 10_000)
    before, thresholds = allocator.stats()["allocated_bytes"]["all"]["current"], gc.get_threshold()
    try:
        for _ in range(300):
            backend.allocate(512, 0).free()
        gc.collect()
        for _ in range(3):
            cycle: list[Any] = [backend.allocate(512, 0)]
            cycle.append(cycle)
        del cycle
        gc.set_threshold(50)  # reached in the middle of the many entries
        entries = allocator.trace()
    finally:
        gc.set_threshold(*thresholds)
        allocator.record_history(None, None, 1)
    assert len(entries) >= 900
    gc.collect()
    assert allocator.stats()["allocated_bytes"]["all"]["current"] == before


def test_equal_stacks_are_one_object() -> None:
    """In the entries of one loop, and in both of one free: a long history takes little memory."""
    memory._record_memory_history(context="all", clear_history=True)
    for _ in range(3):
        the_free(the_alloc(1000))
    found: dict[str, list[int]] = {}
    for entry in memory._snapshot()["device_traces"][0]:
        if "frames" in entry:
            found.setdefault(entry["action"], []).append(id(entry["frames"]))
    assert len(found["alloc"]) == len(found["free_completed"]) == 3
    assert len(set(found["alloc"])) == 1
    assert len({*found["free_requested"], *found["free_completed"]}) == 1
    memory._record_memory_history(None)
