"""Points of time on a stream of the simulator: timing events, and sleeps."""

from __future__ import annotations

import time

from mindtorch_npu.workers import halt

__all__ = ["Mark"]


class Mark:
    """An entry that knows when it ended on the time line of its stream (timing events, sleeps).

    Where a mark directly follows another mark, or an idle stream, its start is known exactly;
    otherwise it starts when it runs. So the time of a sleep does not contain the delay
    with which a thread of the host got its turn.
    """

    __slots__ = ("duration", "end", "previous", "start")

    def __init__(self, duration: int, start: int | None, previous: Mark | None) -> None:
        self.duration = duration  # nanoseconds
        self.start = start  # perf_counter_ns, None = when it runs
        self.previous = previous
        self.end = 0

    def run(self) -> None:
        start = self.start
        if self.previous is not None:
            start = self.previous.end
            self.previous = None
        elif start is None:
            start = time.perf_counter_ns()
        self.end = end = start + self.duration
        if self.duration:
            remaining = end - time.perf_counter_ns()
            if remaining > 0:
                halt.wait(remaining / 1e9)
