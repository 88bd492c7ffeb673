"""Sparse tensors that are given another size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...call.row import op
from ...core.constants import sparse_csr
from ...core.layout_names import layout_name
from ...tensor import Tensor
from ...tensor.sparse_content import become
from ..options import negative_dimension
from .construction import empty_coo
from .parts import COMPRESSED, COO, array, compressed_tensor, coo_tensor, is_sparse

__all__ = ["check_resize"]

_KEPT = (
    "on a non-empty sparse tensor is not supported.\n"
    "You could try the following options:\n"
    "1. If you need an empty sparse tensor of this size, call `x = torch.sparse_coo_tensor(size)`."
    "\n2. If you need to resize this tensor, you have the following options:\n"
    "    1. For both sparse and dense dimensions, keep the number of them constant and the size of "
    "them non-shrinking, and then try the same call again.\n"
    "    2. Or, create a new sparse tensor with the correct indices and values from this sparse "
    "tensor."
)


def _check_dims(size: Sequence[int], sparse_dim: int, dense_dim: int) -> None:
    if len(size) != sparse_dim + dense_dim:
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
            f"{len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )


for _name in ("sparse_resize_", "sparse_resize_and_clear_"):
    op(
        f"{_name}(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!)",
        says="Give a COO tensor another size"
        + ("." if _name == "sparse_resize_" else ", and no elements."),
        variants="method",
        samples="sparse_resize",
    )


def check_resize(self: Tensor, size: Sequence[int], sparse_dim: int, dense_dim: int) -> None:
    """Refuse what a COO tensor with elements cannot become: smaller, or of other dimensions.

    Raises RuntimeError.
    """
    _check_dims(size, sparse_dim, dense_dim)
    content, old, new = self._content_, list(self.shape), list(size)
    if content.nnz:
        for kind, was, wanted in (
            ("sparse", content.sparse_dim, sparse_dim),
            ("dense", content.dense_dim, dense_dim),
        ):
            if was != wanted:
                raise RuntimeError(
                    f"changing the number of {kind} dimensions (from {was} to {wanted}) {_KEPT}"
                )
        for kind, part in (("sparse", slice(0, sparse_dim)), ("dense", slice(sparse_dim, None))):
            if any(n < m for n, m in zip(new[part], old[part], strict=True)):
                raise RuntimeError(
                    f"shrinking the size of {kind} dimensions (from {old[part]} to {new[part]}) "
                    f"{_KEPT}"
                )


@COO("sparse_resize_")
def _resize(self: Tensor, size: Sequence[int], sparse_dim: int, dense_dim: int) -> Tensor:
    check_resize(self, size, sparse_dim, dense_dim)
    content, old, new = self._content_, list(self.shape), list(size)
    if not content.nnz:
        return _clear(self, size, sparse_dim, dense_dim)
    values = array(content.values)
    if new[sparse_dim:] != old[sparse_dim:]:
        room = np.zeros((len(values), *new[sparse_dim:]), values.dtype)
        room[tuple([slice(n) for n in values.shape])] = values
        values = room
    made = coo_tensor(content.indices, values, tuple(new), content.coalesced)
    return become(self, made._content_, tuple(new))


@COO("sparse_resize_and_clear_")
def _clear(self: Tensor, size: Sequence[int], sparse_dim: int, dense_dim: int) -> Tensor:
    _check_dims(size, sparse_dim, dense_dim)
    made = empty_coo(tuple(size), self.dtype, sparse_dim, dense_dim)
    return become(self, made._content_, tuple(size))


@COO("resize_as_")
def _resize_as_any(self: Tensor, the_template: Tensor, memory_format: Any) -> Tensor:
    """A COO tensor as another one; where one of both is dense, sizes alone count."""
    if is_sparse(self) and is_sparse(the_template):
        return _resize_as(self, the_template)
    return self.resize_(the_template.shape)


op(
    "resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!)",
    variants="function, method",
    samples="two_coo",
)


@COO("resize_as_sparse_")
def _resize_as(self: Tensor, the_template: Tensor) -> Tensor:
    like = the_template._content_
    return _resize(self, the_template.shape, like.sparse_dim, like.dense_dim)


@COMPRESSED("resize_")
def _resize_csr(self: Tensor, size: Sequence[int], memory_format: Any) -> Tensor:
    """A CSR matrix with more or fewer rows, and no fewer columns.

    Of fewer rows, the last one gets the elements of those that go, as in torch. Raises RuntimeError
    for other layouts and for batches, whose new matrices torch leaves to what is in memory.
    """
    content, new = self._content_, tuple(size)
    if len(new) < 2:
        raise RuntimeError(
            "torch.resize_: Only batched sparse CSR matrices are supported, but got size "
            f"{list(new)}"
        )
    if any(n < 0 for n in new):
        raise negative_dimension(new)
    if content.layout is not sparse_csr or self._a_.ndim > 2 or len(new) > 2:
        raise RuntimeError(
            f"torch.resize_: only CSR matrices are supported, but got {layout_name(self.layout)} "
            f"of size {list(self.shape)} and the new size {list(new)}"
        )
    rows, columns = self._a_.shape
    if new[1] < columns:
        raise RuntimeError(
            "torch.resize_: Resizing columns of sparse CSR tensors to a smaller value is not "
            f"supported. The original number of columns is {columns} while the requested new "
            f"number of columns is {new[1]}."
        )
    nnz = min(content.nnz, new[0] * new[1])
    starts = np.full(new[0] + 1, nnz, content.compressed._a_.dtype)
    kept = min(rows + 1, new[0])  # the last row has what is left
    starts[:kept] = np.minimum(array(content.compressed)[:kept], nnz)
    parts = [array(t)[:nnz].copy() for t in (content.plain, content.values)]
    made = compressed_tensor(sparse_csr, starts, *parts, new)
    return become(self, made._content_, new)


@COMPRESSED("resize_as_")
def _resize_csr_as(self: Tensor, the_template: Tensor, memory_format: Any) -> Tensor:
    return self.resize_(the_template.shape, memory_format=memory_format)
