"""Memory by its address, without a tensor; the allocator's own switches."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from mindtorch_npu import argument_errors, errors, runtime
from mindtorch_npu.allocator import CachingAllocator, out_of_memory_observers
from mindtorch_npu.arenas import arena_of
from mindtorch_npu.backend import allocator, allocators
from mindtorch_npu.block import Block
from mindtorch_npu.devices import current_device, device_index
from mindtorch_npu.naming import TYPE
from mindtorch_npu.pinned import HostAllocator, host_allocator
from mindtorch_npu.runtime import HARDWARE, is_available, is_initialized, lazy_init
from mindtorch_npu.streams import Stream
from mindtorch_npu.thread_state import current_queue, tls

__all__ = [
    "caching_allocator_alloc",
    "caching_allocator_delete",
    "caching_allocator_disabled",
    "caching_allocator_enable",
    "get_allocator_backend",
]

_raw: dict[int, Block] = {}


def caching_allocator_alloc(size: int, device: Any = None, stream: Any = None) -> int:
    """Allocate *size* bytes and return the address; free with :func:`caching_allocator_delete`.

    :param size: bytes; for 0 the address is 0.
    :param stream: a ``Stream`` or its handle; default the current stream of the device.

    Raises OutOfMemoryError, TypeError for another kind of stream or size.
    Source: torch/cuda/memory.py, caching_allocator_alloc.
    """
    lazy_init()
    size = operator.index(size)
    if size < 0:
        size += 1 << 64  # as an unsigned number, which nobody has room for
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
    block = allocator(index).allocate(size, arena_of(index, stream))
    if block.data_ptr:
        _raw[block.data_ptr] = block
    return block.data_ptr


def caching_allocator_delete(mem_ptr: int) -> None:
    """Free what :func:`caching_allocator_alloc` gave. Raises RuntimeError for another address."""
    if not is_available():
        raise errors.not_compiled()
    mem_ptr = operator.index(mem_ptr)
    if mem_ptr:
        block = _raw.pop(mem_ptr, None)
        if block is None:
            raise errors.invalid_pointer(mem_ptr)
        block.free()


def caching_allocator_enable(value: bool = True) -> None:
    """Whether memory goes through the cache; without it each tensor asks the driver.

    Raises RuntimeError for what is no bool. Nothing before the initialisation.
    """
    if is_initialized():
        if not isinstance(value, bool):
            raise argument_errors.bool_expected(f"{TYPE}CachingAllocator_enable", value)
        for each in allocators():
            each.enable(value)


@contextmanager
def caching_allocator_disabled() -> Iterator[None]:
    """A context without the cache."""
    before = caching_allocator_is_enabled()
    caching_allocator_enable(False)
    try:
        yield
    finally:
        caching_allocator_enable(before)


def caching_allocator_is_enabled() -> bool:
    """Whether memory goes through the cache on every device."""
    if not is_available():
        raise errors.not_compiled()
    return all(each.enabled for each in allocators())


def get_allocator_backend() -> str:
    """``native``: the only one there is."""
    return "native"


def _get_current_allocator() -> list[CachingAllocator]:
    """The allocators in use, one for each device."""
    lazy_init()
    return allocators()


def _host_allocator() -> HostAllocator:
    """The allocator of pinned memory."""
    lazy_init()
    return host_allocator


@contextmanager
def _free_mutex() -> Iterator[None]:
    """Nothing is freed meanwhile on any device; frees are done at the end."""
    lazy_init()
    with ExitStack() as stack:
        for each in allocators():
            stack.enter_context(each.books())
        yield


def attach_out_of_memory_observer(observer: Any) -> None:
    """``torch._C._npu_attach_out_of_memory_observer``: called before an OutOfMemoryError."""
    if HARDWARE:
        lazy_init()
        driver: Any = runtime.driver()
        driver.attach_out_of_memory_observer(observer)
    else:
        out_of_memory_observers.append(observer)
