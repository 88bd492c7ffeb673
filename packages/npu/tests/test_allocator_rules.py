"""Allocator rules one by one, on traces whose numbers are worked out by hand."""

import gc
import random
import sys
import threading

import pytest
from mindtorch_npu import allocator_memo
from mindtorch_npu.allocator import out_of_memory_observers
from mindtorch_npu.block_pool import round_size
from mindtorch_npu.errors import OutOfMemoryError, format_size

KIB = 1024
MIB = 1024 * 1024
GIB = 1024 * MIB


def pick(stats, *names):
    return [stats[name] for name in names]


def test_zero_bytes_touch_nothing(make_allocator, flat):
    """A request of 0 bytes has address 0 and leaves every counter alone."""
    allocator = make_allocator()
    before = flat(allocator)
    block = allocator.allocate(0)
    assert (block.data_ptr, block.nbytes) == (0, 0)
    block.free()
    assert flat(allocator) == before


def test_one_byte_costs_512_and_a_segment_of_2_mib(make_allocator, flat):
    """The smallest block is 512 bytes; small blocks are cut from 2 MiB segments."""
    allocator = make_allocator()
    block = allocator.allocate(1)
    stats = flat(allocator)
    assert block.data_ptr % (2 * MIB) == 0
    assert stats["allocated_bytes.all.current"] == 512
    assert stats["allocated_bytes.small_pool.current"] == 512
    assert stats["requested_bytes.all.current"] == 1
    assert stats["reserved_bytes.all.current"] == 2 * MIB
    assert stats["inactive_split.all.current"] == 1
    assert stats["inactive_split_bytes.all.current"] == 2 * MIB - 512
    assert stats["num_device_alloc"] == 1


@pytest.mark.parametrize(
    ("request_bytes", "pool", "segment", "block"),
    [
        (MIB, "small_pool", 2 * MIB, MIB),
        (MIB + 1, "large_pool", 20 * MIB, MIB + 512),
        (9 * MIB, "large_pool", 20 * MIB, 9 * MIB),
        (10 * MIB - 1, "large_pool", 10 * MIB, 10 * MIB),
        (10 * MIB, "large_pool", 10 * MIB, 10 * MIB),
        (10 * MIB + 1, "large_pool", 12 * MIB, 10 * MIB + 512),
        (21 * MIB, "large_pool", 22 * MIB, 22 * MIB),
    ],
)
def test_pool_and_segment_follow_the_rounded_size(
    make_allocator, flat, request_bytes, pool, segment, block
):
    """Pool by rounded size; 10 MiB and more get a segment of their own."""
    allocator = make_allocator()
    held = allocator.allocate(request_bytes)
    stats = flat(allocator)
    assert stats["reserved_bytes.all.current"] == segment
    assert stats[f"allocated_bytes.{pool}.current"] == block == held.size


def test_large_block_is_split_only_where_more_than_1_mib_remains(make_allocator):
    """In the large pool a remainder of exactly 1 MiB stays with the block."""
    allocator = make_allocator()
    assert allocator.allocate(11 * MIB).size == 12 * MIB
    assert allocator.allocate(11 * MIB - 512).size == 11 * MIB - 512


def test_freed_neighbours_merge_and_are_found_again(make_allocator, flat):
    """Three small blocks in a row; freed, they and the rest are one whole segment."""
    allocator = make_allocator()
    a, b, c = (allocator.allocate(1000) for _ in range(3))
    assert [b.data_ptr - a.data_ptr, c.data_ptr - b.data_ptr] == [1024, 1024]
    b.free()
    stats = flat(allocator)
    names = ("current", "peak", "allocated", "freed")
    assert pick(stats, *(f"inactive_split.all.{n}" for n in names)) == [2, 2, 2, 0]
    rest = 2 * MIB - 3072
    assert pick(stats, *(f"inactive_split_bytes.all.{n}" for n in names)) == [
        rest + 1024,
        2 * MIB - 1024,
        2 * MIB - 1024 + 1024,
        2048,
    ]
    a.free()  # merges with b and stays split: only bytes move
    stats = flat(allocator)
    assert pick(stats, *(f"inactive_split.all.{n}" for n in names)) == [2, 2, 2, 0]
    assert stats["inactive_split_bytes.all.current"] == rest + 2048
    c.free()  # merges with both sides into the whole segment
    stats = flat(allocator)
    assert pick(stats, *(f"inactive_split.all.{n}" for n in names)) == [0, 2, 2, 2]
    assert stats["inactive_split_bytes.all.current"] == 0
    assert stats["reserved_bytes.all.current"] == 2 * MIB
    assert stats["num_device_free"] == 0


def test_best_fit_is_the_smallest_then_the_lowest(make_allocator):
    """Of two equal holes the lower one is taken; of two sizes the smaller one."""
    allocator = make_allocator()
    blocks = [allocator.allocate(size) for size in (1024, 512, 1024, 512, 2048, 512)]
    holes = [blocks[i] for i in (4, 2, 0)]
    addresses = [hole.data_ptr for hole in holes]
    for hole in holes:
        hole.free()
    assert allocator.allocate(1024).data_ptr == addresses[2]
    kept = allocator.allocate(1024)
    assert kept.data_ptr == addresses[2]  # the one before died at once
    assert allocator.allocate(1024).data_ptr == addresses[1]
    second = allocator.allocate(700)
    assert second.data_ptr == addresses[1]
    assert allocator.allocate(700).data_ptr == addresses[0]


def test_blocks_are_not_shared_between_streams(make_allocator, flat):
    """A block freed on one stream is no candidate for another."""
    allocator = make_allocator()
    allocator.allocate(512, 0).free()
    held = allocator.allocate(512, 0x100)
    assert flat(allocator)["segment.all.current"] == 2
    assert held.data_ptr == 0x7F00_0020_0000


def test_block_dies_with_its_last_reference(make_allocator, flat):
    """Dropping a block frees it; free() twice frees once."""
    allocator = make_allocator()
    block = allocator.allocate(512)
    block.free()
    block.free()
    assert flat(allocator)["allocation.all.freed"] == 1
    block = allocator.allocate(512)
    del block
    assert flat(allocator)["allocation.all.freed"] == 2


def test_block_that_dies_inside_an_allocation_is_freed_late(make_allocator, flat):
    """The garbage collector may run while somebody has the books: nothing hangs or is lost."""
    allocator = make_allocator()

    class Cycle:
        pass

    for _ in range(200):
        cycle = Cycle()
        cycle.itself, cycle.block = cycle, allocator.allocate(512)
    del cycle
    with allocator.books():
        gc.collect()
        assert len(allocator.deferred) > 0
    assert flat(allocator)["allocation.all.current"] == 0


# ---- other streams


def test_block_used_elsewhere_waits_for_its_event(make_allocator, make_queue, flat):
    """Freed while another stream works with it, a block stays active until a later malloc."""
    allocator, side = make_allocator(), make_queue(0x100)
    block = allocator.allocate(512)
    address = block.data_ptr
    side.work()
    allocator.record_stream(block, side)
    allocator.record_stream(block, side)  # a set: counts once
    block.free()
    stats = flat(allocator)
    assert pick(stats, "allocation.all.current", "active.all.current") == [0, 1]
    assert pick(stats, "allocated_bytes.all.current", "active_bytes.all.current") == [0, 512]
    assert stats["requested_bytes.all.current"] == 512
    assert allocator.allocate(512).data_ptr != address
    side.finish_one()
    assert flat(allocator)["active.all.current"] == 1  # nobody has looked yet
    assert allocator.allocate(512).data_ptr == address


def test_record_on_the_blocks_own_stream_is_ignored(make_allocator, make_queue, flat):
    """Work of its own stream is ordered anyway."""
    allocator, own = make_allocator(), make_queue(0)
    block = allocator.allocate(512)
    own.work()
    allocator.record_stream(block, own)
    block.free()
    assert flat(allocator)["active.all.current"] == 0


def test_event_of_an_idle_stream_is_complete_at_the_next_malloc(make_allocator, make_queue, flat):
    """Without unfinished work the event is complete at once, and noticed by the next malloc."""
    allocator, side = make_allocator(), make_queue(0x100)
    block = allocator.allocate(512)
    allocator.record_stream(block, side)
    block.free()
    assert flat(allocator)["active.all.current"] == 1
    allocator.allocate(0)  # not even looked at
    assert flat(allocator)["active.all.current"] == 1
    other = allocator.allocate(4096)
    assert other.data_ptr == 0x7F00_0000_0000
    assert flat(allocator)["active.all.current"] == 1


def test_empty_cache_waits_for_events_and_counts_itself(make_allocator, make_queue, flat):
    """A flush synchronises, returns whole segments and counts, even with nothing to do."""
    allocator, side = make_allocator(), make_queue(0x100)
    block = allocator.allocate(12 * MIB)
    small = allocator.allocate(512)
    side.work()
    allocator.record_stream(block, side)
    block.free()
    allocator.empty_cache()
    stats = flat(allocator)
    assert stats["num_sync_all_streams"] == 1
    assert stats["reserved_bytes.all.current"] == 2 * MIB  # small is in use
    assert stats["num_device_free"] == 1
    allocator.empty_cache()
    assert flat(allocator)["num_sync_all_streams"] == 2
    small.free()


# ---- out of memory


def test_out_of_memory_text_and_counters(make_allocator, flat):
    """The text names the segment size, total and free memory; a retry and an OOM are counted."""
    allocator = make_allocator(1024)  # 896 MiB can be had
    held = allocator.allocate(800 * MIB)
    allocator.allocate(20 * MIB).free()
    with pytest.raises(OutOfMemoryError) as caught:
        allocator.allocate(100 * MIB + 1)
    assert str(caught.value) == (
        "NPU out of memory. Tried to allocate 102.00 MiB. NPU 0 has a total capacity of "
        "1024.00 MiB of which 96.00 MiB is free. Of the allocated memory 800.00 MiB is allocated "
        "by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. If reserved but "
        "unallocated memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to "
        "avoid fragmentation.  See documentation for Memory Management  "
        "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
    )
    stats = flat(allocator)
    assert pick(stats, "num_ooms", "num_alloc_retries", "num_sync_all_streams") == [1, 1, 1]
    held.free()


def test_retry_after_a_flush_succeeds(make_allocator, flat):
    """What the cache held is returned and used for the new segment: a retry, no OOM."""
    allocator = make_allocator(1024)
    allocator.allocate(800 * MIB).free()
    held = allocator.allocate(500 * MIB, 0x100)
    stats = flat(allocator)
    assert pick(stats, "num_ooms", "num_alloc_retries") == [0, 1]
    assert stats["reserved_bytes.all.current"] == 500 * MIB
    held.free()


def test_more_than_an_exabyte_is_refused_at_once(make_allocator, flat):
    """1 EB fails before anything else and is not counted."""
    allocator = make_allocator()
    with pytest.raises(
        OutOfMemoryError, match=r"^NPU out of memory. Tried to allocate more than 1EB memory.$"
    ):
        allocator.allocate(1 << 60)
    with pytest.raises(OutOfMemoryError, match="805306368.00 GiB"):
        allocator.allocate(3 << 58)
    assert flat(allocator)["num_ooms"] == 1


def test_fraction_limits_reserved_memory(make_allocator):
    """A fraction is one of the total memory; the text names it; 1.0 takes it away."""
    allocator = make_allocator(1024)
    allocator.set_fraction(0.5)
    held = allocator.allocate(512 * MIB)
    with pytest.raises(OutOfMemoryError, match=r"is free\. 512\.00 MiB allowed; Of the"):
        allocator.allocate(1)
    allocator.set_fraction(1.0)
    allocator.allocate(1).free()
    held.free()


def test_observer_runs_before_the_error_and_may_ask(make_allocator, flat):
    """Observers get (device, size, limit or total, free) and may call into the allocator."""
    allocator = make_allocator(1024)
    seen = []

    def observer(*facts):
        seen.append((facts, flat(allocator)["num_ooms"]))

    out_of_memory_observers.append(observer)
    try:
        with pytest.raises(OutOfMemoryError):
            allocator.allocate(2 * GIB)
    finally:
        out_of_memory_observers.remove(observer)
    assert seen == [((0, 2 * GIB, GIB, 896 * MIB), 1)]


# ---- settings


def test_max_split_size_keeps_large_blocks_whole(make_allocator, settings, flat):
    """A request below the limit does not get an oversize block; oversize ones are counted."""
    settings("max_split_size_mb:40")
    allocator = make_allocator(1024)
    allocator.allocate(64 * MIB).free()
    held = allocator.allocate(20 * MIB)
    stats = flat(allocator)
    assert stats["reserved_bytes.all.current"] == 84 * MIB
    assert stats["max_split_size"] == 40 * MIB
    names = ("current", "peak", "allocated", "freed")
    assert pick(stats, *(f"oversize_allocations.{n}" for n in names)) == [0, 1, 1, 1]
    assert pick(stats, *(f"oversize_segments.{n}" for n in names)) == [1, 1, 1, 0]
    again = allocator.allocate(60 * MIB)  # within 20 MiB of it: reused whole
    assert again.size == 64 * MIB
    held.free()


def test_oversize_blocks_are_returned_largest_first(make_allocator, settings, flat):
    """No single cached block is enough: several go back, from the largest, without a flush."""
    settings("max_split_size_mb:40")
    allocator = make_allocator(1024)
    blocks = [allocator.allocate(size * MIB) for size in (100, 200, 300, 50)]
    for block in blocks:
        block.free()
    held = allocator.allocate(500 * MIB)
    stats = flat(allocator)
    # 300 and 200 went back, which is just enough; 100 and 50 stay cached.
    assert stats["reserved_bytes.all.current"] == 650 * MIB
    assert pick(stats, "num_alloc_retries", "num_sync_all_streams") == [0, 0]
    held.free()


def test_max_split_size_statistic_is_that_of_the_start(make_allocator, settings, flat):
    """The statistic is captured with the allocator and never changes."""
    allocator = make_allocator()
    settings("max_split_size_mb:40")
    assert flat(allocator)["max_split_size"] == -1


@pytest.mark.parametrize(
    ("text", "nbytes", "rounded"),
    [
        ("roundup_power2_divisions:4", 1200 * KIB, 1280 * KIB),
        ("roundup_power2_divisions:4", 1024 * KIB, 1024 * KIB),
        ("roundup_power2_divisions:4", 2048, 2048),
        ("roundup_power2_divisions:4", 2049, 2560),
        ("roundup_power2_divisions:4", 1500, 1536),
        ("roundup_power2_divisions:[1:8,2:2,>:0]", 1200 * KIB, 1280 * KIB),
        ("roundup_power2_divisions:[1:8,2:2,>:0]", 2100 * KIB, 3072 * KIB),
        ("roundup_power2_divisions:[1:8,2:2,>:0]", 4100 * KIB, 4100 * KIB),
        ("", 1200 * KIB + 1, 1200 * KIB + 512),
    ],
)
def test_rounding(settings, text, nbytes, rounded):
    """Multiples of 512, or of a part of the power of two below."""
    settings(text)
    assert round_size(nbytes) == rounded


def test_resets(make_allocator, flat):
    """reset_peak sets peaks to now; reset_accumulated zeroes totals and event counts."""
    allocator = make_allocator()
    held = [allocator.allocate(512) for _ in range(3)]
    held.pop().free()
    allocator.empty_cache()
    allocator.reset_peak()
    stats = flat(allocator)
    names = ("current", "peak", "allocated", "freed")
    assert pick(stats, *(f"allocation.all.{n}" for n in names)) == [2, 2, 3, 1]
    allocator.reset_accumulated()
    held.pop().free()
    stats = flat(allocator)
    assert pick(stats, *(f"allocation.all.{n}" for n in names)) == [1, 2, 0, 1]
    assert pick(stats, "num_sync_all_streams", "num_device_alloc") == [0, 0]
    assert len(stats) == 123


def test_cache_lists_free_blocks_only(make_allocator):
    """Merging over and over leaves no trail: memory for bookkeeping stays bounded."""
    allocator = make_allocator()
    held = [allocator.allocate(512) for _ in range(10)]
    for _ in range(2000):
        held[3].free()
        held[4].free()
        held[3] = allocator.allocate(512)
        held[4] = allocator.allocate(512)
    assert len(free_blocks(allocator)) == 1


def free_blocks(allocator):
    """(size, address) of the free blocks of the small pool, in the cache's order."""
    with allocator.books():
        cache = allocator.small.caches[0]
        found = [(node.size, node.address) for node in cache.ordered()]
        assert found == sorted(found)
    return found


def test_cache_of_many_blocks(make_allocator, flat):
    """Lists of free blocks that grow long are cut, and joined again; the best fit is found."""
    allocator = make_allocator()
    rng = random.Random(0)
    held = [allocator.allocate(512 * rng.randrange(1, 40)) for _ in range(6000)]
    walls = held[1::2]
    for block in held[::2]:
        block.free()
    free = free_blocks(allocator)
    cache = allocator.small.caches[0]
    assert cache.keys is None and len(free) > 2000
    for _ in range(30):
        nbytes = 512 * rng.randrange(1, 30)
        best = min(f for f in free if f[0] >= nbytes)
        walls.append(allocator.allocate(nbytes))
        assert walls[-1].data_ptr == best[1]
        free = free_blocks(allocator)
    with allocator.books():
        allocator.mend()
    assert free_blocks(allocator) == free
    for block in walls:
        block.free()
    assert all(size == 2 * MIB for size, _ in free_blocks(allocator))
    assert flat(allocator)["inactive_split.all.current"] == 0


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (1024, "1024 bytes"),
        (1025, "1.00 KiB"),
        (MIB, "1024.00 KiB"),
        (MIB + 1, "1.00 MiB"),
        (GIB, "1024.00 MiB"),
        (3 * GIB // 2, "1.50 GiB"),
    ],
)
def test_sizes_in_texts(size, text):
    """Two decimals; exactly one unit is still shown in the smaller one."""
    assert format_size(size) == text


def test_threads_that_repeat_themselves_never_share_memory(make_allocator, flat):
    """Known steps are taken without a lock: nothing is given out twice, nothing is lost."""
    allocator = make_allocator()
    held, errors, rounds = set(), [], 3000
    guard = threading.Lock()

    def work(sizes):
        try:
            for _ in range(rounds):
                places = [allocator.take(size) for size in sizes]
                with guard:
                    for place in places:
                        assert place.address not in held
                        held.add(place.address)
                    held.difference_update([place.address for place in places])
                    for place in places:
                        allocator.give(place)
        except BaseException as error:  # shown by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=([512, 4096, 512],)) for _ in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            flat(allocator)
            allocator.snapshot_segments()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not errors
    stats = flat(allocator)
    assert stats["allocation.all.current"] == stats["allocated_bytes.all.current"] == 0
    assert stats["allocation.all.allocated"] == stats["allocation.all.freed"] == 4 * 3 * rounds
    (segment,) = allocator.snapshot_segments()
    assert [block["state"] for block in segment["blocks"]] == ["inactive"]


def test_a_state_that_was_lost_is_found_again(make_allocator, flat, monkeypatch):
    """An interrupt between the two halves of a step does not stop the allocator for good."""
    monkeypatch.setattr(allocator_memo, "_LOST", 200)
    allocator = make_allocator()
    for _ in range(5):
        allocator.give(allocator.take(512))
    place = allocator.take(512)
    allocator.walk.own()  # the interrupted thread has it, and will not give it back
    assert flat(allocator)["allocation.all.current"] == 1
    allocator.give(place)
    assert flat(allocator)["allocation.all.current"] == 0
