"""Elements that tensors of indices or masks name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._building import BOOL, INT64, Builder, Value
from ..._registration import translates


@translates("embedding")
def embedding(g: Builder, weight: Value, indices: Value, *_: Any, **__: Any) -> Value:
    return g.op("Gather", weight, indices, axis=0)


@translates("gather")
def gather(g: Builder, self: Value, dim: int, index: Value, *, sparse_grad: bool = False) -> Value:
    if not self.rank:
        return g.expand(self, index.shape or ())
    if not index.rank:
        return g.reshape(g.op("GatherElements", self, g.reshape(index, [1]), axis=0), [])
    dim %= self.rank
    value = self
    pairs = zip(self.shape or (), index.shape or (), strict=True)
    for i, (size, wanted) in enumerate(pairs):  # torch looks at as many as there are indices
        if i != dim and size != wanted:
            value = g.slice(value, i, 0, wanted)
    return g.op("GatherElements", value, index, axis=dim)


@translates("index_select")
def index_select(g: Builder, self: Value, dim: int, index: Value) -> Value:
    if not self.rank:
        return g.reshape(self, g.out.shape)
    return g.op("Gather", self, g.reshape(index, [-1]), axis=dim % self.rank)


@translates("take")
def take(g: Builder, self: Value, index: Value) -> Value:
    return g.op("Gather", g.reshape(self, [-1]), index, axis=0)


@translates("take_along_dim")
def take_along_dim(g: Builder, self: Value, indices: Value, dim: int | None = None) -> Value:
    if dim is None:
        flat = g.reshape(self, [-1])
        return g.op("GatherElements", flat, g.reshape(indices, [-1]), axis=0)
    dim %= self.rank
    sizes = list(g.out.shape)
    places = g.expand(indices, sizes)
    sizes[dim] = self.sizes[dim]
    return g.op("GatherElements", g.expand(self, sizes), places, axis=dim)


@translates("masked_select")
def masked_select(g: Builder, self: Value, mask: Value) -> Value:
    sizes = np.broadcast_shapes(self.shape or (), mask.shape or ())
    value, chosen = g.expand(self, sizes), g.expand(mask, sizes)
    return g.op("Compress", g.reshape(value, [-1]), g.reshape(chosen, [-1]), axis=0)


@translates("nonzero")
def nonzero(g: Builder, self: Value) -> Value:
    if not self.rank:  # a row without places, or none
        found = g.op("NonZero", g.reshape(self, [1]), dtype=INT64)
        return g.slice(g.op("Transpose", found, perm=[1, 0]), 1, 0, 0)
    return g.op("Transpose", g.op("NonZero", self, dtype=INT64), perm=[1, 0])


@translates("one_hot")
def one_hot(g: Builder, self: Value, num_classes: int = -1) -> Value:
    classes = g.out.shape[-1] if num_classes == -1 else num_classes
    same = g.op("Equal", g.unsqueeze(self, self.rank), g.const(np.arange(classes), self.dtype))
    return g.cast(same, INT64)


# Several indices ----------------------------------------------------------------------------------


class Places:
    """Where in a tensor an index of several tensors points.

    :param dims: the dimensions that are indexed, *indices* their indices in one shape.
    """

    def __init__(self, g: Builder, self_: Value, indices: Sequence[Value | None]) -> None:
        self.dims: list[int] = []
        found: list[Value] = []
        for index in indices:
            dim = self.dims_seen(indices, index)
            if index is None:
                continue
            if index.dtype.name in ("bool", "uint8"):
                rank = index.rank
                rows = g.op("NonZero", g.cast(index, BOOL), dtype=INT64)
                parts = g.split(rows, rank, 0) if rank > 1 else [rows]
                for offset, part in enumerate(parts):
                    flat = g.reshape(part, [-1])
                    flat.shape = (None,)
                    self.dims.append(dim + offset)
                    found.append(flat)
            else:
                self.dims.append(dim)
                found.append(g.cast(index, INT64))
        self.known = all(f.shape is not None and None not in f.shape for f in found)
        self.rank = max((len(f.shape or ()) for f in found), default=0)
        self.indices = found
        self.rest = [i for i in range(self_.rank) if i not in self.dims]
        together = self.dims == list(range(self.dims[0], self.dims[0] + len(self.dims)))
        #: Where the dimensions of the indices stand in what is taken.
        self.at = self.dims[0] if together and _adjacent(indices) else 0
        self.sizes = np.broadcast_shapes(*(f.shape or () for f in found)) if self.known else None

    @staticmethod
    def dims_seen(indices: Sequence[Value | None], index: Value | None) -> int:
        """The first dimension that *index* is for."""
        dim = 0
        for other in indices:
            if other is None:
                dim += 1
                continue
            if other is index:
                return dim
            dim += other.rank if other.dtype.name in ("bool", "uint8") else 1
        return dim

    def stacked(self, g: Builder) -> Value:
        """The indices in one tensor, its last dimension the dimensions that are indexed."""
        parts = []
        for index in self.indices:
            whole = index
            if len(self.indices) > 1:
                whole = self._broadcast(g, index)
            parts.append(g.unsqueeze(whole, self.rank))
        return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=-1)

    def _broadcast(self, g: Builder, index: Value) -> Value:
        if self.sizes is not None:
            return g.expand(index, self.sizes)
        found = index
        for other in self.indices:
            if other is not index:
                found = g.op("Add", found, g.op("Mul", other, 0))
        return found


def _adjacent(indices: Sequence[Value | None]) -> bool:
    """Whether no None stands between two indices."""
    places = [i for i, index in enumerate(indices) if index is not None]
    return places == list(range(places[0], places[0] + len(places)))


@translates("index.Tensor _unsafe_index.Tensor")
def index(g: Builder, self: Value, indices: Sequence[Value | None]) -> Value:
    if all(i is None for i in indices):
        return self
    places = Places(g, self, indices)
    if len(places.dims) == 1:
        return g.op("Gather", self, places.indices[0], axis=places.dims[0])
    order = [*places.dims, *places.rest]
    value = g.transpose(self, order)
    taken = g.op("GatherND", value, places.stacked(g))
    if places.at == 0:
        return taken
    rank, rest = places.rank, len(places.rest)
    front = list(range(rank, rank + places.at))
    back = list(range(rank + places.at, rank + rest))
    return g.op("Transpose", taken, perm=[*front, *range(rank), *back])
