"""Cutting a free block in two, and joining a freed one with its neighbours.

Note [Index first, truth last]. The truth is the chain of nodes with their states, the keys of those
that are free, and the current values of the counters. The index of free nodes follows from it.
Ctrl-C may come wherever a function is called, and nowhere else (CPython looks for signals at calls
and at the turns of loops). So the truth changes in one go that calls
nothing, after everything else; when an exception comes before, ``AllocatorState.mend`` makes the
index anew.

Note [Net change]. A free piece of a segment that is partly in use counts as idle. A free that
merges neighbours changes that count once, by the sum: a counter which ends where it was is not
touched, or the totals of what was ever added and taken would drift from CUDA's.

Note [Keys]. A node that is free is known by its key, which is its size and address in one number:
what is cut off at its low end or joined there is one subtraction or addition (:attr:`Plan.cut`),
and so is what is joined at its high end (:attr:`Plan.span`).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from mindtorch_npu.block_pool import ADDRESS, ALLOCATED, CACHED, LONG, Node
from mindtorch_npu.request_plan import Plan
from mindtorch_npu.statistics import IDLE, IDLE_SIZE, fallen

__all__ = ["hand_out", "hand_out_part", "take_back"]

# How the counters change where it is not as a rule, which is in a plan:
_PIECE_LESS = fallen(IDLE)  # an idle piece is gone;
_LESS = fallen(IDLE_SIZE)  # a byte is no longer idle


def hand_out_part(
    node: Node, plan: Plan, keys: list[int], nodes: list[Any], i: int, rest_key: int
) -> None:
    """Let the low part of a cached block be in use; the rest, of *rest_key*, stays cached.

    The block's key is ``keys[i]``.
    """
    cache = plan.cache
    spare = cache.spare
    high = spare.pop() if spare else Node(cache, 0)
    if keys[i - 1] < rest_key:
        keys[i] = rest_key  # still in order
        nodes[i] = high
    else:
        del keys[i]
        del nodes[i]
        if keys[0] < rest_key:
            i = bisect_left(keys, rest_key, 1, i)
            keys.insert(i, rest_key)
            nodes.insert(i, high)
        else:
            cache.insert(rest_key, high)
    total = cache.total
    if not total.taking:
        total.begin_to_take()
    address = node.address
    before = node.prev
    after = node.next
    high.key = rest_key
    high.address = address + plan.size
    high.plan = node.plan  # as CUDA shows it
    high.prev = node
    high.next = after
    # See Note [Index first, truth last]: no call from here on.
    tally = cache.tally
    if before is not after:
        tally.books += plan.taken
    else:  # it was the whole segment, which is never idle
        rest = rest_key >> ADDRESS
        tally.books += plan.taken - plan.size * _LESS + rest * IDLE_SIZE + IDLE
        total.taking = total.giving = False
        # CUDA keeps that stack with the first block, which is another one from now on.
        before.site = None
    after.prev = high
    node.next = high
    node.state = ALLOCATED
    node.plan = plan
    node.token = address * plan.spread


def hand_out(node: Node, plan: Plan, keys: list[int], nodes: list[Any], i: int) -> None:
    """Let all of a cached block, whose key is ``keys[i]``, be in use."""
    cache = plan.cache
    size = keys[i] >> ADDRESS
    if size != plan.size:
        plan = plan.enlarged(size)
    del keys[i]
    del nodes[i]
    total = cache.total
    if not total.taking:
        total.begin_to_take()
    # See Note [Index first, truth last]: no call from here on.
    if node.prev is not node.next:
        cache.tally.books += plan.taken + _PIECE_LESS
    else:
        cache.tally.books += plan.taken - size * _LESS
    node.state = ALLOCATED
    node.plan = plan
    node.token = node.address * plan.spread


def take_back(node: Node, change: int) -> None:
    """Cache a block that was in use, joined with its free neighbours.

    :param change: what the counters change by if it is joined with one neighbour, and is not all of
        the segment then.
    """
    cache = node.cache
    keys = cache.keys
    nodes = cache.nodes
    total = cache.total
    plan = node.plan
    before = node.prev
    after = node.next
    # If a neighbour is free, its key, the old one, gives way to that of the new free block.
    if not before.state:  # CACHED
        low = before
        first = before.prev
        old = before.key
        key = old + plan.span
        if not after.state:
            last = after.next
            key += after.key - after.address
            cache.remove(after.key)
            change += _PIECE_LESS
            total.giving = False  # the number of idle pieces falls
        else:
            last = after
    else:
        low = node
        first = before
        if not after.state:
            last = after.next
            old = after.key
            key = old + plan.cut
        else:
            last = after
            old = 0
            key = plan.span + node.address
            change += IDLE
    if keys is None:
        if old:
            cache.remove(old)
        cache.insert(key, low)
    elif old:
        i = bisect_left(keys, old)
        if key < keys[i + 1]:
            keys[i] = key  # still in order
            nodes[i] = low
        else:
            del keys[i]
            del nodes[i]
            i = bisect_left(keys, key, i)
            keys.insert(i, key)
            nodes.insert(i, low)
    else:
        i = bisect_left(keys, key)
        keys.insert(i, key)
        nodes.insert(i, low)
        if len(keys) > LONG:
            cache.cut(keys)
    if first is last:
        # The whole segment is free, so nothing of it is idle any more.
        low.age = cache.pool.searches
        change -= plan.size * IDLE_SIZE
        if old:
            joined = (key >> ADDRESS) - plan.size
            change += _PIECE_LESS + joined * _LESS
            total.giving = False
        else:
            change -= IDLE
    if not total.giving:
        total.begin_to_give()
    # See Note [Index first, truth last]: no call from here on.
    cache.tally.books += change
    node.state = CACHED
    low.key = key
    if old:
        low.next = last
        last.prev = low
        spare = cache.spare
        if low is before:
            low.plan = plan  # as CUDA shows it
            spare.append(node)
        if last is not after:
            spare.append(after)
