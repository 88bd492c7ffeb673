"""Segments of a device's memory, the nodes that they are cut into, and the pools of free ones.

Note [Free lists]. A :class:`Cache` has the free nodes of one pool and one stream, ordered by (size,
address). A node has a number, its *key*, with the size in the upper bits and the address in the
lower ones. The keys lie in a sorted list, so that the best fit for a size is one binary search: the
first key from ``size << ADDRESS`` on is the smallest node that is large enough, the lowest address
among equals. A second list has the nodes in the same places. A list of many keys would be slow to
insert into, so one that has grown long is cut into *chunks*. Who has the lists of a key finds,
inserts and deletes with C's speed; all is O(log n) where it counts, however many blocks live.

Each list of keys begins and ends with a number that is no key, between which the keys lie that
belong there; no node stands there. So a key that changes is in order where it is, if it lies
between its neighbours, and a search that finds no node has gone through all keys of its list.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import Any

from mindtorch_npu.allocator_config import config
from mindtorch_npu.arenas import STREAM
from mindtorch_npu.statistics import PoolCounters

__all__ = [
    "ADDRESS",
    "DEFAULT_POOL",
    "LONG",
    "MIN_BLOCK",
    "SMALL_LIMIT",
    "Cache",
    "Node",
    "Pool",
    "PoolId",
    "Segment",
]

CACHED, ALLOCATED, PENDING, _EDGE = 0, 1, 2, 3


class Segment:
    """One driver allocation: a chain of nodes that covers it without gaps.

    It stands before the first of them and after the last, so that every node has two neighbours.
    """

    __slots__ = ("address", "next", "pool", "prev", "site", "size", "state", "stream", "token")

    def __init__(self, address: int, size: int, stream: int, pool: Pool | None) -> None:
        self.address = address
        self.size = size
        self.stream = stream
        self.pool: Any = pool  # None where no pool manages it
        self.state = _EDGE
        self.next: Any = self  # the first node
        self.prev: Any = self  # and the last
        self.site: Any = None
        self.token = 0  # see allocator_memo.py

    def nodes(self) -> Iterator[Node]:
        """By address."""
        node = self.next
        while node is not self:
            yield node
            node = node.next


class Node:
    """A contiguous piece of a segment. It is *split* when the segment has others too.

    Its neighbours are nodes, or the segment itself: if both are that, it is the only one.
    """

    __slots__ = (
        *("address", "age", "allocator", "cache", "events", "key", "next", "plan", "prev"),
        *("release", "site", "state", "stream", "token", "uses"),
    )

    def __init__(self, cache: Cache, key: int) -> None:
        #: Where it lies when it is free. A node that was merged away is used again for a piece of
        #: the same pool and stream.
        self.cache = cache
        self.allocator = cache.allocator
        self.stream = cache.stream
        self.key = key  # while it is free; see cache.py
        self.address = key & (1 << ADDRESS) - 1
        self.state = CACHED
        self.prev: Any
        self.next: Any
        self.plan: Any = None  # of who has it, or had it last
        self.token = 0  # while in use; see allocator_memo.py
        self.uses: dict[int, Any] | None = None  # other streams that used it, in first-use order
        self.events = 0  # outstanding
        #: Search counter of the pool when it entered the cache, if it is a whole segment.
        self.age = cache.pool.searches
        self.site: Any = None  # stack of the allocation, where history is recorded
        self.release: Any = partial(cache.allocator.taker_back, self)

    @property
    def size(self) -> int:
        """Bytes that count for it."""
        size: int = self.plan.size if self.state else self.key >> ADDRESS
        return size

    @property
    def nbytes(self) -> int:
        """What was asked for last."""
        nbytes: int = self.plan.nbytes if self.plan else 0
        return nbytes


ADDRESS = 64  # bits of a key below the size
LONG = 1000  # so many keys are cut in two
_END = 1 << 3 * ADDRESS  # greater than any key

Chunk = tuple[list[int], list[Any]]  # keys, and the node of each; None at both ends

_key = attrgetter("key")


class Cache:
    """The free nodes of one pool and one stream; see Note [Free lists]."""

    __slots__ = (
        *("_chunks", "_floors", "allocator", "arena", "keys", "least", "nodes", "pool", "spare"),
        *("stream", "tally", "total"),
    )

    def __init__(self, pool: Pool, stream: int, allocator: Any) -> None:
        self.pool = pool
        self.stream = stream
        self.arena = pool.number << STREAM | stream
        self.allocator = allocator
        self.tally = pool.counters.moved
        self.total = self.tally.total
        #: The least key of what may be left of a block that is cut.
        self.least = pool.least_rest << ADDRESS
        self.spare: list[Node] = []  # nodes that were merged away, for the next split
        self._chunks: list[Chunk]
        self._floors: list[int]  # where each begins
        self.keys: list[int] | None  # all of them, while they are one list,
        self.nodes: list[Any]  # and their nodes
        self.rebuild([])

    def _chunk(self, key: int) -> Chunk:
        """The lists in which *key* belongs."""
        return self._chunks[bisect_left(self._floors, key) - 1]

    def seek(self, key: int) -> tuple[list[int], list[Any], int]:
        """Where the first key from *key* on is; where no node stands if there is none."""
        chunks = self._chunks
        at = bisect_left(self._floors, key) - 1
        keys, nodes = chunks[at]
        i = bisect_left(keys, key)
        while nodes[i] is None:
            if len(keys) > 2 or len(chunks) == 1:
                at += 1
            else:
                self._drop(at)
            if at == len(chunks):
                break
            keys, nodes = chunks[at]
            i = 1
        return keys, nodes, i

    def _drop(self, at: int) -> None:
        """Forget lists without nodes; their keys belong to a neighbour's from now on."""
        floor, ceiling = self._chunks.pop(at)[0]
        if at:
            self._chunks[at - 1][0][-1] = ceiling
        else:
            self._chunks[0][0][0] = floor
        self._cut_up(self._chunks)

    def _cut_up(self, chunks: list[Chunk]) -> None:
        """These are the chunks from now on."""
        self._chunks = chunks
        self._floors = [keys[0] for keys, _ in chunks]
        keys, self.nodes = chunks[0]
        self.keys = keys if len(chunks) == 1 else None

    def cut(self, keys: list[int]) -> None:
        """Make two lists of one that has grown long."""
        at = bisect_left(self._floors, keys[1]) - 1
        nodes = self._chunks[at][1]
        i = len(keys) // 2
        low = [*keys[:i], keys[i]], [*nodes[:i], None]
        high = [keys[i] - 1, *keys[i:]], [None, *nodes[i:]]
        self._cut_up([*self._chunks[:at], low, high, *self._chunks[at + 1 :]])

    def insert(self, key: int, node: Node) -> None:
        """Put *node* in; its key is to become *key*."""
        keys, nodes = self._chunk(key)
        i = bisect_left(keys, key)
        keys.insert(i, key)
        nodes.insert(i, node)
        if len(keys) > LONG:
            self.cut(keys)

    def remove(self, key: int) -> None:
        """Take the node of *key* out; it must be in."""
        keys, nodes = self._chunk(key)
        i = bisect_left(keys, key)
        del keys[i]
        del nodes[i]

    def ordered(self) -> Iterator[Node]:
        """All nodes by size and address, on a copy: nodes may be taken out meanwhile."""
        return iter([node for _, nodes in self._chunks for node in nodes[1:-1]])

    def rebuild(self, nodes: list[Node]) -> None:
        """*nodes* are what is free, whatever was known before."""
        nodes = sorted(nodes, key=_key)
        keys = [*map(_key, nodes), _END]
        chunks: list[Chunk] = []
        floor = 0
        for start in range(0, max(len(nodes), 1), LONG):
            end = min(start + LONG, len(nodes))
            chunks.append(([floor, *keys[start:end], keys[end]], [None, *nodes[start:end], None]))
            floor = keys[end] - 1
        self._cut_up(chunks)


MIN_BLOCK = 512  # the rounding unit, and the smallest remainder worth cutting off a small block
SMALL_LIMIT = 1024**2  # greatest rounded size of the small pool
_SMALL_SEGMENT = 2 * 1024**2
_OWN_SEGMENT = 10 * 1024**2  # from here on a request gets a segment of its own
_OWN_ROUNDING = 2 * 1024**2


#: What names a pool of an allocator; see ``private_pools.py``.
PoolId = tuple[int, int]
#: The one that is private to nobody.
DEFAULT_POOL: PoolId = (0, 0)
_NEVER = 1 << ADDRESS


class Pool:
    """A small or a large pool: cached blocks by stream, and counters.

    :param pool_id: what names it and the other one together, for users; *number* for arenas.
    """

    __slots__ = (
        *("allocator", "caches", "counters", "id", "is_small", "least_rest", "number"),
        "searches",
    )

    def __init__(
        self,
        is_small: bool,
        counters: PoolCounters,
        allocator: Any,
        pool_id: PoolId = DEFAULT_POOL,
        number: int = 0,
    ) -> None:
        self.is_small = is_small
        self.id = pool_id
        self.number = number
        self.allocator = allocator
        #: What must be left of a block for the rest to be cut off.
        self.least_rest = MIN_BLOCK if is_small else SMALL_LIMIT + 1
        self.caches: dict[int, Cache] = {}
        self.counters = counters
        self.searches = 0

    def cache(self, stream: int) -> Cache:
        """The free blocks of a stream."""
        found = self.caches.get(stream)
        if found is None:
            found = self.caches[stream] = Cache(self, stream, self.allocator)
        return found

    def forbid_splits(self) -> None:
        """Blocks are never cut from now on."""
        self.least_rest = _NEVER
        for cache in self.caches.values():
            cache.least = _NEVER << ADDRESS

    def segment_size(self, size: int) -> int:
        """What to ask the driver for, for a block of *size*."""
        if self.is_small:
            return _SMALL_SEGMENT
        if size < _OWN_SEGMENT:
            return config.large_segment_size
        return -(-size // _OWN_ROUNDING) * _OWN_ROUNDING


def round_size(nbytes: int) -> int:
    """The size that a request of *nbytes* counts for (rules 2.3)."""
    if nbytes < MIN_BLOCK:
        return MIN_BLOCK
    divisions = config.divisions(nbytes)
    if divisions > 1 and nbytes > MIN_BLOCK * divisions:
        power = 1 << (nbytes.bit_length() - 1)
        if power == nbytes:
            return nbytes
        step = power >> (divisions.bit_length() - 1)
        return -(-nbytes // step) * step if step else power << 1
    return -(-nbytes // MIN_BLOCK) * MIN_BLOCK
