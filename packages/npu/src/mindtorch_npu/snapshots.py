"""What the allocators hold, and what they did: snapshot, history, dumps.

Addresses and sizes are bytes, times microseconds since the epoch (``time_us``).
Source: torch/cuda/memory.py; torch/csrc/cuda/memory_snapshot.cpp.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from mindtorch_npu import argument_errors, errors
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.allocator_config import UNLIMITED, config
from mindtorch_npu.annotations import named_ranges
from mindtorch_npu.backend import allocators
from mindtorch_npu.block_pool import ALLOCATED, DEFAULT_POOL, Node
from mindtorch_npu.flame_graph import draw, fold_memory
from mindtorch_npu.memory_history import History, show_frames
from mindtorch_npu.runtime import lazy_init

__all__ = ["memory_snapshot"]


def memory_snapshot(mempool_id: Any = None, include_traces: bool = True) -> list[dict[str, Any]]:
    """All segments of all devices with their blocks.

    A segment has, with others, ``device``, ``address``, ``total_size``, ``allocated_size``,
    ``active_size``, ``stream``, ``segment_type`` and ``blocks``; a block ``address``, ``size``,
    ``requested_size``, ``state`` and ``frames``.

    :param mempool_id: the id of a private pool, two ints: show what it has. (0, 0) are all pools.
    Raises RuntimeError for any other id, AssertionError where there is no device.
    """
    lazy_init()
    if mempool_id is not None:
        if not isinstance(mempool_id, tuple) or len(mempool_id) != 2:
            raise errors.pool_id_size()
        if not all(isinstance(part, int) for part in mempool_id):
            raise errors.pool_id_parts()
    pool_id = DEFAULT_POOL if mempool_id is None else mempool_id
    return [segment for each in allocators() for segment in each.snapshot_segments(pool_id)]


def _snapshot(device: Any = None, augment_with_fx_traces: bool = False) -> dict[str, Any]:
    """Segments, traces and settings, as torch's memory viewer reads them."""
    lazy_init()
    traces = [each.trace() for each in allocators()]
    settings = config
    return {
        "segments": memory_snapshot(),
        "device_traces": traces,
        "allocator_settings": {
            "PYTORCH_CUDA_ALLOC_CONF": settings.last_text,
            "max_split_size": (
                -1 if settings.max_split_size == UNLIMITED else settings.max_split_size
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
        "external_annotations": named_ranges.shown(),
    }


def _dump_snapshot(
    filename: str = "dump_snapshot.pickle", augment_with_fx_traces: bool = False
) -> None:
    """Write :func:`_snapshot` as a pickle."""
    with open(filename, "wb") as file:
        pickle.dump(_snapshot(augment_with_fx_traces=augment_with_fx_traces), file)


def _save_segment_usage(
    filename: str = "output.svg", snapshot: Mapping[str, Any] | None = None
) -> None:
    """Draw what is in the segments as a flame graph (SVG): by segment, state and stack."""
    _save(filename, _snapshot() if snapshot is None else snapshot, by_segment=True)


def _save_memory_usage(
    filename: str = "output.svg", snapshot: Mapping[str, Any] | None = None
) -> None:
    """Draw who holds the memory as a flame graph (SVG): by state and stack."""
    _save(filename, _snapshot() if snapshot is None else snapshot, by_segment=False)


def _save(filename: str, snapshot: Mapping[str, Any], by_segment: bool) -> None:
    with open(filename, "w", encoding="utf-8") as file:
        file.write(draw(fold_memory(snapshot["segments"], by_segment)))


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
    skip_actions: Sequence[str] | None = None,
) -> None:
    actions = skip_actions if skip_actions is not None else []
    given = (enabled, context, stacks, max_entries)
    if not (
        isinstance(enabled, str | None)
        and isinstance(context, str | None)
        and isinstance(stacks, str)
        and _is_size(max_entries)
        and _are_names(actions)
    ):
        switches = (clear_history, compile_context, global_record_annotations)
        raise argument_errors.history_arguments(*given, *switches, actions)
    lazy_init()
    if enabled not in (None, "state", "all"):
        raise errors.history_enabled()
    if context not in (None, "state", "alloc", "all"):
        raise errors.history_context()
    if stacks not in ("python", "all"):
        raise errors.history_stacks()
    for each in allocators():
        each.record_history(
            enabled,
            context,
            max_entries,
            stacks=stacks,
            clear=clear_history,
            skip=actions,
        )
    named_ranges.record(enabled is not None, max_entries, global_record_annotations, clear_history)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < 1 << 64


def _are_names(value: Any) -> bool:
    """Whether *value* is a sequence of texts, and no text itself."""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str | bytes)
        and all(isinstance(name, str) for name in value)
    )


# Whoever asks for the signature sees the newer form, as in torch.
vars(_record_memory_history)["__wrapped__"] = _record_memory_history_impl


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
    skip_actions: Sequence[str] | None = None,
) -> None:
    actions = skip_actions if skip_actions is not None else []
    if not (
        isinstance(trace_alloc_max_entries, int)
        and abs(trace_alloc_max_entries) < 1 << 63
        and _are_names(actions)
    ):
        first = (enabled, record_context, trace_alloc_max_entries, trace_alloc_record_context)
        switches = (record_context_cpp, clear_history, compile_context, global_record_annotations)
        raise argument_errors.legacy_history_arguments(*first, *switches, actions)
    lazy_init()
    context = "alloc" if trace_alloc_record_context else "state" if record_context else None
    for each in allocators():
        each.record_history(
            "all" if enabled else None,
            context,
            trace_alloc_max_entries,
            stacks="all" if record_context_cpp else "python",
            clear=clear_history,
            skip=actions,
        )
    named_ranges.record(
        bool(enabled), trace_alloc_max_entries, global_record_annotations, clear_history
    )


def _allocation_traceback(data_ptr: int) -> list[dict[str, Any]] | None:
    """The stack that allocated the memory at *data_ptr*; None where none was recorded."""
    for each in allocators():
        node = _block_at(each, data_ptr)
        if node is not None and node.site is not None:
            return show_frames(node.site)
    return None


def _block_at(allocator: CachingAllocator, address: int) -> Node | None:
    """The block in use that starts at *address*."""
    with allocator.books():
        for segment in allocator.segments.values():
            if segment.address <= address < segment.address + segment.size:
                for node in segment.nodes():
                    if node.address == address:
                        return node if node.state == ALLOCATED else None
    return None


def _set_memory_metadata(metadata: str) -> None:
    """Attach *metadata* to what is allocated from now on; "" attaches nothing."""
    if not isinstance(metadata, str):
        raise argument_errors.memory_metadata(metadata)
    History.metadata = metadata


def _get_memory_metadata() -> str:
    """The metadata that is attached now."""
    return History.metadata
