"""Memory of CUDA's devices: there is none, and nothing is ever allocated."""

from __future__ import annotations

import contextlib
import ctypes
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from .. import _C
from ..core.deprecation import deprecated
from ..core.warning import warn
from . import _absent
from ._utils import _dummy_type, _get_device_index

__all__ = [
    "caching_allocator_alloc",
    "caching_allocator_delete",
    "caching_allocator_disabled",
    "caching_allocator_enable",
    "get_per_process_memory_fraction",
    "set_per_process_memory_fraction",
    "empty_cache",
    "memory_stats",
    "memory_stats_as_nested_dict",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "host_memory_stats",
    "host_memory_stats_as_nested_dict",
    "reset_accumulated_host_memory_stats",
    "reset_peak_host_memory_stats",
    "memory_allocated",
    "max_memory_allocated",
    "memory_reserved",
    "max_memory_reserved",
    "memory_cached",
    "max_memory_cached",
    "memory_snapshot",
    "memory_summary",
    "list_gpu_processes",
    "mem_get_info",
    "get_allocator_backend",
    "CUDAPluggableAllocator",
    "change_current_allocator",
    "MemPool",
    "use_mem_pool",
]


# What is counted: nothing ------------------------------------------------------------------------


def memory_stats_as_nested_dict(device: Any = None) -> dict[str, Any]:
    """The counters of the allocator, nested: none."""
    return {}


def memory_stats(device: Any = None) -> dict[str, Any]:
    """The counters of the allocator by flat name: none."""
    return OrderedDict(memory_stats_as_nested_dict(device))


def host_memory_stats_as_nested_dict() -> dict[str, Any]:
    """The counters of pinned memory, nested: none."""
    return {}


def host_memory_stats() -> dict[str, Any]:
    """The counters of pinned memory by flat name: none."""
    return OrderedDict(host_memory_stats_as_nested_dict())


def memory_allocated(device: Any = None) -> int:
    """Bytes in use: 0."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device: Any = None) -> int:
    """Most bytes that were in use: 0."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device: Any = None) -> int:
    """Bytes that the allocator holds: 0."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device: Any = None) -> int:
    """Most bytes that the allocator held: 0."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


@deprecated("`torch.cuda.memory_cached` has been renamed to `torch.cuda.memory_reserved`")
def memory_cached(device: Any = None) -> int:
    """Deprecated name of :func:`memory_reserved`."""
    return memory_reserved(device)


@deprecated("`torch.cuda.max_memory_cached` has been renamed to `torch.cuda.max_memory_reserved`")
def max_memory_cached(device: Any = None) -> int:
    """Deprecated name of :func:`max_memory_reserved`."""
    return max_memory_reserved(device)


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The counters as a table. Raises KeyError: there are none."""
    return str(memory_stats(device)["allocated_bytes.all.current"])


def memory_snapshot(mempool_id: Any = None, include_traces: bool = True) -> Any:
    """The blocks of the allocator. Raises AttributeError, as torch's does: it has none."""
    return _C._cuda_memorySnapshot(mempool_id)


def list_gpu_processes(device: Any = None) -> str:
    """Text on who uses a device: that nobody can be asked."""
    return "pynvml module not found, please install nvidia-ml-py"


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Raises AssertionError: there is no CUDA here."""
    return _absent._lazy_init()


# What is changed: each raises what torch's does ---------------------------------------------------


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Raises AttributeError: there is no allocator."""
    _C._cuda_resetAccumulatedMemoryStats(device)


def reset_peak_memory_stats(device: Any = None) -> None:
    """Raises AttributeError: there is no allocator."""
    _C._cuda_resetPeakMemoryStats(device)


def reset_accumulated_host_memory_stats() -> None:
    """Raises AttributeError: there is no allocator."""
    _C._cuda_resetAccumulatedHostMemoryStats()


def reset_peak_host_memory_stats() -> None:
    """Raises AttributeError: there is no allocator."""
    _C._cuda_resetPeakHostMemoryStats()


def _warn_of_all_peaks(name: str) -> None:
    warn(
        f"torch.cuda.{name} now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak "
        "memory stats.",
        FutureWarning,
    )


def reset_max_memory_allocated(device: Any = None) -> None:
    """Warns, and raises as :func:`reset_peak_memory_stats`."""
    _warn_of_all_peaks("reset_max_memory_allocated")
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: Any = None) -> None:
    """Warns, and raises as :func:`reset_peak_memory_stats`."""
    _warn_of_all_peaks("reset_max_memory_cached")
    reset_peak_memory_stats(device)


def empty_cache() -> None:
    """Nothing: nothing is kept."""


def caching_allocator_alloc(size: Any, device: Any = None, stream: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _absent.current_device()


def caching_allocator_delete(mem_ptr: Any) -> None:
    """Raises AttributeError: there is no allocator."""
    _C._cuda_cudaCachingAllocator_raw_delete(mem_ptr)


def caching_allocator_enable(value: bool = True) -> None:
    """Nothing: there is no allocator before the first use of a device."""
    if _absent.is_initialized():
        _C._cuda_cudaCachingAllocator_enable(value)


@contextlib.contextmanager
def caching_allocator_disabled() -> Iterator[None]:
    """A block without the allocator."""
    caching_allocator_enable(False)
    try:
        yield
    finally:
        caching_allocator_enable(True)


def set_per_process_memory_fraction(fraction: Any, device: Any = None) -> None:
    """Raises AssertionError: there is no CUDA here."""
    _absent._lazy_init()


def get_per_process_memory_fraction(device: Any = None) -> float:
    """Raises AssertionError: there is no CUDA here."""
    return _absent._lazy_init()


def get_allocator_backend() -> str:
    """Raises AttributeError: there is no allocator."""
    return _C._cuda_getAllocatorBackend()


class _CUDAAllocator:
    """An allocator that somebody wrote."""

    def __init__(self, allocator: Any) -> None:
        self._allocator = allocator

    def allocator(self) -> Any:
        """What was given."""
        return self._allocator


class CUDAPluggableAllocator(_CUDAAllocator):
    """An allocator in a library. Raises OSError for a file that is no library."""

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        library = ctypes.CDLL(path_to_so_file)
        alloc = ctypes.cast(getattr(library, alloc_fn_name), ctypes.c_void_p).value
        free = ctypes.cast(getattr(library, free_fn_name), ctypes.c_void_p).value
        super().__init__(_C._cuda_customAllocator(alloc, free))


def change_current_allocator(allocator: Any) -> None:
    """Raises AttributeError: no allocator can be put in."""
    _C._cuda_changeCurrentAllocator(allocator.allocator())


def _get_current_allocator() -> _CUDAAllocator:
    return _CUDAAllocator(_C._cuda_getAllocator())


_MemPool: Any = _dummy_type("_MemPool")


class MemPool(_MemPool):
    """Memory of its own for a block. Making one raises RuntimeError: there is no CUDA here."""

    def __init__(
        self, allocator: Any = None, use_on_oom: bool = False, no_split: bool = False
    ) -> None:
        super().__init__(allocator, True, use_on_oom, no_split)

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("Tried to instantiate dummy base class MemPool")

    @property
    def id(self) -> tuple[int, int]:
        """The pool's id."""
        return super().id

    def use_count(self) -> int:
        """How many use the pool."""
        return super().use_count()

    def snapshot(self, include_traces: bool = True) -> Any:
        """The blocks of the pool."""
        return memory_snapshot(self.id, include_traces)


@contextlib.contextmanager
def use_mem_pool(pool: Any, device: Any = None) -> Iterator[None]:
    """A block whose memory comes from *pool*. Entering it raises: there is no CUDA here."""
    index = _absent.current_device() if device is None else _get_device_index(device)
    _C._cuda_beginAllocateCurrentThreadToPool(index, pool.id)
    try:
        yield
    finally:
        _C._cuda_endAllocateToPool(index, pool.id)
        _C._cuda_releasePool(index, pool.id)


# What is written down -----------------------------------------------------------------------------


def _record_memory_history(enabled: Any = "all", *args: Any, **kwargs: Any) -> None:
    """Raises AttributeError: there is no allocator."""
    _C._cuda_record_memory_history(enabled, *args)


def _snapshot(device: Any = None, augment_with_fx_traces: bool = False) -> Any:
    """Raises AttributeError: there is no allocator."""
    return _C._cuda_memorySnapshot(None)


def _dump_snapshot(
    filename: str = "dump_snapshot.pickle", augment_with_fx_traces: bool = False
) -> None:
    """Raises AttributeError: there is no allocator."""
    _snapshot()


def _set_allocator_settings(env: str) -> None:
    """Change the settings of the accelerator's allocator."""
    _C._accelerator_setAllocatorSettings(env)
