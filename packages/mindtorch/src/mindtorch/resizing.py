"""Changing the memory under a tensor: ``resize_``, ``set_``, and storages that move."""

from __future__ import annotations

import math
import sys
from math import prod
from typing import Any

import numpy as np
from mindtorch_autograd import Function
from mindtorch_dispatch.errors import missing_kernel
from mindtorch_npu import backend
from mindtorch_storage import UntypedStorage
from mindtorch_storage.layout import contiguous_strides, storage_nbytes_needed

from . import signature as S
from .construct import address, alias_of, owner_of, phantom_array, storage_of, strided_view, wrap
from .errors import resize_needs_no_grad
from .ops.row import Out
from .tensor import Alias, Tensor
from .warning import warn, warn_resized


def resize_(self: Any, *sizes: Any, memory_format: Any = None) -> Any:
    """Give this tensor another shape, growing its storage if need be. New elements are undefined.

    Raises RuntimeError if the storage cannot be resized, or gradients are needed.
    """
    if len(sizes) == 1 and not isinstance(sizes[0], int):
        sizes = tuple(sizes[0])
    shape = tuple(int(s) for s in sizes)
    if shape == self._a.shape and not self._sig & S.REQUIRES_GRAD:
        return self
    reshaped(self, shape)
    alias_of(self).value += 1
    return self


def reshaped(self: Any, shape: tuple[int, ...]) -> Any:
    """The same as a step of another op, which counts the change itself."""
    if self._sig & S.REQUIRES_GRAD:
        raise resize_needs_no_grad()
    return grow(self, shape)


def grow(self: Any, shape: tuple[int, ...]) -> Any:
    """``resize_`` for ops that do it on the way, gradients or not."""
    if any(s < 0 for s in shape):
        bad = next(s for s in shape if s < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {list(shape)}")
    if shape == self._a.shape:
        return self
    if self._sig & S.FUNCTIONAL:
        from .functionality.functionalization_ops import resize

        return resize(self, shape)
    strides = contiguous_strides(shape)
    if self._sig & S.META:
        look_at(self, phantom_array(shape, self._a.dtype, strides))
        return self
    self._settle()
    if _alone(self) and math.prod(shape) > self._a.size:
        old = self._a.reshape(-1)
        fresh = np.empty(math.prod(shape), old.dtype)
        fresh[: old.size] = old
        look_at(self, fresh.reshape(shape))
        if self._shared is not None:
            self._shared.storage = None
        return self
    storage = storage_of(self)
    offset = self.storage_offset()
    needed = storage_nbytes_needed(shape, strides, offset, self._a.itemsize)
    if needed > storage.nbytes():
        storage.resize_(needed)
    look_at(self, window(storage, self._a.dtype, shape, strides, offset))
    return self


def resize_out(target: Any, out: Out, quiet: bool = False) -> None:
    """Give *target* the result's shape; warn if it had elements. Source: Resize.cpp."""
    have, shape = target._a.shape, tuple(out.shape)
    if have == shape:
        return
    if target._a.size and not quiet:
        warn_resized(have, shape)
    reshaped(target, shape)
    if out.strides is None or target._sig & S.META:
        return
    if not target._a.size:
        empty = np.empty(1, target._a.dtype)  # numpy would make up the strides of nothing
        look_at(target, strided_view(empty, shape, tuple(out.strides)))
    else:
        assert span(shape, out.strides) == target._a.size, "results are dense"
        look_at(target, strided_view(target._a, shape, tuple(out.strides)))


def lay_out(target: Any, out: Out) -> None:
    """Give *target* shape and strides of the result, whichever it had, and warn of nothing."""
    reshaped(target, tuple(out.shape))
    strides = contiguous_strides(out.shape) if out.strides is None else tuple(out.strides)
    if target._a.size:
        array = window(
            storage_of(target), target._a.dtype, out.shape, strides, target.storage_offset()
        )
        look_at(target, array)


def span(shape: tuple[int, ...], strides: Any) -> int:
    """How many elements lie between the first and the last, both counted."""
    return 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))


def _alone(t: Any) -> bool:
    """Whether *t* alone looks at its memory, and at all of it: then the memory may just change.

    Views and saved tensors hold the alias, everything else that sees the memory its storage.
    """
    a = t._a
    if not t._sig & S.CPU or a.base is not None or not a.flags.c_contiguous:
        return False
    alias = t._shared
    if alias is None:
        return True
    if sys.getrefcount(alias) > 3:  # the slot of t, our name, the call
        return False
    return alias.storage is None or sys.getrefcount(alias.storage) == 2


def window(
    storage: UntypedStorage, np_dtype: Any, shape: Any, strides: Any, offset: int
) -> np.ndarray[Any, Any]:
    """The ndarray over a part of *storage* (offset and strides in elements)."""
    owner: Any = storage._owner
    return strided_view(owner, tuple(shape), tuple(strides), offset, np_dtype, np_dtype.itemsize)


def look_at(t: Any, array: np.ndarray[Any, Any]) -> None:
    """Make *t* see *array*, keeping its identity."""
    t._a = array
    keep = t._sig & ~(S.DIM_MASK | S.ZERO_MASK | S.STRIDED)
    t._sig = keep | S.of_array(array, 0)


def set_(
    self: Any, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None
) -> Any:
    """Make this tensor look at another tensor's or storage's memory, or at none."""
    if source is None:
        look_at(self, np.empty(0, self._a.dtype))
        self._shared = None
        alias_of(self).value = 1
        return self
    if self._sig & S.FUNCTIONAL or isinstance(source, Tensor) and source._sig & S.FUNCTIONAL:
        from .functionality.functionalization_ops import set_to

        return set_to(self, source)
    version = alias_of(self).value + 1
    if isinstance(source, Tensor):
        storage = storage_of(source)
        if size is None:
            look_at(self, source._a)
        else:
            look_at(self, _window_of(self, storage, storage_offset, size, stride))
    else:
        storage = source._untyped_storage if hasattr(source, "_untyped_storage") else source
        if size is None:
            size = (storage.nbytes() // self._a.itemsize,)
        look_at(self, _window_of(self, storage, storage_offset, size, stride))
    own = Alias()
    own.storage = storage
    own.value = version
    self._shared = own
    return self


def _window_of(t: Any, storage: Any, offset: int, size: Any, stride: Any) -> Any:
    shape = tuple(size)
    strides = tuple(stride) if stride else contiguous_strides(shape)
    needed = storage_nbytes_needed(shape, strides, offset, t._a.itemsize)
    if needed > storage.nbytes():
        storage.resize_(needed)
    return window(storage, t._a.dtype, shape, strides, offset)


def over_storage(t: Any, storage: UntypedStorage) -> Tensor:
    """A contiguous tensor of *t*'s shape and dtype over another storage."""
    shape = tuple(t._a.shape)
    made = wrap(window(storage, t._a.dtype, shape, contiguous_strides(shape), 0))
    alias_of(made).storage = storage
    return made


def rebind(storage: UntypedStorage) -> None:
    """After *storage* moved, make every tensor over it look at the new memory.

    Tensors are found through the garbage collector: moving is rare, and so no tensor pays for
    being findable. A tensor whose window no longer fits sees memory that is large enough and
    undefined, where torch would read past the end.
    """
    import gc

    for alias in gc.get_referrers(storage):
        if not isinstance(alias, Alias):
            continue
        for t in gc.get_referrers(alias):
            if isinstance(t, Tensor):
                _rebind_tensor(t, storage)


def _rebind_tensor(t: Any, storage: UntypedStorage) -> None:
    a = t._a
    item = a.itemsize
    strides = tuple(s // item for s in a.strides)
    offset = _offset_before(t)
    needed = storage_nbytes_needed(a.shape, strides, offset, item)
    if needed <= storage.nbytes():
        t._a = window(storage, a.dtype, a.shape, strides, offset)


def _offset_before(t: Any) -> int:
    return (address(t._a) - address(owner_of(t._a))) // t._a.itemsize


def record_stream(self: Any, stream: Any) -> None:
    """Keep this tensor's memory until *stream* has done what it has been given so far."""
    if not hasattr(stream, "stream_id"):
        raise RuntimeError("unknown parameter type")
    if not self._sig & S.NPU:
        raise missing_kernel("aten::record_stream", self.device.type.upper(), ["NPU", "Meta"], "")
    if self.untyped_storage().block is not None:
        backend.record_stream(storage_of(self).block, stream)


class Resize(Function):
    """The same numbers under another shape, as a node of its own."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: tuple[int, ...]) -> Any:
        """A contiguous tensor of shape *sizes*. Raises RuntimeError if the numbers differ."""
        numel = prod(sizes)
        if numel != tensor.numel():
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({numel} elements in total), but "
                f"the given tensor has a size of {'x'.join(map(str, tensor.size()))} "
                f"({tensor.numel()} elements). autograd's resize can only change the shape of a "
                "given tensor, while preserving the number of elements. "
            )
        ctx.sizes = tensor.size()
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """The gradient under the shape that was."""
        return grad.contiguous().view(ctx.sizes), None


def resize(self: Any, *sizes: int) -> Any:
    """This tensor under another shape (deprecated in torch: use ``reshape``)."""
    warn("non-inplace resize is deprecated")
    return Resize.apply(self, sizes)
