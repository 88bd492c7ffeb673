"""What the allocator knows of a request before it looks for memory."""

from __future__ import annotations

from mindtorch_npu.allocator_memo import SPREAD, token
from mindtorch_npu.arenas import HANDLE, STREAM
from mindtorch_npu.block_pool import ADDRESS, SMALL_LIMIT, Cache, Pool, round_size
from mindtorch_npu.statistics import IDLE_SIZE, REQUESTED, SIZE, USE, fallen

__all__ = ["ARENA", "Plan", "Plans"]

ARENA = 64  # bits of a request's key below the arena
_MOST = 4096  # so many plans are kept

_NBYTES = (1 << ARENA) - 1
_TAKEN_SIZE = SIZE + fallen(IDLE_SIZE)
_BACK = fallen(USE)
_BACK_SIZE = fallen(SIZE) + IDLE_SIZE
_BACK_REQUESTED = fallen(REQUESTED)
_BY_NBYTES, _ELSE = SPREAD
_BY_SIZE = token(128)


class Plan:
    """What is the same for every request of *nbytes* on the stream of *cache*.

    :param size: bytes of the block that serves it.
    :param is_rounded: *size* follows from *nbytes*; else more is given out than was asked for.
    """

    __slots__ = ("_larger", "back", "cache", "cut", "nbytes", "size", "span", "spread", "taken")

    def __init__(self, nbytes: int, size: int, cache: Cache, is_rounded: bool = True) -> None:
        self.nbytes = nbytes
        self.size = size
        self.cache = cache
        #: The keys of blocks that are large enough begin here.
        self.span = size << ADDRESS
        #: What the key of a block falls by when so much of it is cut off at its low end.
        self.cut = self.span - size
        #: What it adds to the pool's counters when the block is cut off one that was split before,
        #: which is the rule: so much is in use, and no longer idle.
        self.taken = USE + size * _TAKEN_SIZE + nbytes * REQUESTED
        #: What its free adds, where the block becomes part of one neighbour: the reverse.
        self.back = _BACK + size * _BACK_SIZE + nbytes * _BACK_REQUESTED
        #: The factor of the token; see allocator_memo.py.
        self.spread = nbytes * _BY_NBYTES + _ELSE
        if not is_rounded:
            self.spread += size * _BY_SIZE
        self._larger: Plan | None = None

    def enlarged(self, size: int) -> Plan:
        """The plan where a block of *size*, which is more, is not worth cutting."""
        found = self._larger
        if found is None or found.size != size:
            found = self._larger = Plan(self.nbytes, size, self.cache, False)
        return found


class Plans(dict[int, Plan]):
    """By ``nbytes + (arena << ARENA)``; made where they are asked for, and forgotten if many.

    :param padding: bytes that every request has besides.
    """

    __slots__ = ("_padding", "pools")

    def __init__(self, padding: int, small: Pool, large: Pool) -> None:
        self._padding = padding
        #: The small and the large pool by their number, 0 for the default ones.
        self.pools = {0: (small, large)}

    def __missing__(self, key: int) -> Plan:
        if len(self) >= _MOST:
            self.clear()
        nbytes = key & _NBYTES
        size = round_size(nbytes + self._padding)
        arena = key >> ARENA
        small, large = self.pools[arena >> STREAM]
        pool = small if size <= SMALL_LIMIT else large
        plan = self[key] = Plan(nbytes, size, pool.cache(arena & HANDLE))
        return plan
