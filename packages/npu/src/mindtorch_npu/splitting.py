"""Cutting a free block in two, and joining a freed one with its neighbours.

Note [Net change]. A free piece of a segment that is partly in use counts as idle. A free that
merges neighbours changes that count once, by the sum: a counter which ends where it was is not
touched, or the totals of what was ever added and taken would drift from CUDA's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindtorch_npu.block import CACHED, Node
from mindtorch_npu.statistics import FIELD, IDLE_SIZE

if TYPE_CHECKING:
    from mindtorch_npu.cache import Cache
    from mindtorch_npu.pool import Pool

__all__ = ["merge", "split"]


def split(node: Node, size: int, pool: Pool, cache: Cache) -> Node:
    """Cut *size* bytes off *node*, which is in no bin; cache the rest.

    The low part is a new block, the high part keeps its identity.
    """
    before = node.prev
    was_split = before is not None or node.next is not None
    spare = pool.spare
    if spare:
        low = spare.pop()
        low.segment = node.segment
        low.address = node.address
        low.size = size
    else:
        low = Node(node.segment, node.address, size)
    low.prev = before
    if before is None:
        segment = node.segment
        segment.head = low
        segment.site = None  # CUDA keeps that stack with the first block, and this is another
    else:
        before.next = low
    low.next = node
    node.prev = low
    node.address += size
    node.size -= size
    node.age = pool.searches
    cache.add(node)
    if was_split:
        delta = size << FIELD
        idle = pool.idle
        idle.current -= delta
        idle.freed += delta
    else:
        pool.idle.add(1 + node.size * IDLE_SIZE)
    return low


def merge(node: Node) -> None:
    """Cache a freed block, joined with its free neighbours."""
    segment = node.segment
    pool = segment.pool
    cache = pool.caches[segment.stream]
    node.state = CACHED
    node.age = pool.searches
    before = node.prev
    after = node.next
    if (before is None or before.state) and (after is None or after.state):
        cache.add(node)
        if before is not None or after is not None:
            pool.idle.add(1 + node.size * IDLE_SIZE)
        return
    # See Note [Net change].
    count = nbytes = 0
    if before is not None and not before.state:
        del cache.bins[before.size].nodes[before.address]
        count -= 1
        nbytes -= before.size
        node.address = before.address
        node.size += before.size
        pool.spare.append(before)
        before = node.prev = before.prev
        if before is None:
            segment.head = node
        else:
            before.next = node
    if after is not None and not after.state:
        del cache.bins[after.size].nodes[after.address]
        count -= 1
        nbytes -= after.size
        node.size += after.size
        pool.spare.append(after)
        after = node.next = after.next
        if after is not None:
            after.prev = node
    cache.add(node)
    if before is not None or after is not None:
        count += 1
        nbytes += node.size
    if nbytes < 0:
        # The segment is whole: count is negative too.
        pool.idle.subtract(nbytes * -IDLE_SIZE - count)
        return
    if count:
        pool.idle.subtract(-count)  # two neighbours merged: -1
    pool.idle.add(nbytes * IDLE_SIZE)
