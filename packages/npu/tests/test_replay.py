"""A replay against the allocator itself, and the search that is made of replays."""

from __future__ import annotations

import random
from typing import Any

import pytest
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.allocator_config import config
from mindtorch_npu.device_profiles import SIMULATOR, profile
from mindtorch_npu.errors import OutOfMemoryError
from mindtorch_npu.replay import Trace, replay, settings
from mindtorch_npu.simulator import Simulator
from mindtorch_npu.tune import Progress, needed, room_for, tune

MIB = 1 << 20
SIZES = (1, 511, 4096, 100_000, MIB, MIB + 1, 3 * MIB, 9 * MIB, 11 * MIB, 35 * MIB)


def history(seed: int, length: int) -> Trace:
    """Allocations on two streams, and frees that are complete at once."""
    rng = random.Random(seed)
    entries: list[dict[str, Any]] = []
    live: list[tuple[int, int, int]] = []
    for i in range(length):
        if rng.random() < 0.53 or not live:
            live.append(
                (i << 30, rng.choice(SIZES) + 512 * rng.randrange(3), rng.choice((0, 0, 7)))
            )
            actions, place = ["alloc"], live[-1]
        else:
            place = live.pop(rng.randrange(len(live)))
            actions = ["free_requested", "free_completed"]
        entries += [
            {"action": each} | dict(zip(("addr", "size", "stream"), place, strict=True))
            for each in actions
        ]
    return Trace({"segments": [], "device_traces": [entries]})


def by_the_allocator(trace: Trace, text: str, memory: int, kind: Any) -> dict[str, Any]:
    """Statistics after the same requests."""
    with settings(text):
        allocator: CachingAllocator = Simulator(1, memory, kind).allocator(0)
        if config.per_process_memory_fraction < 1.0:
            allocator.set_fraction(config.per_process_memory_fraction)
        blocks = {}
        for entry in trace.entries:
            if entry["action"] == "alloc":
                try:
                    blocks[entry["addr"]] = allocator.allocate(entry["size"], entry["stream"])
                except OutOfMemoryError:
                    continue
            elif entry["action"] == "free_requested" and entry["addr"] in blocks:
                blocks.pop(entry["addr"]).free()
        return allocator.stats()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "max_split_size_mb:21,roundup_power2_divisions:4",
        "large_segment_size_mb:64",
        "garbage_collection_threshold:0.6,per_process_memory_fraction:0.5",
    ],
)
def test_statistics_are_those_of_the_allocator(text: str) -> None:
    """All of them, with room for everything and with little room."""
    trace = history(len(text), 900)
    little = replay(trace)["peak_requested"]
    for memory, kind in ((1 << 50, SIMULATOR), (little, profile("910B-64GB"))):
        found = replay(trace, text, memory, kind)
        assert found["stats"] == by_the_allocator(trace, text, memory, kind)
        assert (found["refused"] > 0) == (memory == little)


def test_a_capacity_that_is_needed_is_enough() -> None:
    """And a little less is not; each one that is told on the way is enough."""
    trace = history(3, 400)
    for text in ("", "garbage_collection_threshold:0.8,per_process_memory_fraction:0.99"):
        told: list[int] = []
        found = needed(trace, text, enough=told.append) or 0
        assert told == sorted(told, reverse=True) and told[-1] == found
        for memory in told:
            assert not replay(trace, text, memory)["refused"]
        assert replay(trace, text, found - found // 400 - 2 * MIB)["refused"]
    for reserved in (0, MIB, 300 * MIB, 3580 * MIB, 3584 * MIB, 3590 * MIB, 1 << 40):
        room = room_for(reserved, SIMULATOR)
        assert Simulator(1, room).allocate_segment(0, reserved) is not None
        assert Simulator(1, room - 4 * MIB).allocate_segment(0, reserved) is None


def test_a_search_has_a_figure_at_any_time() -> None:
    """Whenever it is ended: what it has told last, with the settings that reach it."""
    trace = history(8, 150)

    def ended(after: int) -> tuple[dict[str, Any], list[Progress]]:
        told: list[Progress] = []

        def tell(at: Progress) -> None:
            told.append(at)
            if len(told) == after:
                raise KeyboardInterrupt

        return tune(trace, progress=tell), told

    whole, every = ended(0)
    assert whole["ended"] == "complete" and whole["gain"] > 0
    known = [at.capacity for at in every if at.capacity]
    assert known == sorted(known, reverse=True)
    for after in range(2, min(len(every), 14)):
        found, told = ended(after)
        assert found["ended"] == "interrupted"
        assert (found["capacity"], found["settings"]) == (told[-1].capacity, told[-1].best)
        assert not replay(trace, found["settings"], found["capacity"])["refused"]
    with pytest.raises(KeyboardInterrupt):
        ended(1)  # there is no figure yet
    found = tune(trace, seconds=0)
    assert (found["ended"], found["default_exact"], found["tried"]) == ("time", False, 0)
    assert not replay(trace, "", found["capacity"])["refused"]


def test_a_replay_has_the_private_pools_of_the_history() -> None:
    """Memory of graphs stays apart, and goes back only once the history says so."""
    allocator: CachingAllocator = Simulator(1, 256 * MIB, SIMULATOR).allocator(0)
    allocator.record_history("all", None, 1000)
    kept, left = (0, 1 << 40), (0, 1 << 41)
    for pool_id in (kept, left, kept):
        number = allocator.use_pool(pool_id).number
        for size in (512, 3 * MIB, 11 * MIB):
            allocator.allocate(size, number << 64).free()
        allocator.allocate(5 * MIB).free()
    allocator.release_pool(left)
    allocator.empty_cache()
    allocator.allocate(512, allocator.private[kept].number << 64).free()
    entries = allocator.trace()
    done = replay(Trace({"segments": [], "device_traces": [entries]}))
    stats = allocator.stats()
    for name in ("segment", "reserved_bytes", "allocated_bytes", "inactive_split"):
        assert done["stats"][name] == stats[name], name
    private = "reserved_bytes_by_private_pools"
    assert done["stats"][private] == stats[private]
