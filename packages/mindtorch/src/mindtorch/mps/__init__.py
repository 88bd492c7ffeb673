"""``torch.mps`` of a build without it: it says that there is no device."""

from __future__ import annotations

from typing import Any

from ..core.submodules import reached as _reached
from ..core.unavailable import absent, absent_class

#: Filled below.
__all__: list[str] = []


def _without(call: str) -> RuntimeError:
    return RuntimeError(f"Cannot execute {call}() without MPS backend.")


absent(
    globals(),
    {
        "is_available": False,
        "device_count": 0,
        "manual_seed": None,
        "compile_shader load_metallib": RuntimeError("MPS is not available"),
        "current_allocated_memory": _without("getCurrentAllocatedMemory"),
        "driver_allocated_memory": _without("getDriverAllocatedMemory"),
        "empty_cache": _without("emptyCache"),
        "get_rng_state seed set_rng_state": _without("getDefaultGenerator"),
        "recommended_max_memory": _without("getRecommendedMaxMemory"),
        "set_per_process_memory_fraction": _without("setMemoryFraction"),
        "synchronize": _without("deviceSynchronize"),
    },
)
Event = absent_class(__name__, "Event", _without("acquireEvent"))


__getattr__ = _reached(__name__, ("event", "profiler"))


def __dir__() -> list[str]:
    return sorted(__all__)
