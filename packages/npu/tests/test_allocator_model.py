"""The allocator against a slow model that is written straight from the rules, on random traces."""

import os
import random

import pytest
from mindtorch_npu.errors import OutOfMemoryError

MIB = 1024 * 1024
NEVER = 1 << 64
# Steps of each trace; MINDTORCH_LONG_TESTS=10 makes the run ten times as long.
STEPS = 15_000 * int(os.environ.get("MINDTORCH_LONG_TESTS", "1"))


class Stat:
    def __init__(self):
        self.current = self.peak = self.allocated = self.freed = 0

    def up(self, n):
        self.current += n
        self.allocated += n
        self.peak = max(self.peak, self.current)

    def down(self, n):
        self.current -= n
        self.freed += n


class Piece:
    def __init__(self, address, size, segment):
        self.address, self.size, self.segment = address, size, segment
        self.state = "cached"
        self.requested = 0
        self.users = []
        self.events = 0
        self.born = 0


ARRAYS = (
    *("allocation", "segment", "active", "inactive_split", "allocated_bytes", "reserved_bytes"),
    *("active_bytes", "inactive_split_bytes", "requested_bytes"),
)


class Model:
    """One device. A segment is a list of pieces; every search looks at all of them."""

    def __init__(
        self,
        memory,
        *,
        split=None,
        rounding=20 * MIB,
        gc=0.0,
        divisions=0,
        fraction=None,
        large=20 * MIB,
    ):
        self.large = large
        self.total = memory
        self.usable = memory - min(512 * MIB, memory // 8)
        self.split, self.rounding, self.gc, self.divisions = split or NEVER, rounding, gc, divisions
        self.limit = None if fraction is None else int(fraction * memory)
        self.segments = []
        self.next_address = 0x7F00_0000_0000
        self.searches = {"small_pool": 0, "large_pool": 0}
        self.pending = {}
        self.arrays = {
            name: {pool: Stat() for pool in ("all", "small_pool", "large_pool")} for name in ARRAYS
        }
        self.oversize = {"oversize_allocations": Stat(), "oversize_segments": Stat()}
        self.numbers = dict.fromkeys(
            (
                *("num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc"),
                *("num_device_free", "num_oom_rejections"),
            ),
            0,
        )
        self.numbers["max_split_size"] = split or -1
        self.trace = []
        self.said = ""

    # history and texts

    def note(self, action, address, size, stream):
        self.trace.append((action, address, size, stream))

    def out_of_memory(self, ask):
        """The text, written from the rules."""

        def shown(n):
            if n <= 1024:
                return f"{n} bytes"
            for unit, scale in (("KiB", 1024), ("MiB", MIB), ("GiB", 1024 * MIB)):
                if n <= 1024 * scale or unit == "GiB":
                    return f"{n / scale:.2f} {unit}"

        reserved = self.arrays["reserved_bytes"]["all"].current
        allocated = self.arrays["allocated_bytes"]["all"].current
        allowed = "" if self.limit is None else f"{shown(self.limit)} allowed; "
        return (
            f"NPU out of memory. Tried to allocate {shown(ask)}. NPU 0 has a total capacity of "
            f"{shown(self.total)} of which {shown(self.usable - reserved)} is free. {allowed}Of "
            f"the allocated memory {shown(allocated)} is allocated by PyTorch, and "
            f"{shown(reserved - allocated)} is reserved by PyTorch but unallocated. If reserved "
            "but unallocated memory is large try setting "
            "PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
            "documentation for Memory Management  "
            "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
        )

    def snapshot(self):
        """``memory_snapshot()``; what an inactive block was asked for last is not determined."""
        states = {
            "cached": "inactive",
            "allocated": "active_allocated",
            "pending": "active_pending_free",
        }
        found = []
        for segment in sorted(self.segments, key=lambda s: s["pieces"][0].address):
            pieces = segment["pieces"]
            active = [p for p in pieces if p.state != "cached"]
            found.append(
                {
                    "device": 0,
                    "address": pieces[0].address,
                    "total_size": segment["size"],
                    "allocated_size": sum(p.size for p in active if p.state == "allocated"),
                    "active_size": sum(p.size for p in active),
                    "requested_size": sum(p.requested for p in active),
                    "stream": segment["stream"],
                    "segment_type": segment["pool"].removesuffix("_pool"),
                    "segment_pool_id": (0, 0),
                    "is_expandable": False,
                    "frames": [],
                    "blocks": [
                        {
                            "address": p.address,
                            "size": p.size,
                            "requested_size": None if p.state == "cached" else p.requested,
                            "state": states[p.state],
                            "frames": [],
                        }
                        for p in pieces
                    ],
                }
            )
        return found

    # statistics

    def up(self, pool, **changes):
        for name, n in changes.items():
            self.arrays[name]["all"].up(n)
            self.arrays[name][pool].up(n)

    def down(self, pool, **changes):
        for name, n in changes.items():
            self.arrays[name]["all"].down(n)
            self.arrays[name][pool].down(n)

    def change(self, pool, name, n):
        if n > 0:
            self.up(pool, **{name: n})
        elif n < 0:
            self.down(pool, **{name: -n})

    def flat(self):
        stats = dict(self.numbers)
        for name, pools in self.arrays.items():
            for pool, stat in pools.items():
                for field, value in vars(stat).items():
                    stats[f"{name}.{pool}.{field}"] = value
        for name, stat in self.oversize.items():
            for field, value in vars(stat).items():
                stats[f"{name}.{field}"] = value
        return stats

    def every_stat(self):
        for pools in self.arrays.values():
            yield from pools.values()
        yield from self.oversize.values()

    def reset_peak(self):
        for stat in self.every_stat():
            stat.peak = stat.current

    def reset_accumulated(self):
        for stat in self.every_stat():
            stat.allocated = stat.freed = 0
        for name in self.numbers:
            if name != "max_split_size":
                self.numbers[name] = 0

    # rules

    def rounded(self, n):
        if n < 512:
            return 512
        d = self.divisions
        if isinstance(d, dict):
            # The interval of n: what its largest power of two is in MiB, at least 1, at most 32768.
            power = MIB
            while power * 2 <= n and power < 32768 * MIB:
                power *= 2
            d = d.get(power // MIB, d[max(d)])
        if d > 1 and n > 512 * d:
            floor = 1
            while floor * 2 <= n:
                floor *= 2
            if floor == n:
                return n
            step = floor // d
            return 2 * floor if step == 0 else (n + step - 1) // step * step
        return (n + 511) // 512 * 512

    def cached(self, pool, stream=None):
        found = [
            piece
            for segment in self.segments
            if segment["pool"] == pool and stream in (None, segment["stream"])
            for piece in segment["pieces"]
            if piece.state == "cached"
        ]
        return sorted(found, key=lambda p: (p.segment["stream"], p.size, p.address))

    def is_split(self, piece):
        return len(piece.segment["pieces"]) > 1

    def malloc(self, n, stream):
        """The piece, or None when out of memory."""
        self.poll()
        size = self.rounded(n)
        pool = "small_pool" if size <= MIB else "large_pool"
        if pool == "small_pool":
            ask = 2 * MIB
        elif size < 10 * MIB:
            ask = self.large
        else:
            ask = (size + 2 * MIB - 1) // (2 * MIB) * (2 * MIB)
        collecting = self.limit is not None and self.gc > 0
        if collecting:
            self.searches[pool] += 1
        piece = next((p for p in self.cached(pool, stream) if p.size >= size), None)
        if piece is not None:
            if size < self.split <= piece.size:
                piece = None
            elif size >= self.split and piece.size >= size + self.rounding:
                piece = None
        if piece is None:
            if collecting:
                self.collect()
            piece = self.driver(pool, ask, stream)
            if piece is None and self.release_oversize(pool, size, stream):
                piece = self.driver(pool, ask, stream)
            if piece is None:
                self.flush()
                self.numbers["num_alloc_retries"] += 1
                piece = self.driver(pool, ask, stream)
            if piece is None:
                self.numbers["num_ooms"] += 1
                reserved = self.arrays["reserved_bytes"]["all"].current
                self.note("oom", self.usable - reserved, size, stream)
                self.said = self.out_of_memory(ask)
                return None
        rest = piece.size - size
        was_split = self.is_split(piece)
        if rest >= 512 if pool == "small_pool" else size < self.split and rest > MIB:
            low = Piece(piece.address, size, piece.segment)
            pieces = piece.segment["pieces"]
            pieces.insert(pieces.index(piece), low)
            piece.address += size
            piece.size = rest
            piece.born = self.searches[pool]
            if was_split:
                self.down(pool, inactive_split_bytes=size)
            else:
                self.up(pool, inactive_split=1, inactive_split_bytes=rest)
            piece = low
        elif was_split:
            self.down(pool, inactive_split=1, inactive_split_bytes=piece.size)
        piece.state = "allocated"
        piece.requested = n
        b = piece.size
        self.up(pool, allocation=1, allocated_bytes=b, active=1, active_bytes=b, requested_bytes=n)
        if b >= self.split:
            self.oversize["oversize_allocations"].up(1)
        self.note("alloc", piece.address, n, stream)
        return piece

    def driver(self, pool, size, stream):
        reserved = self.arrays["reserved_bytes"]["all"].current
        if self.limit is not None and reserved + size > self.limit:
            return None
        if reserved + size > self.usable:
            return None
        segment = {"pool": pool, "stream": stream, "size": size}
        piece = Piece(self.next_address, size, segment)
        self.next_address += size
        segment["pieces"] = [piece]
        self.segments.append(segment)
        self.up(pool, segment=1, reserved_bytes=size)
        self.numbers["num_device_alloc"] += 1
        if size >= self.split:
            self.oversize["oversize_segments"].up(1)
        self.note("segment_alloc", piece.address, size, stream)
        return piece

    def give_back(self, piece):
        assert not self.is_split(piece)
        self.segments.remove(piece.segment)
        self.down(piece.segment["pool"], segment=1, reserved_bytes=piece.size)
        self.numbers["num_device_free"] += 1
        if piece.size >= self.split:
            self.oversize["oversize_segments"].down(1)
        self.note("segment_free", piece.address, piece.size, piece.segment["stream"])

    def release_oversize(self, pool, size, stream):
        if self.split == NEVER:
            return False
        want = max(size, self.split)
        mine = [p for p in self.cached(pool, stream) if not self.is_split(p)]
        fitting = [p for p in mine if p.size >= want]
        if fitting:
            self.give_back(fitting[0])
            return True
        total = 0
        for piece in reversed(mine):
            if piece.size < self.split or total >= want:
                break
            self.give_back(piece)
            total += piece.size
        return total >= want

    def collect(self):
        threshold = int(self.gc * self.limit)
        reserved = self.arrays["reserved_bytes"]["all"].current
        if reserved <= threshold:
            return
        target = reserved - threshold
        now = self.searches["large_pool"]
        left = [p for p in self.cached("large_pool") if not self.is_split(p)]
        done, again = 0, True
        while done < target and again and left:
            bar = sum(now - p.born for p in left) / len(left)
            again = False
            for piece in tuple(left):
                if now - piece.born >= bar:
                    again = True
                    done += piece.size
                    left.remove(piece)
                    self.give_back(piece)

    def flush(self):
        self.numbers["num_sync_all_streams"] += 1
        while self.pending:
            handle = next(iter(self.pending))
            for ticket, piece in self.pending.pop(handle):
                if ticket is not None:
                    ticket[4].finish(ticket)
                self.event_done(piece)
        for pool in ("large_pool", "small_pool"):
            for piece in self.cached(pool):
                if not self.is_split(piece):
                    self.give_back(piece)

    def record_stream(self, piece, queue):
        if queue.handle != piece.segment["stream"] and queue not in piece.users:
            piece.users.append(queue)

    def free(self, piece):
        self.note("free_requested", piece.address, piece.requested, piece.segment["stream"])
        pool = piece.segment["pool"]
        self.down(pool, allocation=1, allocated_bytes=piece.size)
        if piece.size >= self.split:
            self.oversize["oversize_allocations"].down(1)
        if piece.users:
            piece.state = "pending"
            for queue in piece.users:
                piece.events += 1
                self.pending.setdefault(queue.handle, []).append((queue.last(), piece))
            piece.users = []
        else:
            self.release(piece)

    def poll(self):
        for handle in tuple(self.pending):
            waiting = self.pending[handle]
            while waiting and (waiting[0][0] is None or waiting[0][0][0] is None):
                self.event_done(waiting.pop(0)[1])
            if not waiting:
                del self.pending[handle]

    def event_done(self, piece):
        piece.events -= 1
        if piece.events == 0:
            self.release(piece)

    def release(self, piece):
        self.note("free_completed", piece.address, piece.requested, piece.segment["stream"])
        pool = piece.segment["pool"]
        pieces = piece.segment["pieces"]
        size, count, nbytes = piece.size, 0, 0
        at = pieces.index(piece)
        for other in (pieces[at - 1] if at else None, *pieces[at + 1 : at + 2]):
            if other is not None and other.state == "cached":
                pieces.remove(other)
                piece.address = min(piece.address, other.address)
                piece.size += other.size
                count -= 1
                nbytes -= other.size
        piece.state = "cached"
        piece.born = self.searches[pool]
        if self.is_split(piece):
            count += 1
            nbytes += piece.size
        self.change(pool, "inactive_split", count)
        self.change(pool, "inactive_split_bytes", nbytes)
        self.down(pool, active=1, active_bytes=size, requested_bytes=piece.requested)


def snapshot(allocator):
    found = allocator.snapshot_segments()
    for segment in found:
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
        "max_split_size_mb:24,large_segment_size_mb:64",
    ),
    "large_segments": (
        {"memory": 512 * MIB, "large": 64 * MIB},
        "large_segment_size_mb:64",
    ),
    "intervals": (
        {"memory": 512 * MIB, "divisions": {1: 8, 2: 8, 4: 0, 8: 2, 16: 4}},
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
    if text:
        settings(text)
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
                block.free()
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
        if step % 10 == 0 or step > STEPS - 100:
            assert flat(allocator) == model.flat(), step
        if step % 100 == 0:
            assert snapshot(allocator) == model.snapshot(), step
            if name != "plain":
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
            walked += allocator.walk.latest is not None
            if isinstance(what, int):
                block, piece = slots.pop(what)
                model.free(piece)
                block.free()
            else:
                n, stream, slot = what
                expected = model.malloc(n, stream)
                block = allocator.allocate(n, stream)
                assert (block.data_ptr, block.size) == (expected.address, expected.size)
                slots[slot] = block, expected
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
