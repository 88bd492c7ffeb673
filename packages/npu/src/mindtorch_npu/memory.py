"""Memory of the devices: statistics, summary, snapshot, history, limits, raw allocations."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from mindtorch_npu import config, errors, runtime
from mindtorch_npu.allocator import CachingAllocator, out_of_memory_observers
from mindtorch_npu.backend import allocator, allocators
from mindtorch_npu.block import Block
from mindtorch_npu.devices import current_device, device_index
from mindtorch_npu.runtime import current_queue, is_available, is_initialized, lazy_init, tls
from mindtorch_npu.streams import Stream

__all__ = [
    "caching_allocator_alloc",
    "caching_allocator_delete",
    "empty_cache",
    "get_allocator_backend",
    "get_per_process_memory_fraction",
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
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
]

_raw: dict[int, Block] = {}
_metadata = ""


def _existing(device: Any) -> CachingAllocator:
    """The allocator of *device* (default: current); initialises."""
    if not is_available():
        raise errors.not_compiled()
    lazy_init()
    index = device_index(device, optional=True)
    if not 0 <= index < len(allocators()):
        raise errors.invalid_device_argument(index)
    return allocator(index)


# ---- statistics


def memory_stats_as_nested_dict(device: Any = None) -> dict[str, Any]:
    """All counters of a device's allocator, nested; {} before the initialisation."""
    return _existing(device).stats() if is_initialized() else {}


def memory_stats(device: Any = None) -> OrderedDict[str, int]:
    """All counters of a device's allocator, by flat name, sorted; empty before initialisation."""
    flat: list[tuple[str, int]] = []

    def walk(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                name = "_".join(map(str, key)) if isinstance(key, tuple) else str(key)
                walk(f"{prefix}.{name}" if prefix else name, inner)
        else:
            flat.append((prefix, value))

    walk("", memory_stats_as_nested_dict(device))
    flat.sort()
    return OrderedDict(flat)


def memory_allocated(device: Any = None) -> int:
    """Bytes in use now."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device: Any = None) -> int:
    """Most bytes in use since the last reset of the peaks."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device: Any = None) -> int:
    """Bytes that the allocator holds now, used or cached."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device: Any = None) -> int:
    """Most bytes held since the last reset of the peaks."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def _warn(text: str) -> None:
    import warnings

    warnings.warn(text, FutureWarning, stacklevel=3)


def memory_cached(device: Any = None) -> int:
    """Deprecated name of :func:`memory_reserved`."""
    _warn("`torch.npu.memory_cached` has been renamed to `torch.npu.memory_reserved`")
    return memory_reserved(device)


def max_memory_cached(device: Any = None) -> int:
    """Deprecated name of :func:`max_memory_reserved`."""
    _warn("`torch.npu.max_memory_cached` has been renamed to `torch.npu.max_memory_reserved`")
    return max_memory_reserved(device)


def reset_peak_memory_stats(device: Any = None) -> None:
    """Every peak becomes the current value."""
    _existing(device).reset_peak()


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Totals of what was ever allocated and freed, and event counts, become 0."""
    _existing(device).reset_accumulated()


def reset_max_memory_allocated(device: Any = None) -> None:
    """Resets every peak, and says so."""
    _warn(
        "torch.npu.reset_max_memory_allocated now calls torch.npu.reset_peak_memory_stats, "
        "which resets /all/ peak memory stats."
    )
    reset_peak_memory_stats(device)


def reset_max_memory_cached(device: Any = None) -> None:
    """Resets every peak, and says so."""
    _warn(
        "torch.npu.reset_max_memory_cached now calls torch.npu.reset_peak_memory_stats, "
        "which resets /all/ peak memory stats."
    )
    reset_peak_memory_stats(device)


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The counters as a table, in torch's layout."""
    from mindtorch_npu.summary import render  # not before somebody asks for the table

    index = device_index(device, optional=True)
    stats = memory_stats(index)
    if not stats:
        raise KeyError("allocated_bytes.all.current")  # as torch does before initialisation
    return render(stats, index, abbreviated)


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of a device, as the driver sees it."""
    lazy_init()
    index = device_index(device, optional=True)
    runtime.check_ordinal(index)
    return runtime.driver().memory_info(index)


def list_gpu_processes(device: Any = None) -> str:
    """Who uses a device: on the simulator, this process."""
    if not is_available():
        return "npu driver can't be loaded, is npu enabled?"
    import os

    lazy_init()
    index = device_index(device, optional=True)
    reserved = memory_reserved(index)
    if not reserved:
        return f"NPU:{index}\nno processes are running"
    used = reserved / (1024 * 1024)
    return f"NPU:{index}\nprocess {os.getpid():>10d} uses {used:>12.3f} MB NPU memory"


# ---- cache and limits


def empty_cache() -> None:
    """Return cached segments that are wholly unused to the driver, on every device."""
    if is_initialized():
        for each in allocators():
            each.empty_cache()


def set_per_process_memory_fraction(fraction: float, device: Any = None) -> None:
    """Let the allocator hold at most this part (0..1) of a device's total memory."""
    lazy_init()
    index = current_device() if device is None else device_index(device)
    if not isinstance(fraction, float):
        raise errors.fraction_type()
    if fraction < 0 or fraction > 1:
        raise errors.fraction_range(fraction)
    _existing(index).set_fraction(fraction)


def get_per_process_memory_fraction(device: Any = None) -> float:
    """The fraction set last; 1.0 when none was."""
    lazy_init()
    return _existing(current_device() if device is None else device_index(device)).fraction


def get_allocator_backend() -> str:
    """``native``: the only one there is."""
    return "native"


# ---- raw allocations


def caching_allocator_alloc(size: int, device: Any = None, stream: Any = None) -> int:
    """Allocate *size* bytes and return the address; free with :func:`caching_allocator_delete`.

    :param stream: a ``Stream`` or its handle; default the current stream of the device.
    """
    lazy_init()
    index = current_device() if device is None else device_index(device)
    if stream is None:
        runtime.check_ordinal(index)
        stream = current_queue(index).handle
    elif isinstance(stream, Stream):
        stream = stream.npu_stream
    if not isinstance(stream, int):
        raise errors.stream_argument()
    if index < 0:
        index = tls.device
    runtime.check_ordinal(index)
    block = allocator(index).allocate(size, stream)
    if block.data_ptr:
        _raw[block.data_ptr] = block
    return block.data_ptr


def caching_allocator_delete(mem_ptr: int) -> None:
    """Free what :func:`caching_allocator_alloc` gave."""
    if not is_available():
        raise errors.not_compiled()
    if mem_ptr:
        block = _raw.pop(mem_ptr, None)
        if block is None:
            raise errors.invalid_pointer(mem_ptr)
        block.free()


# ---- snapshot and history


def memory_snapshot(mempool_id: Any = None, include_traces: bool = True) -> list[dict[str, Any]]:
    """All segments of all devices with their blocks."""
    lazy_init()
    if mempool_id is not None and tuple(mempool_id) != (0, 0):
        return []  # there are no private pools
    return [segment for each in allocators() for segment in each.snapshot_segments()]


def _snapshot(device: Any = None, augment_with_fx_traces: bool = False) -> dict[str, Any]:
    """Segments, traces and settings, as torch's memory viewer reads them."""
    lazy_init()
    traces = [each.history.trace() for each in allocators()]
    settings = config.config
    return {
        "segments": memory_snapshot(),
        "device_traces": traces,
        "allocator_settings": {
            "PYTORCH_CUDA_ALLOC_CONF": settings.last_text,
            "max_split_size": (
                -1 if settings.max_split_size == config.UNLIMITED else settings.max_split_size
            ),
            "garbage_collection_threshold": settings.garbage_collection_threshold,
            "expandable_segments": settings.expandable_segments,
            "pinned_num_register_threads": settings.pinned_num_register_threads,
            "release_lock_on_cudamalloc": settings.release_lock_on_malloc,
            "pinned_use_cuda_host_register": settings.pinned_use_host_register,
            "graph_capture_record_stream_reuse": settings.graph_capture_record_stream_reuse,
            "roundup_power2_divisions": {
                str(1 << i): value for i, value in enumerate(settings.roundup_power2_divisions)
            },
        },
        "external_annotations": [],
    }


def _dump_snapshot(
    filename: str = "dump_snapshot.pickle", augment_with_fx_traces: bool = False
) -> None:
    """Write :func:`_snapshot` as a pickle."""
    import pickle

    with open(filename, "wb") as file:
        pickle.dump(_snapshot(augment_with_fx_traces=augment_with_fx_traces), file)


def _record_memory_history(enabled: Any = "all", *args: Any, **kwargs: Any) -> None:
    """Start or stop recording; a bool selects the older form of the arguments."""
    if isinstance(enabled, bool):
        _record_memory_history_legacy(enabled, *args, **kwargs)
    else:
        _record_memory_history_impl(enabled, *args, **kwargs)


def _record_memory_history_impl(
    enabled: str | None = "all",
    context: str | None = "all",
    stacks: str = "all",
    max_entries: int = sys.maxsize,
    device: Any = None,
    clear_history: bool = False,
    compile_context: bool = False,
    global_record_annotations: bool = False,
    skip_actions: Iterable[str] | None = None,
) -> None:
    lazy_init()
    if enabled not in (None, "state", "all"):
        raise errors.history_enabled()
    if context not in (None, "state", "alloc", "all"):
        raise errors.history_context()
    if stacks not in ("python", "all"):
        raise errors.history_stacks()
    for each in allocators():
        each.record_history(
            enabled, context, max_entries, clear=clear_history, skip=skip_actions or ()
        )


def _record_memory_history_legacy(
    enabled: bool,
    record_context: bool = True,
    trace_alloc_max_entries: int = 1,
    trace_alloc_record_context: bool = False,
    device: Any = None,
    record_context_cpp: bool = False,
    clear_history: bool = False,
    compile_context: bool = False,
    global_record_annotations: bool = False,
    skip_actions: Iterable[str] | None = None,
) -> None:
    lazy_init()
    context = "alloc" if trace_alloc_record_context else "state" if record_context else None
    for each in allocators():
        each.record_history(
            "all" if enabled else None,
            context,
            trace_alloc_max_entries,
            clear=clear_history,
            skip=skip_actions or (),
        )


def _set_allocator_settings(env: str) -> None:
    """Change allocator settings while the process runs."""
    _warn(
        "torch.npu._set_allocator_settings is deprecated. "
        "Use torch._C._accelerator_setAllocatorSettings instead."
    )
    config.parse(env)


def attach_out_of_memory_observer(observer: Any) -> None:
    """``torch._C._npu_attach_out_of_memory_observer``: called before an OutOfMemoryError."""
    out_of_memory_observers.append(observer)
