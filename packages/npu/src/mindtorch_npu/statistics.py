"""The counters behind ``memory_stats``.

Note [Packed counters]. Every allocation moves seven counters (allocation, allocated_bytes, active,
active_bytes, requested_bytes, inactive_split, inactive_split_bytes) of its pool and of "all", each
with a current value, a peak and a total. Counted one by one that is forty attribute updates, more
than the rest of the allocator costs. So they live side by side in one Python integer, 64 bits each:
the current values in its low half, and what was ever taken away from them in the high half. One
addition moves them all, of a number that is the same for every request of a size
(``request_plan.py``); it may take away from some fields, but no counter is ever negative, so that
in the end nothing is borrowed between neighbours.

``peak >= current`` is tested for all fields at once: with the top bit of every field set in
``ceiling = peak | TOPS``, the difference ``ceiling - current`` keeps all those bits exactly when no
field of ``current`` is greater. Only then are the greater ones put in, again for all at once.

Where blocks come and go, not even that is asked each time. What rises has its greatest value where
it begins to fall, so peaks are looked at (:meth:`Total.crest`) before the first fall after a rise,
and when somebody asks. As a rule an allocation raises the counters of what is in use and lowers
those of idle pieces, and a free does the reverse: so there is one look where frees follow
allocations, and one where allocations follow frees. Who raises what usually falls says so
(:attr:`Total.taking`, :attr:`Total.giving`).

What was ever added is what is there now and what was taken away; a reset remembers the totals of
that moment as its zero. The "all" row is the sum of both pools, apart from its peaks.
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


# Fields of the tally that malloc and free move: what is in use, and the free pieces of segments
# that are partly in use.
MOVED = (
    *("allocation", "allocated_bytes", "active", "active_bytes", "requested_bytes"),
    *("inactive_split", "inactive_split_bytes"),
)
# A block of B bytes for a request of n changes it by USE + B * SIZE + n * REQUESTED.
ALLOCATED = 1
ALLOCATED_SIZE = 1 << FIELD
ACTIVE = 1 << 2 * FIELD
ACTIVE_SIZE = 1 << 3 * FIELD
REQUESTED = 1 << 4 * FIELD
USE = ALLOCATED + ACTIVE
SIZE = ALLOCATED_SIZE + ACTIVE_SIZE
IDLE = 1 << 5 * FIELD
IDLE_SIZE = 1 << 6 * FIELD

# Fields of the tally of driver segments.
HELD = ("segment", "reserved_bytes")
HELD_SIZE = 1 << FIELD


def fallen(delta: int, fields: int = len(MOVED)) -> int:
    """What to add to a tally so that its counters fall by *delta*."""
    return (delta << FIELD * fields) - delta


class _Peaks:
    """Something with packed counters and their peaks."""

    __slots__ = ("ceiling", "tops")

    def __init__(self, fields: int) -> None:
        self.tops = tops(fields)
        self.ceiling = self.tops  # the peaks, with the top bits set

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
    """Some packed counters of one pool. Who lets some fall calls ``total.crest()`` before."""

    __slots__ = ("added_zero", "books", "fields", "freed_zero", "total")

    def __init__(self, fields: int) -> None:
        super().__init__(fields)
        self.fields = fields
        self.total: Total
        self.books = 0  # the current values, and above them what was taken away
        self.added_zero = 0
        self.freed_zero = 0

    @property
    def current(self) -> int:
        return self.books & (1 << FIELD * self.fields) - 1

    @property
    def freed(self) -> int:
        return self.books >> FIELD * self.fields

    def count(self, current: int, freed: int) -> None:
        """The counters are *current* now; *freed* was taken away from them on the way."""
        self.books = current | self.freed + freed << FIELD * self.fields

    def fall(self, delta: int) -> None:
        self.total.crest()
        self.books += fallen(delta, self.fields)

    def reset_accumulated(self) -> None:
        self.added_zero = self.current + self.freed
        self.freed_zero = self.freed


class Total(_Peaks):
    """The peaks of the sum of both pools, which no pool knows."""

    __slots__ = ("giving", "large", "mask", "small", "taking")

    def __init__(self, small: Tally, large: Tally) -> None:
        super().__init__(small.fields)
        self.mask = (1 << FIELD * small.fields) - 1
        self.small = small
        self.large = large
        small.total = large.total = self
        #: Since the peaks were looked at, only what is in use may have risen.
        self.taking = False
        #: Since then only the bytes that are idle may have risen, and the pieces.
        self.giving = False

    @property
    def current(self) -> int:
        return self.small.current + self.large.current

    def crest(self) -> None:
        """No peak is below what the counters are now."""
        small, large, mask, tops = self.small, self.large, self.mask, self.tops
        low = small.books & mask
        if (small.ceiling - low) & tops != tops:
            small.raise_ceiling(low)
        high = large.books & mask
        if (large.ceiling - high) & tops != tops:
            large.raise_ceiling(high)
        low += high
        if (self.ceiling - low) & tops != tops:
            self.raise_ceiling(low)

    def begin_to_take(self) -> None:
        """What is in use rises from now on, and what is idle falls."""
        self.crest()
        self.taking = True
        self.giving = False

    def begin_to_give(self) -> None:
        """What is in use falls from now on, and what is idle rises."""
        self.crest()
        self.giving = True
        self.taking = False


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

    __slots__ = ("held", "moved")

    def __init__(self) -> None:
        self.moved = Tally(len(MOVED))
        self.held = Tally(len(HELD))


class Statistics:
    """All counters of one device."""

    __slots__ = (
        "held",
        "large",
        "max_split_size",
        "moved",
        "num_alloc_retries",
        "num_device_alloc",
        "num_device_free",
        "num_oom_rejections",
        "num_ooms",
        "num_sync_all_streams",
        "oversize_allocations",
        "oversize_segments",
        "private_reserved",
        "small",
    )

    def __init__(self, max_split_size: int) -> None:
        self.small = PoolCounters()
        self.large = PoolCounters()
        self.moved = Total(self.small.moved, self.large.moved)
        self.held = Total(self.small.held, self.large.held)
        self.oversize_allocations = Counter()
        self.oversize_segments = Counter()
        self.max_split_size = max_split_size  # as it was when the device was first used
        self.num_oom_rejections = 0
        #: Bytes of segments by private pool: in all, in its small and in its large one.
        self.private_reserved: dict[tuple[int, int], dict[str, Counter]] = {}
        self._zero_events()

    def _zero_events(self) -> None:
        self.num_alloc_retries = 0
        self.num_ooms = 0
        self.num_sync_all_streams = 0
        self.num_device_alloc = 0
        self.num_device_free = 0

    def count_private(self, pool_id: tuple[int, int], is_small: bool, size: int) -> None:
        """A segment of a private pool came, or went (*size* below 0)."""
        counters = self.private_reserved.get(pool_id)
        if counters is None:
            counters = {name: Counter() for name in ("all", "small_pool", "large_pool")}
            self.private_reserved[pool_id] = counters
        for counter in counters["all"], counters["small_pool" if is_small else "large_pool"]:
            if size < 0:
                counter.decrease(-size)
            else:
                counter.increase(size)

    def _seldom(self) -> list[Counter]:
        """The counters that are not packed."""
        private = [c for counters in self.private_reserved.values() for c in counters.values()]
        return [self.oversize_allocations, self.oversize_segments, *private]

    def allocated_bytes(self) -> int:
        return self.moved.current >> FIELD & MASK

    def active_bytes(self) -> int:
        return self.moved.current >> 3 * FIELD & MASK

    def reserved_bytes(self) -> int:
        return self.held.current >> FIELD & MASK

    def reset_peak(self) -> None:
        for total in (self.moved, self.held):
            for each in (total, total.small, total.large):
                each.ceiling = each.current | each.tops
        for counter in self._seldom():
            counter.peak = counter.current

    def reset_accumulated(self) -> None:
        for pool in (self.small, self.large):
            pool.moved.reset_accumulated()
            pool.held.reset_accumulated()
        for counter in self._seldom():
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
        arrays = _rows(self.moved, MOVED) | _rows(self.held, HELD)
        for name in (
            *("allocated_bytes", "reserved_bytes", "active_bytes", "inactive_split_bytes"),
            *("requested_bytes", "allocation", "segment", "active", "inactive_split"),
        ):
            stats[name] = arrays[name]
        stats["oversize_allocations"] = self.oversize_allocations.as_dict()
        stats["oversize_segments"] = self.oversize_segments.as_dict()
        stats["reserved_bytes_by_private_pools"] = {
            pool_id: {name: counter.as_dict() for name, counter in counters.items()}
            for pool_id, counters in self.private_reserved.items()
        }
        return stats


def _rows(total: Total, names: tuple[str, ...]) -> dict[str, dict[str, dict[str, int]]]:
    total.crest()
    count = len(names)
    tallies = total.large, total.small
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
