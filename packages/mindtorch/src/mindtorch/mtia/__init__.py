"""``torch.mtia`` of a build without it: it says that there is no device."""

from __future__ import annotations

from typing import Any

from ..core.submodules import reached as _reached
from ..core.unavailable import absent, absent_class

#: Filled below.
__all__: list[str] = []


def _without(call: str) -> RuntimeError:
    return RuntimeError(f"Cannot execute {call}() without MTIA backend.")


class DeferredMtiaCallError(Exception):
    """A call that waited for the device failed."""


_CURRENT = _without("getCurrentDevice")
_NONE = AssertionError(
    "Torch not compiled with MTIA enabled. Ensure you have `import "
    "mtia.host_runtime.torch_mtia.dynamic_library` in your python src file and include "
    "`//mtia/host_runtime/torch_mtia:torch_mtia` as your target dependency!"
)
absent(
    globals(),
    {
        "is_available is_initialized": False,
        "is_bf16_supported": True,
        "device_count max_memory_allocated memory_allocated": 0,
        "manual_seed manual_seed_all record_memory_history reset_peak_memory_stats seed "
        "seed_all attach_out_of_memory_observer": None,
        "get_rng_state_all": [],
        "memory_stats": {},
        "current_device current_stream default_stream get_device_capability "
        "get_device_properties stream synchronize": _CURRENT,
        "empty_cache": _without("emptyCache"),
        "graph_pool_handle": _without("graphPoolHandle"),
        "set_device": _without("setCurrentDevice"),
        "set_stream": _without("setCurrentStream"),
        "snapshot": _without("memorySnapshot"),
        "init initial_seed get_rng_state set_rng_state set_rng_state_all": _NONE,
    },
)
default_generators: tuple[Any, ...] = ()
_CLASSES = "MTIAGraph StreamContext device graph"
globals().update({name: absent_class(__name__, name, _CURRENT) for name in _CLASSES.split()})


def __dir__() -> list[str]:
    return sorted(__all__)


__getattr__ = _reached(__name__, ("memory", "mtia_graph"))
