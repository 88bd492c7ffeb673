"""Who looks at the device's memory and changes how it is kept, while programs run on it."""

from __future__ import annotations

from typing import Any

import mindtorch
from mindtorch_npu import backend

from .steps import Rng
from .world import Difference

_npu: Any = mindtorch.npu


def meddle(rng: Rng) -> None:
    """One look or change; raises Difference where the books do not agree with themselves."""
    _npu.init()  # or there are no statistics where no program has used a device yet
    action = rng.integers(6)
    if action == 0:
        _check_statistics(_npu.memory_stats(int(rng.integers(_npu.device_count()))))
    elif action == 1:
        for segment in _npu.memory_snapshot():
            _check_segment(segment)
    elif action == 2:
        _npu.memory._record_memory_history("all" if rng.integers(2) else None, max_entries=100)
    elif action == 3:
        _npu.empty_cache()
    elif action == 4:
        _npu.reset_peak_memory_stats()
        _npu.reset_accumulated_memory_stats()
    else:
        backend.allocator(0).refresh()  # as new settings do


def rest() -> None:
    """As it was before."""
    _npu.memory._record_memory_history(None)


def _check_statistics(stats: dict[str, int]) -> None:
    for name in ("allocation", "segment", "active_bytes", "reserved_bytes", "inactive_split_bytes"):
        pools = [stats[f"{name}.{pool}.current"] for pool in ("small_pool", "large_pool")]
        if stats[f"{name}.all.current"] != sum(pools) or min(pools) < 0:
            raise Difference(
                f"{name} of the pools: {pools}, of both {stats[f'{name}.all.current']}"
            )


def _check_segment(segment: dict[str, Any]) -> None:
    at = segment["address"]
    used = 0
    for block in segment["blocks"]:
        if block["address"] != at:
            raise Difference(f"a gap or an overlap before {at:#x}: {segment}")
        at += block["size"]
        used += block["size"] * (block["state"] == "active_allocated")
    if at != segment["address"] + segment["total_size"] or used != segment["allocated_size"]:
        raise Difference(f"blocks that are not their segment: {segment}")
