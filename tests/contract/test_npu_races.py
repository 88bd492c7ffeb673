"""Races of `npu sanitize` against torch's own sanitizer of CUDA streams, which is Python."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from mindtorch_npu.races import Races

sanitizer = pytest.importorskip("torch.cuda._sanitizer")
pytestmark = pytest.mark.oracle

STREAMS, PLACES, EVENTS = 4, 5, 3


class Both:
    """One program told to both; memory and events are named by small numbers."""

    def __init__(self) -> None:
        self.theirs = sanitizer.EventHandler()
        self.ours = Races()
        self.queues: list[Any] = [
            SimpleNamespace(device_index=0, handle=i, stream_id=i) for i in range(STREAMS)
        ]
        self.events = [object() for _ in range(EVENTS)]
        self.launches = 0
        for i in range(1, STREAMS):
            self.theirs._handle_stream_creation(i)
        for place in range(1, PLACES + 1):
            self.theirs._handle_memory_allocation(place)
            self.ours.allocated(place, 512, 0, 0)
        for event in range(1, EVENTS + 1):
            self.theirs._handle_event_creation(event)
            self.theirs._handle_event_record(event, 0)
            self.ours.event_recorded(self.events[event - 1], self.queues[0])

    def launch(self, stream: int, reads: set[int], writes: set[int]) -> tuple[bool, bool]:
        """Whether torch's sanitizer complains, and whether ours does."""
        self.launches += 1
        name = f"kernel {self.launches}"  # the same two lines are told once
        errors = self.theirs._handle_kernel_launch(
            stream, reads, writes, set(), name, {p: [] for p in range(9)}
        )
        before = len(self.ours.found)
        queue = self.queues[stream]
        self.ours.launched(queue, name, [(0, p) for p in reads], [(0, p) for p in writes], None)
        return bool(errors), len(self.ours.found) > before

    def order(self, rng: random.Random) -> None:
        """One of the ways in which a program orders streams."""
        stream, event = rng.randrange(STREAMS), rng.randrange(EVENTS)
        queue, mark = self.queues[stream], self.events[event]
        way = rng.choice(("record", "record", "wait", "wait", "wait", "stream", "event", "device"))
        if way == "record":
            self.theirs._handle_event_record(event + 1, stream)
            self.ours.event_recorded(mark, queue)
        elif way == "wait":
            self.theirs._handle_event_wait(event + 1, stream)
            self.ours.event_awaited(mark, queue)
        elif rng.random() < 0.8:  # the host waits seldom, or all is ordered
            return
        elif way == "stream":
            self.theirs._handle_stream_synchronization(stream)
            self.ours.stream_synchronized(queue)
        elif way == "event":
            self.theirs._handle_event_synchronization(event + 1)
            self.ours.event_synchronized(mark)
        else:
            self.theirs._handle_device_synchronization()
            self.ours.device_synchronized(0)


def test_random_programs_race_where_torchs_sanitizer_says() -> None:
    """Kernel by kernel; after a race the two may know different things, and the program ends."""
    seen = {True: 0, False: 0}
    for seed in range(300):
        rng = random.Random(seed)
        both = Both()
        for _ in range(60):
            if rng.random() < 0.6:
                both.order(rng)
                continue
            places = rng.sample(range(1, PLACES + 1), 2)
            reads, writes = (
                ({places[0]}, {places[1]}) if rng.random() < 0.4 else (set(places), set())
            )
            # Where nothing orders the streams most kernels race: a few stay on one.
            stream = rng.randrange(STREAMS) if rng.random() < 0.5 else 0
            theirs, ours = both.launch(stream, reads, writes)
            assert ours == theirs, (seed, both.launches)
            seen[ours] += 1
            if ours:
                break
    assert min(seen.values()) > 100, seen
