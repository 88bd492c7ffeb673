"""The places where a storage asks its surroundings to act.

Whoever joins storages with tensors, pipelines and devices assigns to these names, as in
``hooks.before_read = flush``. Left alone, storages on the host work by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import storage_errors
from .allocator import HostAllocator, bytes_over, empty_bytes
from .device import ACCELERATOR, VENDORS, Device
from .memory import Bytes
from .protocols import Allocator, Block
from .storage_base import StoragePart, TypedElements


def _not_loaded(*asked: object) -> Any:
    """What stands above a storage of bytes is found by the package, which sets these names."""
    raise RuntimeError("import mindtorch_storage, and not one of its modules alone")


def _nothing_to_wait_for(storage: StoragePart) -> None:
    """Without a pipeline nothing is ever pending, so a pending storage is a mistake."""
    if storage.pending is not None:
        raise RuntimeError(
            "the storage is written by a pipeline that nothing can flush: set "
            "mindtorch_storage.hooks.before_read"
        )


before_read: Callable[[StoragePart], None] = _nothing_to_wait_for
"""Called before the host reads *or writes* bytes that are pending or on an accelerator."""

on_moved: Callable[[StoragePart], None] | None = None
"""Called after a storage got other memory (``resize_``, ``share_memory_``): rebind the views."""

copy_elsewhere: Callable[[StoragePart, StoragePart], bool] | None = None
"""Copies bytes (target, source) that no array of the host has; False where there are none such."""

allocators: dict[str, Callable[[Device], Allocator]] = {"cpu": lambda device: HostAllocator()}
"""By device type, what gives the allocator of one device of that type."""

pinned_bytes: Callable[[int], Any] = empty_bytes
"""Gives memory of the host that an accelerator reads without a copy, as an array of bytes."""

is_registered: Callable[[int], bool] | None = None
"""Whether memory of the host at an address was pinned where it lay; None: none ever was."""

typed_bytes: Callable[[StoragePart], TypedElements] = _not_loaded
"""A storage as a `TypedStorage` of uint8."""

storage_class: Callable[[str], Any] = _not_loaded
"""The class that ``torch.FloatStorage`` or ``torch.npu.FloatStorage`` names."""

current_device: Callable[[str], Device] = Device
"""The device that a type without an index means when memory is taken: ``npu`` may be ``npu:1``."""


def allocate_block(device: Device, nbytes: int) -> Block:
    """A block of *device*'s memory. Raises RuntimeError if nothing gives such memory."""
    maker = allocators.get(device.type)
    if maker is None:
        if device.type in VENDORS:
            raise storage_errors.device_not_compiled(device.type)
        if device.type == ACCELERATOR:
            raise storage_errors.accelerator_missing()
        raise storage_errors.storage_device_unknown(device.type)
    return maker(device).allocate(nbytes)


def bytes_of(block: Block, nbytes: int) -> Bytes:
    """The first *nbytes* of a block as the host sees them: the block's own array of bytes.

    A block without one (``array``) stands for memory that kernels do not read through it: the
    numbers lie in memory of the host's beside it.
    """
    array: Bytes | None = getattr(block, "array", None)
    return empty_bytes(nbytes) if array is None else bytes_over(array.data[:nbytes])


def accelerator_is_available() -> bool:
    """Whether something gives memory of the accelerator."""
    return ACCELERATOR in allocators
