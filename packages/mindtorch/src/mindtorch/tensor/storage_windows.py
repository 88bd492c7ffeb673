"""Tensors that look at a storage through a window: an offset, sizes and strides."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import UntypedStorage
from mindtorch_storage.layout import storage_nbytes_needed

from ..core import signature as S
from . import Alias, Tensor
from .array_memory import phantom_array, strided_view
from .construction import wrap

__all__ = ["look_at", "tensor_over", "whole_numbers"]

_ndarray = np.ndarray


def tensor_over(storage: UntypedStorage, dtype: Any, offset: Any, size: Any, stride: Any) -> Tensor:
    """A tensor that looks at *storage* through a window given in elements.

    Raises RuntimeError if the window is larger than the storage: what a file says about shapes
    must not make memory grow.
    """
    shape, strides = whole_numbers(size, "size"), whole_numbers(stride, "stride")
    if len(shape) != len(strides):
        raise RuntimeError(f"unequal size length ({len(shape)}) and stride length ({len(strides)})")
    if not isinstance(offset, int):
        raise TypeError(f"storage_offset must be an int, not {type(offset).__name__}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if any(n < 0 for n in shape) or any(n < 0 for n in strides):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)} and "
            f"strides={list(strides)}"
        )
    np_dtype = dtype.np
    needed = storage_nbytes_needed(shape, strides, offset, np_dtype.itemsize)
    if needed > storage.nbytes() and storage.device.type != "meta":
        raise RuntimeError("Trying to resize storage that is not resizable")
    made = look_at(storage, np_dtype, shape, strides, offset)
    made._shared_.value = 1  # torch looks at the storage by ``set_``, which counts
    return made


def look_at(
    storage: UntypedStorage, np_dtype: Any, shape: Any, strides: Any, offset: int
) -> Tensor:
    """:func:`tensor_over` for facts that are known to be true."""
    kind = storage.device.type
    if S.DEVICE_BITS[kind] == S.META:
        t = wrap(phantom_array(shape, np_dtype, strides, offset), S.META)
    else:
        t = wrap(_window(storage, np_dtype, shape, strides, offset), S.DEVICE_BITS[kind])
    alias = t._shared_ = Alias()
    alias.value = 0
    alias.storage = storage
    return t


def _window(storage: Any, np_dtype: Any, shape: Any, strides: Any, offset: int) -> Any:
    owner, item = storage._owner, np_dtype.itemsize
    if 0 not in shape and owner.flags.c_contiguous:
        return _ndarray(shape, np_dtype, owner, offset * item, [s * item for s in strides])
    return strided_view(owner, shape, strides, offset, np_dtype, item)


def whole_numbers(values: Any, name: str) -> tuple[int, ...]:
    """Sizes or strides of a file. Raises TypeError or OverflowError for what cannot be any."""
    if not isinstance(values, (tuple, list)) or not all(isinstance(n, int) for n in values):
        raise TypeError(f"{name} must be a tuple of ints, not {values!r:.80}")
    if any(n.bit_length() > 63 for n in values):
        raise OverflowError(f"{name} has numbers that do not fit 64 bits")
    return tuple(values)
