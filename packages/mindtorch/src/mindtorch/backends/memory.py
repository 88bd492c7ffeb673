"""Tensors in the memory of an NPU: booked with the caching allocator, held by the host."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_npu import backend as npu_backend
from mindtorch_npu.dry_run import address_space, reserved_space
from mindtorch_storage import Device, UntypedStorage
from mindtorch_storage.layout import storage_nbytes_needed

from ..core import signature as S
from ..tensor import Tensor
from ..tensor.array_memory import empty_array, owner_of
from ..tensor.construction import wrap
from ..tensor.tensor_impl import Alias
from .held import holder

#: Arrays take no memory of the host: their storages are made at once.
UNBOOKED = npu_backend.DRY or npu_backend.HARDWARE


def allocate(
    shape: tuple[int, ...],
    np_dtype: Any,
    strides: tuple[int, ...] | None,
    device: Device,
    written: bool = True,
) -> Tensor:
    """A tensor on *device* whose numbers a queued kernel will write.

    The device is asked first: what does not fit there is not taken from the host either. What no
    kernel writes (*written*) may be larger than the host's memory: it is address space only.
    """
    item = np_dtype.itemsize
    if strides is None:
        nbytes = item
        for n in shape:
            nbytes *= n
    else:
        nbytes = storage_nbytes_needed(shape, strides, 0, item)
    if UNBOOKED:
        block = npu_backend.allocate(nbytes, device.index)
        return _over(untouched(shape, np_dtype, strides, block), block, device)
    alias = _book(nbytes, device)
    try:
        array = empty_array(shape, np_dtype, strides)
    except MemoryError:
        if written:
            raise
        array = _reserved(shape, np_dtype, strides, nbytes)
    return _holding(array, alias)


def _reserved(
    shape: tuple[int, ...], np_dtype: Any, strides: tuple[int, ...] | None, nbytes: int
) -> np.ndarray[Any, Any]:
    """An array in address space of its own, of more bytes than the host would promise."""
    flat: np.ndarray[Any, Any] = np.ndarray((nbytes,), np.uint8, reserved_space(nbytes))
    return np.ndarray(shape, np_dtype, flat, 0, _steps(strides, np_dtype))


def _steps(strides: tuple[int, ...] | None, np_dtype: Any) -> tuple[int, ...] | None:
    return None if strides is None else tuple([s * np_dtype.itemsize for s in strides])


def untouched(
    shape: tuple[int, ...], np_dtype: Any, strides: tuple[int, ...] | None, block: Any
) -> np.ndarray[Any, Any]:
    """An array in address space that nobody writes: zeros that take no memory."""
    if not block.nbytes:
        return empty_array(shape, np_dtype, strides)
    space, offset = address_space(block)
    flat: np.ndarray[Any, Any] = np.ndarray((block.nbytes,), np.uint8, space, offset)
    return np.ndarray(shape, np_dtype, flat, 0, _steps(strides, np_dtype))


def adopt(array: np.ndarray[Any, Any], device: Device) -> Tensor:
    """A tensor on *device* over *array*, which is there already."""
    owner = owner_of(array)
    if UNBOOKED:
        return _over(array, npu_backend.allocate(owner.nbytes, device.index), device)
    return _holding(array, _book(owner.nbytes, device))


def _book(nbytes: int, device: Device) -> Any:
    return holder(device).hold(npu_backend.current_queue(device.index), nbytes)


def _holding(array: np.ndarray[Any, Any], alias: Any) -> Tensor:
    t = wrap(array, S.NPU)
    alias.owner = owner_of(array)
    t._shared_ = alias
    return t


def _over(array: np.ndarray[Any, Any], block: Any, device: Device) -> Tensor:
    t = wrap(array, S.NPU)
    owner = owner_of(array)
    storage = UntypedStorage._from_array(owner, device=device)
    storage.block = block
    alias = t._shared_ = Alias()
    alias.value = 0
    alias.storage = storage
    return t
