"""``torch.cuda``'s interface for NPUs, over a simulator that is built in.

Names, signatures and texts are those of ``torch.cuda`` (2.13) with npu for cuda. What a framework
needs to put tensors here (memory, launches, waits) is in :mod:`mindtorch_npu.backend`.
"""

import os as _os
from collections.abc import Callable as _Callable
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from mindtorch_npu import backend as _backend  # noqa: F401 - makes the allocators at init
from mindtorch_npu import devices as _devices
from mindtorch_npu import drivers as _drivers  # noqa: F401 - tells the runtime which there are
from mindtorch_npu import errors as _errors
from mindtorch_npu import random, streams
from mindtorch_npu import runtime as _runtime
from mindtorch_npu import thread_state as _thread_state
from mindtorch_npu.devices import (
    can_device_access_peer,
    current_device,
    device,
    device_count,
    device_of,
    get_device_capability,
    get_device_name,
    get_device_properties,
    ipc_collect,
    is_available,
    is_bf16_supported,
    is_initialized,
    set_device,
    synchronize,
)
from mindtorch_npu.errors import DeferredNpuCallError
from mindtorch_npu.random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from mindtorch_npu.runtime import init
from mindtorch_npu.streams import (
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    current_stream,
    default_stream,
    get_stream_from_external,
    set_stream,
    stream,
)
from mindtorch_npu.sync_debug import get_sync_debug_mode, set_sync_debug_mode

if _TYPE_CHECKING:
    from mindtorch_npu import memory
    from mindtorch_npu.errors import AcceleratorError as AcceleratorError
    from mindtorch_npu.errors import OutOfMemoryError as OutOfMemoryError
    from mindtorch_npu.graphs import (
        NPUGraph,
        graph,
        graph_pool_handle,
        is_current_stream_capturing,
        make_graphed_callables,
    )
    from mindtorch_npu.memory import (
        MemPool,
        caching_allocator_alloc,
        caching_allocator_delete,
        caching_allocator_disabled,
        caching_allocator_enable,
        empty_cache,
        empty_virt_addr_cache,
        get_allocator_backend,
        get_per_process_memory_fraction,
        host_empty_cache,
        host_memory_stats,
        host_memory_stats_as_nested_dict,
        list_gpu_processes,
        max_memory_allocated,
        max_memory_cached,
        max_memory_reserved,
        mem_get_info,
        memory_allocated,
        memory_cached,
        memory_reserved,
        memory_snapshot,
        memory_stats,
        memory_stats_as_nested_dict,
        memory_summary,
        reset_accumulated_host_memory_stats,
        reset_accumulated_memory_stats,
        reset_max_memory_allocated,
        reset_max_memory_cached,
        reset_peak_host_memory_stats,
        reset_peak_memory_stats,
        set_per_process_memory_fraction,
        use_mem_pool,
    )
    from mindtorch_npu.operator_settings import (
        clear_npu_overflow_flag,
        config,
        conv,
        get_mm_bmm_format_nd,
        get_npu_overflow_flag,
        is_jit_compile_false,
        matmul,
        set_compile_mode,
        set_mm_bmm_format_nd,
        set_option,
    )

default_generators: tuple[object, ...] = ()

# torch.cuda's private names that libraries use.
_DeviceGuard = _devices.DeviceGuard
_NpuDeviceProperties = _devices.DeviceProperties
_get_device_index = _devices.device_index
_is_in_bad_fork = _runtime.is_in_bad_fork
_lazy_call = _runtime.lazy_call
_lazy_init = _runtime.lazy_init
_get_device = random._get_device
_get_generator = random._get_generator
_get_rng_state_offset = random._get_rng_state_offset
_set_rng_state_offset = random._set_rng_state_offset
_set_stream_by_id = streams.set_stream_by_id
_tls = _thread_state.tls


def _exchange_device(device: int) -> int:
    """Make a device current; the index of the one before. A negative one does nothing."""
    return _thread_state.exchange_device(device)


def _maybe_exchange_device(device: int) -> int:
    """As :func:`_exchange_device`; on CUDA this one makes no context where there is none."""
    return _thread_state.exchange_device(device, "maybeExchangeDevice")


def _is_compiled() -> bool:
    return is_available()


def _nvml_based_avail() -> bool:
    """False: there is no management library to ask."""
    return False


def _device_count_nvml() -> int:
    """-1: there is no management library to ask."""
    return -1


def _sleep(cycles: int) -> None:
    """Keep the current stream busy for so many cycles of its clock."""
    if not isinstance(cycles, int) or isinstance(cycles, bool):
        raise _errors.sleep_expects_int()
    _runtime.lazy_init()
    queue = _thread_state.current_queue(_thread_state.tls.device)
    queue.sleep(cycles * 1_000_000_000 // _runtime.driver().clock_rate)


__all__ = [
    "DeferredNpuCallError",
    "Event",
    "ExternalStream",
    "MemPool",
    "NPUGraph",
    "Stream",
    "StreamContext",
    "caching_allocator_alloc",
    "caching_allocator_delete",
    "caching_allocator_disabled",
    "caching_allocator_enable",
    "can_device_access_peer",
    "clear_npu_overflow_flag",
    "config",
    "conv",
    "current_device",
    "current_stream",
    "default_generators",
    "default_stream",
    "device",
    "device_count",
    "device_of",
    "empty_cache",
    "empty_virt_addr_cache",
    "get_allocator_backend",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_mm_bmm_format_nd",
    "get_npu_overflow_flag",
    "get_per_process_memory_fraction",
    "get_rng_state",
    "get_rng_state_all",
    "get_stream_from_external",
    "get_sync_debug_mode",
    "graph",
    "graph_pool_handle",
    "graphs",
    "host_empty_cache",
    "host_memory_stats",
    "host_memory_stats_as_nested_dict",
    "init",
    "initial_seed",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_current_stream_capturing",
    "is_initialized",
    "is_jit_compile_false",
    "list_gpu_processes",
    "make_graphed_callables",
    "manual_seed",
    "manual_seed_all",
    "matmul",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "memory_summary",
    "random",
    "reset_accumulated_host_memory_stats",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_host_memory_stats",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_compile_mode",
    "set_device",
    "set_mm_bmm_format_nd",
    "set_option",
    "set_per_process_memory_fraction",
    "set_rng_state",
    "set_rng_state_all",
    "set_stream",
    "set_sync_debug_mode",
    "stream",
    "streams",
    "synchronize",
    "use_mem_pool",
]

#: Modules that are imported when first asked for, themselves or a name that they list: most
#: programs never do.
_LATE = ("memory", "graphs", "operator_settings")

#: The same of names that torch does not list, or has elsewhere.
_UNLISTED = {
    "AcceleratorError": "errors",
    "OutOfMemoryError": "errors",
    "_parse_visible_devices": "visible_devices",
    "_utils": "",
    "utils": "",
}


#: The framework's types of old (``torch.npu.FloatTensor``, ``torch.npu.FloatStorage``) by their
#: names; None for other names.
_types_of_old: _Callable[[str], _Any] | None = None
#: Modules of torch's that need tensors: the framework's, by the names they have here.
_with_tensors: dict[str, str] = {}

#: What changes while the program runs, by its name in the runtime.
_STATE = {
    "_initialization_lock": "_lock",
    "_initialized": "_initialized",
    "_queued_calls": "_queued",
}


def __getattr__(name: str) -> _Any:
    if name in _STATE:
        return getattr(_runtime, _STATE[name])
    found: _Any = None
    if name in _LATE or name in _UNLISTED:
        home = _UNLISTED.get(name)
        found = _import_module(f"{__name__}.{home or name}")
        if home:
            found = getattr(found, name.removeprefix("_"))
    elif name in _with_tensors:
        found = _import_module(_with_tensors[name])
    elif name in __all__:
        for late in _LATE:
            module = _import_module(f"{__name__}.{late}")
            if name in module.__all__:
                found = getattr(module, name)
                break
    elif name.endswith(("Tensor", "Storage")) and _types_of_old is not None:
        found = _types_of_old(name)
        if found is not None:
            return found  # not remembered, as no list of names has it
    if found is None:
        raise AttributeError(f"module 'torch.npu' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_UNLISTED})


def _before_fork() -> None:
    """Import what is left: one that another thread imports just now stays locked in a child."""
    if _runtime.is_initialized():
        for late in _LATE:
            _import_module(f"{__name__}.{late}")


if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(before=_before_fork)
