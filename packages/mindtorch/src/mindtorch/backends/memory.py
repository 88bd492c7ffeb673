"""Tensors in the memory of an NPU: booked with the caching allocator, held by the host."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from mindtorch_npu import backend as npu_backend
from mindtorch_storage import Device, UntypedStorage
from mindtorch_storage.layout import contiguous_strides, storage_nbytes_needed

from ..call.row import Out
from ..core import signature as S
from ..core.signature import DIM_SIG, ZERO_SIG, dtype_bits
from ..tensor import Tensor, blank
from ..tensor.array_memory import empty_array
from ..tensor.construction import wrap
from ..tensor.tensor_impl import Alias
from .held import Lane, lane_of, lanes

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
    from mindtorch_npu.dry_run import reserved_space  # few programs fill a device

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
    from mindtorch_npu.dry_run import address_space  # few processes plan

    space, offset = address_space(block)
    flat: np.ndarray[Any, Any] = np.ndarray((block.nbytes,), np.uint8, space, offset)
    return np.ndarray(shape, np_dtype, flat, 0, _steps(strides, np_dtype))


_empty = np.empty
_ndarray = np.ndarray


def fresh(shape: tuple[int, ...], np_dtype: Any, device: Device) -> Tensor:
    """:func:`allocate` of a contiguous tensor, in as few steps as there are."""
    if UNBOOKED:
        return allocate(shape, np_dtype, None, device)
    alias = _book(np_dtype.itemsize * prod(shape), device)
    t = blank()
    t._shared = alias
    t._a = alias.owner = _empty(shape, np_dtype)
    t._sig = (DIM_SIG[np_dtype.num] if shape else ZERO_SIG[np_dtype.num]) | S.NPU
    t._edge = t._state = None
    return t


class Layout:
    """Of a tensor that meta has described; tensors of it are made one after the other."""

    __slots__ = ("nbytes", "np_dtype", "shape", "sig", "steps", "strides")

    def __init__(self, out: Out) -> None:
        shape = self.shape = tuple(out.shape)
        dtype = self.np_dtype = out.dtype.np
        strides = None if out.strides is None else tuple(out.strides)
        plain = strides is None or strides == contiguous_strides(shape)
        self.strides = None if plain else strides
        self.sig = dtype_bits(out.dtype)[not shape] | S.NPU
        self.nbytes = dtype.itemsize * prod(shape)
        #: Strides in bytes, where an array that a kernel made may be the tensor's.
        self.steps = tuple([s * dtype.itemsize for s in contiguous_strides(shape)])

    def own(self, made: Any) -> np.ndarray[Any, Any]:
        """*made*, or a copy of it, as an array of this layout with memory of its own."""
        if (
            type(made) is _ndarray
            and made.dtype is self.np_dtype
            and made.strides == self.steps
            and made.base is None
        ):
            return made
        array = _empty(self.shape, self.np_dtype)
        np.copyto(array, made, casting="unsafe")
        return array

    def make(self, lane: Lane, queue: Any, device: Device) -> Tensor:
        """A tensor whose numbers a queued kernel will write."""
        if self.strides is not None:
            return allocate(self.shape, self.np_dtype, self.strides, device)
        return self.over(lane.book(queue, self.nbytes), _empty(self.shape, self.np_dtype))

    def over(self, alias: Any, array: np.ndarray[Any, Any]) -> Tensor:
        """A tensor over *array*, which has this layout, in memory that *alias* holds."""
        t = blank()
        t._shared = alias
        t._a = alias.owner = array
        t._sig = self.sig
        t._edge = t._state = None
        return t


def moved(t: Tensor) -> None:
    """The memory of *t* is not what its lane gave: it may have grown."""
    alias: Any = t._shared
    alias.lane = alias.lane.large


def adopt(array: np.ndarray[Any, Any], device: Device) -> Tensor:
    """A tensor on *device* over *array*, which is there already."""
    owner = array if array.base is None else array.base
    if UNBOOKED:
        return _over(array, npu_backend.allocate(owner.nbytes, device.index), device)
    if owner is array and not (array.ndim or array.dtype.names):
        lane, sig = lanes.get(device) or lane_of(device), ZERO_SIG[array.dtype.num] | S.NPU
        queue = npu_backend.current_queue(lane.index) if lane.gate else lane.queue
        held: Tensor = lane.hold_on(queue, array, sig) if queue.handle else lane.hold(array, sig)
        return held
    return _holding(array, _book(owner.nbytes, device))


def _book(nbytes: int, device: Device) -> Any:
    lane = lanes.get(device) or lane_of(device)
    return lane.book(npu_backend.current_queue(lane.index), nbytes)


def _holding(array: np.ndarray[Any, Any], alias: Any) -> Tensor:
    t = wrap(array, S.NPU)
    alias.owner = array if array.base is None else array.base
    t._shared = alias
    return t


def _over(array: np.ndarray[Any, Any], block: Any, device: Device) -> Tensor:
    t = wrap(array, S.NPU)
    owner = array if array.base is None else array.base
    storage = UntypedStorage._from_array(owner, device=device)
    storage.block = block
    alias = t._shared = Alias()
    alias.value = 0
    alias.storage = storage
    return t
