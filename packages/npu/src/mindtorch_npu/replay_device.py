"""A device that only a replay has: its memory, and the books of its one thread.

A replay needs no lock, no kernels and no states to come back to, which cost more than the books
themselves: they are kept here as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_npu.allocator_config import UNLIMITED, config
from mindtorch_npu.best_fit import BestFitAllocator
from mindtorch_npu.block_pool import PoolId
from mindtorch_npu.device_profiles import Profile
from mindtorch_npu.private_pools import PrivatePool

__all__ = ["ReplayAllocator", "ReplayDevice", "context_of"]

_MIB = 1024 * 1024
#: What addresses of segments are multiples of.
_ALIGNMENT = 2 * _MIB


def context_of(kind: Profile, memory: int) -> int:
    """Bytes of *memory* that no allocator ever gets; a small device has a small context."""
    return min(kind.context * _MIB, memory // 8)


class ReplayDevice:
    """What the books ask of a driver: a device of one *kind* with *memory* bytes."""

    def __init__(self, memory: int, kind: Profile) -> None:
        self.padding = kind.padding
        self._total = memory
        self._free = memory - context_of(kind, memory)
        self._next_address = _ALIGNMENT

    def allocate_segment(self, device_index: int, nbytes: int) -> int | None:
        """An address that nobody had before; None where there is no room."""
        if nbytes > self._free:
            return None
        self._free -= nbytes
        address = self._next_address
        self._next_address += -(-nbytes // _ALIGNMENT) * _ALIGNMENT
        return address

    def free_segment(self, device_index: int, address: int, nbytes: int) -> None:
        self._free += nbytes

    def memory_info(self, device_index: int) -> tuple[int, int]:
        return self._free, self._total


class ReplayAllocator(BestFitAllocator):
    """The books of a :class:`ReplayDevice`, under the settings of this moment."""

    __slots__ = ("_pool_ids", "allocate", "free", "taker_back")

    def __init__(self, device: ReplayDevice, pool_ids: Sequence[PoolId] = ()) -> None:
        driver: Any = device  # of which a replay asks no more than it has
        super().__init__(driver, 0)
        self._pool_ids = pool_ids
        #: Of so many bytes, of an arena. Raises OutOfMemoryError.
        self.allocate = self._malloc
        self.free = self.taker_back = self._free
        fraction = config.per_process_memory_fraction
        if fraction < 1.0:
            self.fraction = fraction
            self.limit = int(fraction * device.memory_info(0)[1])
        self._fits_exactly = config.max_split_size == UNLIMITED
        self._observed = not self._fits_exactly  # by the counters of what may not be split
        self.collects = self.limit is not None and config.garbage_collection_threshold > 0.0

    def use_pool(self, number: int) -> None:
        """Somebody uses the private pool with this number."""
        pool_id = self._pool_ids[number - 1]
        if pool_id not in self.private:
            made = PrivatePool(pool_id, self.statistics, self, number)
            self.private[pool_id] = made
            self._plans.pools[number] = made.pools

    def leave_pool(self, number: int) -> None:
        """Nobody uses it any more."""
        found = self.private.get(self._pool_ids[number - 1])
        if found is not None:
            found.use_count = 0
