"""Which allocator settings let a program run in the least memory.

The measure is the smallest capacity in which the recorded history runs through without a refused
request, found by bisection; a request that no capacity serves does not count. The search goes along
one option at a time from torch's defaults, then along two at once, until none helps any more; so it
may miss a gain that needs three at once. It can be ended at any time, and has then what it found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any, NamedTuple

from mindtorch_npu.device_profiles import SIMULATOR, Profile
from mindtorch_npu.replay import Trace, replay
from mindtorch_npu.replay_device import context_of

__all__ = ["CHOICES", "Progress", "needed", "tune"]

_MIB = 1024 * 1024
#: Capacities are multiples of this, as segments are.
_UNIT = 2 * _MIB

#: Option -> values to try; "" leaves it at torch's default.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "large_segment_size_mb": ("", "12", "32", "64", "128", "256"),
    "max_split_size_mb": ("", "20", "32", "64", "128", "256", "512", "1024"),
    "roundup_power2_divisions": ("", "1", "2", "4", "8", "16"),
    "garbage_collection_threshold": ("", "0.6", "0.8", "0.9"),
}


class Progress(NamedTuple):
    """Where a search is."""

    #: What is being tried; "" is torch's defaults.
    settings: str
    #: The best so far, and the smallest capacity that is known to be enough for it.
    best: str
    capacity: int
    #: Of the settings that are tried in this round, so many have been.
    done: int
    round: int


class _TimeIsUp(Exception):
    pass


def text_of(chosen: Mapping[str, str]) -> str:
    """The text for ``PYTORCH_ALLOC_CONF``. Collection works only below a fraction."""
    found = [f"{option}:{value}" for option, value in chosen.items() if value]
    if chosen.get("garbage_collection_threshold"):
        found.append("per_process_memory_fraction:0.99")
    return ",".join(found)


def is_taken(chosen: Mapping[str, str]) -> bool:
    """Whether torch takes these settings: what may not be split is no smaller than a segment."""
    limit = chosen.get("max_split_size_mb")
    return not limit or int(limit) >= int(chosen.get("large_segment_size_mb") or 20)


def room_for(reserved: int, kind: Profile) -> int:
    """The capacity of a device that can give *reserved* bytes to a process."""
    room = reserved + kind.context * _MIB
    if room < 8 * kind.context * _MIB:
        room = -(-reserved * 8 // 7)
    room = -(-room // _UNIT) * _UNIT
    return room if room - context_of(kind, room) >= reserved else room + _UNIT


def needed(
    trace: Trace,
    text: str,
    kind: Profile = SIMULATOR,
    below: int = 0,
    hopeless: int = 0,
    *,
    whole: dict[str, Any] | None = None,
    enough: Callable[[int], object] = lambda capacity: None,
    watch: Callable[[], object] = lambda: None,
) -> int | None:
    """The smallest capacity in which *trace* runs through, to one part in 500.

    :param below: None is the answer where it is not smaller than this.
    :param hopeless: so many requests are refused in any capacity.
    :param whole: the replay without a limit, where it is known.
    :param enough: told of each capacity that is found to be enough, smaller and smaller.
    :param watch: called every now and then; what it raises ends the search.
    """
    # Where nothing depends on the capacity but what the device refuses, a history that runs
    # through in one capacity runs through, step by step the same, in all that it had reserved.
    independent = "per_process_memory_fraction" not in text
    high = 0

    def fits(memory: int) -> dict[str, Any] | None:
        """The replay, if it runs through; *high* is then no more than *memory*."""
        nonlocal high
        found = replay(trace, text, memory, kind, allowed=hopeless, watch=watch)
        if found["refused"] > hopeless:
            return None
        high = min(memory, room_for(found["peak_reserved"], kind)) if independent else memory
        enough(high)
        return found

    if below:
        found = fits(below)
        if found is None:
            return None
    else:
        found = whole or replay(trace, text, kind=kind, watch=watch)
        high = room_for(found["peak_reserved"], kind)
        if independent:
            enough(high)
        else:
            memory = high
            while fits(memory) is None:
                memory += -(-memory // 50 // _UNIT) * _UNIT
    low = found["peak_requested"]
    while high - low > max(high // 500, _UNIT):
        middle = (low + high) // 2 // _UNIT * _UNIT
        if middle <= low:
            break
        if fits(middle) is None:
            low = middle
    return high


def _changes(width: int) -> Iterator[dict[str, str]]:
    """Every value of every option, or of every *width* options."""
    for options in combinations(CHOICES, width):
        for values in product(*(CHOICES[option] for option in options)):
            yield dict(zip(options, values, strict=True))


class _Search:
    """What a search has found so far."""

    def __init__(
        self, trace: Trace, kind: Profile, progress: Callable[[Progress], object], end: float
    ) -> None:
        self.trace = trace
        self.kind = kind
        self.progress = progress
        self.end = end
        self.best = dict.fromkeys(CHOICES, "")
        self.default = self.capacity = 0  # that is known to be enough; 0 while none is
        self.exact = False  # what the defaults need is known
        self.hopeless = 0
        self.steps: list[dict[str, Any]] = []
        self.tried = 0
        self.done = self.round = 0

    def watch(self) -> None:
        """Raises _TimeIsUp when it is, but not before there is a figure."""
        if self.default and time.monotonic() > self.end:
            raise _TimeIsUp

    def tell(self, text: str) -> None:
        self.progress(Progress(text, text_of(self.best), self.capacity, self.done, self.round))

    def defaults(self) -> None:
        """Torch's default settings."""

        def enough(capacity: int) -> None:
            self.default = self.capacity = capacity
            self.tell("")

        self.tell("")
        whole = replay(self.trace, kind=self.kind)
        self.hopeless = whole["refused"]
        how: dict[str, Any] = {"whole": whole, "enough": enough, "watch": self.watch}
        found = needed(self.trace, "", self.kind, 0, self.hopeless, **how)
        self.default = self.capacity = found or 0
        self.exact = True
        self.tried = 1

    def gains(self, candidate: dict[str, str]) -> bool:
        """Try *candidate*: whether it needs less than the best so far."""
        text = text_of(candidate)
        # What gains less than half a percent, or a segment, is noise of the bisection.
        before = self.capacity
        below = (before - max(before // 200, _UNIT)) // _UNIT * _UNIT
        self.tell(text)

        def enough(capacity: int) -> None:
            if self.capacity == before:
                self.steps.append({"settings": text})
                self.tried += 1
            self.capacity, self.best = capacity, candidate
            self.steps[-1] |= {"capacity": capacity, "gain": before - capacity}
            self.tell(text)

        if below > 0:
            how: dict[str, Any] = {"enough": enough, "watch": self.watch}
            found = needed(self.trace, text, self.kind, below, self.hopeless, **how)
            if found is not None and found < self.capacity:
                enough(found)
        gained = self.capacity < before
        self.tried += not gained
        return gained

    def settings(self) -> None:
        """All of :data:`CHOICES`, until none gains anything."""
        known = {""}
        width = 1
        while width <= 2:
            gained = False
            changes = list(_changes(width))
            self.round = len(changes)
            for self.done, change in enumerate(changes):
                candidate = self.best | change
                text = text_of(candidate)
                if text not in known and is_taken(candidate):
                    known.add(text)
                    gained |= self.gains(candidate)
            width = 1 if gained else width + 1


def tune(
    trace: Trace,
    kind: Profile = SIMULATOR,
    *,
    progress: Callable[[Progress], object] = lambda progress: None,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Search :data:`CHOICES`.

    :param progress: told of each setting before it is tried, and of each capacity that is found to
        be enough.
    :param seconds: end then, but not before there is a figure for torch's defaults.
    :return: capacities in bytes by default and with the best text, and what each step gained.
        ``ended`` is "complete", "time" or, after Ctrl-C, "interrupted": with what was found until
        then. ``default_exact``: else the defaults may need less than it says. Raises
        KeyboardInterrupt where there is no figure yet.
    """
    end = float("inf") if seconds is None else time.monotonic() + seconds
    search = _Search(trace, kind, progress, end)
    ended = "complete"
    try:
        search.defaults()
        search.settings()
    except _TimeIsUp:
        ended = "time"
    except KeyboardInterrupt:
        if not search.default:
            raise
        ended = "interrupted"
    return {
        "default_capacity": search.default,
        "default_exact": search.exact,
        "capacity": search.capacity,
        "settings": text_of(search.best),
        "gain": search.default - search.capacity,
        "steps": search.steps,
        "tried": search.tried,
        "ended": ended,
    }
