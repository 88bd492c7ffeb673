"""Shapes as tensors, and copies in another shape: ``_shape_as_tensor``, ``_reshape_copy`` …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mindtorch_storage as st
from mindtorch_storage import layout

from ..call.row import op
from ..core import signature as S
from ..core.constants import contiguous_format
from ..core.dims import scalar_name, size_at
from ..core.operators import of, ops

__all__: list[str] = []


def _shape_as_tensor(self: Any) -> Any:
    """The numbers are written past the operators, as torch writes them."""
    out = of("empty.memory_format")((self.dim(),), dtype=st.int64)
    if out._sig_ & S.PENDING:
        out._settle_()
    out._a_[:] = self.shape
    return out


op(
    "_shape_as_tensor(Tensor self) -> Tensor",
    says="Return the shape as a tensor of int64.",
    composite=_shape_as_tensor,
    variants="function",
    samples="unary",
    tags=("loops: functional",),
)
op(
    "_dim_arange(Tensor like, int dim) -> Tensor",
    says="Return the places along a dimension, from 0 on.",
    composite=lambda like, dim: of("arange")(
        size_at(like, dim), dtype=st.int64, layout=like.layout, device=like.device
    ),
    variants="function",
    samples="_dim_arange",
    tags=("loops: functional",),
)


def _reshape_from_tensor(self: Any, shape: Any) -> Any:
    if shape.dim() != 1:
        raise RuntimeError(
            "Expected shape_tensor.dim() == 1 to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if shape.dtype is not st.int64:
        raise RuntimeError(f"expected scalar type Long but found {scalar_name(shape.dtype)}")
    return self.reshape(tuple(shape.tolist()))


op(
    "_reshape_from_tensor(Tensor self, Tensor shape) -> Tensor",
    says="View the tensor with the shape that another holds.",
    composite=_reshape_from_tensor,
    variants="function",
    samples="_reshape_from_tensor",
    tags=("loops: functional",),
)


def _reshape_copy(self: Any, size: Sequence[int]) -> Any:
    shape = layout.infer_size(tuple(size), self.numel())
    return ops._unsafe_view(self.clone(memory_format=contiguous_format), shape)


op(
    "_reshape_copy(Tensor self, SymInt[] size) -> Tensor",
    says="Copy the elements into another shape.",
    composite=_reshape_copy,
    kinds={"functional": "explicit"},
    variants="",
    grad={"self": lambda g, c: g.reshape(c.self.shape)},
    samples="_reshape_copy",
    tangent="linear",
)


def _flatten(tensors: Sequence[Any]) -> Any:
    flat = [t.contiguous().view((-1,)) for t in tensors]
    return flat[0] if len(flat) == 1 else ops.cat(flat)


def _unflatten(flat: Any, tensors: Sequence[Any]) -> list[Any]:
    found, begin = [], 0
    for like in tensors:
        count = like.numel()
        if count:
            found.append(flat.narrow(0, begin, count).view(like.shape))
        else:
            how = {"dtype": flat.dtype, "layout": flat.layout, "device": flat.device}
            found.append(of("empty.memory_format")(tuple(like.shape), **how))
        begin += count
    return found


op(
    "flatten_dense_tensors(Tensor[] tensors) -> Tensor",
    says="Return the elements of all tensors, of one dtype, in one dimension.",
    composite=_flatten,
    module="nn",
    variants="function",
    samples="flatten_dense_tensors",
)
op(
    "unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]",
    says="View parts of a vector with the shapes of tensors, one after the other.",
    composite=_unflatten,
    module="nn",
    variants="function",
    samples="unflatten_dense_tensors",
)
