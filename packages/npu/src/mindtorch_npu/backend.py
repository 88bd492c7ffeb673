"""What a framework on top needs: memory for its storages, launches, waits.

These are the hot paths. Everything that a user of the devices calls is in the package itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from mindtorch_npu import faults, monitor, observer, runtime, sync_debug
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.arenas import arena_of
from mindtorch_npu.block import Block
from mindtorch_npu.call_site import call_site
from mindtorch_npu.completion import BUSY, Ticket, is_done, wait
from mindtorch_npu.dry_run import numbers_are_missing
from mindtorch_npu.protocols import Queue
from mindtorch_npu.runtime import DRY, HARDWARE
from mindtorch_npu.streams import Stream
from mindtorch_npu.thread_state import bound_queue, current_queue, here
from mindtorch_npu.workers import on_worker_start
from mindtorch_npu.workqueue import AT_ONCE

__all__ = [
    "AT_ONCE",
    "BUSY",
    "DRY",
    "HARDWARE",
    "Block",
    "Ticket",
    "allocate",
    "allocator",
    "allocators",
    "call_site",
    "current_queue",
    "is_done",
    "launch",
    "launch_safe",
    "on_worker_start",
    "order_after",
    "queue_after",
    "record_stream",
    "wait",
    "wait_current",
]

#: More than any kernel that runs at once looks at.
NEVER = 1 << 62

_allocators: list[CachingAllocator] = []


def allocate(nbytes: int, device_index: int, stream: int | None = None) -> Block:
    """Memory of a device for use on *stream* (a handle; default: this thread's current stream)."""
    try:
        queue = here[device_index].queue
    except (AttributeError, IndexError):
        queue = bound_queue(device_index)
    arena = queue.arena if stream is None else arena_of(device_index, stream)
    return _allocators[device_index].allocate(nbytes, arena)


def launch(
    device_index: int,
    name: str,
    function: Callable[..., object],
    args: tuple[Any, ...] = (),
    site: Any = None,
    nbytes: int = NEVER,
) -> Ticket:
    """Queue ``function(*args)`` on this thread's current stream of the device.

    :param name: the op, for errors.
    :param site: where the user's program asked for it, as :func:`call_site` gives it, or a text;
        None finds it out, which costs 0.2 µs and 0.1 µs for each frame of mindtorch on the stack;
        False does without.
    :param nbytes: how many bytes the function looks at: on an idle stream a small one runs at once.
    :return: a ticket; ``wait(ticket)`` before the host reads what the function writes.
    """
    try:
        queue: Queue = here[device_index].queue
    except (AttributeError, IndexError):
        queue = bound_queue(device_index)
    if site is None:
        site = call_site(2)
    return queue.launch(function, args, name, site, nbytes)


def launch_safe(
    queue: Queue, function: Callable[..., object], args: tuple[Any, ...], name: str, nbytes: int
) -> None:
    """:func:`launch` of what cannot fail: its line is found out only where somebody asks."""
    if nbytes <= AT_ONCE:
        try:
            if queue.compute(function, *args) is not BUSY:
                return
        except Exception as error:  # out of memory
            queue.keep_error(error, name, call_site(3))
            return
    queue.enqueue(function, args, name, call_site(3) if queue.special else None)


def wait_current(device_index: int) -> None:
    """Wait for this thread's current stream of the device: the host is about to read.

    Raises a queued kernel's error, and RuntimeError where the debug mode forbids to synchronise.
    """
    if sync_debug.mode:
        sync_debug.notice()
    if DRY:
        numbers_are_missing()
    queue = current_queue(device_index)
    if observer.current is not None:
        observer.current.stream_synchronized(queue)
    queue.synchronize()


def order_after(device_index: int, other_device_index: int) -> None:
    """What is queued from now on starts after the other device's current stream got here."""
    queue_after(current_queue(device_index), current_queue(other_device_index))


def queue_after(queue: Queue, other: Queue) -> None:
    """What *queue* is given from now on starts after what *other* has been given so far."""
    if queue is not other:
        outside = queue.captured_by is None and other.captured_by is None
        if observer.current is not None and outside:
            observer.current.stream_awaited(queue, other)
        queue.wait_for(other.point())


def record_stream(block: Block, stream: Stream | Queue) -> None:
    """The memory is used on another stream as well: after its free, wait for that work too."""
    if block.nbytes:
        queue: Any = getattr(stream, "_queue", stream)
        if observer.current is not None:
            observer.current.stream_recorded(block.data_ptr, block.device_index, queue)
        _allocators[block.device_index].record_stream(block, queue)


def allocator(device_index: int) -> CachingAllocator:
    """The allocator of a device; initialises. Raises AcceleratorError where there is no such."""
    runtime.check_ordinal(device_index)
    return _allocators[device_index]


def allocators() -> list[CachingAllocator]:
    """The allocators of all devices; empty before the initialisation."""
    return _allocators


def _make_allocators() -> None:
    driver = runtime.driver()
    faults.read_environment()
    for changing in (faults, observer):
        changing.listeners.append(_refresh_allocators)
    if not _allocators:
        _allocators.extend(driver.allocator(i) for i in range(driver.device_count()))


def _show_to_monitor() -> None:
    if os.environ.get("MINDTORCH_NPU_MONITOR", "0") not in ("", "0"):
        monitor.start(allocators)


def _refresh_allocators() -> None:
    for each in _allocators:
        each.refresh()


runtime.on_init(_make_allocators)
runtime.on_init(_show_to_monitor)
