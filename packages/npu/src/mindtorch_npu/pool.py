"""The two pools of a device, and the sizes that decide what goes where."""

from __future__ import annotations

from typing import Any

from mindtorch_npu.cache import Cache
from mindtorch_npu.config import config
from mindtorch_npu.statistics import PoolCounters

__all__ = ["MIN_BLOCK", "SMALL_LIMIT", "Pool", "round_size"]

MIN_BLOCK = 512  # the rounding unit, and the smallest remainder worth cutting off a small block
SMALL_LIMIT = 1024**2  # greatest rounded size of the small pool
_SMALL_SEGMENT = 2 * 1024**2
_OWN_SEGMENT = 10 * 1024**2  # from here on a request gets a segment of its own
_OWN_ROUNDING = 2 * 1024**2


class Pool:
    """The small or the large pool: cached blocks by stream, and counters."""

    __slots__ = ("allocator", "caches", "counters", "is_small", "least_rest", "searches")

    def __init__(self, is_small: bool, counters: PoolCounters, allocator: Any) -> None:
        self.is_small = is_small
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
