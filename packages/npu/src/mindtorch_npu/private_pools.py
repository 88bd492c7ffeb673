"""Pools of an allocator that only some requests use: those of graphs, and those that users make.

A pool has an id, two numbers of which one is 0: ``(n, 0)`` names the pool of a graph that shares
it with no other, ``(0, n)`` one that :func:`new_id` has named for a user. Who uses a pool counts in
its ``use_count``. While that is not 0, all its segments stay; afterwards those that nobody uses may
go back to the driver, and the pool is gone with the last of them.

Requests are diverted to a pool by a *route*, which says of a stream whether its requests go there,
as the thread stands that asks. The newest route that says so wins.

Source: torch c10/cuda/CUDACachingAllocator.cpp, PrivatePool; aten/src/ATen/cuda/MemPool.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from mindtorch_npu.block_pool import Pool, PoolId
from mindtorch_npu.statistics import Statistics

__all__ = ["PrivatePool", "Route", "new_id"]

_of_users = count(1)
_of_graphs = count(1)
_numbers = count(1)


def new_id(is_user_created: bool = True) -> PoolId:
    """An id that no pool had before."""
    return (0, next(_of_users)) if is_user_created else (next(_of_graphs), 0)


class PrivatePool:
    """A small and a large pool; see the module.

    :param number: what arenas call it; default a new one.
    """

    __slots__ = ("id", "large", "number", "small", "use_count", "use_on_oom")

    def __init__(
        self, pool_id: PoolId, statistics: Statistics, allocator: Any, number: int | None = None
    ) -> None:
        self.id = pool_id
        self.number = next(_numbers) if number is None else number
        self.small = Pool(True, statistics.small, allocator, pool_id, self.number)
        self.large = Pool(False, statistics.large, allocator, pool_id, self.number)
        self.use_count = 1
        #: Whether its free blocks serve requests for which the device has no room.
        self.use_on_oom = False

    @property
    def pools(self) -> tuple[Pool, Pool]:
        """The small and the large one."""
        return self.small, self.large

    def forbid_splits(self) -> None:
        """Every request gets a whole segment from now on."""
        for pool in self.pools:
            pool.forbid_splits()


class Route(NamedTuple):
    """Requests on the streams that *takes* says true of, by their handle, go to *pool*."""

    pool: PrivatePool
    takes: Callable[[int], bool]
