"""Gradients of few rows of a table, as COO tensors: of ``embedding`` and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...call.row import op
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from .parts import array, coo_tensor

__all__: list[str] = []


def _embedding(
    grad: Tensor, indices: Tensor, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Tensor:
    """A row of the gradient for each index, those of the padding left out.

    Source: torch aten/src/ATen/native/Embedding.cpp, embedding_sparse_backward.
    """
    if scale_grad_by_freq:
        raise RuntimeError(
            "embedding_backward: scale_grad_by_freq not supported with sparse gradients"
        )
    width = grad.shape[-1]
    flat = indices.reshape((-1,))
    if not grad.numel():  # there are no rows to tell apart
        flat = flat[:0]
    rows = grad.reshape((flat.shape[0], width))
    if padding_idx != -1:
        kept = flat != padding_idx
        flat, rows = flat[kept], rows[kept]
    made: Tensor = ops._sparse_coo_tensor_unsafe(
        flat.reshape((1, -1)).long(), rows, (num_weights, width), dtype=None, layout=None,
        device=None, pin_memory=None, is_coalesced=None,
    )  # fmt: skip
    return made


op(
    "embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, int padding_idx, "
    "bool scale_grad_by_freq) -> Tensor",
    composite=_embedding,
    variants="",
    samples="embedding_sparse_backward",
)
op(
    "embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, "
    "bool scale_grad_by_freq, bool sparse) -> Tensor",
    composite=lambda grad, indices, num_weights, padding_idx, scale, sparse: (
        _embedding(grad, indices, num_weights, padding_idx, scale)
        if sparse
        else ops.embedding_dense_backward(grad, indices, num_weights, padding_idx, scale)
    ),
    variants="",
    samples="embedding_backward_either",
)


def _embedding_bag(
    grad: Tensor, indices: Tensor, offsets: Tensor, offset2bag: Tensor, bag_size: Tensor,
    num_weights: int, scale_grad_by_freq: bool, mode: int, per_sample_weights: Any,
    padding_idx: int,
) -> Tensor:  # fmt: skip
    """The same of sums and means of rows.

    Source: torch aten/src/ATen/native/EmbeddingBag.cpp, _embedding_bag_sparse_backward.
    """
    if not offset2bag.numel():
        counts = ops.diff(offsets, append=offsets.new_tensor([indices.numel()]))
        offset2bag = ops.repeat_interleave(counts)
    rows = grad.index_select(0, offset2bag)
    if mode == 1:
        sizes = bag_size.index_select(0, offset2bag).clamp(min=1)
        rows = rows / sizes.unsqueeze(1).to(rows.dtype)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    return _embedding(rows, indices, num_weights, padding_idx, scale_grad_by_freq)


op(
    "_embedding_bag_sparse_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor "
    "offset2bag, Tensor bag_size, SymInt num_weights, bool scale_grad_by_freq, int mode, "
    "Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
    composite=_embedding_bag,
    variants="",
    samples="bag_sparse_backward",
)


def _gather(self: Tensor, dim: int, index: Tensor, grad: Tensor) -> Tensor:
    """An element of the gradient for each that was gathered.

    Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, _gather_sparse_backward.
    """
    if not self.dim():
        flat = array(grad).reshape(-1)
        return coo_tensor(np.zeros((0, flat.size), np.int64), flat, ())
    numbers = array(index)
    if not numbers.ndim:
        numbers = numbers.reshape(1)
    places = list(np.indices(numbers.shape).reshape(numbers.ndim, -1))
    places[dim % self.dim()] = numbers.reshape(-1)
    values = wrap(np.ascontiguousarray(array(grad).reshape(-1)))
    return coo_tensor(np.stack(places), values, self.shape)


op(
    "_gather_sparse_backward(Tensor self, int dim, Tensor index, Tensor grad) -> Tensor",
    composite=_gather,
    variants="",
    samples="gather_sparse_backward",
)
