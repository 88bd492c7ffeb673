"""``resize_``: another shape, and more memory under it if need be."""

from __future__ import annotations

import math
import sys
from math import prod
from typing import Any

import numpy as np
from mindtorch_autograd import Function, grad_mode
from mindtorch_dispatch import tls
from mindtorch_dispatch.errors import missing_kernel
from mindtorch_storage import UntypedStorage, errors
from mindtorch_storage.layout import (
    channels_last_3d_strides,
    channels_last_strides,
    checked_shape,
    contiguous_strides,
    is_channels_last,
    numel_checked,
    storage_nbytes_needed,
)

from ..core import signature as S
from ..core.backend_registry import backend_of
from ..core.constants import channels_last, channels_last_3d, contiguous_format, preserve_format
from ..core.errors import resize_needs_no_grad
from ..core.functionality_keys import AUTOGRAD_BLOCK
from ..core.late_bound import LateBound
from ..core.operators import operator_named
from ..core.results import Out
from ..core.warning import warn, warn_resized
from .array_memory import phantom_array, storage_of, strided_view
from .deterministic_fill import fill_tail, state
from .layout import seen
from .stale_grad_metadata import note_former
from .storage_referrers import alone, viewed
from .tensor_impl import alias_of

resize_functional = LateBound("resize_functional")


def resize_(self: Any, size: Any, memory_format: Any = None) -> Any:
    """Give this tensor another shape, growing its storage if need be. New elements are undefined.

    Raises RuntimeError if the storage cannot be resized, or gradients are needed. Unlike torch,
    which has changed the shape by then, an error leaves the tensor as it was.
    """
    shape = tuple(size)
    if self._sig_ & S.REQUIRES_GRAD and not grad_mode.state.get() & grad_mode.INFERENCE:
        raise resize_needs_no_grad()
    numel_checked(shape)
    strides = None if memory_format is None else resized_strides(shape, memory_format)
    checked_shape(shape, self._a_.itemsize)
    fills = state.enabled and state.fills and not self._sig_ & S.QUANTIZED
    had = self.untyped_storage().nbytes() if fills else None
    changed = shape != self._a_.shape
    grow(self, shape)
    if strides is not None and strides != self.stride():
        look_at(self, _restrided(self, strides))
    if had is not None:
        fill_tail(self, had)
    if changed:
        alias_of(self).value += 1
    return self


def resize_as_(self: Any, the_template: Any, memory_format: Any = None) -> Any:
    """Give this tensor the shape of another; its memory format too, if that is to be preserved."""
    if memory_format is preserve_format:
        suggested = is_channels_last(the_template.shape, the_template.stride())
        memory_format = contiguous_format
        if suggested:
            memory_format = channels_last if the_template.dim() == 4 else channels_last_3d
    return resize_(self, the_template.shape, memory_format)


def resized_strides(shape: tuple[int, ...], memory_format: Any) -> tuple[int, ...]:
    """The strides that *memory_format* means. Raises RuntimeError for shapes it does not fit."""
    if memory_format is contiguous_format:
        return contiguous_strides(shape)
    if memory_format is preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    if memory_format is channels_last_3d:
        return channels_last_3d_strides(shape)
    if len(shape) != 4:
        raise errors.channels_last_rank()
    return channels_last_strides(shape)


def _restrided(t: Any, strides: tuple[int, ...]) -> np.ndarray[Any, Any]:
    shape, offset = t._a_.shape, t.storage_offset()
    if t._sig_ & S.META:
        return phantom_array(shape, t._a_.dtype, strides, offset)
    return window(storage_of(t), t._a_.dtype, shape, strides, offset)


def reshaped(self: Any, shape: tuple[int, ...]) -> Any:
    """The same as a step of another op, which counts the change itself.

    Below autograd nobody asks for gradients any more.
    """
    if self._sig_ & S.REQUIRES_GRAD and grad_mode.state.get() & grad_mode.GRAD_ENABLED:
        _, excluded = tls.masks(tls.state.get())
        if not excluded & AUTOGRAD_BLOCK:
            raise resize_needs_no_grad()
    return grow(self, shape)


def grow(self: Any, shape: tuple[int, ...]) -> Any:
    """``resize_`` for ops that do it on the way, gradients or not."""
    if shape == self._a_.shape:
        return self
    if self._sig_ & S.FUNCTIONAL:
        return resize_functional(self, shape)
    strides = contiguous_strides(shape)
    self._settle_()
    if _alone(self) and math.prod(shape) > self._a_.size:
        old = self._a_.reshape(-1)
        fresh = np.empty(math.prod(shape), old.dtype)
        fresh[: old.size] = old
        look_at(self, fresh.reshape(shape))
        if self._shared_ is not None:
            self._shared_.storage = None
        return self
    storage = storage_of(self)
    offset = self.storage_offset()
    needed = storage_nbytes_needed(shape, strides, offset, self._a_.itemsize)
    if needed > storage.nbytes():
        with viewed(alone(self, storage)):
            storage.resize_(needed)
    if self._sig_ & S.META:
        look_at(self, phantom_array(shape, self._a_.dtype, strides, offset))
    else:
        look_at(self, window(storage, self._a_.dtype, shape, strides, offset))
    return self


def resize_out(target: Any, out: Out, quiet: bool = False) -> None:
    """Give *target* the result's shape; warn if it had elements. Source: Resize.cpp."""
    have, shape = target._a_.shape, tuple(out.shape)
    if have == shape:
        return
    if target._a_.size and not quiet:
        warn_resized(have, shape)
    reshaped(target, shape)
    if out.strides is None:
        return
    if target._sig_ & S.META or not target._a_.size and storage_of(target).nbytes():
        look_at(target, _restrided(target, tuple(out.strides)))
    elif not target._a_.size:
        empty = np.empty(1, target._a_.dtype)  # numpy would make up the strides of nothing
        look_at(target, strided_view(empty, shape, tuple(out.strides)))
    else:
        assert span(shape, out.strides) == target._a_.size, "results are dense"
        look_at(target, strided_view(target._a_, shape, tuple(out.strides)))


def lay_out(target: Any, out: Out) -> None:
    """Give *target* shape and strides of the result, whichever it had, and warn of nothing."""
    reshaped(target, tuple(out.shape))
    strides = contiguous_strides(out.shape) if out.strides is None else tuple(out.strides)
    if target._a_.size:
        array = window(
            storage_of(target), target._a_.dtype, out.shape, strides, target.storage_offset()
        )
        look_at(target, array)


def span(shape: tuple[int, ...], strides: Any) -> int:
    """How many elements lie between the first and the last, both counted."""
    return 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))


def _alone(t: Any) -> bool:
    """Whether *t* alone looks at its memory, and at all of it: then the memory may just change.

    Views and saved tensors hold the alias, everything else that sees the memory its storage.
    """
    a = t._a_
    if not t._sig_ & S.CPU or t._sig_ & (S.COW | S.FREED):
        return False
    if a.base is not None or not a.flags.c_contiguous:
        return False
    alias = t._shared_
    if alias is None:
        return True
    if alias.lent or sys.getrefcount(alias) > 3:  # the slot of t, our name, the call
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
    if t._edge_ is not None:
        note_former(t)
    t._a_ = array
    t._meta_ = S.STALE
    keep = t._sig_ & ~(S.DIM_MASK | S.ZERO_MASK | S.STRIDED | S.FREED)
    t._sig_ = keep | S.of_array(array, 0)
    t._meta_ = S.STALE


def record_stream(self: Any, stream: Any) -> Any:
    """Keep this tensor's memory until *stream* has done what it has been given so far."""
    if not hasattr(stream, "stream_id"):
        raise RuntimeError("unknown parameter type")
    if seen(self):
        return operator_named("aten::record_stream")(self, stream)
    record = backend_of(self).record_stream
    if record is None:
        raise missing_kernel("aten::record_stream", self.device.type.upper(), ["NPU", "Meta"], "")
    if self.untyped_storage().block is not None:
        record(storage_of(self).block, stream)


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


def resize_as(self: Any, tensor: Any) -> Any:
    """This tensor under the shape of another (deprecated in torch: use ``reshape_as``)."""
    warn("non-inplace resize_as is deprecated")
    return Resize.apply(self, tensor.size())
