"""Rows that copy elements to other places without computing: clone, flip, roll, rot90."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch_storage.dtype import from_numpy
from mindtorch_storage.layout import contiguous_strides, wrap_dim

from mindtorch.aten.indexing import like
from mindtorch.aten.joining import joined_strides
from mindtorch.backends.dtype_support import kind_of
from mindtorch.call.elementwise_meta import refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core import constants
from mindtorch.core.copies import NARROW
from mindtorch.core.dims import (
    channels_last,
    channels_last_3d,
    element_strides,
    laid_out,
    laying,
    numel_of,
    preserved_strides,
    unique_dims,
)
from mindtorch.core.errors import not_implemented_for
from mindtorch.core.operators import ops

from . import looks

__all__: list[str] = []


# -- copies -------------------------------------------------------------------------------------


def _format_name(memory_format: Any) -> str:
    return "preserve_format" if memory_format is None else repr(memory_format).rpartition(".")[2]


def format_strides(shape: Sequence[int], strides: Sequence[int], memory_format: Any) -> Any:
    """Strides of a copy in *memory_format*; None means contiguous."""
    name = _format_name(memory_format)
    if name == "contiguous_format":
        return None
    if name == "preserve_format":
        return preserved_strides(tuple(shape), tuple(strides))
    return channels_last(shape) if name == "channels_last" else channels_last_3d(shape)


def _clone_meta(self: Any, memory_format: Any) -> Out:
    shape = tuple(self.shape)
    return Out(shape, self.dtype, format_strides(shape, self.stride(), memory_format))


def _prepare_clone(self: Any, memory_format: Any) -> Callable[..., Any]:
    if self.flags.c_contiguous and memory_format is None:
        return lambda self, _: self.copy()
    strides = format_strides(self.shape, element_strides(self), memory_format)
    laid = laying(self.shape, strides, self.dtype)
    return lambda self, _: laid(self)


op(
    "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    says="Return a copy through which gradients flow.",
    meta=_clone_meta,
    prepare=_prepare_clone,
    half=False,
    grad={"self": lambda g, c: g},
    samples="clone",
    tangent="linear",
    batch="clone",
    tags=("keeps_bits", "moves"),
)


op(
    "lift_fresh_copy(Tensor self) -> Tensor",
    says="Return a copy of a tensor that was just made.",
    meta=lambda self: Out(tuple(self.shape), self.dtype),
    kernel=lambda self: self.copy(order="C"),
    half=False,
    grad={"self": lambda g, c: g},
    variants="",
    out=OutForm(function=False, meta="native"),
    samples="unary",
    tags=("real_only",),
)


def _contiguous(self: Any, memory_format: Any) -> Any:
    name = "contiguous_format" if memory_format in (None, 0) else _format_name(memory_format)
    if name == "preserve_format":
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    wanted = getattr(constants, name)
    if self.is_contiguous(memory_format=wanted):
        return self
    return ops.clone(self, memory_format=wanted)


op(
    "contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)",
    says="Return a tensor that lies contiguously in memory: itself if it does, else a copy.",
    composite=_contiguous,
    variants="method",
    samples="unary_view",
    tags=("moves", "of_parts"),
)


# -- reordering ---------------------------------------------------------------------------------


def _flip_meta(self: Any, dims: Sequence[int]) -> Out:
    unique_dims(dims, len(self.shape))
    return like(self)


def _refuse_flip(self: Any, dims: Sequence[int]) -> None:
    """A loop has rare dtypes, the kernel for neighbours in memory has not."""
    strides = preserved_strides(self.shape, element_strides(self))
    if any(self.shape[d] > 1 and strides[d] == 1 for d in dims):
        dtype = from_numpy(self.dtype)
        if kind_of(dtype):
            raise not_implemented_for("flip_cpu", dtype)


def _flip(self: Any, dims: Sequence[int]) -> Callable[..., Any]:
    dtype = from_numpy(self.dtype)
    if not self.ndim:
        if kind_of(dtype) == "i":
            raise not_implemented_for("copy_kernel", dtype)
        return lambda self, dims: self.copy()
    strides = preserved_strides(self.shape, element_strides(self))
    _refuse_flip(self, dims)
    turned = {d % self.ndim for d in dims}
    at = tuple([slice(None, None, -1 if d in turned else 1) for d in range(self.ndim)])
    if strides == contiguous_strides(self.shape):
        return lambda self, dims: self[at].copy("C")
    return lambda self, dims: laid_out(self[at], strides)


op(
    "flip(Tensor self, int[] dims) -> Tensor",
    says="""Reverse the order of elements along the given dimensions, as a copy.

    >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), dims=(0, 1))
    tensor([[4, 3],
            [2, 1]])
    """,
    meta=_flip_meta,
    prepare=_flip,
    half=False,
    grad={"self": lambda g, c: g.flip(c.dims)},
    samples="flip",
    tangent="linear",
    looks=looks.flipped,
)


def _fliplr(self: Any) -> Any:
    if self.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return self.flip((1,))


def _flipud(self: Any) -> Any:
    if self.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return self.flip((0,))


op(
    "fliplr(Tensor self) -> Tensor",
    says="Reverse the order of columns, as a copy.",
    composite=_fliplr,
    samples="matrix",
)
op(
    "flipud(Tensor self) -> Tensor",
    says="Reverse the order of rows, as a copy.",
    composite=_flipud,
    samples="flipud",
)


def _roll_meta(self: Any, shifts: Sequence[int], dims: Sequence[int]) -> Out:
    n = len(self.shape)
    if len(dims) != 1 or len(shifts) != 1:
        if not shifts:
            raise RuntimeError("`shifts` required")
        if not dims and len(shifts) == 1:
            return Out(tuple(self.shape), self.dtype)
        if len(shifts) != len(dims):
            raise RuntimeError(
                f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
            )
    if numel_of(self.shape) == 0:
        return like(self)
    for d in dims:
        if not n:
            raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
        wrap_dim(d, n)
    shape, strides = tuple(self.shape), tuple(self.stride())
    for shift, dim in zip(shifts, dims, strict=True):  # torch joins two parts of each
        d = wrap_dim(dim, n)
        first = -shift % shape[d]
        parts = [((*shape[:d], m, *shape[d + 1 :]), strides) for m in (shape[d] - first, first)]
        strides = joined_strides(shape, parts) or contiguous_strides(shape)
    return Out(shape, self.dtype, strides)


def _refuse_roll(self: Any, shifts: Sequence[int], dims: Sequence[int]) -> None:
    if len(dims) > 1:
        refuse(self.dtype, {"copy_kernel": NARROW}, self)


def _prepare_roll(self: Any, shifts: Sequence[int], dims: Sequence[int]) -> Any:
    if not self.size:
        return lambda self, *_: self.copy("K")
    if not self.ndim:
        return lambda self, *_: self.copy()
    flat = not dims
    shape = (self.size,) if flat else self.shape
    by = [0] * len(shape)
    for shift, dim in zip(shifts, (0,) if flat else dims, strict=True):
        by[dim] += shift
    halves = []
    for size, shift in zip(shape, by, strict=True):
        k = shift % size
        first = slice(k), slice(size - k, None)
        halves.append([first, (slice(k, None), slice(size - k))] if k else [(slice(None),) * 2])
    moves = [tuple(zip(*parts, strict=True)) for parts in product(*halves)]

    def kernel(self: Any, *_: Any) -> Any:
        out = np.empty(shape, self.dtype)
        x = self.reshape(-1) if flat else self
        for to, source in moves:
            out[to] = x[source]
        return out.reshape(self.shape)

    return kernel


op(
    "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor",
    says="""Shift elements along dimensions; those that fall off one end enter at the other.

    >>> torch.roll(torch.tensor([1, 2, 3, 4]), 1)
    tensor([4, 1, 2, 3])
    """,
    meta=_roll_meta,
    prepare=_prepare_roll,
    refuses=_refuse_roll,
    half=False,
    grad={"self": lambda g, c: g.roll([-s for s in reversed(c.shifts)], c.dims[::-1])},
    samples="roll",
    tangent="linear",
    batch="whole_loop",
)


def _rot90_dims(ndim: int, dims: Sequence[int]) -> tuple[int, int]:
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")
    a, b = wrap_dim(dims[0], ndim), wrap_dim(dims[1], ndim)
    if a == b:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}"
        )
    return a, b


def _rot90_meta(self: Any, k: int, dims: Sequence[int]) -> Out:
    shape, strides = list(self.shape), list(self.stride())
    a, b = _rot90_dims(len(shape), dims)
    if k % 4 == 0:
        return Out(tuple(shape), self.dtype)
    kept = preserved_strides(tuple(shape), tuple(strides))
    if k % 4 == 2:
        return Out(tuple(shape), self.dtype, kept)
    shape[a], shape[b] = shape[b], shape[a]
    steps = list(kept)
    steps[a], steps[b] = steps[b], steps[a]
    return Out(tuple(shape), self.dtype, preserved_strides(tuple(shape), tuple(steps)))


def _prepare_rot90(self: Any, k: int, dims: Sequence[int]) -> Callable[..., Any]:
    ndim = self.ndim
    a, b = _rot90_dims(ndim, dims)
    if k % 4 == 0:
        return lambda self, *_: self.copy()
    kept, shape = list(preserved_strides(self.shape, element_strides(self))), list(self.shape)
    order, turn = list(range(ndim)), [slice(None)] * ndim
    if k % 4 != 1:
        turn[a] = slice(None, None, -1)
    if k % 4 != 3:
        turn[b] = slice(None, None, -1)
    if self.size:
        _refuse_flip(self, {1: (b,), 2: (a, b), 3: (a,)}[k % 4])
    if k % 2:
        for each in (kept, shape, order):
            each[a], each[b] = each[b], each[a]
    laid = laying(shape, preserved_strides(tuple(shape), tuple(kept)), self.dtype)
    turned = tuple(turn)
    return lambda self, *_: laid(self[turned].transpose(order))


op(
    "rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor",
    says="""Rotate by 90 degrees, k times, in the plane of two dimensions.

    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """,
    meta=_rot90_meta,
    prepare=_prepare_rot90,
    half=False,
    grad={"self": lambda g, c: g.rot90(-c.k, c.dims)},
    samples="rot90",
)
