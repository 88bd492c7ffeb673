"""Ops that look at the same elements in another shape, or at some of them."""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from ...aten import torch
from .dims import inner_dim, wrapped, wrapped_inner
from .nested_int import as_number, as_size
from .nested_tensor import NestedTensor, nested
from .ops import alike, handles, in_place, raggedness_matches
from .padding import unpadded
from .recording import values_of

__all__: list[str] = []


@handles("unbind", "unsafe_unbind")
def unbind_int(func: Any, self: Any, dim: int = 0) -> Any:
    """The samples, over the same memory."""
    if dim != 0:
        raise RuntimeError("unbind(): only supported for NestedTensor on dim=0")
    values, d = values_of(self), self._ragged_idx - 1
    if self._lengths is None:
        return torch.split(values, self._offsets.diff().tolist(), dim=d)
    starts = self._offsets.tolist()
    return [
        torch.narrow(values, d, start, length)
        for start, length in zip(starts, self._lengths.tolist(), strict=False)
    ]


@handles("split", contiguous="self: jt, split_size: any, dim: any?")
def split_tensor(func: Any, self: Any, split_size: Any, dim: int = 0) -> Any:
    """Pieces along a dimension that is not ragged."""
    name = "split_with_sizes" if isinstance(split_size, (list, tuple)) else "split"
    return _pieces(func, self, split_size, wrapped_inner(self, dim, name))


@handles("split_with_sizes", contiguous="self: jt, split_sizes: any, dim: any?")
def split_with_sizes_default(func: Any, self: Any, split_sizes: Any, dim: int = 0) -> Any:
    """Pieces of given sizes along a dimension that is not ragged."""
    return _pieces(func, self, split_sizes, wrapped_inner(self, dim, "split_with_sizes"))


def _pieces(func: Any, nt: Any, how: Any, dim: int) -> Any:
    return tuple([alike(nt, x) for x in func(values_of(nt), how, dim)])


@handles("chunk", contiguous="self: jt, chunks: any, dim: any?")
def chunk_default(func: Any, self: Any, chunks: int, dim: int = 0) -> Any:
    """Pieces along a dimension; along the batch each has samples of its own."""
    if wrapped(self.dim(), dim) != 0:
        return _pieces(func, self, chunks, wrapped_inner(self, dim, "chunk"))
    groups = self._offsets.diff().chunk(chunks)
    parts = torch.split(values_of(self), [int(g.sum()) for g in groups])
    zero = self._offsets.new_zeros(1)
    return tuple([
        nested(part, offsets=torch.cat([zero, g.cumsum(0)]), _ragged_idx=self._ragged_idx)
        for part, g in zip(parts, groups, strict=True)
    ])  # fmt: skip


@handles("narrow", contiguous="self: jt, dim: any, start: any, length: any")
def narrow(func: Any, self: Any, dim: int, start: int, length: int) -> Any:
    """Part of a dimension that is not ragged."""
    d = wrapped_inner(self, dim, "narrow")
    return alike(self, torch.narrow(values_of(self), d, start, length))


@handles("slice", contiguous="self: jt, dim: any?, start: any?, end: any?, step: any?")
def slice_tensor(
    func: Any, self: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Any:
    """Part of a dimension that is not ragged."""
    d = wrapped_inner(self, dim, "slice")
    return alike(self, func(values_of(self), d, start, end, step))


@handles("select")
def select_int(func: Any, self: Any, dim: int, index: int) -> Any:
    """A sample, or one element of a dimension that is not ragged."""
    d = wrapped(self.dim(), dim)
    if d == 0:
        return self.unbind()[index]
    d = wrapped_inner(self, dim, "select")
    if self._lengths is not None:
        raise ValueError(
            "select(): not yet supported on dim != 0 for non-contiguous nested tensor with holes"
        )
    r = self._ragged_idx - (d < self._ragged_idx - 1)
    return alike(self, torch.select(values_of(self), d, index), _ragged_idx=r)


@handles("squeeze", contiguous="self: jt, dim: any")
def squeeze_dim(func: Any, self: Any, dim: Any = None) -> Any:
    """Without a dimension of size 1 that is not ragged."""
    if not isinstance(dim, int):
        raise NotImplementedError(func)
    return alike(self, torch.squeeze(values_of(self), wrapped_inner(self, dim, "squeeze")))


@handles("unsqueeze")
def unsqueeze_default(func: Any, self: Any, dim: int) -> Any:
    """With a dimension of size 1 more."""
    d = wrapped(self.dim() + 1, dim)
    if d == 0:
        raise RuntimeError("unsqueeze(): not supported for NestedTensor on dim=0")
    r = self._ragged_idx + (d <= self._ragged_idx)
    return alike(self, values_of(self).unsqueeze(d - 1), _ragged_idx=r)


@handles("transpose", "swapaxes", "swapdims")
def transpose_int(func: Any, self: Any, dim0: int, dim1: int) -> Any:
    """With two dimensions exchanged, neither of them the batch."""
    a, b = wrapped(self.dim(), dim0), wrapped(self.dim(), dim1)
    r = self._ragged_idx
    if r in (a, b):
        if 0 in (a, b):
            raise ValueError("Transpose is not supported on the batch dimension for jagged NT")
        moved = b if a == r else a
        return alike(self, values_of(self).transpose(a - 1, b - 1), _ragged_idx=moved)
    d0, d1 = (wrapped_inner(self, d, "transpose") for d in (a, b))
    return alike(self, values_of(self).transpose(d0, d1))


@handles("mT", "adjoint")
def matrix_transpose(func: Any, self: Any) -> Any:
    """With the last two dimensions exchanged."""
    return self.transpose(-2, -1)


@handles("permute")
def permute_default(func: Any, self: Any, dims: Any) -> Any:
    """With dimensions in another order, the batch first."""
    n = self.dim()
    if n != len(dims):
        raise ValueError(
            f"permute(): number of dimensions in the tensor input ({n}) does not match the length "
            f"of the desired ordering of dimensions ({len(dims)})."
        )
    order = [wrapped(n, d) for d in dims]
    if len(set(order)) != n:
        raise ValueError("permute(): duplicate dims are not allowed.")
    if self._lengths is not None:
        raise ValueError("permute(): not supported on jagged layout nested tensor with holes")
    if order[0] != 0:
        raise ValueError("Permute is not supported on the batch dimension for jagged NT")
    values = values_of(self).permute([d - 1 for d in order[1:]])
    return alike(self, values, _ragged_idx=order.index(self._ragged_idx))


@handles("numpy_T", "t")
def all_transposed(func: Any, self: Any) -> Any:
    """Refused, for the batch would not be first."""
    return permute_default(func, self, range(self.dim() - 1, -1, -1))


@handles("view", "_unsafe_view")
def view_default(func: Any, self: Any, size: Any) -> Any:
    """In another shape that has the batch and the ragged dimension first."""
    sizes = tuple([as_size(n) for n in size])
    if self._ragged_idx != 1 and sizes != tuple(self._size):
        raise RuntimeError(
            "view(): does not support ragged_idx != 1 except when inp._size == size. "
            f"inp._size is ({self._size}) and size is ({list(sizes)})."
        )
    if len(sizes) < 3 or not raggedness_matches(self, size):
        raise RuntimeError(f"view(): cannot view shape {self._size} as {list(sizes)}")
    d = self._ragged_idx
    inner = [self._values.shape[d - 1] if i == d else n for i, n in enumerate(size)][1:]
    return alike(self, values_of(self).view(inner))


@handles("reshape")
def reshape_default(func: Any, self: Any, shape: Any) -> Any:
    """The same, with a copy where there is no other way."""
    return view_default(func, self.contiguous(), shape)


@handles("unflatten")
def unflatten_int(func: Any, self: Any, dim: int, sizes: Any, names: Any = None) -> Any:
    """With one dimension as several."""
    d = wrapped(self.dim(), dim)
    if d in (0, self._ragged_idx):
        shape = (*self._size[:d], *[as_size(n) for n in sizes], *self._size[d + 1 :])
        raise RuntimeError(f"view(): cannot view shape {self._size} as {list(shape)}")
    values = values_of(self).unflatten(d - 1, tuple(sizes))
    r = self._ragged_idx + (len(sizes) - 1) * (d < self._ragged_idx)
    return alike(self, values, _ragged_idx=r)


@handles("flatten")
def flatten_using_ints(func: Any, self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """With several dimensions as one, none of them the batch or ragged."""
    first = wrapped_inner(self, start_dim, "flatten") + 1
    last = wrapped_inner(self, end_dim, "flatten") + 1
    if first == last:
        return self
    r = self._ragged_idx
    return alike(
        self,
        values_of(self).flatten(first - 1, last - 1),
        _ragged_idx=r - (last - first) * (last < r),
    )


@handles("expand", "broadcast_to")
def expand_default(func: Any, self: Any, size: Any, implicit: bool = False) -> Any:
    """With dimensions of size 1 repeated, over the same memory."""
    sizes = [as_size(n) for n in size]
    if func._opname == "broadcast_to" and len(sizes) > self.dim():
        raise ValueError(
            "broadcast_to(): broadcasting to a higher-dim shape is currently not supported "
            "for nested tensors with the jagged layout"
        )
    if not raggedness_matches(self, size):
        raise RuntimeError(f"expand(): cannot expand shape {self._size} -> {sizes}")
    inner = [-1 if d == self._ragged_idx else size[d] for d in range(1, self.dim())]
    return alike(self, values_of(self).expand(inner))


@handles("expand_as")
def expand_as_default(func: Any, self: Any, other: Any) -> Any:
    """A tensor, or nested tensor, in the shape of a nested one."""
    if isinstance(self, NestedTensor):
        return self.expand(_numbers(other))
    return alike(other, self.expand(other._values.shape))


def _numbers(nt: Any) -> list[Any]:
    """The shape of *nt* as arguments of ops have it."""
    return [as_number(n) for n in nt._size]


@handles("cat", "concat", "concatenate")
def cat_default(func: Any, tensors: Any, dim: int = 0) -> Any:
    """Nested tensors with the same samples one beside the other."""
    first = next(t for t in tensors if isinstance(t, NestedTensor))
    all_nested = [t if isinstance(t, NestedTensor) else t.expand_as(first) for t in tensors]
    d = wrapped_inner(first, dim, "cat")
    return alike(all_nested[0], torch.cat([values_of(t) for t in all_nested], d))


@handles("stack")
def stack_default(func: Any, tensors: Any, dim: int = 0) -> Any:
    """Nested tensors with the same samples along a dimension more."""
    first = tensors[0]
    for t in tensors:
        if not isinstance(t, NestedTensor):
            raise RuntimeError("stack(): expected all nested tensors inputs")
        if t.dim() != first.dim():
            raise RuntimeError("stack(): expected all nested tensors to have the same dim")
        if not raggedness_matches(t, _numbers(first)):
            raise RuntimeError(
                "stack(): expected all nested tensors to have the same nested structure"
            )
    d = wrapped(first.dim() + 1, dim)
    if d == first._ragged_idx:
        raise RuntimeError("stack(): not supported for NestedTensor on ragged dim")
    if d == 0:
        raise RuntimeError("stack(): not supported for NestedTensor on dim=0")
    return alike(first, torch.stack([values_of(t) for t in tensors], inner_dim(first, d)))


def _put(nt: Any, indices: Any, values: Any, accumulate: bool) -> Any:
    """The values of *nt* with others at *indices*."""
    r = nt._ragged_idx
    if len(indices) > nt.dim():
        raise AssertionError(
            f"Too many indices: got {len(indices)} but tensor has {nt.dim()} dimensions"
        )
    if len(indices) <= r:  # of whole samples
        if not nt.is_contiguous():
            raise RuntimeError(
                "index_put(): If ragged dimension is not part of indices, this only works on "
                "contiguous NJTs"
            )
        length = nt._max_seqlen
        padded = nt.to_padded_tensor(0.0, (*nt._size[:r], length, *nt._size[r + 1 :]))
        return values_of(unpadded(torch.index_put(padded, indices, values, accumulate), nt))
    rows, at = indices[0], indices[r]
    if not bool((at < nt._seqlens()[rows]).all()):
        raise RuntimeError("Some indices in the ragged dimension are out of bounds!")
    places = [*indices[1:r], nt._offsets[rows] + at, *indices[r + 1 :]]
    return torch.index_put(values_of(nt), places, values, accumulate)


@handles("index_put")
def index_put(func: Any, input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """With other elements at some places: samples first, then places in them."""
    return alike(input, _put(input, indices, values, accumulate))


@handles("index_put_")
def index_put_(func: Any, input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """The same in place."""
    made = index_put(func, input, indices, values, accumulate)
    return in_place(ops.aten.copy_.default, input, made)
