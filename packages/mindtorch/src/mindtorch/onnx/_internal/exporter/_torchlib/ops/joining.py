"""Several tensors into one, and one into several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._building import Builder, Value
from ..._registration import translates


@translates("cat concat concatenate")
def cat(g: Builder, tensors: Sequence[Value], dim: int = 0) -> Value:
    # An empty vector goes with tensors of any number of dimensions, in torch alone.
    rank = len(g.out.shape)
    parts = [g.cast(t, g.out.dtype) for t in tensors if t.shape != (0,) or rank == 1]
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=dim)


@translates("stack _stack")
def stack(g: Builder, tensors: Sequence[Value], dim: int = 0) -> Value:
    dim %= len(g.out.shape)
    parts = [g.unsqueeze(g.cast(t, g.out.dtype), dim) for t in tensors]
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=dim)


def _joined(g: Builder, tensors: Sequence[Value], rank: int, axis: int) -> Value:
    sizes = [_at_least(t.shape or (), rank) for t in tensors]
    parts = [g.reshape(g.cast(t, g.out.dtype), s) for t, s in zip(tensors, sizes, strict=True)]
    axis = 0 if len(sizes[0]) == 1 else axis
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=axis)


def _at_least(shape: Sequence[Any], rank: int) -> list[Any]:
    shape = list(shape)
    if rank == 3 and len(shape) in (1, 2):
        return [1, shape[0], 1] if len(shape) == 1 else [*shape, 1]
    return [1] * (rank - len(shape)) + shape


@translates("hstack")
def hstack(g: Builder, tensors: Sequence[Value]) -> Value:
    return _joined(g, tensors, 1, 1)


@translates("vstack row_stack")
def vstack(g: Builder, tensors: Sequence[Value]) -> Value:
    return _joined(g, tensors, 2, 0)


@translates("dstack")
def dstack(g: Builder, tensors: Sequence[Value]) -> Value:
    return _joined(g, tensors, 3, 2)


@translates("column_stack")
def column_stack(g: Builder, tensors: Sequence[Value]) -> Value:
    parts = []
    for t in tensors:
        shape = t.shape or ()
        sizes = [*shape, 1] if len(shape) == 1 else shape or [1, 1]
        parts.append(g.reshape(g.cast(t, g.out.dtype), sizes))
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=1)


def _parts(g: Builder, self: Value, sizes: Sequence[Any], dim: int) -> list[Value]:
    """*self* split into parts of *sizes*."""
    if len(sizes) == 1:
        return [self]
    return list(g.ops("Split", len(sizes), self, g.ints(sizes), axis=dim % self.rank))


@translates("split.Tensor unsafe_split.Tensor split_copy.Tensor")
def split(g: Builder, self: Value, split_size: Any, dim: int = 0) -> list[Value]:
    return _parts(g, self, [out.shape[dim] for out in g.out], dim)


@translates("split_with_sizes unsafe_split_with_sizes split.sizes split_with_sizes_copy")
def split_with_sizes(g: Builder, self: Value, sizes: Sequence[Any], dim: int = 0) -> list[Value]:
    return _parts(g, self, sizes, dim)


@translates("chunk unsafe_chunk tensor_split.sections")
def chunk(g: Builder, self: Value, chunks: Any, dim: int = 0) -> list[Value]:
    return _parts(g, self, [out.shape[dim] for out in g.out], dim)


@translates("tensor_split.indices")
def tensor_split(g: Builder, self: Value, indices: Sequence[int], dim: int = 0) -> list[Value]:
    begins = [0, *indices]
    ends = [*indices, 2**63 - 1]
    return [g.slice(self, dim % self.rank, b, e) for b, e in zip(begins, ends, strict=True)]


@translates("hsplit.int hsplit.array")
def hsplit(g: Builder, self: Value, sections: Any) -> list[Value]:
    dim = 0 if self.rank == 1 else 1
    return _parts(g, self, [out.shape[dim] for out in g.out], dim)


@translates("vsplit.int vsplit.array")
def vsplit(g: Builder, self: Value, sections: Any) -> list[Value]:
    return _parts(g, self, [out.shape[0] for out in g.out], 0)


@translates("dsplit.int dsplit.array")
def dsplit(g: Builder, self: Value, sections: Any) -> list[Value]:
    return _parts(g, self, [out.shape[2] for out in g.out], 2)


@translates("unbind.int unbind_copy.int")
def unbind(g: Builder, self: Value, dim: int = 0) -> list[Value]:
    count = len(g.out)
    parts = _parts(g, self, [1] * count, dim) if count else []
    return [g.axes("Squeeze", part, [dim % self.rank]) for part in parts]


@translates("meshgrid meshgrid.indexing")
def meshgrid(g: Builder, tensors: Sequence[Value], *, indexing: str = "ij") -> list[Value]:
    places = list(range(len(tensors)))
    if indexing == "xy" and len(places) > 1:
        places[:2] = 1, 0
    found = []
    for tensor, place, out in zip(tensors, places, g.out, strict=True):
        sizes = [1] * len(tensors)
        sizes[place] = -1
        found.append(g.expand(g.reshape(tensor, sizes), out.shape))
    return found


@translates("block_diag")
def block_diag(g: Builder, tensors: Sequence[Value]) -> Value:
    rows, columns = g.out.shape
    found, top, left = [], 0, 0
    for tensor in tensors:
        shape = _at_least(tensor.shape or (), 2)
        value = g.reshape(g.cast(tensor, g.out.dtype), shape)
        pads = [top, left, rows - top - shape[0], columns - left - shape[1]]
        found.append(g.op("Pad", value, g.ints(pads)))
        top, left = top + shape[0], left + shape[1]
    return g.chain("Add", found) if found else g.const([[]], g.out.dtype)
