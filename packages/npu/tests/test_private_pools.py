"""Private pools by CUDA's rules, on an allocator of its own and by what users call."""

import gc
import threading

import mindtorch_npu as npu
import pytest
from mindtorch_npu import arenas, backend, private_pools
from mindtorch_npu.errors import OutOfMemoryError

from packages.npu.tests.gates import own_books

KIB = 1024
MIB = 1024 * 1024

pytestmark = own_books


@pytest.fixture
def make_pool():
    """``begin, end = make_pool(allocator)``: what diverts all requests, and what ends that."""

    def make(allocator, takes=lambda handle: True):
        pool_id = private_pools.new_id()

        def begin():
            allocator.begin_to_divert(pool_id, takes)

        def end():
            allocator.end_to_divert(pool_id)

        return pool_id, begin, end

    return make


def ask(allocator, nbytes, handle=0):
    """As a queue of the device asks."""
    return allocator.allocate(nbytes, arenas.arena_of(0, handle))


def pools_of(allocator):
    found = {}
    for segment in allocator.snapshot_segments():
        key = segment["segment_pool_id"], segment["segment_type"]
        found[key] = found.get(key, 0) + segment["total_size"]
    return found


def test_a_private_pool_has_segments_of_its_own_and_keeps_them(make_allocator, make_pool, flat):
    """Counters are those of the small and large pool; nothing goes back while the pool is used."""
    allocator = make_allocator()
    outside = ask(allocator, 512)
    pool_id, begin, end = make_pool(allocator)
    begin()
    small, large = ask(allocator, 512), ask(allocator, 3 * MIB)
    assert pools_of(allocator) == {
        ((0, 0), "small"): 2 * MIB,
        (pool_id, "small"): 2 * MIB,
        (pool_id, "large"): 20 * MIB,
    }
    stats = flat(allocator)
    assert stats["segment.small_pool.current"] == 2
    assert stats["allocated_bytes.all.current"] == 1024 + 3 * MIB
    assert stats["reserved_bytes.all.current"] == 24 * MIB
    end()
    assert outside.data_ptr // (2 * MIB) != small.data_ptr // (2 * MIB)
    again = ask(allocator, 512)
    assert again.data_ptr == outside.data_ptr + 512, "the default pool serves again"
    small.free()
    large.free()
    allocator.empty_cache()
    assert pools_of(allocator)[pool_id, "large"] == 20 * MIB
    allocator.release_pool(pool_id)
    allocator.empty_cache()
    assert pools_of(allocator) == {((0, 0), "small"): 2 * MIB}
    private = allocator.stats()["reserved_bytes_by_private_pools"]
    assert private[pool_id]["large_pool"] == {
        "current": 0,
        "peak": 20 * MIB,
        "allocated": 20 * MIB,
        "freed": 20 * MIB,
    }
    assert private[pool_id]["all"]["peak"] == 22 * MIB


def test_a_block_in_use_keeps_its_segment_when_the_pool_is_left(make_allocator, make_pool):
    """What a released pool still lends stays; the pool is gone with its last segment."""
    allocator = make_allocator()
    pool_id, begin, end = make_pool(allocator)
    begin()
    kept, gone = ask(allocator, 3 * MIB), ask(allocator, 11 * MIB)
    end()
    gone.free()
    allocator.release_pool(pool_id)
    allocator.empty_cache()
    assert pools_of(allocator) == {(pool_id, "large"): 20 * MIB}
    with pytest.raises(RuntimeError, match="use_count > 0 INTERNAL ASSERT FAILED"):
        begin()
    kept.free()
    allocator.empty_cache()
    assert pools_of(allocator) == {} == allocator.private
    begin()
    end()


def test_the_newest_route_that_takes_a_stream_wins(make_allocator, make_pool):
    """Routes are asked last in, first out, each for the stream of the request."""
    allocator = make_allocator()
    first, begin_first, end_first = make_pool(allocator)
    second, begin_second, end_second = make_pool(allocator, lambda handle: handle == 8)
    begin_first()
    begin_second()
    blocks = [ask(allocator, 512, 8), ask(allocator, 512, 16)]
    end_second()
    blocks.append(ask(allocator, 512, 8))
    end_first()
    blocks.append(ask(allocator, 512, 8))
    where = {segment["address"]: segment for segment in allocator.snapshot_segments()}
    owners = [where[block.data_ptr // (2 * MIB) * (2 * MIB)] for block in blocks]
    assert [each["segment_pool_id"] for each in owners] == [second, first, first, (0, 0)]
    assert [each["stream"] for each in owners] == [8, 16, 8, 8]


def test_a_pool_is_begun_and_ended_once(make_allocator, make_pool):
    """The texts are torch's."""
    allocator = make_allocator()
    _, begin, end = make_pool(allocator)
    with pytest.raises(RuntimeError, match="endAllocatePool: not currently recording to mempool"):
        end()
    begin()
    with pytest.raises(RuntimeError, match="beginAllocateToPool: already recording to mempool_id"):
        begin()
    end()
    with pytest.raises(RuntimeError, match="it != graph_pools.end"):
        allocator.release_pool((0, 12345678))


def test_while_requests_are_diverted_no_event_is_recorded(make_allocator, make_pool, make_queue):
    """A block that another stream uses is freed once nothing is diverted and that is done."""
    allocator = make_allocator()
    other, told_inside = make_queue(8), make_queue(16)
    early, late = ask(allocator, 512), ask(allocator, 512)
    allocator.record_stream(early, other)
    other.work()
    _, begin, end = make_pool(allocator)
    begin()
    allocator.record_stream(late, told_inside)
    told_inside.work()
    early.free()
    late.free()
    other.work()
    states = [block["state"] for block in allocator.snapshot_segments()[0]["blocks"]]
    assert states[:2] == ["active_pending_free", "active_pending_free"]
    end()
    # The work of the stream that was named while a graph may have been captured is over.
    states = [block["state"] for block in allocator.snapshot_segments()[0]["blocks"]]
    assert states == ["active_pending_free", "inactive"]
    other.finish_one()
    ask(allocator, 2 * MIB)
    assert len(allocator.snapshot_segments()[0]["blocks"]) == 2, "the event is of after the free"
    other.finish_one()
    ask(allocator, 2 * MIB)
    assert len(allocator.snapshot_segments()[0]["blocks"]) == 1


def test_while_requests_are_diverted_the_cache_is_kept(make_allocator, make_pool, flat):
    """Neither ``empty_cache`` nor a request without room takes segments of the default pool."""
    allocator = make_allocator(64)
    ask(allocator, 20 * MIB).free()
    _, begin, end = make_pool(allocator)
    begin()
    allocator.empty_cache()
    assert flat(allocator)["reserved_bytes.all.current"] == 20 * MIB
    with pytest.raises(OutOfMemoryError):
        ask(allocator, 50 * MIB)
    assert flat(allocator)["num_alloc_retries"] == 0
    end()
    assert ask(allocator, 50 * MIB).nbytes == 50 * MIB
    assert flat(allocator)["num_alloc_retries"] == 1


def test_free_memory_of_private_pools_is_told_where_memory_is_out(make_allocator, make_pool):
    """The text counts what is free there as allocated, as torch's does."""
    allocator = make_allocator(64)
    _, begin, end = make_pool(allocator)
    begin()
    ask(allocator, 30 * MIB).free()
    end()
    with pytest.raises(OutOfMemoryError) as caught:
        ask(allocator, 40 * MIB)
    assert (
        "30.00 MiB is allocated by PyTorch, with 30.00 MiB allocated in private pools (e.g., NPU "
        "Graphs), and 0 bytes is reserved by PyTorch but unallocated"
    ) in str(caught.value)


def test_the_same_requests_again_are_served_alike(make_allocator, make_pool):
    """What is known of the allocator's states holds for private pools: counters never drift."""
    allocator, plain = make_allocator(), make_allocator()
    pool_id, begin, end = make_pool(allocator)
    allocator.use_pool(pool_id)
    ask(allocator, 512)
    begin()
    for _ in range(20):
        held = [ask(allocator, n * KIB) for n in (1, 30, 700, 1500)]
        end()
        begin_again = [ask(allocator, 2 * KIB), ask(allocator, 40 * KIB)]
        del begin_again, held
        allocator.release_pool(pool_id)
        begin()
    end()
    ask(plain, 512)
    for _ in range(20):
        held = [ask(plain, n * KIB) for n in (1, 30, 700, 1500, 2, 40)]
        del held
    names = ("allocation.all", "allocated_bytes.small_pool", "requested_bytes.large_pool")
    for name in names:
        for field in ("current", "peak", "allocated", "freed"):
            assert rows_of(allocator)[f"{name}.{field}"] == rows_of(plain)[f"{name}.{field}"]


def rows_of(allocator):
    """The counters that have a row for each pool, by flat name."""
    return {
        f"{name}.{pool}.{field}": value
        for name, rows in allocator.stats().items()
        if isinstance(rows, dict) and "all" in rows
        for pool, row in rows.items()
        for field, value in row.items()
    }


# ---- what users call


def device_pools():
    return {each["segment_pool_id"] for each in npu.memory_snapshot()}


def test_a_pool_of_a_user():
    """Its id, its count of users, its snapshot; its memory goes with it."""
    first, second = npu.MemPool(), npu.MemPool()
    assert first.id[0] == 0 < first.id[1] < second.id[1]
    assert first.use_count() == 1 and first.snapshot() == []
    with npu.use_mem_pool(first):
        assert first.use_count() == 2
        block = backend.allocate(3 * MIB, 0)
        with npu.use_mem_pool(second):
            inner = backend.allocate(512, 0)
    assert first.use_count() == 1
    outside = backend.allocate(3 * MIB, 0)
    (segment,) = first.snapshot()
    assert segment["segment_pool_id"] == first.id
    assert segment["blocks"][0]["address"] == block.data_ptr
    assert [each["blocks"][0]["address"] for each in second.snapshot()] == [inner.data_ptr]
    name = f"reserved_bytes_by_private_pools.{first.id[0]}_{first.id[1]}.large_pool.current"
    assert npu.memory_stats()[name] == 20 * MIB
    gone = first.id
    del block
    del first
    gc.collect()
    assert gone not in device_pools() and second.id in device_pools()
    del outside


def test_a_pool_is_of_one_thread():
    """Other threads' requests stay where they were."""
    pool = npu.MemPool()
    found = []
    with npu.use_mem_pool(pool):
        thread = threading.Thread(target=lambda: found.append(backend.allocate(5 * MIB, 0)))
        thread.start()
        thread.join()
    assert pool.snapshot() == []
    assert found[0].nbytes == 5 * MIB


def test_a_pool_without_splits():
    """Each request gets a whole segment."""
    pool = npu.MemPool(no_split=True)
    with npu.use_mem_pool(pool):
        blocks = [backend.allocate(512, 0) for _ in range(3)]
    assert [each["total_size"] for each in pool.snapshot()] == [2 * MIB] * 3
    assert [block.size for block in blocks] == [2 * MIB] * 3


def test_a_pool_that_helps_out():
    """Its free blocks serve requests for which the device has no room."""
    total = npu.get_device_properties(0).total_memory
    pool = npu.MemPool(use_on_oom=True)
    npu.empty_cache()
    with npu.use_mem_pool(pool):
        backend.allocate(100 * MIB, 0).free()
    npu.set_per_process_memory_fraction((npu.memory_reserved() + MIB) / total)
    try:
        block = backend.allocate(60 * MIB, 0)
        (segment,) = pool.snapshot()
        assert segment["blocks"][0]["address"] == block.data_ptr
        with pytest.raises(OutOfMemoryError):
            backend.allocate(60 * MIB, 0)
    finally:
        npu.set_per_process_memory_fraction(1.0)
    del block
    again = backend.allocate(60 * MIB, 0)
    assert pool.snapshot()[0]["allocated_size"] == 0, "there is room again"
    del again


def test_only_the_default_allocator_serves_a_pool():
    """There are none to plug in."""
    with pytest.raises(RuntimeError, match="no pluggable allocators"):
        npu.MemPool(object())
