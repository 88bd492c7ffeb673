"""The whole tensor with a part replaced, and the gradients of the views of a part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage import layout

from mindtorch.aten.as_strided import as_strided_view, overlaps
from mindtorch.aten.copying import cast
from mindtorch.aten.indexing import cloned, like
from mindtorch.aten.reflected import zeros_of
from mindtorch.aten.slicing import diagonal_view, select_view, slice_bounds, slice_view
from mindtorch.call.elementwise_meta import broadcast_shapes
from mindtorch.call.row import Out, op
from mindtorch.core.dims import element_strides
from mindtorch.core.errors import in_place_shape
from mindtorch.core.operators import of, ops
from mindtorch.core.signature import STRIDED
from mindtorch.core.warning import warn_discarded
from mindtorch.tensor.array_memory import address, owner_of, strided_view

__all__ = ["diagonal_of"]

wrap_dim = layout.wrap_dim


class _Zeros(NamedTuple):
    """What the gradient of a part is copied into, as far as its view looks at it."""

    shape: tuple[int, ...]

    def stride(self) -> tuple[int, ...]:
        return layout.contiguous_strides(self.shape)


def _zeros_meta(find: Any) -> Any:
    """The meta of zeros into which a gradient is copied at the view *find*."""

    def meta(grad: Any, input_sizes: Sequence[int], *where: Any) -> Out:
        zeros = _Zeros(tuple(input_sizes))
        part = find(zeros, *where).shape
        if (both := broadcast_shapes(part, grad.shape)) != part:
            raise in_place_shape(part, both)
        return Out(zeros.shape, grad.dtype)

    return meta


def _put_into(place: tuple[Any, ...], shape: Any, dtype: Any) -> Callable[..., Any]:
    """What puts a gradient in its place, among zeros."""
    zeros, shape = np.zeros, tuple(shape)

    def kernel(grad: Any, *_: Any) -> Any:
        out = zeros(shape, dtype)
        out[place] = grad
        return out

    return kernel


def _prepare_select_backward(
    grad: Any, input_sizes: Any, dim: int, index: int
) -> Callable[..., Any]:
    d = wrap_dim(dim, len(input_sizes))
    return _put_into((*(slice(None),) * d, index), input_sizes, grad.dtype)


def _prepare_slice_backward(
    grad: Any, input_sizes: Any, dim: int, start: int, end: int, step: int
) -> Callable[..., Any]:
    d = wrap_dim(dim, len(input_sizes))
    lo, hi = slice_bounds(start, end, input_sizes[d])
    return _put_into((*(slice(None),) * d, slice(lo, hi, step)), input_sizes, grad.dtype)


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
    meta=_zeros_meta(select_view),
    prepare=_prepare_select_backward,
    half=False,
    variants="",
    grad={"grad_output": lambda g, c: g.select(c.dim, c.index)},
    samples="select_backward",
    tags=("moves_mask",),
)
op(
    "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, "
    "SymInt step) -> Tensor",
    meta=_zeros_meta(slice_view),
    prepare=_prepare_slice_backward,
    half=False,
    variants="",
    grad={"grad_output": lambda g, c: ops.slice(g, c.dim, c.start, c.end, c.step)},
    samples="slice_backward",
    tags=("moves_mask",),
)
op(
    "diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, "
    "int dim2) -> Tensor",
    meta=_zeros_meta(diagonal_view),
    kernel=_diagonal_backward,
    half=False,
    variants="",
    grad={"grad_output": lambda g, c: g.diagonal(c.offset, c.dim1, c.dim2)},
    samples="diagonal_backward",
    tags=("needs_whole",),
)
op(
    "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
    meta=lambda grad_in, input_sizes, *where: Out(tuple(input_sizes), grad_in.dtype),
    kernel=_unfold_backward,
    variants="",
    grad={"grad_in": lambda g, c: g.unfold(c.dim, c.size, c.step)},
    samples="unfold_backward",
    batch="whole_loop",
    tags=("moves_mask",),
)


def _scatter_meta(find: Any) -> Any:
    """The meta of writing the part that the view *find* shows."""

    def meta(self: Any, src: Any, *where: Any) -> Out:
        part = find(self, *where)
        if tuple(src.shape) != part.shape:
            raise RuntimeError(
                "expected src to have a size equal to the slice of self. "
                f"src size = {list(src.shape)}, slice size = {list(part.shape)}"
            )
        return _strides_preserved(self)

    return meta


def _strides_preserved(self: Any) -> Out:
    """A result with the strides of *self*, or dense where two places of it show one element."""
    if overlaps(self.shape, self.stride()):
        return like(self)
    return Out(tuple(self.shape), self.dtype, tuple(self.stride()))


_COMPLEX = ("complex32", "complex64", "complex128")


def _parts_lost(self: Any, src: Any, *where: Any) -> None:
    """The warning of ``copy_``, by which *src* gets its place."""
    if src.dtype.is_complex and not self.dtype.is_complex and self.dtype.name != "bool":
        warn_discarded()


def _memory(self: Any) -> tuple[Any, int]:
    """A copy of all the memory that *self* shows a part of, and the element that it begins at."""
    owner = owner_of(self)
    whole = owner.ravel("K").view(self.dtype).copy()  # as it lies in memory
    return whole, 0 if owner is self else (address(self) - address(owner)) // self.itemsize


def _clone_preserve_strides(self: Any) -> Callable[[Any], Any]:
    """What copies arrays that look like *self*, with their strides and what lies between elements.

    Source: torch aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides.
    """
    shape, strides = self.shape, element_strides(self)
    if overlaps(shape, strides):
        return cloned
    if self.flags.c_contiguous:
        return lambda self: self.copy()

    def clone(self: Any) -> Any:
        whole, lies_at = _memory(self)
        return strided_view(whole, shape, strides, lies_at)

    return clone


def _put_over(place: tuple[Any, ...], self: Any, src: Any) -> Callable[..., Any]:
    """What puts *src* in its place, over a copy of all the rest."""
    clone, dtype = _clone_preserve_strides(self), self.dtype
    same = src.dtype == dtype

    def kernel(self: Any, src: Any, *_: Any) -> Any:
        out = clone(self)
        out[place] = src if same else cast(src, dtype)
        return out

    return kernel


def _prepare_slice_scatter(
    self: Any, src: Any, dim: int, start: Any, end: Any, step: int
) -> Callable[..., Any]:
    d = wrap_dim(dim, self.ndim)
    lo, hi = slice_bounds(start, end, self.shape[d])
    return _put_over((*(slice(None),) * d, slice(lo, hi, step)), self, src)


def _prepare_select_scatter(self: Any, src: Any, dim: int, index: int) -> Callable[..., Any]:
    return _put_over((*(slice(None),) * wrap_dim(dim, self.ndim), index), self, src)


def _prepare_diagonal_scatter(
    self: Any, src: Any, offset: int, dim1: int, dim2: int
) -> Callable[..., Any]:
    clone = _clone_preserve_strides(self)

    def kernel(self: Any, src: Any, *_: Any) -> Any:
        out = clone(self)
        diagonal_of(out, offset, dim1, dim2)[...] = cast(src, out.dtype)
        return out

    return kernel


op(
    "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor",
    says="""Return a copy in which a slice along a dimension is replaced by src.

    >>> torch.slice_scatter(torch.zeros(4), torch.ones(2), start=1, end=3)
    tensor([0., 1., 1., 0.])
    """,
    meta=_scatter_meta(slice_view),
    prepare=_prepare_slice_scatter,
    half=False,
    grad={
        "self": lambda g, c: ops.slice_scatter(
            g, zeros_of(g, c.src.shape), c.dim, c.start, c.end, c.step
        ),
        "src": lambda g, c: ops.slice(g, c.dim, c.start, c.end, c.step),
    },
    out=True,
    warns=_parts_lost,
    warns_of=_COMPLEX,
    samples="slice_scatter",
    tags=("out_has_no_formula", "real_only"),
    tangent="linear",
)
op(
    "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    says="""Return a copy in which one index along a dimension is replaced by src.

    >>> torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """,
    meta=_scatter_meta(select_view),
    prepare=_prepare_select_scatter,
    half=False,
    grad={
        "self": lambda g, c: ops.select_scatter(g, zeros_of(g, c.src.shape), c.dim, c.index),
        "src": lambda g, c: g.select(c.dim, c.index),
    },
    warns=_parts_lost,
    warns_of=_COMPLEX,
    samples="select_scatter",
    tangent="linear",
    tags=("real_only",),
)
op(
    "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    says="Return a copy whose diagonal is replaced by src.",
    meta=_scatter_meta(diagonal_view),
    prepare=_prepare_diagonal_scatter,
    half=False,
    grad={
        "self": lambda g, c: ops.diagonal_scatter(
            g, zeros_of(g, tuple(c.src.shape)), c.offset, c.dim1, c.dim2
        ),
        "src": lambda g, c: g.diagonal(c.offset, c.dim1, c.dim2),
    },
    warns=_parts_lost,
    warns_of=_COMPLEX,
    samples="diagonal_scatter",
    tags=("needs_whole",),
)


def _as_strided_scatter_meta(self: Any, src: Any, size: Any, stride: Any, offset: Any) -> Out:
    as_strided_view(self, size, stride, offset)
    if tuple(src.shape) != tuple(size):
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. "
            f"src size = {list(src.shape)}, slice size = {list(size)}"
        )
    if overlaps(size, stride):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        )
    return _strides_preserved(self)


def _contiguous_or_constant(self: Any, *rest: Any) -> None:
    """What torch asserts of the tensor itself, whether or not gradients are recorded."""
    if self._sig_ & STRIDED and self.requires_grad and not self.is_contiguous():
        raise RuntimeError(
            "!self.requires_grad() || self.is_contiguous() INTERNAL ASSERT FAILED at "
            '"/__w/pytorch/pytorch/aten/src/ATen/native/TensorShape.cpp":4754, please report a bug '
            "to PyTorch. as_strided_scatter is currently only supported for contiguous inputs"
        )
    _parts_lost(self, *rest)


def _prepare_as_strided_scatter(
    self: Any, src: Any, size: Any, stride: Any, offset: Any
) -> Callable[..., Any]:
    """All of the memory is copied, what *self* does not look at too: the window may see it."""
    shape, dtype, same = self.shape, self.dtype, src.dtype == self.dtype
    repeated = overlaps(shape, element_strides(self))
    strides = element_strides(cloned(self) if repeated else self)

    def kernel(self: Any, src: Any, *_: Any) -> Any:
        if repeated:
            self = cloned(self)
        whole, lies_at = _memory(self)
        begin = lies_at if offset is None else offset
        strided_view(whole, size, stride, begin)[...] = src if same else cast(src, dtype)
        return strided_view(whole, shape, strides, lies_at)

    return kernel


def _as_strided_scatter_grad(g: Any, c: Any) -> Any:
    part = g.contiguous().as_strided(c.size, c.stride, c.storage_offset)
    whole = of("new_zeros")(g, tuple(g.shape)).as_strided(tuple(g.shape), g.stride())
    whole.as_strided(c.size, c.stride, c.storage_offset).copy_(part)
    return whole


op(
    "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
    "SymInt? storage_offset=None) -> Tensor",
    says="Return a copy in which what as_strided would show is replaced by src.",
    meta=_as_strided_scatter_meta,
    batch="needs_a_rule",
    prepare=_prepare_as_strided_scatter,
    half=False,
    tags=("of_storage", "takes_other_device"),
    grad={
        # torch FunctionsManual.cpp, as_strided_scatter_backward: the replaced part alone, though
        # it is the rest that *self* has a hand in.
        "self": _as_strided_scatter_grad,
        "src": lambda g, c: ops.as_strided(g.contiguous(), c.size, c.stride, c.storage_offset),
    },
    warns=_contiguous_or_constant,
    samples="as_strided_scatter",
    tangent="linear",
)
