"""Questions about nested tensors, copies of them, and tensors that look like them."""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from ...aten import torch
from ...tensor import Tensor
from .nested_tensor import (
    NestedTensor,
    _jagged_numel,
    _tensor_symint_registry,
    jagged_from_list,
    nested,
)
from .ops import alike, elementwise, handles, in_place, raggedness_matches
from .recording import forget, values_of

__all__: list[str] = []


@handles("sym_size")
def sym_size(func: Any, self: Any) -> Any:
    """The shape, with a nested int."""
    return self._size


@handles("size")
def size(func: Any, self: Any, *args: Any) -> Any:
    """Refused: an op has no nested ints to give."""
    raise RuntimeError(
        "NestedTensor does not support directly calling torch.ops.aten.size; "
        "please use `nested_tensor.size()` instead."
    )


@handles("sym_stride", "stride")
def sym_stride(func: Any, self: Any) -> Any:
    """The strides, with a nested int."""
    return self._strides


@handles("dim")
def dim(func: Any, self: Any) -> int:
    """The number of dimensions."""
    return len(self._size)


@handles("numel", "sym_numel")
def numel(func: Any, self: Any) -> int:
    """The number of elements."""
    return _jagged_numel(self)


@handles("sym_storage_offset", "storage_offset")
def storage_offset(func: Any, self: Any) -> int:
    """Where the values begin."""
    return self._values.storage_offset()


@handles("layout")
def layout(func: Any, self: Any) -> Any:
    """``torch.jagged``."""
    return torch.jagged


@handles("is_contiguous", "sym_is_contiguous")
def is_contiguous(func: Any, self: Any, memory_format: Any = torch.contiguous_format) -> bool:
    """Whether samples lie side by side, without holes."""
    if self._lengths is not None:
        return False
    if memory_format is torch.preserve_format:
        return True
    return self._values.is_contiguous(memory_format=memory_format)


@handles("is_non_overlapping_and_dense")
def is_non_overlapping_and_dense(func: Any, self: Any) -> bool:
    """False."""
    return False


@handles("is_same_size")
def is_same_size(func: Any, self: Any, other: Any) -> bool:
    """Whether both have the same shape, nested ints included."""
    return tuple(self._size) == tuple(other._size)


@handles("values", "_nested_get_values")
def values(func: Any, self: Any) -> Any:
    """The samples one after the other."""
    return values_of(self)


@handles("is_pinned")
def is_pinned(func: Any, self: Any, device: Any = None) -> bool:
    """Whether the values lie in pinned memory."""
    return self._values.is_pinned()


@handles("clone")
def clone(func: Any, self: Any, memory_format: Any = None) -> Any:
    """A copy; a contiguous one has no holes."""
    if self._lengths is not None and memory_format is torch.contiguous_format:
        if self._ragged_idx != 1:
            raise AssertionError("NJT with ragged_idx != 1 not supported for contiguous clone")
        return jagged_from_list(list(self.unbind()), None)[0]
    how = {} if memory_format is None else {"memory_format": memory_format}
    return alike(self, values_of(self).clone(**how))


@handles("contiguous")
def contiguous(func: Any, self: Any, memory_format: Any = torch.contiguous_format) -> Any:
    """Itself, or a contiguous copy."""
    return self if self.is_contiguous() else self.clone(memory_format=torch.contiguous_format)


@handles("detach_")
def detach_(func: Any, self: Any) -> Any:
    """Take its history off it."""
    return forget(self)


@handles("detach", "alias", "pin_memory", "_pin_memory", "lift_fresh")
def of_values(func: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """The same of the values."""
    return alike(self, func(values_of(self), *args, **kwargs))


@handles("to", "_to_copy")
def to(func: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """In another dtype, or on another device with offsets and all."""
    kwargs.pop("layout", None)
    given = [a._values if isinstance(a, NestedTensor) else a for a in args]
    made = func(values_of(self), *given, **kwargs)
    if func._opname == "to" and made.dtype is self.dtype and made.device == self.device:
        if made.data_ptr() == self._values.data_ptr():
            return self
    moved = {}
    if made.device != self.device:
        moved = {
            name: None if t is None else t.to(made.device)
            for name, t in (("offsets", self._offsets), ("lengths", self._lengths))
        }
        source = "offsets" if self._lengths is None else "lengths"
        old = self._offsets if self._lengths is None else self._lengths
        _tensor_symint_registry[moved[source]] = _tensor_symint_registry[old]
    return alike(self, made, **moved)


@handles("empty_like", "ones_like", "zeros_like", "rand_like", "randn_like", "full_like",
         "randint_like")  # fmt: skip
def like(func: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Other numbers for the same samples."""
    if kwargs.get("layout") is torch.jagged:
        del kwargs["layout"]
    with torch.no_grad():
        made = func(self._values, *args, **kwargs)
    requires_grad = made.requires_grad
    found = to(ops.aten._to_copy.default, self.detach(), device=made.device) \
        if made.device != self.device else self  # fmt: skip
    result = alike(found, made.detach())
    return result.requires_grad_() if requires_grad else result


@handles("new_empty", "new_zeros", "new_ones", "new_full")
def new(func: Any, self: Any, size: Any, *args: Any, **kwargs: Any) -> Any:
    """A number of the same kind; nothing that is larger."""
    if not len(size):
        return func(self._values, size, *args, **kwargs)
    raise RuntimeError("new_empty() not supported for NJT with shape != ()")


@handles("copy_")
def copy_(func: Any, self: Any, src: Any, non_blocking: bool = False) -> Any:
    """Write the elements of another with samples of the same lengths."""
    if tuple(self._size) != tuple(src._size):
        own, other = [t.shape for t in self.unbind()], [t.shape for t in src.unbind()]
        if own != other:
            raise RuntimeError(
                "copy_(): expected compatible input and src shapes, but got: "
                f"{self.shape} and {src.shape}"
            )
    return in_place(func, self, alike(self, values_of(src)), non_blocking)


@handles("new_empty_strided")
def new_empty_strided(func: Any, self: Any, size: Any, stride: Any, **kwargs: Any) -> Any:
    """Memory for the same samples side by side, which gradients are copied to."""
    kwargs.pop("layout", None)
    return alike(self, torch.empty(self._values.shape, **({"dtype": self.dtype} | kwargs)))


@handles("equal")
def equal(func: Any, self: Any, other: Any) -> bool:
    """Refused, as in torch."""
    raise NotImplementedError(func)


@handles("broadcast_tensors")
def broadcast_tensors(func: Any, tensors: Any) -> Any:
    """All in the shape of the nested ones."""
    if len(tensors) == 1:
        return tensors[0]
    first = next(t for t in tensors if isinstance(t, NestedTensor))
    outs = []
    for t in tensors:
        if isinstance(t, NestedTensor):
            outs.append(t.expand_as(first))
        elif t.dim() < first.dim():
            outs.append(alike(first, t.broadcast_to(first._values.shape)))
        else:
            raise ValueError(
                "broadcast_tensors(): broadcasting nested tensors with dense tensors of equal "
                "or higher dim is not currently supported"
            )
    return tuple(outs)


@handles("where")
def where(func: Any, condition: Any, *args: Any) -> Any:
    """Elements of one or the other."""
    return elementwise(func, condition, *args)


@handles("masked_select")
def masked_select(func: Any, self: Any, mask: Any) -> Any:
    """The elements that a mask keeps, each in its sample."""
    if self.dim() > 2:
        raise RuntimeError("masked_select only support 2-D selections currently")
    if not isinstance(mask, NestedTensor) or not raggedness_matches(self, mask._size):
        raise RuntimeError(
            f"Mask with shape {mask.shape} is not compatible with input's shape {self.shape}"
        )
    kept = mask._values
    ends = torch.cat([kept.new_zeros(1, dtype=torch.int64), kept.cumsum(0)])
    return nested(values_of(self).masked_select(kept), offsets=ends[self._offsets])


@handles("record_stream")
def record_stream(func: Any, self: Any, s: Any) -> None:
    """Keep all parts until the stream has come by."""
    for t in (self._values, self._offsets, self._lengths):
        if isinstance(t, Tensor):
            t.record_stream(s)
