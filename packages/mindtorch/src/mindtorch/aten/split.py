"""Views that come several at a time: ``split``, ``chunk``, ``unbind`` and their relatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from mindtorch_storage import layout

from mindtorch.call.row import Out, ViewOf, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.operators import ops
from mindtorch.tensor.array_memory import strided_view

from . import view_inverses

__all__: list[str] = []

wrap_dim = layout.wrap_dim


Sizes = tuple[Sequence[int], int]


def _even_sizes(shape: Sequence[int], split_size: int, dim: int) -> Sizes:
    """The sizes of the parts of a shape, and which dimension they divide."""
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(
            f"split expects split_size be non-negative, but got split_size={split_size}"
        )
    d = wrap_dim(dim, len(shape))
    size = shape[d]
    if split_size == 0:
        if size:
            raise RuntimeError(
                f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
            )
        return [0], d
    count = max((size + split_size - 1) // split_size, 1)
    last = size - (count - 1) * split_size
    return [split_size] * (count - 1) + [last], d


def _given_sizes(shape: Sequence[int], split_sizes: Sequence[int], dim: int) -> Sizes:
    """The same of sizes that are given."""
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, len(shape))
    if any(s < 0 for s in split_sizes):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, "
            f"but got split_sizes={list(split_sizes)}"
        )
    if sum(split_sizes) != shape[d]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {shape[d]} (input tensor's "
            f"size at dimension {dim}), but got split_sizes={list(split_sizes)}"
        )
    return split_sizes, d


def _parts(sizes: Callable[..., Sizes]) -> Callable[..., list[ViewOf]]:
    """What :attr:`Row.view` says of parts of these *sizes*."""

    def view(self: Any, how: Any, dim: int) -> list[ViewOf]:
        shape = tuple(self.shape)
        parts = _windows(shape, tuple(self.stride()), *sizes(shape, how, dim))
        return [ViewOf(*part) for part in parts]

    return view


Window = tuple[tuple[int, ...], tuple[int, ...], int]


def _windows(
    shape: tuple[int, ...], strides: tuple[int, ...], sizes: Sequence[int], d: int
) -> list[Window]:
    """The shapes, strides and offsets of parts."""
    before, after, step = shape[:d], shape[d + 1 :], strides[d]
    offsets = [at * step for at in accumulate(sizes, initial=0)]
    return [
        ((*before, size, *after), strides, at) for size, at in zip(sizes, offsets, strict=False)
    ]


_split, _split_with_sizes = _parts(_even_sizes), _parts(_given_sizes)


def _joined(g: Sequence[Any], sizes: Sequence[int], dim: int, shape: Sequence[int]) -> Any:
    """The pieces' gradients side by side, zeros where a piece has none."""
    d = wrap_dim(dim, len(shape))
    like = next(x for x in g if x is not None)
    whole = [
        like.new_zeros((*shape[:d], n, *shape[d + 1 :])) if x is None else x
        for x, n in zip(g, sizes, strict=True)
    ]
    return ops.cat(whole, d)


def _split_grad(g: Any, c: Any) -> Any:
    shape = tuple(c.self.shape)
    size = shape[c.dim]
    n = len(g)
    sizes = [c.split_size] * (n - 1) + [size - c.split_size * (n - 1)]
    return _joined(g, sizes, c.dim, shape)


def _unbind(self: Any, dim: int) -> list[ViewOf]:
    shape, strides = tuple(self.shape), tuple(self.stride())
    d = wrap_dim(dim, len(shape))
    if not shape:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    rest, steps, step = shape[:d] + shape[d + 1 :], strides[:d] + strides[d + 1 :], strides[d]
    return [ViewOf(rest, steps, i * step) for i in range(shape[d])]


def _unbind_grad(g: Sequence[Any], c: Any) -> Any:
    like = next(x for x in g if x is not None)
    return ops.stack([like.new_zeros(like.shape) if x is None else x for x in g], c.dim)


op(
    "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
    says="View the tensor as parts along a dimension, of one size or of the given sizes."
    " The last part may be smaller.",
    view=_split,
    grad={"self": _split_grad},
    samples="split",
    inverse=view_inverses.split,
    copies="",
    tags=("moves_mask",),
)
op(
    "split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
    composite=lambda self, split_size, dim: ops.split_with_sizes(self, split_size, dim),
    samples="split_sizes",
    tags=("moves_mask",),
)
op(
    "split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
    says="View the tensor as parts of the given sizes along a dimension.",
    view=_split_with_sizes,
    grad={"self": lambda g, c: _joined(g, c.split_sizes, c.dim, tuple(c.self.shape))},
    samples="split_sizes",
    inverse=view_inverses.split_with_sizes,
    copies="",
)
op(
    "unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]",
    says="""View the tensor as its slices along a dimension, which is dropped.

    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """,
    view=_unbind,
    grad={"self": _unbind_grad},
    samples="dim",
    inverse=view_inverses.unbound,
    copies="",
)


def _chunk_by(split: str) -> Any:
    """``chunk`` by the ops *split* and *split*``_with_sizes``."""

    def chunk(self: Any, chunks: int, dim: int) -> Any:
        if not self.dim():
            raise RuntimeError("chunk expects at least a 1-dimensional tensor")
        if chunks <= 0:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        size = self.shape[wrap_dim(dim, self.dim())]
        each = (size + chunks - 1) // chunks
        if each == 0 and size == 0:
            return getattr(ops, f"{split}_with_sizes")(self, [0] * chunks, dim)
        return getattr(ops, split)(self, each, dim)

    return chunk


op(
    "chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
    says="""View the tensor as a number of parts along a dimension, about equally large.
    The last part may be smaller, and there may be fewer.

    >>> torch.chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """,
    composite=_chunk_by("split"),
    kinds={"functional": "recorded"},
    samples="chunk",
)


def _fresh(view: Callable[..., list[ViewOf]]) -> Callable[..., tuple[Out, ...]]:
    """What :attr:`Row.meta` says of parts that are no views, but lie as those of *view*."""

    def meta(self: Any, how: Any, dim: int) -> tuple[Out, ...]:
        parts = view(self, how, dim)
        return tuple([Out(each.shape, self.dtype, each.strides) for each in parts])

    return meta


def _cut(sizes: Callable[..., Sizes]) -> Callable[..., tuple[Any, ...]]:
    """The kernel for parts of these *sizes*, where they cannot be made at once."""

    def kernel(self: np.ndarray[Any, Any], how: Any, dim: int) -> tuple[Any, ...]:
        strides = tuple([step // self.itemsize for step in self.strides])
        parts = _windows(self.shape, strides, *sizes(self.shape, how, dim))
        return tuple([strided_view(self, *part) for part in parts])

    return kernel


op(
    "unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
    says="Split the tensor into parts that autograd does not know to be views.",
    meta=_fresh(_split),
    kernel=_cut(_even_sizes),
    apart=_split,
    half=False,
    grad={"self": _split_grad},
    samples="split",
    batch="in_pieces",
)
op(
    "unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
    says="Split the tensor into parts of given sizes that autograd does not know to be views.",
    meta=_fresh(_split_with_sizes),
    kernel=_cut(_given_sizes),
    apart=_split_with_sizes,
    half=False,
    grad={"self": lambda g, c: _joined(g, c.split_sizes, c.dim, tuple(c.self.shape))},
    samples="split_sizes",
    batch="in_pieces",
)
op(
    "unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
    says="Split the tensor into a number of parts that autograd does not know to be views.",
    composite=_chunk_by("unsafe_split"),
    samples="chunk",
)


def _split_at(self: Any, indices: Sequence[int], dim: int) -> tuple[Any, ...]:
    if not self.dim():
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    d = wrap_dim(dim, self.dim())
    out, start = [], 0
    for end in indices:
        out.append(ops.slice(self, d, start, end))
        start = end
    out.append(ops.slice(self, d, start, self.shape[d]))
    return tuple(out)


def _tensor_split_sections(self: Any, sections: int, dim: int) -> tuple[Any, ...]:
    if not self.dim():
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    d = wrap_dim(dim, self.dim())
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    each, more = divmod(self.shape[d], sections)
    ends = [i * each + min(i, more) for i in range(1, sections)]
    return _split_at(self, ends, d)


def _tensor_split_tensor(self: Any, where: Any, dim: int) -> tuple[Any, ...]:
    if not self.dim():
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    if where.device.type == "meta":  # on other devices torch refuses too; here it may be read
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be on cpu, "
            f"but it's on {where.device}"
        )
    if repr(where.dtype) != "torch.int64":
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to have dtype of long, "
            f"but got {scalar_name(where.dtype)}"
        )
    if where.dim() > 1:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
            f"one-dimensional tensor, but got a tensor with {where.dim()} dims"
        )
    if where.dim() == 0:
        return _tensor_split_sections(self, where.item(), dim)
    return _split_at(self, where.tolist(), dim)


op(
    "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
    says="""View the tensor as parts along a dimension, a number of them or cut at indices.

    >>> torch.tensor_split(torch.arange(5), (1, 3))
    (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """,
    composite=_tensor_split_sections,
    samples="chunk",
)
op(
    "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
    composite=_split_at,
    samples="tensor_split_indices",
)
op(
    "tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, "
    "Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]",
    composite=_tensor_split_tensor,
    batch="no_fallback",
    samples="tensor_split_tensor",
)


def _axis_split(name: str, need: int, self: Any, parts: Any, dim: int) -> Any:
    n = self.dim()
    if n < need:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {need} dimension, "
            f"but got a tensor with {n} dimensions!"
        )
    if isinstance(parts, int):
        size = self.shape[dim]
        if parts == 0 or size % parts:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {dim}, but the size of the "
                f"dimension {size} is not divisible by the split_size {parts}!"
            )
        return _tensor_split_sections(self, parts, dim)
    return _split_at(self, parts, dim)


def _hsplit(self: Any, parts: Any) -> Any:
    return _axis_split("hsplit", 1, self, parts, 0 if self.dim() == 1 else 1)


def _vsplit(self: Any, parts: Any) -> Any:
    return _axis_split("vsplit", 2, self, parts, 0)


def _dsplit(self: Any, parts: Any) -> Any:
    return _axis_split("dsplit", 3, self, parts, 2)


for _name, _function, _says in (
    (
        "hsplit",
        _hsplit,
        "View the tensor as parts side by side: along dimension 1, of a vector along 0.",
    ),
    ("vsplit", _vsplit, "View the tensor as parts on top of each other: along dimension 0."),
    ("dsplit", _dsplit, "View the tensor as parts along the third dimension."),
):
    op(
        f"{_name}.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
        says=_says,
        composite=_function,
        samples=_name,
    )
    op(
        f"{_name}.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
        composite=_function,
        samples="axis_split_indices",
    )
