"""Which cached memory goes back to the driver, and in which order. The caller holds the lock."""

from __future__ import annotations

from collections.abc import Iterable

from mindtorch_npu import segments
from mindtorch_npu.allocator_config import UNLIMITED, config
from mindtorch_npu.allocator_state import AllocatorState
from mindtorch_npu.block_pool import Cache, Node, Pool

__all__ = ["garbage", "oversize", "whole_segments"]


def _unsplit(pool: Pool) -> list[tuple[Node, Cache]]:
    """Cached blocks that are whole segments, in the order of the pool."""
    return [
        (node, cache)
        for _, cache in sorted(pool.caches.items(), key=lambda item: item[0])
        for node in cache.ordered()
        if node.prev is node.next
    ]


def whole_segments(allocator: AllocatorState, pools: Iterable[Pool]) -> None:
    """Everything that is cached in one piece."""
    for pool in pools:
        for node, cache in _unsplit(pool):
            segments.release(allocator, node, cache)


def oversize(allocator: AllocatorState, pool: Pool, size: int, stream: int) -> bool:
    """With max_split_size: oversize blocks of this stream, until they cover *size*."""
    limit = config.max_split_size
    if limit == UNLIMITED:
        return False
    wanted = max(size, limit)
    cache = pool.cache(stream)
    # A segment that is larger than the limit (large_segment_size_mb) may be split all the same;
    # its pieces cannot go back.
    whole = [n for n in cache.ordered() if n.size >= limit and n.prev is n.next]
    node = next((n for n in whole if n.size >= wanted), None)
    if node is not None:
        segments.release(allocator, node, cache)
        return True
    released = 0
    for node in reversed(whole):
        if released >= wanted:
            break
        released += node.size
        segments.release(allocator, node, cache)
    return released >= wanted


def garbage(allocator: AllocatorState, pool: Pool, reserved: int, allowed: int) -> None:
    """Old blocks of the large pool, while more than the threshold's part of *allowed* is held.

    A round returns every block that is at least as old as the average of those left, and does not
    stop in between when enough has come together.
    """
    threshold = int(config.garbage_collection_threshold * allowed)
    if reserved <= threshold:
        return
    target = reserved - threshold
    left = _unsplit(pool)
    total_age = sum(pool.searches - node.age for node, _ in left)
    count = len(left)
    reclaimed = 0
    again = True
    while reclaimed < target and again and count > 0:
        bar = total_age / count
        again = False
        kept = []
        for node, cache in left:
            age = pool.searches - node.age
            if age < bar:
                kept.append((node, cache))
                continue
            again = True
            reclaimed += node.size
            total_age -= age
            count -= 1
            segments.release(allocator, node, cache)
        left = kept
