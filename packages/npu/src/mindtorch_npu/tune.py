"""Which allocator settings let a program run in the least memory.

The measure is the smallest capacity in which the recorded history runs through without a refused
request, found by bisection; a request that no capacity serves does not count. The search goes along
one option at a time from torch's defaults, then along two at once, until none helps any more; so it
may miss a gain that needs three at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

from mindtorch_npu.profiles import SIMULATOR, Profile
from mindtorch_npu.replay import Trace, replay

__all__ = ["CHOICES", "needed", "tune"]

_MIB = 1024 * 1024

#: Option -> values to try; "" leaves it at torch's default.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "large_segment_size_mb": ("", "12", "32", "64", "128", "256"),
    "max_split_size_mb": ("", "20", "32", "64", "128", "256", "512", "1024"),
    "roundup_power2_divisions": ("", "1", "2", "4", "8", "16"),
    "garbage_collection_threshold": ("", "0.6", "0.8", "0.9"),
}


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


def needed(
    trace: Trace, text: str, kind: Profile = SIMULATOR, below: int = 0, hopeless: int = 0
) -> int | None:
    """The smallest capacity in which *trace* runs through, to one part in 500.

    :param below: None is the answer where it is not smaller than this.
    :param hopeless: so many requests are refused in any capacity.
    """

    def fits(memory: int) -> bool:
        return bool(replay(trace, text, memory, kind, allowed=hopeless)["refused"] <= hopeless)

    if below and not fits(below):
        return None
    whole = replay(trace, text, kind=kind)
    context = kind.context * _MIB
    high: int = whole["peak_reserved"] + context + 2 * _MIB
    # A small device has a small context: an eighth.
    high = max(high, 8 * context) if high < 8 * context and not fits(high) else high
    if below:
        high = min(high, below)
    low = whole["peak_requested"]
    while high - low > max(high // 500, 2 * _MIB):
        middle = (low + high) // 2 // (2 * _MIB) * (2 * _MIB)
        if middle <= low:
            break
        if fits(middle):
            high = middle
        else:
            low = middle
    return high


def _changes(width: int) -> Iterator[dict[str, str]]:
    """Every value of every option, or of every *width* options."""
    for options in combinations(CHOICES, width):
        for values in product(*(CHOICES[option] for option in options)):
            yield dict(zip(options, values, strict=True))


def tune(
    trace: Trace,
    kind: Profile = SIMULATOR,
    *,
    progress: Callable[[str, int], object] = lambda text, capacity: None,
) -> dict[str, Any]:
    """Search :data:`CHOICES`.

    :param progress: told of each setting before it is tried, and of the least capacity so far.
    :return: capacities in bytes by default and with the best text, and what each step gained. After
        Ctrl-C what was found until then, with ``interrupted`` true.
    """
    best: dict[str, str] = dict.fromkeys(CHOICES, "")
    hopeless = replay(trace, kind=kind)["refused"]
    default = capacity = needed(trace, "", kind, hopeless=hopeless) or 0
    steps = []
    tried = {""}
    width = 1
    interrupted = False
    try:
        while width <= 2:
            gained = False
            for change in _changes(width):
                candidate = best | change
                text = text_of(candidate)
                if text in tried or not is_taken(candidate):
                    continue
                progress(text, capacity)
                # What gains less than half a percent, or a segment, is noise of the bisection.
                below = capacity - max(capacity // 200, 2 * _MIB)
                found = needed(trace, text, kind, below, hopeless) if below > 0 else None
                tried.add(text)
                if found is not None:
                    steps.append({"settings": text, "capacity": found, "gain": capacity - found})
                    capacity, best, gained = found, candidate, True
            width = 1 if gained else width + 1
    except KeyboardInterrupt:
        interrupted = True
    return {
        "default_capacity": default,
        "capacity": capacity,
        "settings": text_of(best),
        "gain": default - capacity,
        "steps": steps,
        "tried": len(tried),
        "interrupted": interrupted,
    }
