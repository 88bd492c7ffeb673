"""The books of the model: counters, history and snapshot, as the rules have them."""

MIB = 1024 * 1024
NEVER = 1 << 64


class Stat:
    def __init__(self):
        self.current = self.peak = self.allocated = self.freed = 0

    def up(self, n):
        self.current += n
        self.allocated += n
        self.peak = max(self.peak, self.current)

    def down(self, n):
        self.current -= n
        self.freed += n


class Piece:
    def __init__(self, address, size, segment):
        self.address, self.size, self.segment = address, size, segment
        self.state = "cached"
        self.requested = 0
        self.users = []
        self.events = 0
        self.born = 0


ARRAYS = (
    *("allocation", "segment", "active", "inactive_split", "allocated_bytes", "reserved_bytes"),
    *("active_bytes", "inactive_split_bytes", "requested_bytes"),
)


class Books:
    """What a :class:`Model` counts and writes down."""

    def note(self, action, address, size, stream):
        self.trace.append((action, address, size, stream))

    def out_of_memory(self, ask):
        """The text, written from the rules."""

        def shown(n):
            if n <= 1024:
                return f"{n} bytes"
            for unit, scale in (("KiB", 1024), ("MiB", MIB), ("GiB", 1024 * MIB)):
                if n <= 1024 * scale or unit == "GiB":
                    return f"{n / scale:.2f} {unit}"

        reserved = self.arrays["reserved_bytes"]["all"].current
        allocated = self.arrays["allocated_bytes"]["all"].current
        allowed = "" if self.limit is None else f"{shown(self.limit)} allowed; "
        return (
            f"NPU out of memory. Tried to allocate {shown(ask)}. NPU 0 has a total capacity of "
            f"{shown(self.total)} of which {shown(self.usable - reserved)} is free. {allowed}Of "
            f"the allocated memory {shown(allocated)} is allocated by PyTorch, and "
            f"{shown(reserved - allocated)} is reserved by PyTorch but unallocated. If reserved "
            "but unallocated memory is large try setting "
            "PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
            "documentation for Memory Management  "
            "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
        )

    def snapshot(self, stale=False):
        """``memory_snapshot()``; *stale*: with what an inactive block was asked for last."""
        states = {
            "cached": "inactive",
            "allocated": "active_allocated",
            "pending": "active_pending_free",
        }
        found = []
        for segment in sorted(self.segments, key=lambda s: s["pieces"][0].address):
            pieces = segment["pieces"]
            active = [p for p in pieces if p.state != "cached"]
            found.append(
                {
                    "device": 0,
                    "address": pieces[0].address,
                    "total_size": segment["size"],
                    "allocated_size": sum(p.size for p in active if p.state == "allocated"),
                    "active_size": sum(p.size for p in active),
                    "requested_size": sum(p.requested for p in active),
                    "stream": segment["stream"],
                    "segment_type": segment["pool"].removesuffix("_pool"),
                    "segment_pool_id": (0, 0),
                    "is_expandable": False,
                    "frames": [],
                    "blocks": [
                        {
                            "address": p.address,
                            "size": p.size,
                            "requested_size": (
                                p.requested if stale or p.state != "cached" else None
                            ),
                            "state": states[p.state],
                            "frames": [],
                        }
                        for p in pieces
                    ],
                }
            )
        return found

    # statistics

    def up(self, pool, **changes):
        for name, n in changes.items():
            self.arrays[name]["all"].up(n)
            self.arrays[name][pool].up(n)

    def down(self, pool, **changes):
        for name, n in changes.items():
            self.arrays[name]["all"].down(n)
            self.arrays[name][pool].down(n)

    def change(self, pool, name, n):
        if n > 0:
            self.up(pool, **{name: n})
        elif n < 0:
            self.down(pool, **{name: -n})

    def flat(self):
        stats = dict(self.numbers)
        for name, pools in self.arrays.items():
            for pool, stat in pools.items():
                for field, value in vars(stat).items():
                    stats[f"{name}.{pool}.{field}"] = value
        for name, stat in self.oversize.items():
            for field, value in vars(stat).items():
                stats[f"{name}.{field}"] = value
        return stats

    def every_stat(self):
        for pools in self.arrays.values():
            yield from pools.values()
        yield from self.oversize.values()

    def reset_peak(self):
        for stat in self.every_stat():
            stat.peak = stat.current

    def reset_accumulated(self):
        for stat in self.every_stat():
            stat.allocated = stat.freed = 0
        for name in self.numbers:
            if name != "max_split_size":
                self.numbers[name] = 0

    # rules
