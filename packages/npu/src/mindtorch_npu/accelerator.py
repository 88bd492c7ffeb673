"""``torch.accelerator``: the device of this machine, whichever it is; here the NPU.

Signatures and texts are those of torch/accelerator (2.13).
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu import argument_errors, config, devices, errors, memory, runtime
from mindtorch_npu.devices import TYPE
from mindtorch_npu.generic import Stream, named
from mindtorch_npu.runtime import current_queue, is_available, is_initialized

__all__ = [
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


def device_count() -> int:
    """How many there are."""
    return devices.device_count()


def current_accelerator(check_available: bool = False) -> Device | None:
    """The accelerator as a device without an index; None where there is none."""
    return Device(TYPE) if is_available() else None


def _require() -> None:
    if not is_available():
        raise errors.no_accelerator()


def _index(device: Any, optional: bool = False) -> int:
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = Device(device)
    index = None
    if isinstance(device, Device):
        accelerator = current_accelerator()
        if accelerator is None:
            raise errors.accelerator_expected()
        if accelerator.type != device.type:
            raise errors.other_accelerator(device.type, accelerator)
        index = device.index
    if index is not None:
        return index
    if not optional:
        raise errors.expected_index(device)
    return current_device_index()


def exchange_device(index: int) -> int:
    """``torch._C._accelerator_exchangeDevice``: make a device current; return the one before."""
    if not isinstance(index, int):
        raise argument_errors.accelerator_device(index)
    _require()
    return runtime.exchange_device(index)


def is_allocator_initialized() -> bool:
    """``torch._C._accelerator_isAllocatorInitialized``."""
    _require()
    return is_initialized()


def accelerator_or_host() -> Device:
    """``torch._C._get_accelerator``: the accelerator, or the host where there is none."""
    return current_accelerator() or Device("cpu")


def current_device_index() -> int:
    """The index of this thread's current device."""
    _require()
    return devices.current_device()


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


class device_index:  # noqa: N801 - torch's name
    """``with device_index(1):`` makes a device current; None changes nothing."""

    __module__ = "torch.accelerator"

    def __init__(self, device: int | None, /) -> None:
        self.idx = device
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx is not None:
            self.prev_idx = exchange_device(self.idx)

    def __exit__(self, *exc_info: object) -> None:
        if self.idx is not None:
            runtime.exchange_device(self.prev_idx)


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
    return named(current_queue(index))


def set_stream(stream: Stream) -> None:
    """Make a stream current for its device, and its device current, in this thread."""
    if not isinstance(stream, Stream):
        raise argument_errors.accelerator_stream(stream)
    _require()
    if stream._queue is not None:
        runtime.make_current(stream._queue)


def synchronize(device: Any = None, /) -> None:
    """Wait for all streams of a device; nothing before the runtime starts."""
    index = _index(device, optional=True)
    _require()
    if is_initialized():
        devices.synchronize(index)


# ---- memory


def empty_cache() -> None:
    """Return cached memory to the driver, on every device."""
    _require()
    memory.empty_cache()


def empty_host_cache() -> None:
    """Return pinned memory that nobody uses."""
    _require()
    memory.host_empty_cache()


def get_memory_info(device_index: Any = None, /) -> tuple[int, int]:
    """Free and total bytes of a device."""
    index = _index(device_index, optional=True)
    _require()
    return memory.mem_get_info(index)


def memory_stats(device_index: Any = None, /) -> OrderedDict[str, Any]:
    """The counters of a device's allocator that every accelerator has; empty before its use."""
    _require()
    if not is_initialized():
        return OrderedDict()
    found = memory.memory_stats(_index(device_index, optional=True))
    return OrderedDict((k, v) for k, v in found.items() if k not in _CUDA_ONLY)


#: Counters that only torch.cuda.memory_stats has.
_CUDA_ONLY = frozenset(("num_oom_rejections",))


def memory_allocated(device_index: Any = None, /) -> int:
    """Bytes in use now."""
    return int(memory_stats(device_index).get("allocated_bytes.all.current", 0))


def max_memory_allocated(device_index: Any = None, /) -> int:
    """Most bytes in use since the last reset of the peaks."""
    return int(memory_stats(device_index).get("allocated_bytes.all.peak", 0))


def memory_reserved(device_index: Any = None, /) -> int:
    """Bytes that the allocator holds now."""
    return int(memory_stats(device_index).get("reserved_bytes.all.current", 0))


def max_memory_reserved(device_index: Any = None, /) -> int:
    """Most bytes held since the last reset of the peaks."""
    return int(memory_stats(device_index).get("reserved_bytes.all.peak", 0))


def reset_accumulated_memory_stats(device_index: Any = None, /) -> None:
    """Totals become 0."""
    _require()
    if is_initialized():
        memory.reset_accumulated_memory_stats(_index(device_index, optional=True))


def reset_peak_memory_stats(device_index: Any = None, /) -> None:
    """Peaks become the current values."""
    _require()
    if is_initialized():
        memory.reset_peak_memory_stats(_index(device_index, optional=True))


def set_allocator_settings(text: str) -> None:
    """``torch._C._accelerator_setAllocatorSettings``."""
    if not isinstance(text, str):
        raise argument_errors.accelerator_settings(text)
    config.parse(text)


def get_allocator_settings() -> str:
    """``torch._C._accelerator_getAllocatorSettings``: the text set last."""
    return config.config.last_text
