"""The same elements in another shape or order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._building import Builder, Value
from ..._errors import DispatchError
from ..._registration import translates


def are_numbers(sizes: Sequence[Any]) -> bool:
    """Whether each size is a number."""
    return all(isinstance(size, int) for size in sizes)


def sizes_of_result(g: Builder, given: Sequence[Any]) -> Sequence[Any]:
    """The sizes of what the operator gives: numbers where they are known, else what was *given*."""
    return tuple(g.out.shape) if are_numbers(g.out.shape) else given


@translates("view reshape _unsafe_view view_copy _reshape_copy")
def view(g: Builder, self: Value, size: Sequence[Any]) -> Value:
    return g.reshape(self, sizes_of_result(g, size))


@translates("_reshape_alias")
def reshape_alias(g: Builder, self: Value, size: Sequence[Any], stride: Any) -> Value:
    return g.reshape(self, sizes_of_result(g, size))


@translates("view_as reshape_as")
def view_as(g: Builder, self: Value, other: Value) -> Value:
    assert other.shape is not None
    return g.reshape(self, [g.size(other, i) for i in range(other.rank)])


@translates("flatten.using_ints")
def flatten(g: Builder, self: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    rank = max(self.rank, 1)
    start, end = start_dim % rank, end_dim % rank
    if are_numbers(g.out.shape) or self.rank == 0:
        return g.reshape(self, sizes_of_result(g, [1]))
    sizes = [g.size(self, i) for i in range(self.rank)]
    return g.reshape(self, [*sizes[:start], -1, *sizes[end + 1 :]])


@translates("unflatten.int")
def unflatten(g: Builder, self: Value, dim: int, sizes: Sequence[Any]) -> Value:
    dim %= self.rank
    kept = [g.size(self, i) for i in range(self.rank)]
    return g.reshape(self, sizes_of_result(g, [*kept[:dim], *sizes, *kept[dim + 1 :]]))


@translates("ravel")
def ravel(g: Builder, self: Value) -> Value:
    return g.reshape(self, [-1])


@translates("unsqueeze unsqueeze_copy")
def unsqueeze(g: Builder, self: Value, dim: int) -> Value:
    return g.unsqueeze(self, dim % (self.rank + 1))


@translates("squeeze squeeze_copy")
def squeeze(g: Builder, self: Value) -> Value:
    return squeeze_dims(g, self, range(self.rank))


@translates("squeeze.dim squeeze_copy.dim")
def squeeze_dim(g: Builder, self: Value, dim: int) -> Value:
    return squeeze_dims(g, self, [dim])


@translates("squeeze.dims squeeze_copy.dims")
def squeeze_dims(g: Builder, self: Value, dim: Sequence[int]) -> Value:
    if not self.rank:
        return self
    ones = sorted({d % self.rank for d in dim if self.sizes[d] == 1})
    return g.axes("Squeeze", self, ones) if ones else self


@translates("permute permute_copy")
def permute(g: Builder, self: Value, dims: Sequence[int]) -> Value:
    return g.transpose(self, [d % self.rank for d in dims])


@translates("transpose.int transpose_copy.int swapaxes swapdims")
def transpose(g: Builder, self: Value, dim0: int, dim1: int) -> Value:
    perm = list(range(self.rank))
    if perm:
        perm[dim0], perm[dim1] = perm[dim1], perm[dim0]
    return g.transpose(self, perm)


@translates("t t_copy numpy_T mT adjoint")
def t(g: Builder, self: Value) -> Value:
    perm = list(range(self.rank))
    return g.transpose(self, [*perm[:-2], *reversed(perm[-2:])])


@translates("movedim.int moveaxis.int")
def movedim_int(g: Builder, self: Value, source: int, destination: int) -> Value:
    return movedim(g, self, [source], [destination])


@translates("movedim.intlist moveaxis.intlist")
def movedim(g: Builder, self: Value, source: Sequence[int], destination: Sequence[int]) -> Value:
    rank = self.rank
    to = {d % rank: s % rank for s, d in zip(source, destination, strict=True)}
    rest = iter([i for i in range(rank) if i not in to.values()])
    return g.transpose(self, [to[i] if i in to else next(rest) for i in range(rank)])


@translates("expand expand_copy")
def expand(g: Builder, self: Value, size: Sequence[Any], *, implicit: bool = False) -> Value:
    sizes = sizes_of_result(g, size)
    return g.expand(self, [1 if isinstance(s, int) and s == -1 else s for s in sizes])


@translates("broadcast_to")
def broadcast_to(g: Builder, self: Value, size: Sequence[Any]) -> Value:
    return expand(g, self, size)


@translates("expand_as")
def expand_as(g: Builder, self: Value, other: Value) -> Value:
    return g.expand(self, [g.size(other, i) for i in range(other.rank)])


@translates("broadcast_tensors")
def broadcast_tensors(g: Builder, tensors: Sequence[Value]) -> list[Value]:
    return [g.expand(t, out.shape) for t, out in zip(tensors, g.out, strict=True)]


@translates("atleast_1d")
def atleast_1d(g: Builder, self: Value) -> Value:
    return g.reshape(self, g.out.shape)


@translates("atleast_2d")
def atleast_2d(g: Builder, self: Value) -> Value:
    return g.reshape(self, g.out.shape)


@translates("atleast_3d")
def atleast_3d(g: Builder, self: Value) -> Value:
    return g.reshape(self, g.out.shape)


@translates("repeat")
def repeat(g: Builder, self: Value, repeats: Sequence[Any]) -> Value:
    more = len(repeats) - self.rank
    value = g.unsqueeze(self, *range(more)) if more else self
    return g.op("Tile", value, g.ints(repeats)) if repeats else value


@translates("tile")
def tile(g: Builder, self: Value, dims: Sequence[Any]) -> Value:
    return repeat(g, self, [*[1] * (self.rank - len(dims)), *dims])


@translates("repeat_interleave.self_int")
def repeat_interleave(
    g: Builder, self: Value, repeats: Any, dim: int | None = None, *, output_size: Any = None
) -> Value:
    if dim is None:
        self, dim = g.reshape(self, [-1]), 0
        self.shape = (-1,)
    dim %= self.rank
    value = g.unsqueeze(self, dim + 1)
    times = [1] * (self.rank + 1)
    times[dim + 1] = repeats
    return g.reshape(g.op("Tile", value, g.ints(times)), g.out.shape)


@translates("flip")
def flip(g: Builder, self: Value, dims: Any) -> Value:
    dims = [dims] if isinstance(dims, int) else dims
    if not dims or not self.rank:
        return self
    axes = [d % self.rank for d in dims]
    count, last = len(axes), -(2**63) + 1
    bounds = (g.ints([-1] * count), g.ints([last] * count), g.ints(axes), g.ints([-1] * count))
    return g.op("Slice", self, *bounds)


@translates("fliplr")
def fliplr(g: Builder, self: Value) -> Value:
    return flip(g, self, [1])


@translates("flipud")
def flipud(g: Builder, self: Value) -> Value:
    return flip(g, self, [0])


@translates("rot90")
def rot90(g: Builder, self: Value, k: int = 1, dims: Sequence[int] = (0, 1)) -> Value:
    a, b = (d % self.rank for d in dims)
    if k % 4 == 2:
        return flip(g, self, [a, b])
    if k % 4 == 0:
        return self
    perm = list(range(self.rank))
    perm[a], perm[b] = b, a
    if k % 4 == 1:
        turned = flip(g, self, [b])
        turned.shape = self.shape
        return g.transpose(turned, perm)
    turned = g.transpose(self, perm)
    turned.shape = tuple(g.out.shape)
    return flip(g, turned, [b])


@translates("roll")
def roll(g: Builder, self: Value, shifts: Any, dims: Any = ()) -> Value:
    shifts = [shifts] if isinstance(shifts, int) else shifts
    dims = [dims] if isinstance(dims, int) else dims
    if not dims:
        flat = g.reshape(self, [-1])
        count = 1
        for size in self.shape or ():
            count *= size
        return g.reshape(_rolled(g, flat, int(shifts[0]), 0, count), g.out.shape)
    value = self
    for shift, dim in zip(shifts, dims, strict=True):
        value = _rolled(g, value, int(shift), dim % self.rank, self.sizes[dim])
    return value


def _rolled(g: Builder, value: Value, shift: int, dim: int, size: int) -> Value:
    shift = shift % size if size else 0
    if not shift:
        return value
    tail = g.slice(value, dim, size - shift, size)
    return g.op("Concat", tail, g.slice(value, dim, 0, size - shift), axis=dim)


@translates("pixel_shuffle")
def pixel_shuffle(g: Builder, self: Value, upscale_factor: int) -> Value:
    r = upscale_factor
    sizes = [g.size(self, i) for i in range(self.rank)]
    *batch, c, h, w = sizes
    n = len(batch)
    split = g.reshape(self, [*batch, c // (r * r), r, r, h, w])
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return g.reshape(g.transpose(split, order), sizes_of_result(g, g.out.shape))


@translates("pixel_unshuffle")
def pixel_unshuffle(g: Builder, self: Value, downscale_factor: int) -> Value:
    r = downscale_factor
    *batch, c, h, w = (g.size(self, i) for i in range(self.rank))
    n = len(batch)
    split = g.reshape(self, [*batch, c, h // r, r, w // r, r])
    order = [*range(n), n, n + 2, n + 4, n + 1, n + 3]
    return g.reshape(g.transpose(split, order), sizes_of_result(g, g.out.shape))


@translates("channel_shuffle native_channel_shuffle")
def channel_shuffle(g: Builder, self: Value, groups: int) -> Value:
    n, c, *rest = (g.size(self, i) for i in range(self.rank))
    split = g.reshape(self, [n, groups, c // groups, *rest])
    order = [0, 2, 1, *range(3, 3 + len(rest))]
    return g.reshape(g.transpose(split, order), [n, c, *rest])


@translates("sum_to_size")
def sum_to_size(g: Builder, self: Value, size: Sequence[Any]) -> Value:
    more = self.rank - len(size)
    kept = [i + more for i, s in enumerate(size) if s == 1 and self.sizes[i + more] != 1]
    value = g.axes("ReduceSum", self, kept, keepdims=1) if kept else self
    return g.axes("ReduceSum", value, range(more), keepdims=0) if more else value


@translates("view.dtype")
def view_dtype(g: Builder, self: Value, dtype: Any) -> Value:
    if g.out.dtype is self.dtype:
        return self
    raise DispatchError("ONNX reads no bits as another dtype")
