"""Free nodes of one pool and one stream, ordered by (size, address).

A node has a number, its *key*, with the size in the upper bits and the address in the lower ones.
The keys lie in a sorted list, so that the best fit for a size is one binary search: the first key
from ``size << ADDRESS`` on is the smallest node that is large enough, the lowest address among
equals. A list of many keys would be slow to insert into, so one that has grown long is cut into
*chunks*, each with a *floor*: the least key that may lie in it. Who has the list of a key finds,
inserts and deletes with C's speed; all is O(log n) where it counts, however many blocks live.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindtorch_npu.block import Node
    from mindtorch_npu.pool import Pool

__all__ = ["ADDRESS", "LONG", "Cache"]

ADDRESS = 64  # bits of a key below the size
LONG = 1000  # so many keys are cut in two


class Cache:
    """See the module."""

    __slots__ = ("_chunks", "_floors", "allocator", "keys", "nodes", "pool", "spare", "stream")

    def __init__(self, pool: Pool, stream: int, allocator: Any) -> None:
        self.pool = pool
        self.stream = stream
        self.allocator = allocator
        self.nodes: dict[int, Node] = {}  # by key
        self.spare: list[Node] = []  # nodes that were merged away, for the next split
        self._chunks: list[list[int]] = [[]]
        self.keys: list[int] | None = self._chunks[0]  # all of them, while they are one list
        self._floors = [0]

    def chunk(self, key: int) -> list[int]:
        """The list in which *key* belongs."""
        return self._chunks[bisect_right(self._floors, key) - 1]

    def seek(self, key: int) -> tuple[list[int], int]:
        """Where the first key from *key* on is; past the end of a list if there is none."""
        chunks = self._chunks
        at = bisect_right(self._floors, key) - 1
        while True:
            keys = chunks[at]
            i = bisect_left(keys, key)
            if i < len(keys):
                return keys, i
            if keys or len(chunks) == 1:
                at += 1
            else:
                self._drop(at)
            if at == len(chunks):
                return keys, i

    def _drop(self, at: int) -> None:
        """Forget an empty list; its keys belong to its neighbour's from now on."""
        del self._chunks[at]
        del self._floors[at]
        self._floors[0] = 0
        self.keys = self._chunks[0] if len(self._chunks) == 1 else None

    def cut(self, keys: list[int]) -> None:
        """Make two lists of one that has grown long."""
        at = bisect_right(self._floors, keys[0]) - 1
        middle = len(keys) // 2
        self.keys = None
        self._chunks[at : at + 1] = [keys[:middle], keys[middle:]]
        self._floors.insert(at + 1, keys[middle])

    def insert(self, key: int, node: Node) -> None:
        """Put *node* in; its key is to become *key*."""
        keys = self.keys
        if keys is None:
            keys = self.chunk(key)
        keys.insert(bisect_left(keys, key), key)
        self.nodes[key] = node
        if len(keys) > LONG:
            self.cut(keys)

    def remove(self, key: int) -> None:
        """Take the node of *key* out; it must be in."""
        keys = self.keys
        if keys is None:
            keys = self.chunk(key)
        del keys[bisect_left(keys, key)]
        del self.nodes[key]

    def add(self, node: Node) -> None:
        """Put *node* in."""
        node.key = node.size << ADDRESS | node.address
        self.insert(node.key, node)

    def ordered(self) -> Iterator[Node]:
        """All nodes by size and address, on a copy: nodes may be taken out meanwhile."""
        return iter([self.nodes[key] for keys in self._chunks for key in keys])

    def rebuild(self, nodes: list[Node]) -> None:
        """*nodes* are what is free, whatever was known before."""
        for node in nodes:
            node.key = node.size << ADDRESS | node.address
        self.nodes = {node.key: node for node in nodes}
        keys = sorted(self.nodes)
        self._chunks = [keys[i : i + LONG] for i in range(0, len(keys), LONG)] or [[]]
        self._floors = [0, *(chunk[0] for chunk in self._chunks[1:])]
        self.keys = self._chunks[0] if len(self._chunks) == 1 else None
