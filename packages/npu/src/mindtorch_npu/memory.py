"""Memory of the devices and of the pinned host: statistics, summary, limits.

All amounts are bytes. *device* is an index, ``"npu:1"``, a ``torch.device``, or None for the
current one. Whoever asks an allocator gets ValueError for a device of another kind, RuntimeError
("Invalid device argument …") for an index without a device, and AssertionError where there is no
device at all. What only reads statistics is 0 or empty before the initialisation.

Source: torch/cuda/memory.py; c10/cuda/CUDACachingAllocator.cpp.
"""

from __future__ import annotations

import os
import warnings
from collections import OrderedDict
from typing import Any

from mindtorch_npu import allocator_config, argument_errors, errors, runtime, thread_state
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.backend import allocator, allocators
from mindtorch_npu.devices import current_device, device_index
from mindtorch_npu.mem_pool import MemPool, use_mem_pool
from mindtorch_npu.naming import CHIP, NAME, TYPE
from mindtorch_npu.pinned import HostAllocator, host_allocator
from mindtorch_npu.raw_memory import (  # noqa: F401 - torch.cuda.memory's private names too
    _free_mutex,
    _get_current_allocator,
    _host_allocator,
    attach_out_of_memory_observer,
    caching_allocator_alloc,
    caching_allocator_delete,
    caching_allocator_disabled,
    caching_allocator_enable,
    get_allocator_backend,
)
from mindtorch_npu.runtime import is_available, is_initialized, lazy_init
from mindtorch_npu.snapshots import (  # noqa: F401 - the same
    _allocation_traceback,
    _get_memory_metadata,
    _record_memory_history_impl,
    _record_memory_history_legacy,
    _save_memory_usage,
    _save_segment_usage,
    _set_memory_metadata,
    memory_snapshot,
)
from mindtorch_npu.snapshots import (
    _dump_snapshot as _dump_snapshot,
)
from mindtorch_npu.snapshots import (
    _record_memory_history as _record_memory_history,
)
from mindtorch_npu.snapshots import (
    _snapshot as _snapshot,
)
from mindtorch_npu.summary import render

__all__ = [
    "MemPool",
    "caching_allocator_alloc",
    "caching_allocator_delete",
    "caching_allocator_disabled",
    "caching_allocator_enable",
    "empty_cache",
    "empty_virt_addr_cache",
    "get_allocator_backend",
    "get_per_process_memory_fraction",
    "host_empty_cache",
    "host_memory_stats",
    "host_memory_stats_as_nested_dict",
    "list_gpu_processes",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_snapshot",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "memory_summary",
    "reset_accumulated_host_memory_stats",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_host_memory_stats",
    "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
    "use_mem_pool",
]


def _existing(device: Any) -> CachingAllocator:
    """The allocator of *device*, in a runtime that runs; the current device's starts it."""
    if not is_available():
        raise errors.not_compiled()
    index = thread_state.device_number(device_index(device, optional=True), "memory_allocated")
    if not is_initialized():
        if runtime.is_in_bad_fork():
            lazy_init()  # says so
        raise errors.invalid_device_argument(index)
    if not 0 <= index < len(allocators()):
        raise errors.invalid_device_argument(index)
    return allocator(index)


# ---- statistics


def memory_stats_as_nested_dict(device: Any = None) -> dict[str, Any]:
    """All counters of a device's allocator, nested as ``{"active_bytes": {"all": {"peak": …}}}``.

    Each of ``all``, ``small_pool`` and ``large_pool`` has ``current``, ``peak``, ``allocated`` and
    ``freed`` (the totals); ``…_bytes`` are bytes, the others count blocks, segments and events.
    ``{}`` before the initialisation.
    """
    return _existing(device).stats() if is_initialized() else {}


def memory_stats(device: Any = None) -> OrderedDict[str, int]:
    """All counters of a device's allocator, by flat name, sorted: 123 of ``active_bytes.all.peak``.

    Units as in :func:`memory_stats_as_nested_dict`. Empty before the initialisation.
    """
    return flat_stats(memory_stats_as_nested_dict(device))


def flat_stats(nested: dict[str, Any]) -> OrderedDict[str, int]:
    """Nested statistics by flat name, sorted."""
    flat: list[tuple[str, int]] = []

    def walk(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                name = "_".join(map(str, key)) if isinstance(key, tuple) else str(key)
                walk(f"{prefix}.{name}" if prefix else name, inner)
        else:
            flat.append((prefix, value))

    walk("", nested)
    flat.sort()
    return OrderedDict(flat)


def _counter(device: Any, name: str, kind: str) -> int:
    """One of the counters of both pools together; 0 before the initialisation."""
    stats = memory_stats_as_nested_dict(device)
    return int(stats[name]["all"][kind]) if stats else 0


def memory_allocated(device: Any = None) -> int:
    """Bytes in use by tensors now, rounded up to blocks; 0 before the initialisation."""
    return _counter(device, "allocated_bytes", "current")


def max_memory_allocated(device: Any = None) -> int:
    """Most bytes in use since the start, or the last :func:`reset_peak_memory_stats`."""
    return _counter(device, "allocated_bytes", "peak")


def memory_reserved(device: Any = None) -> int:
    """Bytes of the segments that the allocator holds now, used or cached."""
    return _counter(device, "reserved_bytes", "current")


def max_memory_reserved(device: Any = None) -> int:
    """Most bytes held since the start, or the last :func:`reset_peak_memory_stats`."""
    return _counter(device, "reserved_bytes", "peak")


def _warn(text: str) -> None:
    warnings.warn(text, FutureWarning, stacklevel=3)


def memory_cached(device: Any = None) -> int:
    """Deprecated name of :func:`memory_reserved`: bytes, and a FutureWarning."""
    _warn(f"`torch.{TYPE}.memory_cached` has been renamed to `torch.{TYPE}.memory_reserved`")
    return memory_reserved(device)


def max_memory_cached(device: Any = None) -> int:
    """Deprecated name of :func:`max_memory_reserved`: bytes, and a FutureWarning."""
    _warn(
        f"`torch.{TYPE}.max_memory_cached` has been renamed to `torch.{TYPE}.max_memory_reserved`"
    )
    return max_memory_reserved(device)


def reset_peak_memory_stats(device: Any = None) -> None:
    """Every peak becomes the current value."""
    _existing(device).reset_peak()


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Totals of what was ever allocated and freed, and counts of retries and OOMs, become 0."""
    _existing(device).reset_accumulated()


def reset_max_memory_allocated(device: Any = None) -> None:
    """Resets every peak, and says so."""
    _warn(
        f"torch.{TYPE}.reset_max_memory_allocated now calls torch.{TYPE}.reset_peak_memory_stats, "
        "which resets /all/ peak memory stats."
    )
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: Any = None) -> None:
    """Resets every peak, and says so."""
    _warn(
        f"torch.{TYPE}.reset_max_memory_cached now calls torch.{TYPE}.reset_peak_memory_stats, "
        "which resets /all/ peak memory stats."
    )
    reset_peak_memory_stats(device)


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The counters as a table, in torch's layout: bytes as KiB, MiB or GiB, others as counts.

    :param abbreviated: one row a metric, without the two pools.
    Raises KeyError before the initialisation, as torch does.
    """
    index = device_index(device, optional=True)
    stats = memory_stats(index)
    if not stats:
        raise KeyError("allocated_bytes.all.current")  # as torch does before initialisation
    return render(stats, index, abbreviated)


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of a device, as its driver sees it: cached memory is not free.

    Raises AcceleratorError ("invalid device ordinal") for an index without a device.
    """
    lazy_init()
    index = device_index(device, optional=True)
    runtime.check_ordinal(index)
    return runtime.driver().memory_info(index)


def list_gpu_processes(device: Any = None) -> str:
    """Text on who uses a device, in MB (of 2**20 bytes): on the simulator, this process."""
    if not is_available():
        return f"{TYPE} driver can't be loaded, is {TYPE} enabled?"

    lazy_init()
    index = device_index(device, optional=True)
    reserved = memory_reserved(index)
    if not reserved:
        return f"{CHIP}:{index}\nno processes are running"
    used = reserved / (1024 * 1024)
    return f"{CHIP}:{index}\nprocess {os.getpid():>10d} uses {used:>12.3f} MB {NAME} memory"


# ---- pinned host memory


def host_memory_stats_as_nested_dict() -> dict[str, Any]:
    """All counters of the allocator of pinned memory, nested; {} before the initialisation.

    ``…_bytes`` are bytes; ``host_alloc_time`` and ``host_free_time`` microseconds; others counts.
    """
    return host_allocator.stats() if is_initialized() else {}


def host_memory_stats() -> OrderedDict[str, int]:
    """The same as :func:`host_memory_stats_as_nested_dict`, by flat name, sorted."""
    return flat_stats(host_memory_stats_as_nested_dict())


def _existing_host() -> HostAllocator:
    if not is_available():
        raise errors.not_compiled()
    lazy_init()
    return host_allocator


def reset_peak_host_memory_stats() -> None:
    """Every peak of the counters of pinned memory becomes the current value."""
    _existing_host().reset_peak()


def reset_accumulated_host_memory_stats() -> None:
    """Totals of the counters of pinned memory become 0."""
    _existing_host().reset_accumulated()


def host_empty_cache() -> None:
    """Return pinned memory that nobody uses; nothing before the initialisation."""
    if is_initialized():
        host_allocator.empty_cache()


# ---- cache and limits


def empty_cache() -> None:
    """Return cached segments that are wholly unused to the driver, on every device.

    Waits for blocks that other streams still use. Nothing before the initialisation.
    """
    if is_initialized():
        for each in allocators():
            each.empty_cache()


def empty_virt_addr_cache() -> None:
    """Unmap unused pages of expandable segments: there are none."""


def set_per_process_memory_fraction(fraction: float, device: Any = None) -> None:
    """Let the allocator hold at most this part of a device's total memory.

    :param fraction: a float from 0 to 1; what is held already stays.
    Raises TypeError for what is no float, ValueError out of the range, RuntimeError for nan.
    """
    lazy_init()
    index = current_device() if device is None else device_index(device)
    if not isinstance(fraction, float):
        raise errors.fraction_type()
    if fraction < 0 or fraction > 1:
        raise errors.fraction_range(fraction)
    if fraction != fraction:  # nan is in no range
        raise errors.fraction_invalid(fraction)
    _existing(index).set_fraction(fraction)


def get_per_process_memory_fraction(device: Any = None) -> float:
    """The part of a device's memory set last; 1.0 where none was."""
    lazy_init()
    return _existing(current_device() if device is None else device_index(device)).fraction


def set_settings(text: str) -> None:
    """``torch._C._accelerator_setAllocatorSettings``. Raises TypeError for what is no text."""
    if not isinstance(text, str):
        raise argument_errors.accelerator_settings(text)
    allocator_config.parse(text)


def _set_allocator_settings(env: str) -> None:
    """Change allocator settings while the process runs."""
    _warn(
        f"torch.{TYPE}._set_allocator_settings is deprecated. "
        "Use torch._C._accelerator_setAllocatorSettings instead."
    )
    set_settings(env)
