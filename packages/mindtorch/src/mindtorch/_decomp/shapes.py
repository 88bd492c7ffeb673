"""Operators that lay elements out anew, written in core ones: views, joins, parts put in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._ops import ops
from ..tensor import Tensor
from .decomposition_table import Decompositions, steps

__all__ = ["SHAPES"]

aten = ops.aten
SHAPES = Decompositions()


@SHAPES.register(aten.t.default)
def _t(self: Tensor) -> Any:
    return _transpose(self, 0, 1) if self.dim() == 2 else aten.alias.default(self)


@SHAPES.register(aten.transpose.int)
def _transpose(self: Tensor, dim0: int, dim1: int) -> Any:
    dims = list(range(self.dim()))
    if not dims or dims[dim0] == dims[dim1]:
        return aten.alias.default(self)
    dims[dim0], dims[dim1] = dims[dim1], dims[dim0]
    return aten.permute.default(self, dims)


@SHAPES.register(aten.squeeze.default, aten.squeeze.dim)
def _squeeze(self: Tensor, dim: int | None = None) -> Any:
    return aten.squeeze.dims(self, list(range(self.dim())) if dim is None else [dim])


@SHAPES.register(aten.unsafe_split.Tensor, aten.split.Tensor)
def _split(self: Tensor, split_size: int, dim: int = 0) -> Any:
    size = self.shape[dim]
    sizes = [min(split_size, size - at) for at in range(0, size, split_size)] if size else [0]
    return aten.split_with_sizes.default(self, sizes, dim)


@SHAPES.register(aten.unsafe_split_with_sizes.default)
def _unsafe_split_with_sizes(self: Tensor, split_sizes: Sequence[int], dim: int = 0) -> Any:
    return aten.split_with_sizes.default(self, list(split_sizes), dim)


@SHAPES.register(aten._unsafe_view.default)
def _unsafe_view(self: Tensor, size: Sequence[int]) -> Any:
    return aten.view.default(self, list(size))


@SHAPES.register(aten.unbind.int)
def _unbind(self: Tensor, dim: int = 0) -> Any:
    parts = [aten.slice.Tensor(self, dim, i, i + 1) for i in range(self.shape[dim])]
    return [aten.squeeze.dims(part, [dim]) for part in parts]


@SHAPES.register(aten.stack.default)
def _stack(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    shape = list(tensors[0].shape)
    place = dim % (len(shape) + 1)
    if place == len(shape):
        return aten.cat.default([aten.unsqueeze.default(t, place) for t in tensors], dim)
    joined = aten.cat.default(list(tensors), place)
    return aten.view.default(joined, [*shape[:place], len(tensors), *shape[place:]])


@SHAPES.register(aten.detach.default)
def _detach(self: Tensor) -> Any:
    return aten.alias.default(self)


@SHAPES.register(aten.select_scatter.default)
def _select_scatter(self: Tensor, src: Tensor, dim: int, index: int) -> Any:
    dim %= self.dim()
    shape = [1] * self.dim()
    shape[dim] = -1
    place = aten.view.default(steps(0, self.shape[dim], self), shape)
    there = aten.eq.Scalar(place, index % self.shape[dim])
    wide = aten.expand.default(aten.unsqueeze.default(src, dim), list(self.shape))
    return aten.where.self(there, wide, self)


@SHAPES.register(aten.roll.default)
def _roll(self: Tensor, shifts: Any, dims: Any = ()) -> Any:
    if len(shifts) != 1 or len(dims) != 1 or not self.numel():
        return NotImplemented
    size = self.shape[dims[0]]
    moved = steps(0, size, self) + (size - shifts[0]) % size
    return aten.index_select.default(self, dims[0], aten.fmod.Scalar(moved, size))


def _put(self: Tensor, dim: int, index: Tensor, source: Tensor, adds: bool) -> Any:
    if not self.dim():
        return NotImplemented
    indices = [None] * (dim % self.dim()) + [index]
    if adds:
        return aten.index_put.default(self, indices, source, True)
    return aten.index_put.default(self, indices, source)


@SHAPES.register(aten.index_add.default)
def _index_add(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Any:
    return _put(self, dim, index, source if alpha == 1 else source * alpha, True)


@SHAPES.register(aten.index_copy.default)
def _index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
    return _put(self, dim, index, source, False)
