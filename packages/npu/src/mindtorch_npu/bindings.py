"""The functions that ``torch._C`` has for an accelerator, under their names for the NPU.

Code written for torch calls them directly; ``mindtorch._C`` shows them.
"""

from __future__ import annotations

from typing import Any

import mindtorch_npu
from mindtorch_npu import (
    _gpu_trace,
    backend,
    errors,
    graphs,
    memory,
    raw_memory,
    runtime,
    snapshots,
    streams,
    sync_debug,
    thread_state,
)
from mindtorch_npu import device_count as _device_count
from mindtorch_npu.devices import current_device, ipc_collect, synchronize
from mindtorch_npu.diverting_allocator import this_thread
from mindtorch_npu.generic_streams import DEVICE_TYPE
from mindtorch_npu.naming import TYPE
from mindtorch_npu.pinned import host_allocator

__all__ = ["BINDINGS"]


def _set_device(index: int) -> None:
    thread_state.exchange_device(index, "setDevice")


def _name_of(queue: Any) -> tuple[int, int, int]:
    return queue.stream_id, queue.device_index, DEVICE_TYPE


def _current_stream(index: int) -> tuple[int, int, int]:
    return _name_of(streams.current_stream(index))


def _default_stream(index: int) -> tuple[int, int, int]:
    return _name_of(streams.default_stream(index))


def _raw_stream(index: int) -> int:
    index = thread_state.device_number(index, "getCurrentStream")
    return thread_state.current_queue(thread_state.stream_device(index)).handle


def _sleep(cycles: int) -> None:
    mindtorch_npu._sleep(cycles)


def _begin_allocating(index: int, pool_id: tuple[int, int]) -> None:
    backend.allocator(index).begin_to_divert(pool_id, this_thread())


def _end_allocating(index: int, pool_id: tuple[int, int]) -> None:
    backend.allocator(index).end_to_divert(pool_id)


def _release_pool(index: int, pool_id: tuple[int, int]) -> None:
    backend.allocator(index).release_pool(pool_id)


def _memory_snapshot(mempool_id: Any = None, include_traces: bool = True) -> dict[str, Any]:
    return snapshots._snapshot()


def _raw_alloc(size: int, stream: int) -> int:
    return raw_memory.caching_allocator_alloc(size, current_device(), stream)


def _set_fraction(fraction: float, index: int) -> None:
    memory.set_per_process_memory_fraction(fraction, index)


def _record_history(
    enabled: str | None = "all",
    context: str | None = "all",
    stacks: str = "all",
    max_entries: int = 2**63 - 1,
    *switches: Any,  # from clear_history on
) -> None:
    snapshots._record_memory_history_impl(enabled, context, stacks, max_entries, None, *switches)


def _is_history_enabled() -> bool:
    return any(each.history.enabled for each in backend.allocators())


def _has_primary_context(index: int) -> bool:
    """Whether anything was done on the device, which costs its memory a context."""
    if not 0 <= index < _device_count():
        raise errors.no_context_of(index)
    return runtime.is_initialized() and runtime.driver().has_context(index)


def _enable_caching(value: bool) -> None:
    raw_memory.caching_allocator_enable(value)


BINDINGS: dict[str, Any] = {
    "_activate_gpu_trace": _gpu_trace.activate,
    "_host_emptyCache": host_allocator.empty_cache,
    "_npu_attach_out_of_memory_observer": raw_memory.attach_out_of_memory_observer,
    "_npu_beginAllocateCurrentThreadToPool": _begin_allocating,
    "_npu_emptyCache": memory.empty_cache,
    "_npu_endAllocateToPool": _end_allocating,
    "_npu_exchangeDevice": thread_state.exchange_device,
    "_npu_getAllocatorBackend": raw_memory.get_allocator_backend,
    "_npu_getCurrentRawStream": _raw_stream,
    "_npu_getCurrentStream": _current_stream,
    "_npu_getDefaultStream": _default_stream,
    "_npu_getDevice": current_device,
    "_npu_getDeviceCount": _device_count,
    "_npu_getMemoryFraction": memory.get_per_process_memory_fraction,
    "_npu_getMemoryMetadata": snapshots._get_memory_metadata,
    "_npu_get_sync_debug_mode": sync_debug.get_sync_debug_mode,
    "_npu_hasPrimaryContext": _has_primary_context,
    "_npu_hostEmptyCache": memory.host_empty_cache,
    "_npu_hostMemoryStats": memory.host_memory_stats_as_nested_dict,
    "_npu_ipc_collect": ipc_collect,
    "_npu_isCurrentStreamCapturing": graphs.is_current_stream_capturing,
    "_npu_isHistoryEnabled": _is_history_enabled,
    "_npu_isInBadFork": runtime.is_in_bad_fork,
    "_npu_maybeExchangeDevice": mindtorch_npu._maybe_exchange_device,
    "_npu_memorySnapshot": _memory_snapshot,
    "_npu_memoryStats": memory.memory_stats_as_nested_dict,
    "_npu_npuCachingAllocator_enable": _enable_caching,
    "_npu_npuCachingAllocator_is_enabled": raw_memory.caching_allocator_is_enabled,
    "_npu_npuCachingAllocator_raw_alloc": _raw_alloc,
    "_npu_npuCachingAllocator_raw_delete": raw_memory.caching_allocator_delete,
    "_npu_npuCachingAllocator_set_allocator_settings": memory.set_settings,
    "_npu_releasePool": _release_pool,
    "_npu_record_memory_history": _record_history,
    "_npu_resetAccumulatedHostMemoryStats": memory.reset_accumulated_host_memory_stats,
    "_npu_resetAccumulatedMemoryStats": memory.reset_accumulated_memory_stats,
    "_npu_resetPeakHostMemoryStats": memory.reset_peak_host_memory_stats,
    "_npu_resetPeakMemoryStats": memory.reset_peak_memory_stats,
    "_npu_setDevice": _set_device,
    "_npu_setMemoryFraction": _set_fraction,
    "_npu_setMemoryMetadata": snapshots._set_memory_metadata,
    "_npu_setStream": streams.set_stream_by_id,
    "_npu_set_sync_debug_mode": sync_debug.set_sync_debug_mode,
    "_npu_sleep": _sleep,
    "_npu_synchronize": synchronize,
}
# Programs for CUDA find them under CUDA's names.
BINDINGS |= {name.replace("npu", TYPE): value for name, value in BINDINGS.items()}
