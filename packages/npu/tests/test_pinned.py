"""Pinned host memory: the allocator against a model written from the rules, streams, limits."""

import gc
import random

import pytest
from mindtorch_npu.pinned import HostAllocator

FIELDS = ("current", "peak", "allocated", "freed")


class Model:
    """Powers of two, a list of free blocks for each, events of the streams that used a block."""

    def __init__(self):
        self.free = {}
        self.live = {}
        self.waiting = []
        self.blocks = self.freed = self.nbytes = self.freed_bytes = 0
        self.peak = self.peak_bytes = 0
        self.classes = {}

    def allocate(self, key, n):
        self.poll()
        size = 1
        while size < n:
            size *= 2
        if self.free.get(size, 0):
            self.free[size] -= 1
        else:
            self.blocks += 1
            self.nbytes += size
            self.peak = max(self.peak, self.blocks - self.freed)
            self.peak_bytes = max(self.peak_bytes, self.nbytes - self.freed_bytes)
        stat = self.classes.setdefault(size, dict.fromkeys(FIELDS, 0))
        stat["allocated"] += 1
        stat["current"] += 1
        stat["peak"] = max(stat["peak"], stat["current"])
        self.live[key] = [size, []]

    def release(self, key):
        size, queues = self.live.pop(key)
        if queues:
            self.waiting.append([size, [queue.last() for queue in queues]])
        else:
            self.back(size)

    def back(self, size):
        stat = self.classes[size]
        stat["current"] -= 1
        stat["freed"] += 1
        self.free[size] = self.free.get(size, 0) + 1

    def poll(self):
        """Events of one stream are looked at in order, up to the first unfinished one."""
        done = [w for w in self.waiting if all(t is None or t[0] is None for t in w[1])]
        for waiting in done:
            self.waiting.remove(waiting)
            self.back(waiting[0])

    def empty(self):
        self.poll()
        for size, count in self.free.items():
            self.freed += count
            self.freed_bytes += size * count
        self.free.clear()

    def stats(self):
        def row(current, peak, allocated, freed):
            return dict(zip(FIELDS, (current, peak, allocated, freed), strict=True))

        sums = {f: sum(stat[f] for stat in self.classes.values()) for f in FIELDS}
        sizes = {f: sum(size * stat[f] for size, stat in self.classes.items()) for f in FIELDS}
        return {
            "num_host_alloc": self.blocks,
            "num_host_free": self.freed,
            "allocations": row(self.blocks - self.freed, self.peak, self.blocks, self.freed),
            "allocated_bytes": row(
                *(self.nbytes - self.freed_bytes, self.peak_bytes),
                *(self.nbytes, self.freed_bytes),
            ),
            "active_requests": sums,
            "active_bytes": sizes,
        }


@pytest.mark.parametrize("seed", range(4))
def test_random_trace_has_the_models_numbers(seed, make_queue):
    """Counts of blocks and bytes agree after every step; times have one sample each."""
    rng = random.Random(seed)
    model, allocator = Model(), HostAllocator()
    queue = make_queue(0x100)
    held = {}
    for step in range(1500):
        action = rng.random()
        if action < 0.45:
            n = rng.choice((1, 2, 3, 100, 128, 129, 4096, 5000))
            model.allocate(step, n)
            held[step] = allocator.allocate(n)
        elif action < 0.8 and held:
            key = rng.choice(tuple(held))
            model.release(key)
            del held[key]
        elif action < 0.87 and held:
            key = rng.choice(tuple(held))
            if not model.live[key][1]:
                model.live[key][1].append(queue)
            assert allocator.record(int(held[key].ctypes.data), queue)
        elif action < 0.93:
            queue.work()
        elif action < 0.98:
            queue.finish_one()
        else:
            model.empty()
            allocator.empty_cache()
        stats = allocator.stats()
        assert stats.pop("host_alloc_time")["count"] == model.blocks
        assert stats.pop("host_free_time")["count"] == model.freed
        assert stats == model.stats(), step


def test_memory_is_given_again():
    """The last block to come back is the first to go, as long as nobody looks at it."""
    allocator = HostAllocator()
    first = allocator.allocate(1000)
    address, view = first.ctypes.data, first[10:20]
    del first
    assert allocator.allocate(1000).ctypes.data != address  # a view is still there
    del view
    gc.collect()
    assert allocator.allocate(600).ctypes.data == address


def test_nothing_is_nothing():
    """No bytes, no block; memory of others is not ours."""
    allocator = HostAllocator()
    assert allocator.allocate(0).size == 0
    assert allocator.stats()["num_host_alloc"] == 0
    assert not allocator.owns(1234)


def test_sizes_above_the_thresholds(settings):
    """Large requests are not rounded, or not kept."""
    settings("pinned_max_round_threshold_mb:1,pinned_max_cached_size_mb:1")
    allocator = HostAllocator()
    held = allocator.allocate(3 * 1024 * 1024 + 5)
    assert allocator.stats()["allocated_bytes"]["current"] == 3 * 1024 * 1024 + 5
    del held
    assert allocator.stats()["allocated_bytes"]["current"] == 0


def test_resets():
    """Peaks become what is; totals become nothing."""
    allocator = HostAllocator()
    held = [allocator.allocate(10) for _ in range(3)]
    del held[1:]
    allocator.reset_peak()
    allocator.reset_accumulated()
    stats = allocator.stats()
    assert stats["active_requests"] == {"current": 1, "peak": 1, "allocated": 0, "freed": 0}
    assert stats["host_alloc_time"] == dict.fromkeys(("total", "max", "min", "count", "avg"), 0)


def test_times_are_reset_by_halves(monkeypatch):
    """Totals and counts with what was accumulated, least and most with the peaks."""
    allocator = HostAllocator()
    held = []

    def taken(seconds):
        clock = iter((0.0, seconds))
        monkeypatch.setattr("mindtorch_npu.pinned.time.perf_counter", clock.__next__)
        held.append(allocator.allocate(10))
        monkeypatch.undo()
        return tuple(allocator.stats()["host_alloc_time"].values())  # total, max, min, count, avg

    assert taken(2.0) == (2_000_000, 2_000_000, 2_000_000, 1, 2_000_000)
    assert taken(5.0) == (7_000_000, 5_000_000, 2_000_000, 2, 3_500_000)
    allocator.reset_accumulated()
    assert taken(3.0) == (3_000_000, 5_000_000, 2_000_000, 1, 3_000_000)
    allocator.reset_peak()
    assert taken(4.0) == (7_000_000, 4_000_000, 4_000_000, 2, 3_500_000)
