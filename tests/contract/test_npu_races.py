"""Races of `npu sanitize` against torch's own sanitizer of CUDA streams, which is Python."""

from __future__ import annotations

import random
from traceback import StackSummary
from types import SimpleNamespace
from typing import Any
from unittest import TestCase

import pytest
from mindtorch.npu import _sanitizer
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


def told(handler: Any, rng: random.Random, step: int) -> tuple[Any, list[str]]:
    """One thing that happens, told to *handler*: what it answers, and the messages of it."""
    ours = handler.__class__.__module__ != sanitizer.__name__
    logger = (_sanitizer if ours else sanitizer).logger
    stream, event, place = rng.randrange(4), rng.randrange(3), rng.randrange(1, 5)
    with TestCase().assertLogs(logger, "INFO") as logged:
        logger.info("one at least")
        if rng.random() < 0.35:
            places = rng.sample(range(1, 5), rng.randrange(4))
            cut = rng.randint(0, len(places))
            aliases = {each: [rng.choice("abc")] for each in places}
            errors = handler._handle_kernel_launch(
                stream, set(places[:cut]), set(places[cut:]), set(places[::2]), f"k{step}", aliases
            )
            for each in errors:
                for access in (each.current_access, each.previous_access):
                    access.stack_trace = StackSummary.from_list([("file", 1, "name", "line")])
                if each.allocation_stack_trace is not None:
                    each.allocation_stack_trace = StackSummary.from_list([])
            # torch remembers each of a stream's reads, of which the last is enough to order them.
            accesses = [(e.data_ptr, e.current_access, e.previous_access) for e in errors]
            last = {
                (p, a.type, b.type, b.stream): str(e)
                for e, (p, a, b) in zip(errors, accesses, strict=True)
            }
            answer = sorted(last.values())
        else:
            answer, name = None, rng.choice(HAPPENINGS)
            numbers = {"event": event, "stream": stream, "memory": place}
            facts = [numbers[name.partition("_")[0]]] if name != "device_synchronization" else []
            facts += [stream] if name in ("event_record", "event_wait") else []
            getattr(handler, f"_handle_{name}")(*facts)
    return answer, [record.getMessage() for record in logged.records]


#: Waits are frequent and synchronisations rare, as in programs.
HAPPENINGS = """
event_creation event_deletion event_record event_record event_wait event_wait event_wait
event_record event_wait event_wait memory_allocation memory_deallocation stream_creation
device_synchronization stream_synchronization event_synchronization
""".split()


def test_random_programs_are_told_as_torchs_event_handler_tells_them() -> None:
    """Every text and every message, of streams, events and memory that nobody made as well."""
    races = 0
    for seed in range(150):
        handlers = sanitizer.EventHandler(), _sanitizer.EventHandler()
        for step in range(40):
            mine, theirs = (told(each, random.Random(seed * 99 + step), step) for each in handlers)
            assert mine == theirs, (seed, step)
            if mine[0]:
                races += 1
                break
    assert races > 100
