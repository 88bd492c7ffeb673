"""``torch.accelerator``: the device of this machine, whichever it is; here the NPU.

Signatures and texts are those of torch/accelerator (2.13).
"""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu import (
    accelerator_graphs,
    accelerator_memory,
    allocator_config,
    argument_errors,
    devices,
    errors,
    runtime,
    thread_state,
)
from mindtorch_npu import memory as npu_memory
from mindtorch_npu.accelerator_device import (
    current_accelerator,
    current_device_index,
    is_available,
)
from mindtorch_npu.accelerator_device import index_of as _index
from mindtorch_npu.accelerator_device import require as _require
from mindtorch_npu.accelerator_graphs import Graph
from mindtorch_npu.accelerator_memory import (
    empty_cache,
    empty_host_cache,
    get_memory_info,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_accumulated_memory_stats,
    reset_peak_memory_stats,
)
from mindtorch_npu.generic_streams import Stream, named
from mindtorch_npu.runtime import is_initialized
from mindtorch_npu.thread_state import current_queue

__all__ = [
    "Graph",
    "current_accelerator",
    "current_device_idx",
    "current_device_index",
    "current_stream",
    "device_count",
    "device_index",
    "empty_cache",
    "empty_host_cache",
    "get_device_capability",
    "get_memory_info",
    "is_available",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
    "set_device_idx",
    "set_device_index",
    "set_stream",
    "synchronize",
]

#: ``torch.accelerator._utils``'s, which other modules of torch use.
_get_device_index = _index

#: ``torch.accelerator.memory``.
memory = accelerator_memory
#: ``torch.accelerator.graphs``.
graphs = accelerator_graphs


def device_count() -> int:
    """How many there are."""
    return devices.device_count() if is_available() else 0


def exchange_device(index: int) -> int:
    """``torch._C._accelerator_exchangeDevice``: make a device current; return the one before."""
    if not isinstance(index, Integral):
        raise argument_errors.accelerator_device(index)
    _require()
    return thread_state.exchange_device(int(index))


def is_allocator_initialized() -> bool:
    """Say whether the allocator is ready: ``torch._C._accelerator_isAllocatorInitialized``."""
    _require()
    return is_initialized()


def accelerator_or_host() -> Device:
    """``torch._C._get_accelerator``: the accelerator, or the host where there is none."""
    return current_accelerator() or Device("cpu")


def current_device_idx() -> int:
    """Deprecated name of :func:`current_device_index`."""
    warnings.warn("Use `current_device_index` instead.", FutureWarning, stacklevel=2)
    return current_device_index()


def set_device_index(device: Any, /) -> None:
    """Make a device current in this thread; a negative index does nothing."""
    index = _index(device)
    if index >= 0:
        exchange_device(index)


def set_device_idx(device: Any, /) -> None:
    """Deprecated name of :func:`set_device_index`."""
    warnings.warn("Use `set_device_index` instead.", FutureWarning, stacklevel=2)
    set_device_index(device)


class device_index:  # torch's name
    """``with device_index(1):`` makes a device current; None changes nothing."""

    __module__ = "torch.accelerator"

    def __init__(self, device: int | None, /) -> None:
        self.idx = device
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx is not None:
            self.prev_idx = exchange_device(self.idx)

    def __exit__(self, *exc_info: object) -> None:
        if self.idx is not None and self.prev_idx >= 0:
            thread_state.tls.device = self.prev_idx


def get_device_capability(device: Any = None, /) -> dict[str, Any]:
    """``supported_dtypes``, which whoever has dtypes fills in; here by their names."""
    _require()
    index = _index(device, optional=True)
    runtime.check_ordinal(index)
    return {"supported_dtypes": set(_dtypes)}


_dtypes: set[Any] = set()


def current_stream(device: Any = None, /) -> Stream:
    """This thread's current stream of a device."""
    index = _index(device, optional=True)
    _require()
    return named(current_queue(thread_state.stream_device(index)))


def set_stream(stream: Stream) -> None:
    """Make a stream current for its device, and its device current, in this thread."""
    if not isinstance(stream, Stream):
        raise argument_errors.accelerator_stream(stream)
    _require()
    if stream._queue is None:
        raise errors.stream_of_another_kind(stream.device.type)
    thread_state.make_current(stream._queue)


def synchronize(device: Any = None, /) -> None:
    """Wait for all streams of a device; nothing before the runtime starts."""
    index = _index(device, optional=True)
    _require()
    if is_initialized():
        devices.synchronize(index)


def set_allocator_settings(text: str) -> None:
    """Change the allocator's settings: ``torch._C._accelerator_setAllocatorSettings``."""
    npu_memory.set_settings(text)


def get_allocator_settings() -> str:
    """``torch._C._accelerator_getAllocatorSettings``: the text set last."""
    return allocator_config.config.last_text
