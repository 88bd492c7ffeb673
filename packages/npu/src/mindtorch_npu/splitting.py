"""Cutting a free block in two, and joining a freed one with its neighbours.

Note [Index first, truth last]. The truth is the chain of nodes with their states, and the current
values of the counters. The index of free nodes follows from it. Ctrl-C may come wherever a function
is called, and nowhere else (CPython looks for signals, and changes threads, at calls and at the
turns of loops). So the truth changes in one go that calls nothing, after everything else; when an
exception comes before, ``Books.mend`` makes the index anew.

Note [Net change]. A free piece of a segment that is partly in use counts as idle. A free that
merges neighbours changes that count once, by the sum: a counter which ends where it was is not
touched, or the totals of what was ever added and taken would drift from CUDA's.
"""

from __future__ import annotations

from bisect import bisect_left

from mindtorch_npu.block import ALLOCATED, CACHED, Node
from mindtorch_npu.cache import ADDRESS, LONG
from mindtorch_npu.statistics import FIELD, IDLE_SIZE

__all__ = ["hand_out", "take_back"]


def hand_out(
    node: Node, size: int, nbytes: int, delta: int, keys: list[int], i: int, whole: bool
) -> None:
    """Let a cached block, whose key is ``keys[i]``, be in use: *size* bytes of it, or all.

    :param delta: what the counters rise by.
    """
    cache = node.cache
    pool = cache.pool
    key = node.key
    after = node.next
    idle = pool.idle
    used = pool.used
    if whole:
        del keys[i]
        del cache.nodes[key]
        fallen = 0 if node.prev is None and after is None else 1 + (size << FIELD)
        if fallen and idle.total.risen:
            idle.total.crest()
        idle.current -= fallen
        idle.freed += fallen
    else:
        # The high part goes back to the cache.
        address = node.address + size
        rest = node.size - size
        rest_key = rest << ADDRESS | address
        spare = cache.spare
        high = spare.pop() if spare else Node(node.segment, cache, address, rest)
        nodes = cache.nodes
        if (keys[i - 1] < rest_key) if i else keys is cache.keys:
            keys[i] = rest_key  # still in order
            nodes[rest_key] = high
        else:
            del keys[i]
            cache.insert(rest_key, high)
        del nodes[key]
        high.segment = node.segment
        high.address = address
        high.size = rest
        high.nbytes = node.nbytes  # as CUDA shows it
        high.key = rest_key
        high.age = pool.searches
        high.prev = node
        high.next = after
        was_split = node.prev is not None or after is not None
        if was_split and idle.total.risen:
            idle.total.crest()
        # See Note [Index first, truth last]: no call from here on.
        if was_split:
            fallen = size << FIELD
            idle.current -= fallen
            idle.freed += fallen
        else:
            idle.current += 1 + (rest << FIELD)
            idle.total.risen = True
            # CUDA keeps that stack with the first block, which is another one from now on.
            node.segment.site = None
        if after is not None:
            after.prev = high
        node.next = high
        node.size = size
    node.state = ALLOCATED
    node.nbytes = nbytes
    node.delta = delta
    used.current += delta
    used.total.risen = True


def take_back(node: Node, delta: int) -> None:
    """Cache a block that was in use, joined with its free neighbours.

    :param delta: what the counters fall by.
    """
    cache = node.cache
    pool = cache.pool
    before = node.prev
    after = node.next
    address = node.address
    size = node.size
    # See Note [Net change]. What the segment's idle pieces lose by merging:
    merged = merged_size = 0
    grown = None  # a neighbour, which takes the new block's place among the keys
    if before is not None:
        if before.state == CACHED:
            grown = before
            address = before.address
            merged = 1
            merged_size = before.size
            first = before.prev
        else:
            first = before
            before = None
    else:
        first = None
    if after is not None:
        if after.state == CACHED:
            if grown is not None:
                cache.remove(after.key)
            else:
                grown = after
            merged += 1
            merged_size += after.size
            last = after.next
        else:
            last = after
            after = None
    else:
        last = None
    whole_size = size + merged_size
    key = whole_size << ADDRESS | address
    low = node if before is None else before
    keys = cache.keys
    if grown is None:
        if keys is None:
            cache.insert(key, low)
        else:
            keys.insert(bisect_left(keys, key), key)
            cache.nodes[key] = low
            if len(keys) > LONG:
                cache.cut(keys)
    else:
        old = grown.key
        if keys is None:
            cache.remove(old)
            cache.insert(key, low)
        else:
            i = bisect_left(keys, old)
            if i + 1 == len(keys) or key < keys[i + 1]:
                keys[i] = key  # still in order
            else:
                del keys[i]
                keys.insert(bisect_left(keys, key, i), key)
            nodes = cache.nodes
            del nodes[old]
            nodes[key] = low
    idle = pool.idle
    used = pool.used
    if used.total.risen:
        used.total.crest()
    split = first is not None or last is not None
    if merged and (merged == 2 or not split) and idle.total.risen:
        idle.total.crest()
    # See Note [Index first, truth last]: no call from here on.
    if split:
        if merged == 1:
            idle.current += size << FIELD
        elif merged:
            idle.current += (size << FIELD) - 1
            idle.freed += 1
        else:
            idle.current += 1 + (size << FIELD)
        idle.total.risen = True
    elif merged:
        fallen = merged + merged_size * IDLE_SIZE
        idle.current -= fallen
        idle.freed += fallen
    used.current -= delta
    used.freed += delta
    node.state = CACHED
    low.key = key
    low.size = whole_size
    low.age = pool.searches
    if merged:
        low.next = last
        if last is not None:
            last.prev = low
        if before is not None:
            low.nbytes = node.nbytes  # the freed block's, as CUDA shows it
            cache.spare += (node,)
        if after is not None:
            cache.spare += (after,)
