"""A slow model of the caching allocator, written straight from the rules."""

from packages.npu.tests.allocator_books import ARRAYS, MIB, NEVER, Books, Piece, Stat


class Model(Books):
    """One device. A segment is a list of pieces; every search looks at all of them."""

    def __init__(
        self,
        memory,
        *,
        split=None,
        rounding=20 * MIB,
        gc=0.0,
        divisions=0,
        fraction=None,
        large=20 * MIB,
    ):
        self.large = large
        self.total = memory
        self.usable = memory - min(512 * MIB, memory // 8)
        self.split, self.rounding, self.gc, self.divisions = split or NEVER, rounding, gc, divisions
        self.limit = None if fraction is None else int(fraction * memory)
        self.segments = []
        self.next_address = 0x7F00_0000_0000
        self.searches = {"small_pool": 0, "large_pool": 0}
        self.pending = {}
        self.arrays = {
            name: {pool: Stat() for pool in ("all", "small_pool", "large_pool")} for name in ARRAYS
        }
        self.oversize = {"oversize_allocations": Stat(), "oversize_segments": Stat()}
        self.numbers = dict.fromkeys(
            (
                *("num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc"),
                *("num_device_free", "num_oom_rejections"),
            ),
            0,
        )
        self.numbers["max_split_size"] = split or -1
        self.trace = []
        self.said = ""

    # history and texts

    def rounded(self, n):
        if n < 512:
            return 512
        d = self.divisions
        if isinstance(d, dict):
            # The interval of n: what its largest power of two is in MiB, at least 1, at most 32768.
            power = MIB
            while power * 2 <= n and power < 32768 * MIB:
                power *= 2
            d = d.get(power // MIB, d[max(d)])
        if d > 1 and n > 512 * d:
            floor = 1
            while floor * 2 <= n:
                floor *= 2
            if floor == n:
                return n
            step = floor // d
            return 2 * floor if step == 0 else (n + step - 1) // step * step
        return (n + 511) // 512 * 512

    def cached(self, pool, stream=None):
        found = [
            piece
            for segment in self.segments
            if segment["pool"] == pool and stream in (None, segment["stream"])
            for piece in segment["pieces"]
            if piece.state == "cached"
        ]
        return sorted(found, key=lambda p: (p.segment["stream"], p.size, p.address))

    def is_split(self, piece):
        return len(piece.segment["pieces"]) > 1

    def malloc(self, n, stream):
        """The piece, or None when out of memory."""
        self.poll()
        size = self.rounded(n)
        pool = "small_pool" if size <= MIB else "large_pool"
        if pool == "small_pool":
            ask = 2 * MIB
        elif size < 10 * MIB:
            ask = self.large
        else:
            ask = (size + 2 * MIB - 1) // (2 * MIB) * (2 * MIB)
        collecting = self.limit is not None and self.gc > 0
        if collecting:
            self.searches[pool] += 1
        piece = next((p for p in self.cached(pool, stream) if p.size >= size), None)
        if piece is not None:
            if size < self.split <= piece.size:
                piece = None
            elif size >= self.split and piece.size >= size + self.rounding:
                piece = None
        if piece is None:
            if collecting:
                self.collect()
            piece = self.driver(pool, ask, stream)
            if piece is None and self.release_oversize(pool, size, stream):
                piece = self.driver(pool, ask, stream)
            if piece is None:
                self.flush()
                self.numbers["num_alloc_retries"] += 1
                piece = self.driver(pool, ask, stream)
            if piece is None:
                self.numbers["num_ooms"] += 1
                reserved = self.arrays["reserved_bytes"]["all"].current
                self.note("oom", self.usable - reserved, size, stream)
                self.said = self.out_of_memory(ask)
                return None
        rest = piece.size - size
        was_split = self.is_split(piece)
        if rest >= 512 if pool == "small_pool" else size < self.split and rest > MIB:
            low = Piece(piece.address, size, piece.segment)
            pieces = piece.segment["pieces"]
            pieces.insert(pieces.index(piece), low)
            piece.address += size
            piece.size = rest
            piece.born = self.searches[pool]
            if was_split:
                self.down(pool, inactive_split_bytes=size)
            else:
                self.up(pool, inactive_split=1, inactive_split_bytes=rest)
            piece = low
        elif was_split:
            self.down(pool, inactive_split=1, inactive_split_bytes=piece.size)
        piece.state = "allocated"
        piece.requested = n
        b = piece.size
        self.up(pool, allocation=1, allocated_bytes=b, active=1, active_bytes=b, requested_bytes=n)
        if b >= self.split:
            self.oversize["oversize_allocations"].up(1)
        self.note("alloc", piece.address, n, stream)
        return piece

    def driver(self, pool, size, stream):
        reserved = self.arrays["reserved_bytes"]["all"].current
        if self.limit is not None and reserved + size > self.limit:
            return None
        if reserved + size > self.usable:
            return None
        segment = {"pool": pool, "stream": stream, "size": size}
        piece = Piece(self.next_address, size, segment)
        self.next_address += size
        segment["pieces"] = [piece]
        self.segments.append(segment)
        self.up(pool, segment=1, reserved_bytes=size)
        self.numbers["num_device_alloc"] += 1
        if size >= self.split:
            self.oversize["oversize_segments"].up(1)
        self.note("segment_alloc", piece.address, size, stream)
        return piece

    def give_back(self, piece):
        assert not self.is_split(piece)
        self.segments.remove(piece.segment)
        self.down(piece.segment["pool"], segment=1, reserved_bytes=piece.size)
        self.numbers["num_device_free"] += 1
        if piece.size >= self.split:
            self.oversize["oversize_segments"].down(1)
        self.note("segment_free", piece.address, piece.size, piece.segment["stream"])

    def release_oversize(self, pool, size, stream):
        if self.split == NEVER:
            return False
        want = max(size, self.split)
        mine = [p for p in self.cached(pool, stream) if not self.is_split(p)]
        fitting = [p for p in mine if p.size >= want]
        if fitting:
            self.give_back(fitting[0])
            return True
        total = 0
        for piece in reversed(mine):
            if piece.size < self.split or total >= want:
                break
            self.give_back(piece)
            total += piece.size
        return total >= want

    def collect(self):
        threshold = int(self.gc * self.limit)
        reserved = self.arrays["reserved_bytes"]["all"].current
        if reserved <= threshold:
            return
        target = reserved - threshold
        now = self.searches["large_pool"]
        left = [p for p in self.cached("large_pool") if not self.is_split(p)]
        done, again = 0, True
        while done < target and again and left:
            bar = sum(now - p.born for p in left) / len(left)
            again = False
            for piece in tuple(left):
                if now - piece.born >= bar:
                    again = True
                    done += piece.size
                    left.remove(piece)
                    self.give_back(piece)

    def flush(self):
        self.numbers["num_sync_all_streams"] += 1
        while self.pending:
            handle = next(iter(self.pending))
            for ticket, piece in self.pending.pop(handle):
                if ticket is not None:
                    ticket[4].finish(ticket)
                self.event_done(piece)
        for pool in ("large_pool", "small_pool"):
            for piece in self.cached(pool):
                if not self.is_split(piece):
                    self.give_back(piece)

    def record_stream(self, piece, queue):
        if queue.handle != piece.segment["stream"] and queue not in piece.users:
            piece.users.append(queue)

    def free(self, piece):
        self.note("free_requested", piece.address, piece.requested, piece.segment["stream"])
        pool = piece.segment["pool"]
        self.down(pool, allocation=1, allocated_bytes=piece.size)
        if piece.size >= self.split:
            self.oversize["oversize_allocations"].down(1)
        if piece.users:
            piece.state = "pending"
            for queue in piece.users:
                piece.events += 1
                self.pending.setdefault(queue.handle, []).append((queue.last(), piece))
            piece.users = []
        else:
            self.release(piece)

    def poll(self):
        for handle in tuple(self.pending):
            waiting = self.pending[handle]
            while waiting and (waiting[0][0] is None or waiting[0][0][0] is None):
                self.event_done(waiting.pop(0)[1])
            if not waiting:
                del self.pending[handle]

    def event_done(self, piece):
        piece.events -= 1
        if piece.events == 0:
            self.release(piece)

    def release(self, piece):
        self.note("free_completed", piece.address, piece.requested, piece.segment["stream"])
        pool = piece.segment["pool"]
        pieces = piece.segment["pieces"]
        size, count, nbytes = piece.size, 0, 0
        at = pieces.index(piece)
        for other in (pieces[at - 1] if at else None, *pieces[at + 1 : at + 2]):
            if other is not None and other.state == "cached":
                pieces.remove(other)
                piece.address = min(piece.address, other.address)
                piece.size += other.size
                count -= 1
                nbytes -= other.size
        piece.state = "cached"
        piece.born = self.searches[pool]
        if self.is_split(piece):
            count += 1
            nbytes += piece.size
        self.change(pool, "inactive_split", count)
        self.change(pool, "inactive_split_bytes", nbytes)
        self.down(pool, active=1, active_bytes=size, requested_bytes=piece.requested)
