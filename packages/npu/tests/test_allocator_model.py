"""The allocator against a slow model that is written straight from the rules, on random traces."""

import os
import random

import pytest
from mindtorch_npu import allocator as allocator_module
from mindtorch_npu import block_pool, splitting
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.allocator_config import config
from mindtorch_npu.errors import OutOfMemoryError
from mindtorch_npu.simulator import Simulator

from packages.npu.tests.allocator_model import MIB, Model

# Steps of each trace; MINDTORCH_LONG_TESTS=10 makes the run ten times as long.
STEPS = 15_000 * int(os.environ.get("MINDTORCH_LONG_TESTS", "1"))


def snapshot(allocator, stale=False):
    """*stale*: with what an inactive block was asked for last, which is known of all observed."""
    found = allocator.snapshot_segments()
    for segment in () if stale else found:
        for block in segment["blocks"]:
            if block["state"] == "inactive":
                block["requested_size"] = None
    return found


def trace(allocator):
    """The history, less the snapshots that the test itself took."""
    return [
        (e["action"], e.get("addr", e.get("device_free")), e["size"], e["stream"])
        for e in allocator.history.trace()
        if e["action"] != "snapshot"
    ]


def some_size(rng):
    kind = rng.random()
    if kind < 0.5:
        return rng.choice((1, 511, 512, 513, 1024, 4096, 65536, MIB - 1, MIB))
    if kind < 0.75:
        return rng.randrange(1, MIB)
    if kind < 0.95:
        return rng.randrange(MIB, 12 * MIB)
    return rng.choice((10 * MIB - 1, 10 * MIB, 20 * MIB, 40 * MIB, rng.randrange(MIB, 80 * MIB)))


CASES = {
    "plain": ({}, ""),
    "tight": ({"memory": 128 * MIB}, ""),
    "max_split": (
        {"memory": 256 * MIB, "split": 24 * MIB, "rounding": 30 * MIB},
        "max_split_size_mb:24,max_non_split_rounding_mb:30",
    ),
    "garbage": (
        {"memory": 512 * MIB, "gc": 0.4, "fraction": 0.6},
        "garbage_collection_threshold:0.4",
    ),
    "roundup": ({"divisions": 4}, "roundup_power2_divisions:4"),
    "split_oversize": (  # pieces of a segment above the limit are oversize, and stay
        *({"memory": 256 * MIB, "split": 24 * MIB, "large": 64 * MIB},),
        "max_split_size_mb:24",
    ),
    "large_segments": (
        {"memory": 512 * MIB, "large": 64 * MIB},
        "large_segment_size_mb:64",
    ),
    "intervals": (
        {"memory": 512 * MIB, "divisions": {1: 8, 2: 8, 4: 0, 8: 2, 16: 32, 32: 4}},
        "roundup_power2_divisions:[2:8,4:0,8:2,16:32,>:4]",
    ),
    "everything": (
        *({"memory": 384 * MIB, "split": 20 * MIB, "gc": 0.5, "fraction": 0.7, "divisions": 8},),
        "max_split_size_mb:20,garbage_collection_threshold:0.5,roundup_power2_divisions:8",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_random_trace_has_the_models_numbers(name, make_allocator, make_queue, flat, settings):
    """Addresses, statistics, snapshot, history and texts agree all through a random trace."""
    options, text = CASES[name]
    options = {"memory": 1024 * MIB} | options
    settings(text)
    config.large_segment_size = options.get("large", 20 * MIB)  # by a text it is no larger
    model = Model(**options)
    allocator = make_allocator(options["memory"] // MIB)
    if "fraction" in options:
        allocator.set_fraction(options["fraction"])
    if name != "plain":  # which runs as programs do, unobserved
        allocator.record_history("all", None, 100_000)
    rng = random.Random(name)
    # Each side waits for streams of its own: a flush finishes their work.
    queues = [(make_queue(handle), make_queue(handle)) for handle in (0, 0x100, 0x200)]
    live = []
    ooms = 0
    for step in range(STEPS):
        action = rng.random()
        crowded = len(live) > 40 + 50 * (step // 500 % 2)
        if action < (0.35 if crowded else 0.5):
            n, stream = some_size(rng), rng.choice((0, 0, 0, 0x100, 0x200))
            expected = model.malloc(n, stream)
            if expected is None:
                ooms += 1
                with pytest.raises(OutOfMemoryError) as raised:
                    allocator.allocate(n, stream)
                assert str(raised.value) == model.said
            else:
                block = allocator.allocate(n, stream)
                assert (block.data_ptr, block.size) == (expected.address, expected.size)
                live.append((block, expected))
        elif action < 0.85:
            if live:
                block, piece = live.pop(rng.randrange(len(live)))
                model.free(piece)
                if rng.random() < 0.5:
                    block.free()  # else it dies
        elif action < 0.90:
            if live:
                block, piece = rng.choice(live)
                its_queue, our_queue = rng.choice(queues)
                model.record_stream(piece, its_queue)
                allocator.record_stream(block, our_queue)
        elif action < 0.94:
            for queue in rng.choice(queues):
                queue.work()
        elif action < 0.985:
            for queue in rng.choice(queues):
                queue.finish_one()
        elif action < 0.990:
            model.flush()
            allocator.empty_cache()
        elif action < 0.995:
            model.reset_peak()
            allocator.reset_peak()
        else:
            model.reset_accumulated()
            allocator.reset_accumulated()
        block = None
        if step % 10 == 0 or step > STEPS - 100:
            assert flat(allocator) == model.flat(), step
        if step % 100 == 0:
            observed = name != "plain"
            assert snapshot(allocator, observed) == model.snapshot(observed), step
            if observed:
                assert trace(allocator) == model.trace, step
                model.trace.clear()
                allocator.record_history("all", None, 100_000, clear=True)
    if options["memory"] < 1024 * MIB:
        assert ooms, "the trace never ran out of memory, so it did not test that"


def a_program(rng):
    """Allocations (size, stream, slot) and frees (slot) that end as they began."""
    body, live = [], []
    for slot in range(rng.randrange(1, 12)):
        body.append(
            (some_size(rng) if rng.random() < 0.5 else 512, rng.choice((0, 0, 0x100)), slot)
        )
        live.append(slot)
        while live and rng.random() < 0.5:
            body.append(live.pop(rng.randrange(len(live))))
    rng.shuffle(live)
    return body + live


@pytest.mark.parametrize("seed", range(4))
def test_programs_that_repeat_have_the_models_numbers(seed, make_allocator, make_queue, flat):
    """Loops, which walk from known state to known state, broken off by all that looks closer."""
    model = Model(1024 * MIB)
    allocator = make_allocator(1024)
    rng = random.Random(seed)
    queues = make_queue(0x200), make_queue(0x200)
    programs = [a_program(rng) for _ in range(5)]
    walked = 0
    kept = []
    for turn in range(STEPS // 10):
        # Most turns run through; some are broken off by a look, a flush, a use elsewhere.
        disturbed = rng.random() < 0.2
        slots = {}
        for what in rng.choice(programs if turn % 20 == 0 else programs[:2]):
            walked += allocator.walk.active is not None
            if isinstance(what, int):
                block, piece = slots.pop(what)
                model.free(piece)
                if turn % 3:
                    block.free()  # else it dies, and waits for the next allocation
                block = None
            else:
                n, stream, slot = what
                expected = model.malloc(n, stream)
                block = allocator.allocate(n, stream)
                assert (block.data_ptr, block.size) == (expected.address, expected.size)
                slots[slot] = block, expected
                block = None
            if disturbed and rng.random() < 0.1:
                action = rng.random()
                if action < 0.4:
                    assert flat(allocator) == model.flat()
                elif action < 0.6:
                    assert snapshot(allocator) == model.snapshot()
                elif action < 0.7:
                    model.flush()
                    allocator.empty_cache()
                elif action < 0.8:
                    model.reset_peak()
                    allocator.reset_peak()
                elif action < 0.85:
                    model.reset_accumulated()
                    allocator.reset_accumulated()
                elif action < 0.95 and slots:
                    block, piece = rng.choice(list(slots.values()))
                    model.record_stream(piece, queues[0])
                    allocator.record_stream(block, queues[1])
                    block = None
                elif action < 0.97:
                    for queue in queues:
                        queue.finish_one() if queue.tickets else queue.work()
                else:
                    kept.append((allocator.allocate(4096), model.malloc(4096, 0)))
        if kept and rng.random() < 0.1:
            block, piece = kept.pop()
            model.free(piece)
            del block
        if turn % 10 == 0:
            assert flat(allocator) == model.flat()
    assert flat(allocator) == model.flat()
    assert snapshot(allocator) == model.snapshot()
    assert walked > STEPS // 10, "hardly a state was known"


def test_interrupts_leave_nothing_half_done(make_allocator, flat, monkeypatch):
    """Ctrl-C in the middle of a search or a merge: it was done, or it was not."""
    model = Model(1024 * MIB)
    allocator = make_allocator(1024)
    rng = random.Random(0)
    real = splitting.bisect_left
    armed = 0

    def interrupted(*args):
        nonlocal armed
        found = real(*args)
        if armed:
            armed -= 1
            if not armed:
                raise KeyboardInterrupt
        return found

    for module in (splitting, block_pool, allocator_module):
        monkeypatch.setattr(module, "bisect_left", interrupted)
    live, hits = [], 0
    for step in range(3000):
        armed = rng.randrange(1, 4) if rng.random() < 0.3 else 0
        if rng.random() < 0.5 + 0.3 * (len(live) < 20):
            n = some_size(rng)
            reserved = allocator.reserved
            try:
                place = allocator.take(n)
            except KeyboardInterrupt:
                hits += 1
                if allocator.reserved > reserved:  # the driver's segment stays in the cache
                    model.free(model.malloc(n, 0))
                continue
            live.append((place, model.malloc(n, 0)))
            assert live[-1][0].address == live[-1][1].address
        else:
            place, piece = live.pop(rng.randrange(len(live)))
            model.free(piece)
            try:
                allocator.give(place)
            except KeyboardInterrupt:
                hits += 1
        armed = 0
        if step % 10 == 0:
            assert snapshot(allocator) == model.snapshot()
            found, expected = flat(allocator), model.flat()
            current = [key for key in expected if key.endswith("current")]
            assert [found[key] for key in current] == [expected[key] for key in current]
    assert hits > 200


class Reusing(Simulator):
    """A driver that gives the addresses of segments out again, as those of real devices do."""

    def __init__(self, devices, memory):
        super().__init__(devices, memory)
        self.back = []

    def allocate_segment(self, device_index, nbytes):
        """The last one that came back, if it has this size."""
        if self.back and self.back[-1][1] == nbytes:
            self._reserved[device_index] += nbytes
            return self.back.pop()[0]
        return super().allocate_segment(device_index, nbytes)

    def free_segment(self, device_index, address, nbytes):
        """Keep the address."""
        super().free_segment(device_index, address, nbytes)
        self.back.append((address, nbytes))


def test_an_address_that_comes_back_is_of_the_stream_that_asks():
    """What is known of it from another stream is not: nothing is booked there."""
    allocator = CachingAllocator(Reusing(1, 64 * MIB), 0)
    for stream in (0x100, 0):
        for _ in range(6):
            place = allocator.take(1000, stream)
            assert place.stream == stream
            place.release()
        place = allocator.take(1000, stream)
        (segment,) = allocator.snapshot_segments()
        assert (segment["stream"], segment["allocated_size"]) == (stream, 1024)
        place.release()
        allocator.empty_cache()
    assert allocator.snapshot_segments() == []
