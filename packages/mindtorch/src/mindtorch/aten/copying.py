"""Copies that are more than a kernel: into existing memory, to another dtype, to another device."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import from_numpy
from mindtorch_storage.layout import broadcast_shapes
from mindtorch_storage.narrow_floats import narrowed
from mindtorch_storage.output_layout import empty_like_strides

from ..call.row import Out, op
from ..core import dims
from ..core.constants import channels_last, channels_last_3d, contiguous_format
from ..core.errors import not_implemented_for
from ..core.extended_dtypes import is_rare, plain_numbers
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import ops, to_type
from ..core.signature import dtype_of
from .scalars import filling

__all__: list[str] = []


def _copy_meta(self: Any, src: Any, non_blocking: bool) -> Out:
    if self.shape != src.shape:
        return Out(broadcast_shapes(self.shape, src.shape), self.dtype)
    return Out(self.shape, self.dtype)


def _copy_kernel(self: Any, src: Any, non_blocking: bool = False) -> Any:
    return cast(src, self.dtype)


def cast(a: Any, np_dtype: Any) -> Any:
    """*a* in another dtype by C's rules: truncation, wrap-around, nonzero is True."""
    if a.dtype == np_dtype:
        return a
    to = np.dtype(np_dtype)
    if (a.dtype.num > 19 or to.num > 19) and (is_rare(a.dtype) or is_rare(to)):
        return _cast_rare(a, to)
    if a.dtype.kind == "c" and np.dtype(np_dtype).kind not in "cb":
        a = a.real
    if a.dtype.kind == "f" and np.dtype(np_dtype).kind == "u":
        # Negative floats wrap around through the signed integers, as on x86.
        return a.astype(np.int64).astype(np_dtype)
    return a.astype(np_dtype)


def _cast_rare(a: Any, np_dtype: Any) -> Any:
    """A cast from or to a dtype that numpy lacks; those that are only bytes are refused."""
    dtypes = [dtype_of(a.dtype), dtype_of(np_dtype)]
    for dtype in dtypes:
        if dtype.np.names:
            kernel = "copy_"
            if dtype.is_floating_point and all(d.is_floating_point for d in dtypes):
                kernel = "copy_kernel"
            raise not_implemented_for(kernel, dtype)
    numbers = plain_numbers(a) if is_rare(a.dtype) else a
    if not is_rare(np_dtype):
        return cast(numbers, np_dtype)
    if numbers.dtype.kind == "c" and not dtypes[1].is_complex:
        numbers = numbers.real
    return narrowed(numbers, np_dtype)


op(
    "copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
    says="Copy the elements of src into this tensor, cast to its dtype and broadcast to its shape.",
    meta=_copy_meta,
    kernel=_copy_kernel,
    half=False,
    variants="method",
    grad={
        "self": lambda g, c: ops.zeros_like(g, memory_format=contiguous_format),
        "src": lambda g, c: g._to(c.src.device),
    },
    tags=("takes_other_device",),
    samples="copy_",
)


def _to_copy_meta(
    self: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin_memory: Any,
    non_blocking: bool,
    memory_format: Any,
) -> Out:
    return Out(self.shape, dtype or self.dtype, copy_strides(self, memory_format))


def copy_strides(t: Any, memory_format: Any) -> tuple[int, ...] | None:
    """The strides of a copy of *t*: None (contiguous), or those that *memory_format* asks for."""
    if memory_format is contiguous_format:
        return None
    if memory_format is channels_last:
        return dims.channels_last(t.shape)
    if memory_format is channels_last_3d:
        return dims.channels_last_3d(t.shape)
    if t.is_contiguous() and 1 not in t.shape and 0 not in t.shape:
        return None
    return empty_like_strides(tuple(t.shape), tuple(t.stride()))


def _to_copy_kernel(self: Any, dtype: Any, *rest: Any) -> Any:
    return self.copy() if dtype is None else cast(self, dtype.np).copy()


def _copied_back(g: Any, dtype: Any, device: Any) -> Any:
    """The gradient where and as the input is. The engine would cast, but by other options."""
    if g.dtype is not dtype and seen_by_python(g._sig | tls_state()):
        return to_type(ops.real(g) if g.is_complex() and not dtype.is_complex else g, dtype)
    return g._to(device)


op(
    "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
    meta=_to_copy_meta,
    kernel=_to_copy_kernel,
    half=False,
    variants="",
    grad={"self": lambda g, c: _copied_back(g, c.self.dtype, c.self.device)},
    tags=("transfer", "selects_backend"),
    samples="to_copy",
)


def _same(self: Any, *rest: Any) -> Out:
    return Out(self.shape, self.dtype)


def _fill(self: Any, value: Any) -> Any:
    return filling(value, from_numpy(self.dtype), self.shape)


def _fill_tensor_meta(self: Any, value: Any) -> Out:
    if value.dim() != 0:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value.dim()} dimensions."
        )
    return Out(self.shape, self.dtype)


op(
    "fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)",
    says="Set every element to one value.",
    meta=_same,
    kernel=_fill,
    refuses=lambda self, value: filling(value, self.dtype, self.shape),
    half=False,
    grad={"self": lambda g, c: ops.zeros_like(g)},
    samples="fill_",
)
op(
    "fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)",
    meta=_fill_tensor_meta,
    kernel=_copy_kernel,
    half=False,
    grad={"self": lambda g, c: ops.zeros_like(g), "value": lambda g, c: g.sum()},
    tags=("takes_other_device",),
    samples="fill_tensor",
)
op(
    "zero_(Tensor(a!) self) -> Tensor(a!)",
    says="Set every element to zero.",
    meta=_same,
    kernel=lambda self: np.zeros((), self.dtype),
    half=False,
    grad={"self": lambda g, c: ops.zeros_like(g)},
    samples="zero_",
)


def _to_dense(self: Any, dtype: Any, masked_grad: Any) -> Any:
    """Every tensor is dense here: itself, or in another dtype."""
    return self if dtype is None else self.to(dtype)


op(
    "to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
    says="Return the tensor with a strided layout: a dense tensor as it is.",
    composite=_to_dense,
    variants="method",
    samples="unary",
)
