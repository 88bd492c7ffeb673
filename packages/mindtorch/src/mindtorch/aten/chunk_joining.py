"""``_chunk_cat``: tensors cut into equally many chunks, and chunks of one number joined."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.layout import wrap_dim

from ..call.row import op
from ..core.operators import ops
from .derivatives import not_implemented_for

__all__: list[str] = []


def _check(tensors: Any, dim: int, num_chunks: int) -> int:
    """The dim, counted from the front. Raises RuntimeError for what torch refuses."""
    if num_chunks < 1:
        raise RuntimeError("_chunk_cat expects positive num_chunks")
    if not tensors:
        raise RuntimeError("_chunk_cat expects a non-empty input tensor list")
    first = tensors[0]
    if dim < 0 and any(tensor.dim() != first.dim() for tensor in tensors):
        raise RuntimeError(
            "_chunk_cat expects non-negative dim when input tensors have different ndims"
        )
    dim = wrap_dim(dim, first.dim())
    for tensor in tensors:
        if not tensor.numel():
            raise RuntimeError("_chunk_cat expects non-empty tensor")
        if tensor.dtype is not first.dtype:
            raise RuntimeError("_chunk_cat expects all input tensors with the same dtype")
        if tensor.device != first.device:
            raise RuntimeError("_chunk_cat expects all inputs tensors on the same device")
        if tensor.dim() <= dim:
            raise RuntimeError("_chunk_cat expects dim < ndim for all input tensors")
        if tensor.shape[:dim] != first.shape[:dim]:
            raise RuntimeError(
                "_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors"
            )
    return dim


def _chunks(tensors: Any, dim: int, num_chunks: int) -> tuple[list[Any], int]:
    """The tensors with their chunks as a dim of their own, and the dim along which they join."""
    dim = _check(tensors, dim, num_chunks)
    chunks = []
    for tensor in tensors:
        lacking = -tensor.shape[dim] % num_chunks
        if lacking:
            behind = (0, 0) * (tensor.dim() - dim - 1)
            tensor = ops.constant_pad_nd(tensor, (*behind, 0, lacking))
        chunks.append(tensor.reshape((*tensor.shape[:dim], num_chunks, -1)))
    return chunks, dim + 1


op(
    "_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor",
    says="Cut each tensor into *num_chunks*, filled up with zeros, and join chunks of one number.",
    composite=lambda *args: ops.cat(*_chunks(*args)),
    batch="no_fallback",
    out_kernel=lambda target, *args: ops.cat(*_chunks(*args), out=target),
    kinds={"functional": "explicit", "out": "explicit"},
    grad=not_implemented_for("_chunk_cat", "tensors"),
    variants="function",
    out=True,
    samples="chunk_cat",
    tags=("checks_devices",),
)
