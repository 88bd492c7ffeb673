"""Products of dense matrices at the places of a sparse one: ``sparse_sampled_addmm``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...call.row import op
from ...core import constants
from ...core.dims import scalar_name
from ...core.half_precision import widened
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from .compressing import coo_coordinates
from .parts import COMPRESSED, array, compressed_tensor, is_sparse, with_values

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _times(t: Any, number: Any) -> Any:
    return t if number == 1 else t * number


op(
    "sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
    "Scalar alpha=1) -> Tensor",
    says="Return the product of two dense matrices at the places of a CSR matrix, added to it.",
    module="sparse",
    variants="function",
    out=True,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "mat1": lambda g, c: _times(g.sparse_mask(c.self).mm(ops.conj(c.mat2.t())), c.alpha),
        "mat2": lambda g, c: _times(ops.conj(c.mat1.t()).mm(g.sparse_mask(c.self)), c.alpha),
    },
    samples="sampled_addmm",
)


def _arrays(t: Tensor) -> list[Array]:
    """The numbers of what a compressed tensor consists of."""
    return [array(part) for _, part in t._content_.named_parts()]


def _check_sampled(self: Tensor, mat1: Tensor, mat2: Tensor) -> None:
    """Refuse layouts, dtypes and batches that do not fit. Raises RuntimeError."""
    for name, t in (("mat1", mat1), ("mat2", mat2)):
        if is_sparse(t):
            raise RuntimeError(
                f"sampled_addmm: Expected {name} to have strided layout, but got "
                f"{layout_name(t.layout)}"
            )
    if self.layout is not constants.sparse_csr:
        raise RuntimeError(
            "sampled_addmm: Expected result to have sparse csr layout, but got "
            f"{layout_name(self.layout)}"
        )
    for name, t in (("mat2", mat2), ("self", self)):
        if t.dtype is not mat1.dtype:
            raise RuntimeError(
                f"sampled_addmm: Expected mat1 and {name} to have the same dtype, but got "
                f"{scalar_name(mat1.dtype)} and {scalar_name(t.dtype)}"
            )
    for name, t in (("mat1", mat1), ("mat2", mat2)):
        if t._a_.ndim < 2:
            raise RuntimeError(
                f"sampled_addmm: Expected {name} to be a matrix, got {t._a_.ndim}-D tensor"
            )
    batch = list(mat1.shape[:-2])
    if batch != list(mat2.shape[:-2]):
        raise RuntimeError(
            f"sampled_addmm: Expected mat1 and mat2 to have the same batch size, but got {batch} "
            f"and {list(mat2.shape[:-2])}"
        )
    own = list(self.shape[:-2])
    if own and own != batch:
        raise RuntimeError(
            f"sampled_addmm: Expected self and mat1 to have the same batch size, but got {own} and "
            f"{batch}"
        )


@COMPRESSED("sparse_sampled_addmm")
def _sampled_addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Any, alpha: Any) -> Tensor:
    _check_sampled(self, mat1, mat2)
    if mat1._a_.shape[-1] != mat2._a_.shape[-2]:
        one, two = mat1._a_.shape[-2:], mat2._a_.shape[-2:]
        raise RuntimeError(
            f"sampled_addmm: mat1 and mat2 shapes cannot be multiplied ({one[0]}x{one[1]} and "
            f"{two[0]}x{two[1]})"
        )
    for name, at, t in (("mat1.shape[-2]", -2, mat1), ("mat2.shape[-1]", -1, mat2)):
        if t._a_.shape[at] != self._a_.shape[at]:
            raise RuntimeError(
                f"sampled_addmm: self.shape[{at}] must match {name}, but got {self._a_.shape[at]} "
                f"and {t._a_.shape[at]}"
            )
    batch = mat1._a_.shape[:-2]
    if batch and not self._content_.batch_dim:  # one matrix of places for all products
        parts = [np.broadcast_to(a, (*batch, *a.shape)).copy() for a in _arrays(self)]
        self = compressed_tensor(self.layout, *parts, (*batch, *self._a_.shape))
    content = self._content_
    *lead, row, column = coo_coordinates(content, self._a_.shape)
    one, two = widened(array(mat1)), widened(array(mat2))
    left = one[(*lead, row)]
    right = two.swapaxes(-1, -2)[(*lead, column)]
    found = (left * right).sum(-1).astype(self._a_.dtype, copy=False)
    product = ops.mul(wrap(found.reshape(content.values._a_.shape)), alpha)
    values = product if beta == 0 else ops.add(ops.mul(content.values, beta), product)
    return with_values(self, values)
