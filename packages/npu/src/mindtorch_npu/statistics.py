"""The counters behind ``memory_stats``.

Note [Packed counters]. Every allocation moves five counters (allocation, allocated_bytes, active,
active_bytes, requested_bytes) of its pool and of "all", each with a current value, a peak and a
total. Counted one by one that is thirty attribute updates, more than the rest of the allocator
costs. So the five live side by side in one Python integer, 64 bits each: one addition moves them
all. No counter is ever negative, so nothing is borrowed between neighbours.

``peak >= current`` is tested for all fields at once: with the top bit of every field set in
``ceiling = peak | TOPS``, the difference ``ceiling - current`` keeps all those bits exactly when no
field of ``current`` is greater. Only then are the greater ones put in, again for all at once.

Where blocks come and go, not even that is asked each time. What rises has its greatest value where
it begins to fall, so peaks are looked at before the first fall after a rise (:meth:`Total.crest`),
and when somebody asks.

What is stored: ``current``, ``freed`` (all that was ever taken away) and the peaks. What was ever
added is ``current + freed``; a reset remembers the totals of that moment as its zero. The "all"
row is the sum of both pools, apart from its peaks.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Counter", "PoolCounters", "Statistics", "Tally", "Total", "unpack"]

FIELD = 64
MASK = (1 << FIELD) - 1


def tops(fields: int) -> int:
    """The top bit of every field."""
    return sum(1 << (FIELD * i + FIELD - 1) for i in range(fields))


def unpack(packed: int, fields: int) -> list[int]:
    """The fields of a packed integer."""
    return [packed >> (FIELD * i) & MASK for i in range(fields)]


# Fields of the tally that malloc and free move.
USED = ("allocation", "allocated_bytes", "active", "active_bytes", "requested_bytes")
# A block of B bytes for a request of n changes it by USE + B * SIZE + n * REQUESTED.
ALLOCATED = 1
ALLOCATED_SIZE = 1 << FIELD
ACTIVE = 1 << 2 * FIELD
ACTIVE_SIZE = 1 << 3 * FIELD
REQUESTED = 1 << 4 * FIELD
USE = ALLOCATED + ACTIVE
SIZE = ALLOCATED_SIZE + ACTIVE_SIZE
USED_TOPS = tops(5)

# Fields of the tally of free pieces in segments that are partly in use.
IDLE = ("inactive_split", "inactive_split_bytes")
IDLE_SIZE = 1 << FIELD
IDLE_TOPS = tops(2)

# Fields of the tally of driver segments.
HELD = ("segment", "reserved_bytes")
HELD_SIZE = 1 << FIELD
HELD_TOPS = tops(2)


class _Peaks:
    """Something with packed counters and their peaks."""

    __slots__ = ("ceiling", "tops")

    def __init__(self, tops: int) -> None:
        self.tops = tops
        self.ceiling = tops  # the peaks, with the top bits set

    def reach(self, current: int) -> None:
        """*current* is what the counters were: no peak is below it."""
        if (self.ceiling - current) & self.tops != self.tops:
            self.raise_ceiling(current)

    def raise_ceiling(self, current: int) -> None:
        """Some field of *current* is above its peak: take the greater one of each field."""
        ceiling = self.ceiling
        kept = (ceiling - current) & self.tops  # the top bit of the fields whose peak stays
        mask = kept - (kept >> FIELD - 1)  # all other bits of those fields
        self.ceiling = current ^ ((current ^ ceiling) & mask) | self.tops


class Tally(_Peaks):
    """Some packed counters of one pool.

    Who adds to ``current`` says so in ``total.risen``; who takes away calls ``total.crest()``
    before, if that is set, and adds to ``freed``. :meth:`rise` and :meth:`fall` do so.
    """

    __slots__ = ("added_zero", "current", "freed", "freed_zero", "total")

    def __init__(self, tops: int) -> None:
        super().__init__(tops)
        self.total: Total
        self.current = 0
        self.freed = 0
        self.added_zero = 0
        self.freed_zero = 0

    def rise(self, delta: int) -> None:
        self.current += delta
        self.total.risen = True

    def fall(self, delta: int) -> None:
        if self.total.risen:
            self.total.crest()
        self.current -= delta
        self.freed += delta

    def reset_accumulated(self) -> None:
        self.added_zero = self.current + self.freed
        self.freed_zero = self.freed


class Total(_Peaks):
    """The peaks of the sum of both pools, which no pool knows."""

    __slots__ = ("large", "risen", "small")

    def __init__(self, small: Tally, large: Tally) -> None:
        super().__init__(small.tops)
        self.small = small
        self.large = large
        small.total = large.total = self
        self.risen = False  # since the peaks were looked at

    @property
    def current(self) -> int:
        return self.small.current + self.large.current

    def crest(self) -> None:
        """No peak is below what the counters are now."""
        small, large = self.small, self.large
        small.reach(small.current)
        large.reach(large.current)
        self.reach(small.current + large.current)
        self.risen = False


class Counter:
    """One counter that is touched too seldom to be packed."""

    __slots__ = ("allocated", "current", "freed", "peak")

    def __init__(self) -> None:
        self.current = self.peak = self.allocated = self.freed = 0

    def increase(self, amount: int = 1) -> None:
        self.current += amount
        self.allocated += amount
        if self.current > self.peak:
            self.peak = self.current

    def decrease(self, amount: int = 1) -> None:
        self.current -= amount
        self.freed += amount

    def as_dict(self) -> dict[str, int]:
        return {
            "current": self.current,
            "peak": self.peak,
            "allocated": self.allocated,
            "freed": self.freed,
        }


class PoolCounters:
    """The tallies of one pool."""

    __slots__ = ("held", "idle", "used")

    def __init__(self) -> None:
        self.used = Tally(USED_TOPS)
        self.idle = Tally(IDLE_TOPS)
        self.held = Tally(HELD_TOPS)


class Statistics:
    """All counters of one device."""

    __slots__ = (
        "held",
        "idle",
        "large",
        "max_split_size",
        "num_alloc_retries",
        "num_device_alloc",
        "num_device_free",
        "num_oom_rejections",
        "num_ooms",
        "num_sync_all_streams",
        "oversize_allocations",
        "oversize_segments",
        "small",
        "used",
    )

    def __init__(self, max_split_size: int) -> None:
        self.small = PoolCounters()
        self.large = PoolCounters()
        self.used = Total(self.small.used, self.large.used)
        self.idle = Total(self.small.idle, self.large.idle)
        self.held = Total(self.small.held, self.large.held)
        self.oversize_allocations = Counter()
        self.oversize_segments = Counter()
        self.max_split_size = max_split_size  # as it was when the device was first used
        self.num_oom_rejections = 0
        self._zero_events()

    def _zero_events(self) -> None:
        self.num_alloc_retries = 0
        self.num_ooms = 0
        self.num_sync_all_streams = 0
        self.num_device_alloc = 0
        self.num_device_free = 0

    def allocated_bytes(self) -> int:
        return self.used.current >> FIELD & MASK

    def active_bytes(self) -> int:
        return self.used.current >> 3 * FIELD & MASK

    def reserved_bytes(self) -> int:
        return self.held.current >> FIELD & MASK

    def reset_peak(self) -> None:
        for total in (self.used, self.idle, self.held):
            total.risen = False
            for each in (total, total.small, total.large):
                each.ceiling = each.current | each.tops
        for counter in (self.oversize_allocations, self.oversize_segments):
            counter.peak = counter.current

    def reset_accumulated(self) -> None:
        for pool in (self.small, self.large):
            for tally in (pool.used, pool.idle, pool.held):
                tally.reset_accumulated()
        for counter in (self.oversize_allocations, self.oversize_segments):
            counter.allocated = counter.freed = 0
        self._zero_events()
        self.num_oom_rejections = 0

    def as_nested_dict(self) -> dict[str, Any]:
        """The shape of ``torch._C._cuda_memoryStats``: scalars first, then the arrays."""
        stats: dict[str, Any] = {
            "num_alloc_retries": self.num_alloc_retries,
            "num_ooms": self.num_ooms,
            "num_oom_rejections": self.num_oom_rejections,
            "max_split_size": self.max_split_size,
            "num_sync_all_streams": self.num_sync_all_streams,
            "num_device_alloc": self.num_device_alloc,
            "num_device_free": self.num_device_free,
        }
        arrays: dict[str, dict[str, dict[str, int]]] = {}
        for kind, names in (("used", USED), ("idle", IDLE), ("held", HELD)):
            arrays |= self._rows(kind, names)
        for name in (
            *("allocated_bytes", "reserved_bytes", "active_bytes", "inactive_split_bytes"),
            *("requested_bytes", "allocation", "segment", "active", "inactive_split"),
        ):
            stats[name] = arrays[name]
        stats["oversize_allocations"] = self.oversize_allocations.as_dict()
        stats["oversize_segments"] = self.oversize_segments.as_dict()
        stats["reserved_bytes_by_private_pools"] = {}
        return stats

    def _rows(self, kind: str, names: tuple[str, ...]) -> dict[str, dict[str, dict[str, int]]]:
        total: Total = getattr(self, kind)
        total.crest()
        count = len(names)
        tallies: tuple[Tally, Tally] = (total.large, total.small)
        added = [unpack(t.current + t.freed - t.added_zero, count) for t in tallies]
        freed = [unpack(t.freed - t.freed_zero, count) for t in tallies]
        current = [unpack(t.current, count) for t in tallies]
        peaks = [unpack(t.ceiling & ~t.tops, count) for t in (total, *tallies)]
        rows = {}
        for i, name in enumerate(names):
            (c1, c2), (a1, a2), (f1, f2) = (
                (values[0][i], values[1][i]) for values in (current, added, freed)
            )
            rows[name] = {
                "all": _row(c1 + c2, peaks[0][i], a1 + a2, f1 + f2),
                "small_pool": _row(c2, peaks[2][i], a2, f2),
                "large_pool": _row(c1, peaks[1][i], a1, f1),
            }
        return rows


def _row(current: int, peak: int, allocated: int, freed: int) -> dict[str, int]:
    return {"current": current, "peak": peak, "allocated": allocated, "freed": freed}
