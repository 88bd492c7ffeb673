"""Free nodes of one pool and one stream, ordered by (size, address).

A node has a number, its *key*, with the size in the upper bits and the address in the lower ones.
The keys lie in a sorted list, so that the best fit for a size is one binary search: the first key
from ``size << ADDRESS`` on is the smallest node that is large enough, the lowest address among
equals. A second list has the nodes in the same places. A list of many keys would be slow to insert
into, so one that has grown long is cut into *chunks*. Who has the lists of a key finds, inserts and
deletes with C's speed; all is O(log n) where it counts, however many blocks live.

Each list of keys begins and ends with a number that is no key, between which the keys lie that
belong there; no node stands there. So a key that changes is in order where it is, if it lies
between its neighbours, and a search that finds no node has gone through all keys of its list.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindtorch_npu.block import Node
    from mindtorch_npu.pool import Pool

__all__ = ["ADDRESS", "LONG", "Cache"]

ADDRESS = 64  # bits of a key below the size
LONG = 1000  # so many keys are cut in two
_END = 1 << 3 * ADDRESS  # greater than any key

Chunk = tuple[list[int], list[Any]]  # keys, and the node of each; None at both ends

_key = attrgetter("key")


class Cache:
    """See the module."""

    __slots__ = (
        *("_chunks", "_floors", "allocator", "keys", "least", "nodes", "pool", "spare", "stream"),
        *("tally", "total"),
    )

    def __init__(self, pool: Pool, stream: int, allocator: Any) -> None:
        self.pool = pool
        self.stream = stream
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
