"""Functions that are called when streams, events and memory are used: ``torch.npu._gpu_trace``.

Nothing is told before ``torch._C._activate_gpu_trace()``. Streams, events and memory are told as
numbers: ``Stream.npu_stream``, ``Event.npu_event``, ``Tensor.data_ptr()``.

Source: torch cuda/_gpu_trace.py and the callers of c10/core/impl/GPUTrace.h.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from typing import Any

from mindtorch_npu.naming import NAME
from mindtorch_npu.observer import Observer, watch
from mindtorch_npu.protocols import Queue

__all__ = [
    "CallbackRegistry",
    "activate",
    "register_callback_for_device_synchronization",
    "register_callback_for_event_creation",
    "register_callback_for_event_deletion",
    "register_callback_for_event_record",
    "register_callback_for_event_synchronization",
    "register_callback_for_event_wait",
    "register_callback_for_memory_allocation",
    "register_callback_for_memory_deallocation",
    "register_callback_for_stream_creation",
    "register_callback_for_stream_synchronization",
]

logger = logging.getLogger(__name__)


class CallbackRegistry:
    """Functions to call, in order; what one of them raises is logged and goes no further."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.callback_list: list[Callable[..., object]] = []

    def add_callback(self, cb: Callable[..., object]) -> None:
        """Call *cb* from now on."""
        self.callback_list.append(cb)

    def fire_callbacks(self, *args: Any) -> None:
        """Call them all."""
        for cb in self.callback_list:
            try:
                cb(*args)
            except Exception:
                what = "Exception in callback for %s registered with gpu trace"
                logger.exception(what, self.name)


EventCreationCallbacks = CallbackRegistry(f"{NAME} event creation")
EventDeletionCallbacks = CallbackRegistry(f"{NAME} event deletion")
EventRecordCallbacks = CallbackRegistry(f"{NAME} event record")
EventWaitCallbacks = CallbackRegistry(f"{NAME} event wait")
MemoryAllocationCallbacks = CallbackRegistry(f"{NAME} memory allocation")
MemoryDeallocationCallbacks = CallbackRegistry(f"{NAME} memory deallocation")
StreamCreationCallbacks = CallbackRegistry(f"{NAME} stream creation")
DeviceSynchronizationCallbacks = CallbackRegistry(f"{NAME} device synchronization")
StreamSynchronizationCallbacks = CallbackRegistry(f"{NAME} stream synchronization")
EventSynchronizationCallbacks = CallbackRegistry(f"{NAME} event synchronization")

#: Each takes a function of the numbers that are told: the event, the event and the stream, …
register_callback_for_event_creation = EventCreationCallbacks.add_callback
register_callback_for_event_deletion = EventDeletionCallbacks.add_callback
register_callback_for_event_record = EventRecordCallbacks.add_callback
register_callback_for_event_wait = EventWaitCallbacks.add_callback
register_callback_for_memory_allocation = MemoryAllocationCallbacks.add_callback
register_callback_for_memory_deallocation = MemoryDeallocationCallbacks.add_callback
register_callback_for_stream_creation = StreamCreationCallbacks.add_callback
register_callback_for_device_synchronization = DeviceSynchronizationCallbacks.add_callback
register_callback_for_stream_synchronization = StreamSynchronizationCallbacks.add_callback
register_callback_for_event_synchronization = EventSynchronizationCallbacks.add_callback


class _Trace(Observer):
    """Tells the functions."""

    def event_created(self, event: Any) -> None:
        handle = event._handle
        EventCreationCallbacks.fire_callbacks(handle)
        weakref.finalize(event, EventDeletionCallbacks.fire_callbacks, handle).atexit = False

    def event_recorded(self, event: Any, queue: Queue) -> None:
        EventRecordCallbacks.fire_callbacks(event._handle, queue.handle)

    def event_awaited(self, event: Any, queue: Queue) -> None:
        EventWaitCallbacks.fire_callbacks(event._handle, queue.handle)

    def event_synchronized(self, event: Any) -> None:
        EventSynchronizationCallbacks.fire_callbacks(event._handle)

    def stream_created(self, queue: Queue) -> None:
        StreamCreationCallbacks.fire_callbacks(queue.handle)

    def stream_synchronized(self, queue: Queue) -> None:
        StreamSynchronizationCallbacks.fire_callbacks(queue.handle)

    def device_synchronized(self, device_index: int) -> None:
        DeviceSynchronizationCallbacks.fire_callbacks()

    def allocated(self, address: int, nbytes: int, device_index: int, stream: int) -> None:
        if device_index >= 0:
            MemoryAllocationCallbacks.fire_callbacks(address)

    def freed(self, address: int, device_index: int) -> None:
        if device_index >= 0:
            MemoryDeallocationCallbacks.fire_callbacks(address)


_active: list[Observer] = []


def activate() -> None:
    """``torch._C._activate_gpu_trace``: call the functions from now on."""
    if not _active:
        _active.append(_Trace())
        watch(_active[0])
