"""What the allocator of one device knows: its pools, segments, counters and settings.

The functions of :mod:`.segments` and :mod:`.reclaim` work on it, and :mod:`.best_fit` serves
requests.
"""

from __future__ import annotations

from collections.abc import Iterator

from mindtorch_npu.allocator_config import UNLIMITED, config
from mindtorch_npu.allocator_memo import Walk
from mindtorch_npu.block_pool import CACHED, PENDING, Cache, Node, Pool, PoolId, Segment
from mindtorch_npu.memory_history import History
from mindtorch_npu.private_pools import PrivatePool, Route
from mindtorch_npu.protocols import Driver
from mindtorch_npu.request_plan import Plans
from mindtorch_npu.statistics import Statistics

__all__ = ["AllocatorState"]


class AllocatorState:
    """See the module. Streams are named by their handle; 0 is the default stream."""

    __slots__ = (
        *("_fits_exactly", "_observed", "_plans"),
        *("collects", "device_index", "driver", "fraction", "history", "large", "limit"),
        *("private", "reserved", "routes", "segments", "small", "statistics", "walk"),
    )

    def __init__(self, driver: Driver, device_index: int) -> None:
        self.device_index = device_index
        self.history = History()
        self.driver = driver
        limit = config.max_split_size
        self.statistics = Statistics(-1 if limit == UNLIMITED else limit)
        self.small = Pool(True, self.statistics.small, self)
        self.large = Pool(False, self.statistics.large, self)
        #: Private pools by their id, also those that nobody uses any more; see private_pools.py.
        self.private: dict[PoolId, PrivatePool] = {}
        #: Where some requests go, oldest first.
        self.routes: tuple[Route, ...] = ()
        self.segments: dict[int, Segment] = {}
        self.reserved = 0
        self.limit: int | None = None
        self.fraction = 1.0
        self._plans = Plans(driver.padding, self.small, self.large)
        self._fits_exactly = True  # no max_split_size, which may refuse a block that fits
        self._observed = False  # by the history or the oversize counters
        self.collects = False  # garbage collection is on
        self.walk = Walk(self.statistics)

    def pools(self) -> Iterator[Pool]:
        """All of them."""
        yield self.small
        yield self.large
        for private in self.private.values():
            yield from private.pools

    def mend(self) -> None:
        """After an exception in the middle: make anew what follows from the chain of nodes.

        That is the index of free blocks and the number of the state; as often as one likes. See
        Note [Index first, truth last] in ``splitting.py``.
        """
        number = 0
        free: dict[Cache, list[Node]] = {}
        for pool in self.pools():
            for cache in pool.caches.values():
                free[cache] = []
                cache.spare.clear()
        for segment in self.segments.values():
            number ^= segment.token
            for node in segment.nodes():
                if node.state == CACHED:
                    free[node.cache].append(node)
                elif node.state != PENDING:
                    number ^= node.token
        for cache, nodes in free.items():
            cache.rebuild(nodes)
        self.walk.number = number

    def nodes(self) -> Iterator[Node]:
        """All of them, those too that were merged away."""
        for segment in self.segments.values():
            yield from segment.nodes()
        for pool in self.pools():
            for cache in pool.caches.values():
                yield from cache.spare
