"""The allocator whose requests may be diverted to private pools; see ``private_pools.py``."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mindtorch_npu import errors
from mindtorch_npu.arenas import STREAM, divert, handle_of, undivert
from mindtorch_npu.block_pool import PoolId
from mindtorch_npu.locked_allocator import LockedAllocator
from mindtorch_npu.private_pools import PrivatePool, Route
from mindtorch_npu.protocols import Driver

__all__ = ["DivertingAllocator", "this_thread"]


def this_thread() -> Callable[[int], bool]:
    """Says true of every stream in the thread that calls it now."""
    me = threading.get_ident()
    return lambda handle: threading.get_ident() == me


class DivertingAllocator(LockedAllocator):
    """See the module. Raises RuntimeError where a pool is not there, as torch does."""

    __slots__ = ("_left",)

    _refresh: Callable[[], None]  # settings changed

    def __init__(self, driver: Driver, device_index: int) -> None:
        super().__init__(driver, device_index)
        #: Pools that somebody has left in a finalizer, and whether they are to be emptied.
        self._left: list[tuple[PoolId, bool]] = []

    @contextmanager
    def books(self) -> Iterator[None]:
        with super().books():
            while self._left:
                pool_id, empties = self._left.pop()
                self._pool(pool_id).use_count -= 1
                if empties:
                    self.flush(pool_id)
            yield

    def arena_meant(self, asking: int) -> int:
        """The arena of a request, whose own only says that it is to be found out."""
        handle = handle_of(asking)
        for route in reversed(self.routes):
            if route.takes(handle):
                return route.pool.number << STREAM | handle
        return handle

    def use_pool(self, pool_id: PoolId) -> PrivatePool:
        """Somebody uses the pool from now on; it is made where there is none of that id."""
        with self.books():
            found = self.private.get(pool_id)
            if found is None:
                found = PrivatePool(pool_id, self.statistics, self)
                self._plans.pools[found.number] = found.pools
                self.private[pool_id] = found
            elif not found.use_count:
                raise errors.pool_is_gone("it->second->use_count > 0")
            else:
                found.use_count += 1
        return found

    def release_pool(self, pool_id: PoolId) -> None:
        """Who used the pool uses it no more; see :meth:`flush` for what comes of that."""
        with self.books():
            self._pool(pool_id).use_count -= 1

    def leave_pool(self, pool_id: PoolId, empties: bool) -> None:
        """:meth:`release_pool` in a finalizer: it does not wait for who has the books.

        :param empties: return what is wholly unused of the pool to the driver, if nobody uses it.
        """
        self._left.append((pool_id, empties))
        lock = self.lock
        if lock.acquire(False):
            lock.mutex.release()
            lock.deliver()
            with self.books():
                pass

    def pool_use_count(self, pool_id: PoolId) -> int:
        """How many use the pool."""
        with self.books():
            return self._pool(pool_id).use_count

    def _pool(self, pool_id: PoolId) -> PrivatePool:
        found = self.private.get(pool_id)
        if found is None:
            raise errors.pool_is_gone("it != graph_pools.end()")
        return found

    def help_out_with(self, pool_id: PoolId, value: bool) -> None:
        """Whether free blocks of the pool serve other requests where the device has no room."""
        with self.books():
            self._pool(pool_id).use_on_oom = value
            self._refresh()

    def forbid_splits(self, pool_id: PoolId) -> None:
        """Blocks of the pool are never cut."""
        with self.books():
            self._pool(pool_id).forbid_splits()
            self._forget_plans()

    def begin_to_divert(self, pool_id: PoolId, takes: Callable[[int], bool]) -> None:
        """Use the pool, for requests on the streams that *takes* says true of by their handle."""
        pool = self.use_pool(pool_id)
        with self.books():
            if any(route.pool is pool for route in self.routes):
                raise errors.pool_is_recorded()
            self.routes = (*self.routes, Route(pool, takes))
            self._refresh()
            divert(self.device_index, self.driver.queues(self.device_index))

    def end_to_divert(self, pool_id: PoolId) -> None:
        """No more requests go to the pool; who used it releases it himself."""
        with self.books():
            left = tuple([route for route in self.routes if route.pool.id != pool_id])
            if left == self.routes:
                raise errors.pool_is_not_recorded()
            self.routes = left
            if not left:
                undivert(self.device_index, self.driver.queues(self.device_index))
                self._pending.make_up()
            self._refresh()
