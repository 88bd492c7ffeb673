"""Sparse tensors that are given another size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...call.row import op
from ...tensor import Tensor
from ...tensor.sparse_content import become
from .construction import empty_coo
from .parts import COO, array, coo_tensor, is_sparse

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
    content, old, new = self._content, list(self.shape), list(size)
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
    content, old, new = self._content, list(self.shape), list(size)
    if not content.nnz:
        return _clear(self, size, sparse_dim, dense_dim)
    values = array(content.values)
    if new[sparse_dim:] != old[sparse_dim:]:
        room = np.zeros((len(values), *new[sparse_dim:]), values.dtype)
        room[tuple([slice(n) for n in values.shape])] = values
        values = room
    made = coo_tensor(content.indices, values, tuple(new), content.coalesced)
    return become(self, made._content, tuple(new))


@COO("sparse_resize_and_clear_")
def _clear(self: Tensor, size: Sequence[int], sparse_dim: int, dense_dim: int) -> Tensor:
    _check_dims(size, sparse_dim, dense_dim)
    made = empty_coo(tuple(size), self.dtype, sparse_dim, dense_dim)
    return become(self, made._content, tuple(size))


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
    like = the_template._content
    return _resize(self, the_template.shape, like.sparse_dim, like.dense_dim)
