"""``torch.accelerator.memory``: what the allocators of the accelerator hold, in bytes.

Source: torch/accelerator/memory.py.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from mindtorch_npu import memory, snapshots
from mindtorch_npu.accelerator_device import index_of, require
from mindtorch_npu.runtime import is_initialized

__all__ = [
    "empty_cache",
    "empty_host_cache",
    "get_memory_info",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
]


def empty_cache() -> None:
    """Return cached memory to the driver, on every device."""
    require()
    memory.empty_cache()


def empty_host_cache() -> None:
    """Return pinned memory that nobody uses."""
    require()
    memory.host_empty_cache()


def get_memory_info(device_index: Any = None, /) -> tuple[int, int]:
    """Free and total bytes of a device."""
    index = index_of(device_index, optional=True)
    require()
    return memory.mem_get_info(index)


def memory_stats(device_index: Any = None, /) -> OrderedDict[str, Any]:
    """The counters of a device's allocator that every accelerator has; empty before its use."""
    require()
    if not is_initialized():
        return OrderedDict()
    found = memory.memory_stats(index_of(device_index, optional=True))
    return OrderedDict((k, v) for k, v in found.items() if k not in _CUDA_ONLY)


#: Counters that only torch.cuda.memory_stats has.
_CUDA_ONLY = frozenset(("num_oom_rejections",))


def memory_allocated(device_index: Any = None, /) -> int:
    """Bytes in use now."""
    return _read(memory.memory_allocated, device_index)


def max_memory_allocated(device_index: Any = None, /) -> int:
    """Most bytes in use since the last reset of the peaks."""
    return _read(memory.max_memory_allocated, device_index)


def memory_reserved(device_index: Any = None, /) -> int:
    """Bytes that the allocator holds now."""
    return _read(memory.memory_reserved, device_index)


def max_memory_reserved(device_index: Any = None, /) -> int:
    """Most bytes held since the last reset of the peaks."""
    return _read(memory.max_memory_reserved, device_index)


def _read(counter: Callable[[Any], int], device_index: Any) -> int:
    """A counter of a device's allocator; 0 before its use."""
    require()
    return counter(index_of(device_index, optional=True)) if is_initialized() else 0


def reset_accumulated_memory_stats(device_index: Any = None, /) -> None:
    """Totals become 0."""
    require()
    if is_initialized():
        memory.reset_accumulated_memory_stats(index_of(device_index, optional=True))


def reset_peak_memory_stats(device_index: Any = None, /) -> None:
    """Peaks become the current values."""
    require()
    if is_initialized():
        memory.reset_peak_memory_stats(index_of(device_index, optional=True))


def _snapshot(device: Any = None, augment_with_fx_traces: bool = False) -> dict[str, Any]:
    """What the allocators hold and did: that of ``torch.npu.memory``."""
    return snapshots._snapshot(device, augment_with_fx_traces)
