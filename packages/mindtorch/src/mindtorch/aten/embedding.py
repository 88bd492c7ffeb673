"""Rows of a table chosen by index: ``embedding`` and its gradient, ``one_hot``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindtorch.aten.indexing import add_at
from mindtorch.aten.reflected import zeros_of
from mindtorch.call.row import Out, op
from mindtorch.core import signature as S
from mindtorch.core.dims import numel_of, size_at, type_string
from mindtorch.core.operators import ops

from . import looks

__all__: list[str] = []


def _embedding_meta(
    weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool, sparse: bool
) -> Out:
    shape = tuple(weight.shape)
    if len(shape) != 2:
        raise RuntimeError("'weight' must be 2-D")
    if indices.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {type_string(indices)} instead (while checking arguments for "
            "embedding)"
        )
    return Out((*indices.shape, shape[1]), weight.dtype)


def _prepare_embedding(
    weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool, sparse: bool
) -> Callable[..., Any]:
    rows, some = weight.shape[0], bool(indices.size)
    unsigned = np.dtype(np.uint64 if indices.dtype.itemsize == 8 else np.uint32)

    def kernel(weight: Any, indices: Any, *rest: Any) -> Any:
        found = indices.view(unsigned)  # a negative index is huge there
        if some and found.item(found.argmax()) >= rows:
            raise IndexError("index out of range in self")
        return weight.take(indices, 0)

    return kernel


def _embedding_grad(g: Any, c: Any) -> Any:
    if c.sparse:
        return ops.embedding_sparse_backward(
            g, c.indices, c.weight.shape[0], c.padding_idx, c.scale_grad_by_freq
        )
    return ops.embedding_dense_backward(
        g, c.indices, c.weight.shape[0], c.padding_idx, c.scale_grad_by_freq
    )


op(
    "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, "
    "bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    says="""Return the rows of a table that indices name.
    Indices of shape ``(*)`` give ``(*, size of a row)``.

    >>> torch.nn.functional.embedding(torch.tensor([0, 2]), torch.arange(6.).view(3, 2))
    tensor([[0., 1.],
            [4., 5.]])
    """,
    meta=_embedding_meta,
    prepare=_prepare_embedding,
    half=False,
    variants="function",
    grad={"weight": _embedding_grad},
    samples="embedding",
    tangent="linear",
    looks=looks.rows_of,
    tags=("real_only",),
)


def _backward_meta(grad_output: Any, indices: Any, num_weights: int, *rest: Any) -> Out:
    size, count = size_at(grad_output, -1), numel_of(indices.shape)
    if numel_of(grad_output.shape) != count * size:
        raise RuntimeError(
            f"shape '{[count, size]}' is invalid for input of size {numel_of(grad_output.shape)}"
        )
    return Out((num_weights, size), grad_output.dtype)


def _backward(
    grad_output: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    flat = indices.reshape(-1)
    rows = grad_output.reshape(flat.size, grad_output.shape[-1])
    kept = (flat >= 0) & (flat < num_weights)  # torch leaves out what is no row
    if padding_idx >= 0:
        kept &= flat != padding_idx
    if not kept.all():
        flat, rows = flat[kept], rows[kept]
    if scale_grad_by_freq:
        counts = np.bincount(flat, minlength=num_weights)
        rows = rows / counts[flat][:, None].astype(rows.dtype)
    out = np.zeros((num_weights, grad_output.shape[-1]), grad_output.dtype)
    add_at(out, (flat,), rows)
    return out


def _backward_twice(g: Any, indices: Any, padding_idx: int) -> Any:
    rows = g.index_select(0, indices.reshape((-1,)))
    rows = rows.reshape((*indices.shape, g.shape[1]))
    if padding_idx >= 0:
        rows = rows.masked_fill((indices == padding_idx).unsqueeze(-1), 0)
    return rows


op(
    "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, "
    "SymInt padding_idx, bool scale_grad_by_freq) -> Tensor",
    meta=_backward_meta,
    kernel=_backward,
    variants="",
    grad={"grad_output": lambda g, c: _backward_twice(g, c.indices, c.padding_idx)},
    samples="embedding_backward",
    tangent="linear",
)


def _one_hot(self: Any, num_classes: int) -> Any:
    if repr(self.dtype) != "torch.int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    shape = tuple(self.shape)
    if not self.numel():
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return self.new_zeros((*shape, num_classes))
    if self.device.type == "meta" and num_classes > 0:
        return self.new_zeros((*shape, num_classes))  # which classes they are is not asked
    if self._sig_ & S.PYTHON:  # tensors of the argument's own kind, all of whose classes are there
        if num_classes == -1:
            num_classes = int(self.max().item()) + 1
        classes = self.new_ones((num_classes,)).cumsum(0) - 1
        return (self.unsqueeze(-1) == classes).to(self.dtype)
    if self._sig_ & S.ACCELERATORS:
        # No value is looked at, which the host would have to wait for, unless it is asked for.
        if num_classes == -1:
            num_classes = int(self.max().item()) + 1
        return zeros_of(self, (*shape, num_classes)).scatter_(-1, self.unsqueeze(-1), 1)
    least, most = ops.aminmax(self)
    if least.item() < 0:
        raise RuntimeError("Class values must be non-negative.")
    largest = int(most.item())
    if num_classes == -1:
        num_classes = largest + 1
    elif largest >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    out = zeros_of(self, (*shape, num_classes))
    return out.scatter_(-1, self.unsqueeze(-1), 1)


op(
    "one_hot(Tensor self, int num_classes=-1) -> Tensor",
    says="""Return vectors that are one at the given class and zero elsewhere.
    The result is int64 and has one more dimension, of size num_classes.

    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """,
    batch="whole_loop",
    composite=_one_hot,
    module="nn",
    variants="function",
    samples="one_hot",
)
