"""Rows that copy elements to other places without computing: clone, flip, roll, repeat, pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.dims import (
    element_strides,
    is_contiguous,
    laid_out,
    numel_of,
    preserved_strides,
    unique_dims,
)
from mindtorch.ops.meta import UNSIGNED, not_implemented, refuse_array
from mindtorch.ops.row import Out, op
from mindtorch.ops.scalars import checked
from mindtorch.ops.view import slice_bounds
from mindtorch_storage import layout
from mindtorch_storage.dtype import from_numpy

__all__: list[str] = []

wrap_dim = layout.wrap_dim


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
    if name == "channels_last":
        return layout.channels_last_strides(shape)
    return layout.channels_last_3d_strides(shape)


def _clone_meta(self: Any, memory_format: Any) -> Out:
    shape = tuple(self.shape)
    return Out(shape, self.dtype, format_strides(shape, self.stride(), memory_format))


def _clone(self: Any, memory_format: Any) -> Any:
    if self.flags.c_contiguous and memory_format is None:
        return self.copy()
    return laid_out(self, format_strides(self.shape, element_strides(self), memory_format))


op(
    "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    meta=_clone_meta,
    kernel=_clone,
    half=False,
    grad={"self": lambda g, c: g},
    samples="clone",
)


def _contiguous(self: Any, memory_format: Any) -> Any:
    name = "contiguous_format" if memory_format in (None, 0) else _format_name(memory_format)
    if name == "preserve_format":
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    if name == "contiguous_format":
        if self.is_contiguous():
            return self
        return ops.clone(self, memory_format=_named_format(name))
    wanted = format_strides(self.shape, self.stride(), memory_format)
    if wanted == tuple(self.stride()):
        return self
    return ops.clone(self, memory_format=memory_format)


def _named_format(name: str) -> Any:
    import mindtorch

    return getattr(mindtorch, name)


op(
    "contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)",
    composite=_contiguous,
    variants="method",
    samples="unary_view",
)


# -- reordering ---------------------------------------------------------------------------------


def _like(self: Any, *rest: Any) -> Out:
    shape = tuple(self.shape)
    return Out(shape, self.dtype, preserved_strides(shape, tuple(self.stride())))


def _flip_meta(self: Any, dims: Sequence[int]) -> Out:
    unique_dims(dims, len(self.shape))
    return _like(self)


def _flip(self: Any, dims: Sequence[int]) -> Any:
    if not self.ndim:
        return self.copy()
    strides = preserved_strides(self.shape, element_strides(self))
    if any(self.shape[d] > 1 and strides[d] == 1 for d in dims):
        refuse_array(self, {"flip_cpu": UNSIGNED})
    return laid_out(np.flip(self, tuple(dims)) if dims else self, strides)


op(
    "flip(Tensor self, int[] dims) -> Tensor",
    meta=_flip_meta,
    kernel=_flip,
    half=False,
    grad={"self": lambda g, c: g.flip(c.dims)},
    samples="flip",
)


def _fliplr(self: Any) -> Any:
    if self.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return self.flip((1,))


def _flipud(self: Any) -> Any:
    if self.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return self.flip((0,))


op("fliplr(Tensor self) -> Tensor", composite=_fliplr, samples="matrix")
op("flipud(Tensor self) -> Tensor", composite=_flipud, samples="flipud")


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
        return _like(self)
    for d in dims:
        if not n:
            raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
        wrap_dim(d, n)
    return Out(tuple(self.shape), self.dtype)


def _roll(self: Any, shifts: Sequence[int], dims: Sequence[int]) -> Any:
    if not self.size:
        return self.copy("K")
    if not dims:
        return np.roll(self, shifts[0])
    if not self.ndim:
        return self.copy()
    return np.ascontiguousarray(np.roll(self, tuple(shifts), tuple(dims)))


op(
    "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor",
    meta=_roll_meta,
    kernel=_roll,
    half=False,
    grad={"self": lambda g, c: g.roll([-s for s in c.shifts], c.dims)},
    samples="roll",
)


def _rot90_dims(ndim: int, dims: Sequence[int]) -> tuple[int, int]:
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")
    if dims[0] == dims[1] or abs(dims[0] - dims[1]) == ndim:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}"
        )
    return wrap_dim(dims[0], ndim), wrap_dim(dims[1], ndim)


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


def _rot90(self: Any, k: int, dims: Sequence[int]) -> Any:
    a, b = _rot90_dims(self.ndim, dims)
    if k % 4 == 0:
        return self.copy("C")
    kept = list(preserved_strides(self.shape, element_strides(self)))
    turned = np.rot90(self, k, (a, b))
    if k % 2:
        kept[a], kept[b] = kept[b], kept[a]
    return laid_out(turned, preserved_strides(turned.shape, tuple(kept)))


op(
    "rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor",
    meta=_rot90_meta,
    kernel=_rot90,
    half=False,
    grad={"self": lambda g, c: g.rot90(-c.k, c.dims)},
    samples="rot90",
)


# -- repetition ---------------------------------------------------------------------------------


def _repeat_meta(self: Any, repeats: Sequence[int]) -> Out:
    shape = tuple(self.shape)
    if len(repeats) < len(shape):
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions "
            "of tensor"
        )
    padded = (1,) * (len(repeats) - len(shape)) + shape
    out = tuple(r * s for r, s in zip(repeats, padded, strict=True))
    if any(s < 0 for s in out):
        bad = next(s for s in out if s < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {list(out)}")
    return Out(out, self.dtype)


def _repeat_grad(g: Any, c: Any) -> Any:
    shape = tuple(c.self.shape)
    repeats = tuple(c.repeats)
    if 0 in repeats:
        return g.new_zeros(shape)
    extra = len(repeats) - len(shape)
    if extra:
        g = g.sum(tuple(range(extra)))
        repeats = repeats[extra:]
    if all(r == 1 for r in repeats):
        return g
    sizes: list[int] = []
    sums: list[int] = []
    for r, s in zip(repeats, shape, strict=True):
        if r != 1:
            sums.append(len(sizes))
            sizes.append(r)
        sizes.append(s)
    return g.reshape(sizes).sum(sums)


op(
    "repeat(Tensor self, SymInt[] repeats) -> Tensor",
    meta=_repeat_meta,
    kernel=lambda self, repeats: np.tile(self, repeats) if repeats else self.copy(),
    half=False,
    variants="method",
    grad={"self": _repeat_grad},
    samples="repeat",
)


def _tile(self: Any, dims: Sequence[int]) -> Any:
    missing = self.dim() - len(dims)
    return self.repeat((1,) * missing + tuple(dims) if missing > 0 else dims)


op("tile(Tensor self, SymInt[] dims) -> Tensor", composite=_tile, samples="tile")


def _repeats(repeats: Any, output_size: int | None) -> Any:
    if repeats.dtype.char not in "ilq":
        raise not_implemented("repeat_interleave_cpu", from_numpy(repeats.dtype))
    if repeats.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if not repeats.size:
        return repeats.copy()
    if output_size is not None:
        if output_size < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {output_size}: [{output_size}]"
            )
        if output_size != repeats.sum():
            raise RuntimeError("allocated size does not match required size")
    if (repeats < 0).any():
        raise RuntimeError("repeats can not be negative")
    return np.repeat(np.arange(repeats.size, dtype=repeats.dtype), repeats)


def _repeats_infer(repeats: Any, output_size: int | None) -> Out:
    if output_size is None:
        raise RuntimeError("cannot repeat_interleave a meta tensor without output_size")
    return Out((output_size,), repeats.dtype)


op(
    "repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
    kernel=_repeats,
    infer=_repeats_infer,
    half=False,
    variants="function",
    samples="repeats",
    tags=("data_dependent_output",),
)


def _repeat_interleave_tensor(self: Any, repeats: Any, dim: Any, output_size: Any) -> Any:
    if dim is not None and not self.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if repeats.dim() == 0 or (repeats.dim() == 1 and repeats.shape[0] == 1):
        size = self.numel() if dim is None else self.shape[wrap_dim(dim, self.dim())]
        repeats = repeats.reshape((1,)).expand((size,))
    elif repeats.dim() != 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if dim is None:
        self, dim = self.flatten(), 0
    d = wrap_dim(dim, self.dim())
    if repeats.shape[0] != self.shape[d]:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got "
            f"repeats.size(0) = {repeats.shape[0]} and input.size({d}) = {self.shape[d]}"
        )
    return self.index_select(d, ops.repeat_interleave(repeats, output_size=output_size))


def _repeat_interleave_int(self: Any, repeats: int, dim: Any, output_size: Any) -> Any:
    if dim is None:
        self, dim = self.flatten(), 0
    d = wrap_dim(dim, self.dim())
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = tuple(self.shape)
    wide = self.unsqueeze(d + 1).expand((*shape[: d + 1], repeats, *shape[d + 1 :]))
    return ops.clone(wide, memory_format=_named_format("contiguous_format")).flatten(d, d + 1)


op(
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, "
    "SymInt? output_size=None) -> Tensor",
    composite=_repeat_interleave_tensor,
    samples="repeat_interleave_tensor",
)
op(
    "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, "
    "SymInt? output_size=None) -> Tensor",
    composite=_repeat_interleave_int,
    samples="repeat_interleave_int",
)


# -- padding ------------------------------------------------------------------------------------


def _pad_meta(self: Any, pad: Sequence[int], value: Any) -> Out:
    shape = tuple(self.shape)
    n, pairs = len(shape), len(pad) // 2
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if pairs > n:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. "
            f"Pad length is {len(pad)}while the input has {n}dimensions."
        )
    out = list(shape)
    for i in range(pairs):
        before, after = pad[2 * i], pad[2 * i + 1]
        d = n - 1 - i
        out[d] = shape[d] + before + after
        # The parts that negative pads cut off are taken with narrow().
        if out[d] < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
    if all(p <= 0 for p in pad):
        return Out(tuple(out), self.dtype, preserved_strides(tuple(out), tuple(self.stride())))
    checked(value, self.dtype)
    strides = tuple(self.stride())
    if n == 4 and not is_contiguous(shape, strides) and layout.is_channels_last(shape, strides):
        return Out(tuple(out), self.dtype, layout.channels_last_strides(out))
    return Out(tuple(out), self.dtype)


def _pad(self: Any, pad: Sequence[int], value: Any) -> Any:
    n = self.ndim
    out = [*self.shape]
    src = [slice(None)] * n
    dst = [slice(None)] * n
    for i in range(len(pad) // 2):
        before, after = pad[2 * i], pad[2 * i + 1]
        d = n - 1 - i
        size = self.shape[d]
        out[d] = size + before + after
        src[d] = slice(max(0, -before), size - max(0, -after))
        dst[d] = slice(max(0, before), out[d] - max(0, after))
    strides = element_strides(self)
    if all(p <= 0 for p in pad):
        part = self[tuple(src)]
        return laid_out(part, preserved_strides(part.shape, strides))
    if n == 4 and not self.flags.c_contiguous and layout.is_channels_last(self.shape, strides):
        whole = np.empty((out[0], out[2], out[3], out[1]), self.dtype).transpose(0, 3, 1, 2)
        whole[...] = value
    elif value == 0:
        whole = np.zeros(out, self.dtype)
    else:
        whole = np.empty(out, self.dtype)
        whole.fill(checked(value, from_numpy(self.dtype)))
    whole[tuple(dst)] = self[tuple(src)]
    return whole


op(
    "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
    meta=_pad_meta,
    kernel=_pad,
    half=False,
    variants="function",
    grad={"self": lambda g, c: ops.constant_pad_nd(g, [-p for p in c.pad], 0)},
    samples="constant_pad",
)


# -- the whole tensor with a part replaced, and the gradients of the part views -----------------


def _zeros_meta(grad: Any, input_sizes: Sequence[int], *rest: Any) -> Out:
    return Out(tuple(input_sizes), grad.dtype)


def _select_backward(grad: Any, input_sizes: Any, dim: int, index: int) -> Any:
    out = np.zeros(input_sizes, grad.dtype)
    out.swapaxes(0, dim)[index] = grad if dim == 0 else _moved_front(grad, out.ndim, dim)
    return out


def _moved_front(part: Any, ndim: int, dim: int) -> Any:
    """*part* (without dim *dim*) in the dim order that ``swapaxes(0, dim)[i]`` has."""
    d = dim % ndim
    order = [i for i in range(ndim) if i != d]  # dims of the whole that part has, in its order
    swapped = list(range(ndim))
    swapped[0], swapped[d] = swapped[d], swapped[0]
    return part.transpose([order.index(i) for i in swapped[1:]])


def _slice_backward(grad: Any, input_sizes: Any, dim: int, start: int, end: int, step: int) -> Any:
    out = np.zeros(input_sizes, grad.dtype)
    d = wrap_dim(dim, out.ndim)
    lo, hi = slice_bounds(start, end, out.shape[d])
    out[(slice(None),) * d + (slice(lo, hi, step),)] = grad
    return out


def _diagonal_backward(grad: Any, input_sizes: Any, offset: int, dim1: int, dim2: int) -> Any:
    out = np.zeros(input_sizes, grad.dtype)
    diagonal_of(out, offset, dim1, dim2)[...] = grad
    return out


def diagonal_of(a: Any, offset: int, dim1: int, dim2: int) -> Any:
    """A writable view of the diagonal of *a*, its dim last."""
    view = a.diagonal(offset, dim1, dim2)
    view.flags.writeable = True
    return view


def _unfold_backward(
    grad_in: Any, input_sizes: Sequence[int], dim: int, size: int, step: int
) -> Any:
    out = np.zeros(input_sizes, grad_in.dtype)
    if not out.ndim:
        return grad_in.sum(axis=-1, dtype=grad_in.dtype).reshape(())
    d = wrap_dim(dim, out.ndim)
    count = grad_in.shape[d]
    before = (slice(None),) * d
    # One strided addition per place in the window: windows overlap, places do not.
    for k in range(size):
        if count:
            out[(*before, slice(k, k + (count - 1) * step + 1, step))] += grad_in[..., k]
    return out


op(
    "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor",
    meta=_zeros_meta,
    kernel=_select_backward,
    half=False,
    variants="",
    grad={"grad_output": lambda g, c: g.select(c.dim, c.index)},
    samples="select_backward",
)
op(
    "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, "
    "SymInt step) -> Tensor",
    meta=_zeros_meta,
    kernel=_slice_backward,
    half=False,
    variants="",
    grad={"grad_output": lambda g, c: ops.slice(g, c.dim, c.start, c.end, c.step)},
    samples="slice_backward",
)
op(
    "diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, "
    "int dim2) -> Tensor",
    meta=_zeros_meta,
    kernel=_diagonal_backward,
    half=False,
    variants="",
    grad={"grad_output": lambda g, c: g.diagonal(c.offset, c.dim1, c.dim2)},
    samples="diagonal_backward",
)
op(
    "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
    meta=_zeros_meta,
    kernel=_unfold_backward,
    variants="",
    grad={"grad_in": lambda g, c: g.unfold(c.dim, c.size, c.step)},
    samples="unfold_backward",
)


def _scatter_meta(check: Any) -> Any:
    from mindtorch.ops import view

    find = getattr(view, check)

    def meta(self: Any, src: Any, *where: Any) -> Out:
        part = find(self, *where)
        if tuple(src.shape) != part.shape:
            raise RuntimeError(
                "expected src to have a size equal to the slice of self. "
                f"src size = {list(src.shape)}, slice size = {list(part.shape)}"
            )
        return _like(self)

    return meta


def _slice_scatter(self: Any, src: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    out = _clone(self, None)
    d = wrap_dim(dim, out.ndim)
    lo, hi = slice_bounds(start, end, out.shape[d])
    out[(slice(None),) * d + (slice(lo, hi, step),)] = src
    return out


def _select_scatter(self: Any, src: Any, dim: int, index: int) -> Any:
    out = _clone(self, None)
    out[(slice(None),) * wrap_dim(dim, out.ndim) + (index,)] = src
    return out


def _diagonal_scatter(self: Any, src: Any, offset: int, dim1: int, dim2: int) -> Any:
    out = _clone(self, None)
    diagonal_of(out, offset, dim1, dim2)[...] = src
    return out


op(
    "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor",
    meta=_scatter_meta("_slice"),
    kernel=_slice_scatter,
    half=False,
    grad={
        "self": lambda g, c: ops.slice_scatter(
            g, g.new_zeros(c.src.shape), c.dim, c.start, c.end, c.step
        ),
        "src": lambda g, c: ops.slice(g, c.dim, c.start, c.end, c.step),
    },
    samples="slice_scatter",
)
op(
    "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    meta=_scatter_meta("_select"),
    kernel=_select_scatter,
    half=False,
    grad={
        "self": lambda g, c: ops.select_scatter(g, g.new_zeros(c.src.shape), c.dim, c.index),
        "src": lambda g, c: g.select(c.dim, c.index),
    },
    samples="select_scatter",
)
op(
    "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    meta=_scatter_meta("_diagonal"),
    kernel=_diagonal_scatter,
    half=False,
    grad={
        "self": lambda g, c: ops.diagonal_scatter(
            g, g.new_zeros(c.src.shape), c.offset, c.dim1, c.dim2
        ),
        "src": lambda g, c: g.diagonal(c.offset, c.dim1, c.dim2),
    },
    samples="diagonal_scatter",
)
