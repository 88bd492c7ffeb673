"""Free nodes of one pool and one stream, ordered by (size, address).

Almost every request finds a node of exactly its size, so nodes lie in bins by size: a bin is a heap
of addresses, which gives the lowest first. Only when a bin is empty is the next larger size looked
up in the sorted list of sizes. Taking a node out only removes it from the bin's dict; the heap
forgets its address when that comes to the top, or when stale addresses outnumber live ones. All
operations are O(log n), independent of how many blocks live.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from heapq import heappop, heappush

from mindtorch_npu.block import Node

__all__ = ["Cache"]

# Empty bins stay listed, for they fill again soon; a search that meets more than so many forgets
# them.
_DEAD_SIZES = 4


class Bin:
    """Free nodes of one size."""

    __slots__ = ("heap", "nodes")

    def __init__(self) -> None:
        self.heap: list[int] = []  # every address in nodes, and stale ones
        self.nodes: dict[int, Node] = {}


class Cache:
    """See the module."""

    __slots__ = ("_sizes", "bins")

    def __init__(self) -> None:
        self.bins: dict[int, Bin] = {}
        self._sizes: list[int] = []

    def add(self, node: Node) -> None:
        size = node.size
        address = node.address
        found = self.bins.get(size)
        if found is None:
            found = self.bins[size] = Bin()
            insort(self._sizes, size)
        heap = found.heap
        nodes = found.nodes
        nodes[address] = node
        if heap and heap[0] == address:
            return  # taken and given back: its old entry is valid again
        if len(heap) > 2 * len(nodes) + 32:
            heap[:] = sorted(nodes)
        else:
            heappush(heap, address)

    def discard(self, node: Node) -> None:
        """Take *node* out; it must be in."""
        del self.bins[node.size].nodes[node.address]

    def best_fit(self, size: int) -> Node | None:
        """The smallest node of at least *size*, the lowest address among equals; it stays in."""
        sizes = self._sizes
        bins = self.bins
        start = i = bisect_left(sizes, size)
        end = len(sizes)
        while i < end:
            found = bins[sizes[i]]
            nodes = found.nodes
            if nodes:
                break
            i += 1
        else:
            nodes = None
        if i - start > _DEAD_SIZES:
            for dead in sizes[start:i]:
                del bins[dead]
            del sizes[start:i]
        if not nodes:
            return None
        heap = found.heap
        while True:
            node = nodes.get(heap[0])
            if node is not None:
                return node
            heappop(heap)

    def ordered(self) -> Iterator[Node]:
        """All nodes by size and address, on a copy: nodes may be taken out meanwhile."""
        for size in tuple(self._sizes):
            nodes = self.bins[size].nodes
            for address in sorted(nodes):
                yield nodes[address]
