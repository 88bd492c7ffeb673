"""Tensors in the memory of an NPU: booked with the caching allocator, held by the host."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from mindtorch_npu import backend as npu_backend
from mindtorch_storage import Device, UntypedStorage
from mindtorch_storage.layout import contiguous_strides, storage_nbytes_needed

from .. import signature as S
from ..construct import empty_array, wrap
from ..ops.row import Out
from ..signature import DIM_SIG, ZERO_SIG
from ..state import Alias
from ..tensor import Tensor, blank


def allocate(
    shape: tuple[int, ...], np_dtype: Any, strides: tuple[int, ...] | None, device: Device
) -> Tensor:
    """A tensor on *device* whose numbers a queued kernel will write.

    The device is asked first: what does not fit there is not taken from the host either.
    """
    item = np_dtype.itemsize
    if strides is None:
        nbytes = item
        for n in shape:
            nbytes *= n
    else:
        nbytes = storage_nbytes_needed(shape, strides, 0, item)
    block = npu_backend.allocate(nbytes, device.index)
    if npu_backend.DRY or npu_backend.HARDWARE:
        return _over(untouched(shape, np_dtype, strides, block), block, device)
    return _over(empty_array(shape, np_dtype, strides), block, device)


def untouched(
    shape: tuple[int, ...], np_dtype: Any, strides: tuple[int, ...] | None, block: Any
) -> np.ndarray[Any, Any]:
    """An array in address space that nobody writes: zeros that take no memory."""
    if not block.nbytes:
        return empty_array(shape, np_dtype, strides)
    from mindtorch_npu.dry import address_space  # few processes plan

    space, offset = address_space(block)
    flat: np.ndarray[Any, Any] = np.ndarray((block.nbytes,), np.uint8, space, offset)
    item = np_dtype.itemsize
    steps = None if strides is None else tuple([s * item for s in strides])
    return np.ndarray(shape, np_dtype, flat, 0, steps)


_new = object.__new__
_empty = np.empty
_from_array = UntypedStorage._from_array
_allocate = npu_backend.allocate


def fresh(shape: tuple[int, ...], np_dtype: Any, device: Device) -> Tensor:
    """:func:`allocate` of a contiguous tensor, in as few steps as there are."""
    if npu_backend.DRY:
        return allocate(shape, np_dtype, None, device)
    nbytes = np_dtype.itemsize
    for n in shape:
        nbytes *= n
    block = _allocate(nbytes, device.index)
    t = blank()
    t._a = array = _empty(shape, np_dtype)
    t._sig = (DIM_SIG[np_dtype.num] if shape else ZERO_SIG[np_dtype.num]) | S.NPU
    alias = t._shared = _new(Alias)
    alias.value = 0
    alias.storage = storage = _from_array(array, device)
    storage.block = block
    t._edge = t._state = None
    return t


def maker(out: Out) -> Callable[[Device, int], Tensor]:
    """Makes one tensor after another of a layout that meta has described."""
    shape, np_dtype = tuple(out.shape), out.dtype.np
    strides = None if out.strides is None else tuple(out.strides)
    if strides is not None and strides != contiguous_strides(shape) or npu_backend.DRY:
        return lambda device, index: allocate(shape, np_dtype, strides, device)
    nbytes = np_dtype.itemsize * prod(shape)
    sig = (DIM_SIG[np_dtype.num] if shape else ZERO_SIG[np_dtype.num]) | S.NPU

    def make(device: Device, index: int) -> Tensor:
        block = _allocate(nbytes, index)
        t = blank()
        t._a = array = _empty(shape, np_dtype)
        t._sig = sig
        alias = t._shared = _new(Alias)
        alias.value = 0
        alias.storage = storage = _from_array(array, device)
        storage.block = block
        t._edge = t._state = None
        return t

    return make


def adopt(array: np.ndarray[Any, Any], device: Device) -> Tensor:
    """A tensor on *device* over *array*, which is there already."""
    owner = array if array.base is None else array.base
    return _over(array, npu_backend.allocate(owner.nbytes, device.index), device)


def _over(array: np.ndarray[Any, Any], block: Any, device: Device) -> Tensor:
    t = wrap(array, S.NPU)
    owner = array if array.base is None else array.base
    storage = UntypedStorage._from_array(owner, device=device)
    storage.block = block
    alias = t._shared = Alias()
    alias.value = 0
    alias.storage = storage
    return t
