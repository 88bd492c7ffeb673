"""``set_``: a tensor looks at other memory; and storages that move, with the tensors over them."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import UntypedStorage
from mindtorch_storage.allocator import empty_bytes
from mindtorch_storage.errors import storage_size_overflow
from mindtorch_storage.layout import (
    checked_shape,
    contiguous_strides,
    numel_checked,
    storage_nbytes_needed,
)
from mindtorch_storage.memory import byte_view

from ..core import signature as S
from ..core.errors import (
    invalid_storage_offset,
    source_of_other_device,
    source_of_other_dtype,
    strides_of_other_length,
    window_out_of_bounds,
)
from . import Tensor
from .array_memory import address, phantom_array, storage_of
from .construction import wrap
from .layout import empty_strides
from .resizing import look_at, window
from .stale_grad_metadata import forget_leaf
from .storage_referrers import alone, viewed, viewers
from .tensor_impl import Leaf, alias_elsewhere, alias_of

__all__ = ["over_storage", "rebind", "set_nothing", "set_storage", "set_tensor"]


def set_nothing(self: Any) -> Any:
    """``set_()``: no memory and no elements."""
    array = np.empty(0, self._a_.dtype)
    backend = self._sig_ & S.BACKENDS
    if backend == S.CPU:
        storage = UntypedStorage._from_array(array)
    else:
        storage = UntypedStorage(0, device=self.device)
        array = phantom_array((0,), self._a_.dtype, None) if backend == S.META else array
    return _changed(self, array, storage)


def set_storage(
    self: Any, source: Any, storage_offset: int = 0, size: Any = None, stride: Any = ()
) -> Any:
    """``set_(storage)``, all of it or a window; the storage grows if need be."""
    self._settle_()
    if source.device.type != self.device.type or source.device != self.device:
        raise source_of_other_device(self.device, source.device)
    if size is None:
        size = (source.nbytes() // self._a_.itemsize,)
    shape = tuple(size)
    if stride and len(stride) != len(shape):
        raise strides_of_other_length(shape, stride)
    if storage_offset < 0:
        raise invalid_storage_offset(storage_offset)
    numel_checked(shape)
    checked_shape(shape, self._a_.itemsize)
    # torch lets the storage grow, and chooses strides, only where the tensor's geometry changes.
    same = shape == self._a_.shape and (not stride or tuple(stride) == self.stride())
    strides = tuple(stride) if stride else self.stride() if same else contiguous_strides(shape)
    item = self._a_.itemsize
    try:
        needed = storage_nbytes_needed(shape, strides, storage_offset, item)
    except RuntimeError:
        raise storage_size_overflow(shape, strides if stride else None) from None
    if needed > source.nbytes():
        if same:
            if not self._sig_ & S.META:
                raise window_out_of_bounds(
                    shape, stride, storage_offset, item, needed, source.nbytes()
                )
        source.resize_(needed)
    if self._sig_ & S.META:
        array = phantom_array(shape, self._a_.dtype, strides, storage_offset)
    else:
        array = window(source, self._a_.dtype, shape, strides, storage_offset)
    return _changed(self, array, source)


def set_tensor(self: Any, source: Any) -> Any:
    """``set_(tensor)``: the same memory, seen the same way."""
    self._settle_()
    source._settle_()
    if source.dtype is not self.dtype:
        raise source_of_other_dtype(self.dtype, source.dtype)
    if source.device != self.device:
        raise source_of_other_device(self.device, source.device)
    changed = _changed(self, source._a_, storage_of(source))
    changed._sig_ |= source._sig_ & S.FREED
    changed._meta_ = S.STALE
    return changed


def _changed(t: Any, array: Any, storage: UntypedStorage) -> Any:
    """*t* looks at *array* in *storage*. Its changes count as before, with those of its views."""
    own = alias_elsewhere(t)
    own.storage = storage
    look_at(t, array)
    t._shared_ = own
    t._sig_ = t._sig_ & ~S.COW | (S.COW if storage._together is not None else 0)
    if type(t._edge_) is Leaf:  # calls from now on have a node of their own to fill it
        forget_leaf(t)
    t._meta_ = S.STALE
    return t


def over_storage(t: Any, storage: UntypedStorage) -> Tensor:
    """A contiguous tensor of *t*'s shape and dtype over another storage."""
    shape = tuple(t._a_.shape)
    made = wrap(window(storage, t._a_.dtype, shape, contiguous_strides(shape), 0))
    alias_of(made).storage = storage
    return made


def share(t: Any) -> None:
    """Move the storage of *t* to memory that processes share."""
    storage = storage_of(t)
    with viewed(alone(t, storage)):
        storage.share_memory_()


def rebind(storage: UntypedStorage) -> None:
    """After *storage* moved, make every tensor over it look at the new memory.

    Which those are says ``storage_referrers``. A tensor whose window no longer fits is marked (see
    functionality.freed); it looks at memory that is large enough and undefined, so that nothing
    reads past the end.
    """
    found = viewers(storage)
    before, storage._moved_from = storage._moved_from, None
    flag = S.COW if storage._together is not None else 0
    for t in found:
        t._sig_ = t._sig_ & ~S.COW | flag
        t._meta_ = S.STALE
    if storage._owner is None:
        return
    if before is None:
        before = address(storage._owner)
    windows = [_window_before(t, before) for t in found]
    most = max([needed for _, _, needed in windows], default=0)
    memory = storage
    if most > storage.nbytes():
        memory = UntypedStorage._from_array(empty_bytes(most))
        kept = memory._owner[: storage.nbytes()]
        kept[:] = byte_view(storage._owner)
        storage._owner = kept
    have = storage.nbytes()
    for t, (strides, offset, needed) in zip(found, windows, strict=True):
        t._sig_ = t._sig_ & ~S.FREED | (S.FREED if needed > have else 0)
        t._meta_ = S.STALE
        t._a_ = window(memory, t._a_.dtype, t._a_.shape, strides, offset)
        t._meta_ = S.STALE


def _window_before(t: Any, before: int) -> tuple[tuple[int, ...], int, int]:
    """Strides and offset of *t* in memory that began at *before*; and how many bytes that takes."""
    a = t._a_
    item = a.itemsize
    # Of what shows in the old memory: in the new one numpy would seem to have meant its own.
    strides = tuple(s // item for s in (a.strides if a.size else empty_strides(a)))
    offset = (address(a) - before) // item
    return strides, offset, storage_nbytes_needed(a.shape, strides, offset, item)
