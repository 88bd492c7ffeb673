"""Primitives that look at the elements in another shape or order, or put them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import mul
from typing import Any

from .._prims_common import (
    canonicalize_dims,
    check_in_bounds_for_storage,
    check_same_device,
    check_same_dtype,
    is_complex_dtype,
    is_valid_permutation,
    validate_dimension_indices,
    validate_exclusive_idx,
    validate_idx,
    validate_shape,
    validate_strides,
)
from ..aten import torch
from ..core.tags import Tag
from .definition import RETURN_TYPE, define
from .elementwise import like

__all__ = ["TABLE", "expand_dims"]

Tensor = torch.Tensor
Sizes = Sequence[int]

_VIEW, _INPLACE = RETURN_TYPE.VIEW, RETURN_TYPE.INPLACE
#: The primitives of this module by their names.
TABLE: dict[str, Any] = {}


def _expect(holds: bool, text: str) -> None:
    if not holds:
        raise AssertionError(text)


# -- views -----------------------------------------------------------------------------------------


def _as_strided(a: Tensor, size: Sizes, stride: Sizes, storage_offset: int) -> Tensor:
    _expect(len(size) == len(stride), f"len(size)={len(size)} != len(stride)={len(stride)}")
    _expect(storage_offset >= 0, f"storage_offset must be >= 0, got {storage_offset}")
    validate_strides(stride)
    validate_shape(size)
    if reduce(mul, size, 1):
        check_in_bounds_for_storage(a._typed_storage(), size, stride, storage_offset)
    return torch.as_strided(a, size, stride, storage_offset)


def _broadcast_in_dim(a: Tensor, shape: Sizes, broadcast_dimensions: Sizes) -> Tensor:
    dims = broadcast_dimensions
    _expect(a.ndim == len(dims), f"a.ndim ({a.ndim}) != len(broadcast_dimensions) ({len(dims)})")
    _expect(len(shape) >= a.ndim, f"len(shape) ({len(shape)}) must be >= a.ndim ({a.ndim})")
    last = -1
    for dim in dims:
        _expect(
            0 <= dim < len(shape),
            f"broadcast_dimension {dim} out of bounds for shape of length {len(shape)}",
        )
        _expect(dim > last, f"broadcast_dimensions must be strictly ascending: {dim} <= {last}")
        last = dim
    for dim, length in zip(dims, a.shape, strict=True):
        if length != 1 and length != shape[dim]:
            raise RuntimeError(f"{length} must be broadcastable to {shape[dim]}")
    strides, taken = [0] * len(shape), dict(zip(dims, range(a.ndim), strict=True))
    for dim, own in taken.items():
        if a.shape[own] == shape[dim]:
            strides[dim] = a.stride(own)
    return torch.as_strided(a, shape, strides, a.storage_offset())


def _collapsed(a: Tensor, start: int, end: int) -> list[int]:
    """The sizes of *a* with its dimensions from *start* to *end* as one."""
    rank = max(1, a.ndim)
    validate_idx(rank, start)
    validate_exclusive_idx(rank, end + 1) if end < rank else validate_idx(rank, end)
    if end < start:
        raise ValueError(f"Attempting to collapse but end, {end}, is less than start, {start}!")
    sizes = list(a.shape) or [1]
    return [*sizes[:start], reduce(mul, sizes[start : end + 1], 1), *sizes[end + 1 :]]


def _collapse_view(a: Tensor, start: int, end: int) -> Tensor:
    sizes = _collapsed(a, start, end)
    try:
        return a.view(sizes)
    except RuntimeError:
        raise RuntimeError(
            "Attempting to view a collapsed tensor, but no such view exists!"
        ) from None


def _conj(a: Tensor) -> Tensor:
    if not is_complex_dtype(a.dtype):
        raise RuntimeError("Expected complex dtype in prims.conj")
    return torch.conj(a)


def _part(name: str) -> Any:
    def part(self: Tensor) -> Tensor:
        if not is_complex_dtype(self.dtype):
            raise RuntimeError("Only complex dtype is supported")
        found: Tensor = getattr(torch, name)(self)
        return found

    return part


def _split_dim(a: Tensor, dim: int, outer_length: int) -> Tensor:
    validate_idx(a.ndim, dim)
    inner, rest = divmod(a.shape[dim], outer_length)
    if rest:
        raise ValueError(
            f"Attempting to split dimension of length {a.shape[dim]}, but outer length of "
            f"{outer_length} divides it with a remainder!"
        )
    sizes, strides = list(a.shape), list(a.stride())
    sizes[dim : dim + 1] = [outer_length, inner]
    strides[dim : dim + 1] = [strides[dim] * inner, strides[dim]]
    return torch.as_strided(a, sizes, strides, a.storage_offset())


def _squeeze(a: Tensor, dimensions: Sizes) -> Tensor:
    for dim in dimensions:
        validate_idx(a.ndim, dim)
        size = a.shape[dim]
        _expect(size == 1, f"Cannot squeeze dimension {dim} with size {size} (must be 1)")
    return torch.squeeze(a, tuple(dimensions))


def _transpose(a: Tensor, permutation: Sizes) -> Tensor:
    if a.ndim != len(permutation):
        raise ValueError(
            f"Attempting to permute a tensor of rank {a.ndim}, but received a permutation of "
            f"length {len(permutation)}!"
        )
    if not is_valid_permutation(a.ndim, permutation):
        raise ValueError(f"Received an invalid permutation, {list(permutation)}!")
    return torch.permute(a, tuple(permutation))


def _view_of(a: Tensor) -> Tensor:
    return a.view(a.shape)


def _view_of_dtype(a: Tensor, dtype: torch.dtype) -> Tensor:
    return a.view(dtype)


def _copy_to(a: Tensor, b: Tensor) -> Tensor:
    if a.numel() != b.numel():
        raise RuntimeError(
            f"Attempting to copy {b.numel()} elements to a tensor with {a.numel()} elements!"
        )
    return a.copy_(b)


def _resize(a: Tensor, shape: Sizes) -> Tensor:
    return a.resize_(tuple(shape))


def _in_place(schema: str, compute: Any, tags: Sequence[Tag] = ()) -> Any:
    return define(schema, compute, None, _INPLACE, (*tags, Tag.pt2_compliant_tag))


def _view(schema: str, compute: Any) -> Any:
    return define(schema, compute, None, _VIEW)


TABLE["as_strided"] = _view(
    "as_strided(Tensor(a!) a, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor(a!)",
    _as_strided,
)
TABLE["broadcast_in_dim"] = _view(
    "broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)",
    _broadcast_in_dim,
)
TABLE["collapse_view"] = _view(
    "collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)", _collapse_view
)
TABLE["conj"] = _view("conj(Tensor(a) a) -> Tensor(a)", _conj)
TABLE["imag"] = _view("imag(Tensor(a) self) -> Tensor(a)", _part("imag"))
TABLE["real"] = _view("real(Tensor(a) self) -> Tensor(a)", _part("real"))
TABLE["split_dim"] = _view(
    "split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)", _split_dim
)
TABLE["squeeze"] = _view("squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)", _squeeze)
TABLE["transpose"] = _view("transpose(Tensor(a) a, int[] permutation) -> Tensor(a)", _transpose)
TABLE["view_of"] = _view("view_of(Tensor(a) a) -> Tensor(a)", _view_of)
TABLE["view_element_type"] = _view(
    "view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)", _view_of_dtype
)
TABLE["copy_to"] = _in_place("copy_to(Tensor(a!) a, Tensor b) -> Tensor(a!)", _copy_to)
TABLE["resize"] = _in_place(
    "resize(Tensor(a!) a, SymInt[] shape) -> Tensor(a!)", _resize, (Tag.generated,)
)


def expand_dims(a: Tensor, dimensions: Sizes, ndim: int | None = None) -> Tensor:
    """View *a* with further dimensions of length 1, at these places of the result."""
    dims = sorted(canonicalize_dims(a.ndim if ndim is None else ndim, dimensions))
    if len(set(dims)) != len(dims):
        raise ValueError(f"Received duplicate dimensions to expand in {dimensions}")
    shape = list(a.shape)
    for dim in dims:
        shape.insert(dim, 1)
    kept = [dim for dim in range(len(shape)) if dim not in dims]
    made: Tensor = TABLE["broadcast_in_dim"](a, shape, kept)
    return made


# -- copies ----------------------------------------------------------------------------------------


def _as_strided_scatter_like(
    self: Tensor, src: Tensor, size: Sizes, stride: Sizes, storage_offset: int
) -> Tensor:
    validate_shape(size)
    validate_strides(stride)
    needed = storage_offset + 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if needed > self.numel():
        itemsize = self.element_size()
        raise RuntimeError(
            f"as_strided_scatter: sizes {list(size)}, strides {list(stride)}, storage offset "
            f"{storage_offset}  and itemsize {itemsize} requiring a storage size of "
            f"{needed * itemsize} are out of bounds for storage of size "
            f"{self.numel() * itemsize}"
        )
    if tuple(src.shape) != tuple(size):
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{src.shape}, slice size = {list(size)}"
        )
    return torch.empty_like(self)


def _collapse(a: Tensor, start: int, end: int) -> Tensor:
    return a.new_empty(_collapsed(a, start, end))


def _cat_like(tensors: Sequence[Tensor], dim: int) -> Tensor:
    shape = list(tensors[0].shape)
    total = 0
    for number, one in enumerate(tensors):
        _expect(
            one.ndim == len(shape),
            "All tensors must have the same number of dimensions. Expected "
            f"{len(shape)} but tensor {number} has {one.ndim}",
        )
        for own, (length, expected) in enumerate(zip(one.shape, shape, strict=True)):
            if own == dim:
                total += length
            elif length != expected:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected "
                    f"{expected} in dimension {own} but got {length} for tensor number {number} "
                    "in the list"
                )
    shape[dim] = total
    dtype = tensors[0].dtype
    for one in tensors[1:]:
        dtype = torch.promote_types(dtype, one.dtype)
    return tensors[0].new_empty(shape, dtype=dtype)


def _reshape_like(a: Tensor, shape: Sizes) -> Tensor:
    validate_shape(shape)
    total = reduce(mul, shape, 1)
    if total != a.numel():
        raise ValueError(
            f"Attempting to reshape a tensor with {a.numel()} elements to a shape with {total} "
            "elements!"
        )
    return a.new_empty(shape)


def _rev_like(a: Tensor, dims: Sizes) -> Tensor:
    validate_dimension_indices(a.ndim, dims)
    return torch.empty_like(a)


def _where_like(pred: Tensor, a: Tensor, b: Tensor) -> Tensor:
    check_same_device(pred, a, b, allow_cpu_scalar_tensors=True)
    check_same_dtype(a, b)
    made: Tensor = like(a.dtype, pred, a, b)
    return made


def _clone_like(self: Tensor, *, memory_format: Any = torch.preserve_format) -> Tensor:
    return torch.empty_like(self, memory_format=memory_format)


TABLE["as_strided_scatter"] = define(
    "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
    "SymInt storage_offset) -> Tensor",
    _as_strided_scatter_like,
    torch.as_strided_scatter,
)
TABLE["collapse"] = define(
    "collapse(Tensor a, int start, int end) -> Tensor",
    _collapse,
    lambda a, start, end: a.reshape(_collapsed(a, start, end)).clone(),
)
TABLE["cat"] = define("cat(Tensor[] tensors, int dim) -> Tensor", _cat_like, torch.cat)
TABLE["reshape"] = define(
    "reshape(Tensor a, SymInt[] shape) -> Tensor",
    _reshape_like,
    lambda a, shape: a.reshape(shape).clone(),
)
TABLE["rev"] = define("rev(Tensor a, int[] dims) -> Tensor", _rev_like, torch.flip)
TABLE["where"] = define(
    "where(Tensor pred, Tensor a, Tensor b) -> Tensor", _where_like, torch.where
)
TABLE["clone"] = define(
    "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    _clone_like,
    lambda self, *, memory_format=None: torch.clone(
        self, memory_format=torch.preserve_format if memory_format is None else memory_format
    ),
)
TABLE["copy_strided"] = define(
    "copy_strided(Tensor a, SymInt[] stride) -> Tensor",
    lambda a, stride: torch.empty_strided(a.shape, stride, dtype=a.dtype, device=a.device),
    lambda a, stride: torch.empty_strided(a.shape, stride, dtype=a.dtype, device=a.device).copy_(a),
)
