"""``torch.xpu`` of a build without it: it says that there is no device."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from ..core.submodules import reached as _reached
from ..core.unavailable import absent, absent_class

#: Filled below.
__all__: list[str] = []

_NONE = AssertionError("Torch not compiled with XPU enabled")
_TOOL = ImportError("pyzes is required; install it with 'pip install pyzes'.")

absent(
    globals(),
    {
        "is_available is_initialized is_bf16_supported is_tf32_supported": False,
        "device_count max_memory_allocated max_memory_reserved memory_allocated memory_reserved": 0,
        "empty_cache manual_seed manual_seed_all seed seed_all": None,
        "get_arch_list get_rng_state_all memory_snapshot": [],
        "get_gencode_flags": "",
        "memory_stats memory_stats_as_nested_dict": {},
        "clock_rate device_memory_used memory_usage power_draw temperature utilization": _TOOL,
        "can_device_access_peer change_current_allocator current_device current_stream "
        "get_device_capability get_device_name get_device_properties get_rng_state "
        "get_per_process_memory_fraction get_stream_from_external graph_pool_handle init "
        "initial_seed is_current_stream_capturing make_graphed_callables mem_get_info "
        "reset_accumulated_memory_stats reset_peak_memory_stats set_device set_rng_state "
        "set_per_process_memory_fraction set_rng_state_all set_stream synchronize "
        "use_mem_pool": _NONE,
    },
)
default_generators: tuple[Any, ...] = ()
_CLASSES = (
    "Event MemPool Stream StreamContext XPUGraph XPUPluggableAllocator device device_of graph"
)
globals().update({name: absent_class(__name__, name, _NONE) for name in _CLASSES.split()})


def stream(stream: Any) -> AbstractContextManager[Any]:
    """Choose a stream within the block: there is none to choose."""
    return nullcontext()


__getattr__ = _reached(__name__, ("graphs", "memory", "random", "streams"))


def __dir__() -> list[str]:
    return sorted(__all__)
