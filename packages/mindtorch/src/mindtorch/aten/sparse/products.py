"""Products of sparse matrices: with dense matrices and vectors, and with one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...call.row import op
from ...core.dims import scalar_name, size_at
from ...core.errors import in_place_shape
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ..derivatives import not_implemented_for
from .coalescing import coalesced
from .parts import COMPRESSED, COO, DENSE, array, coo_tensor, is_sparse
from .product_checks import (
    check_dtypes,
    check_factor_dtypes,
    check_factors,
    check_inner,
    check_matrices,
)
from .row_matrices import (
    by_rows,
    coo_of_rows,
    csr_of_rows,
    dense_of_array,
    times_dense,
    times_sparse,
)

__all__: list[str] = []


def _mm(self: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices of which one at least is sparse: sparse if both are."""
    check_matrices(self, mat2)
    check_inner(self, mat2)
    check_factor_dtypes(self, mat2)
    dtype = self.dtype
    if not is_sparse(mat2):
        return dense_of_array(times_dense(by_rows(self), array(mat2)), dtype)
    if not is_sparse(self):
        turned = by_rows(ops.t(mat2))
        product = times_dense(turned, array(self).T).T
        by_column = mat2.is_sparse  # what torch's kernels for either layout leave
        return dense_of_array(product if by_column else np.ascontiguousarray(product), dtype)
    sparse = times_sparse(by_rows(self), by_rows(mat2))
    if self.is_sparse and mat2.is_sparse:
        return coo_of_rows(sparse, dtype)
    if self.is_sparse or mat2.is_sparse:
        one, two = layout_name(self.layout), layout_name(mat2.layout)
        raise RuntimeError(
            f"addmm: computation on CPU is not implemented for {one} + {one} @ {two}"
        )
    return csr_of_rows(sparse, dtype)


for _kernels in (COO, COMPRESSED):
    _kernels.register("mm", _mm)


def _addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Any, alpha: Any) -> Tensor:
    if is_sparse(self) and not (is_sparse(mat1) and is_sparse(mat2)):
        raise RuntimeError(
            "addmm_sparse_dense: expected strided result tensor, got tensor with layout "
            f"{layout_name(self.layout)}"
        )
    if is_sparse(self) and self.is_sparse:
        raise RuntimeError(
            "addmm_sparse_dense: expected strided result tensor, got tensor with layout Sparse"
        )
    product = _mm(mat1, mat2)
    if is_sparse(product) and not is_sparse(self):
        product = product.to_dense()
    if alpha != 1:
        product = ops.mul(product, alpha)
    if beta == 0:
        return product
    added = self if beta == 1 else ops.mul(self, beta)
    if is_sparse(added):
        return ops.add(added, product)
    return ops.add(ops.expand_copy(added, product.shape), product)


for _kernels in (COO, COMPRESSED):
    _kernels.register("addmm", _addmm)


def _times_vector(self: Tensor, vec: Tensor) -> Tensor:
    return dense_of_array(times_dense(by_rows(self), array(vec)[:, None])[:, 0], self.dtype)


@COO("mv")
def _mv_coo(self: Tensor, vec: Tensor) -> Tensor:
    if self._a_.ndim != 2 or vec._a_.ndim != 1:
        raise RuntimeError(
            "mv: two tensor dim should be 2 and 1, but got SparseTensor Dim: "
            f"{self._a_.ndim}Tensor "
            f"Dim: {vec._a_.ndim}"
        )
    if self._a_.shape[1] != vec._a_.shape[0]:
        raise RuntimeError("mv: expected self.size(-1) == vec.size(-1)")
    check_matrices(self, ops.unsqueeze(vec, 1))
    check_factor_dtypes(self, vec)
    return _times_vector(self, vec)


@COMPRESSED("mv")
def _mv(self: Tensor, vec: Tensor) -> Tensor:
    if self._a_.ndim != 2 or vec._a_.ndim != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got 1, {self._a_.ndim}, {vec._a_.ndim}"
        )
    rows, columns = self._a_.shape
    if columns != vec._a_.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({rows}), mat ({rows}x{columns}), vec ({vec._a_.shape[0]})"
        )
    if self.dtype is not vec.dtype:
        one, two = scalar_name(vec.dtype), scalar_name(self.dtype)
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {one}, {two}, and {one}"
        )
    return _times_vector(self, vec)


@COMPRESSED("addmv")
def _addmv(self: Tensor, mat: Tensor, vec: Tensor, beta: Any, alpha: Any) -> Tensor:
    product = ops.mul(_mv(mat, vec), alpha)
    return product if beta == 0 else ops.add(ops.mul(self, beta), product)


@COO("bmm")
def _bmm(self: Tensor, mat2: Tensor) -> Tensor:
    if is_sparse(mat2):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    content = self._content_
    for what, count, wanted in (
        ("'self' must have 0 dense dims", content.dense_dim, 0),
        ("'self' must have 3 sparse dims", content.sparse_dim, 3),
        ("'mat2' must have 3 dims", mat2._a_.ndim, 3),
    ):
        if count != wanted:
            raise RuntimeError(f"bmm_sparse: Tensor {what}, but has {count}")
    for one, two in ((0, 0), (2, 1)):
        if self._a_.shape[one] != mat2._a_.shape[two]:
            raise RuntimeError(f"bmm_sparse: 'self.size({one})' and 'mat2.size({two})' must match")
    check_dtypes(self, mat2)
    products = [_mm(ops.select(self, 0, i), ops.select(mat2, 0, i)) for i in range(len(self))]
    if not products:
        return wrap(np.zeros((0, self._a_.shape[1], mat2._a_.shape[2]), self._a_.dtype))
    made: Tensor = ops.stack(products)
    return made


def _at_places(grad: Tensor, t: Tensor) -> Tensor:
    """The gradient of a sparse factor where it has elements."""
    made: Tensor = ops.sparse_mask(grad.coalesce(), t.coalesce())
    return made


op(
    "_sparse_sparse_matmul(Tensor self, Tensor other) -> Tensor",
    variants="function",
    grad={
        "self": lambda g, c: _at_places(
            ops._sparse_sparse_matmul(g, ops.conj(c.other.t())), c.self
        ),
        "other": lambda g, c: _at_places(
            ops._sparse_sparse_matmul(ops.conj(c.self.t()), g), c.other
        ),
    },
    samples="two_matrices",
)


@COO("_sparse_sparse_matmul")
def _matmul_of_sparse(self: Tensor, other: Tensor) -> Tensor:
    return _mm(self, other)


# -- the same with gradients at the places of the sparse matrix ------------------------------------


def _mat1_grad(g: Any, c: Any) -> Any:
    """The gradient of a sparse factor, at its places.

    Source: torch csrc/autograd/FunctionsManual.cpp, mm_mat1_sparse_backward.
    """
    if is_sparse(c.mat1) and not is_sparse(c.mat2):
        product = g.mm(ops.conj(c.mat2.t()))
        if c.alpha != 1:
            product = product * c.alpha
        mask = c.mat1.coalesce() if c.mat1.is_sparse else c.mat1
        return product.sparse_mask(mask)
    product = g.mm(ops.conj(c.mat2.t()))
    return product * c.alpha if c.alpha != 1 else product


def _mat2_grad(g: Any, c: Any) -> Any:
    product = ops.conj(c.mat1.t()).mm(g)
    return product * c.alpha if c.alpha != 1 else product


op(
    "_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) "
    "-> Tensor",
    says="Return the sum of a matrix and of the product of a sparse and a dense one.",
    composite=lambda self, mat1, mat2, beta, alpha: ops.addmm(
        self, mat1, mat2, beta=beta, alpha=alpha
    ),
    kinds={"functional": "explicit"},
    batch="whole_loop",
    module="sparse",
    variants="function",
    tangent="not implemented",
    grad={
        "self": lambda g, c: g if c.beta == 1 else g * c.beta,
        "mat1": _mat1_grad,
        "mat2": _mat2_grad,
    },
    samples="sparse_addmm",
)


def _sparse_mm(sparse: Tensor, dense: Tensor) -> Tensor:
    if is_sparse(sparse) and is_sparse(dense):
        if sparse.is_sparse and dense.is_sparse:
            return ops._sparse_sparse_matmul(sparse, dense)
        return ops.mm(sparse, dense)
    added = wrap(np.zeros((), (dense if is_sparse(sparse) else sparse)._a_.dtype))
    made: Tensor = ops._sparse_addmm(added, sparse, dense, beta=0, alpha=1)
    return made


op(
    "_sparse_mm(Tensor sparse, Tensor dense) -> Tensor",
    says="""Return the product of two matrices of which one at least is sparse.
    Sparse if both are. The gradient of a sparse factor has its places alone.

    >>> torch.sparse.mm(torch.eye(2).to_sparse(), torch.ones(2, 1))
    tensor([[1.],
            [1.]])
    """,
    composite=_sparse_mm,
    module="sparse",
    variants="function",
    samples="sparse_mm",
)


def _smm(self: Tensor, mat2: Tensor) -> Tensor:
    empty = ops.zeros((0, 0), dtype=self.dtype, layout=self.layout)
    made: Tensor = ops.sspaddmm(empty, self, mat2, beta=0, alpha=1)
    return made


op(
    "smm(Tensor self, Tensor mat2) -> Tensor",
    says="Return the product of a sparse matrix and a dense one as a sparse matrix.",
    composite=_smm,
    samples="sparse_and_dense",
)
op(
    "sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    says="Return the sum of a sparse matrix and a product of a sparse and a dense one, as a "
    "sparse matrix that is not coalesced.",
    variants="function, method",
    out=True,
    samples="sspaddmm",
)


@DENSE("sspaddmm")
def _sspaddmm_of_dense(*args: Any) -> Tensor:
    raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")


@COO("sspaddmm")
def _sspaddmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Any, alpha: Any) -> Tensor:
    check_factors("sspaddmm", mat1, mat2)
    mat1 = coalesced(mat1)
    shape = mat1._a_.shape[0], mat2._a_.shape[1]
    if beta != 0:
        if not is_sparse(self):
            raise RuntimeError("sspaddmm: expected 'self' to have sparse layout, got Strided")
        for d, size in enumerate(shape):
            if size_at(self, d) != size:
                raise RuntimeError(
                    f"sspaddmm: Argument #1: Expected dim {d} size {size}, got {self._a_.shape[d]}"
                )
        if self.dtype is not mat1.dtype:
            raise RuntimeError(
                f"dtype of values ({scalar_name(mat1.dtype)}) must match dtype of sparse tensor "
                f"({scalar_name(self.dtype)})"
            )
        if self._content_.dense_dim or self._a_.ndim != 2:
            raise in_place_shape(self._a_.shape[:1], shape)
    touched = np.unique(array(mat1._content_.indices)[0])
    product = array(_mm(mat1, mat2))[touched]
    rows, columns = np.meshgrid(touched, np.arange(shape[1]), indexing="ij")
    indices = np.stack([rows.reshape(-1), columns.reshape(-1)])
    values = wrap(product.reshape(-1))
    if alpha != 1:
        values = ops.mul(values, alpha)
    if beta != 0:
        own = self._content_
        scaled = own.values if beta == 1 else ops.mul(own.values, beta)
        indices = np.concatenate((array(own.indices), indices), 1)
        values = ops.cat([scaled, values])
    return coo_tensor(indices, values, shape)


op(
    "hspmm(Tensor mat1, Tensor mat2) -> Tensor",
    says="Return the product of a sparse matrix and a dense one, with the rows that have elements.",
    variants="function",
    out=True,
    grad=not_implemented_for("hspmm", "mat1", "mat2"),
    samples="sparse_and_dense",
)


@COO("hspmm")
def _hspmm(mat1: Tensor, mat2: Tensor) -> Tensor:
    check_factors("hspmm", mat1, mat2)
    touched = np.unique(array(coalesced(mat1)._content_.indices)[0])
    product = array(_mm(mat1, mat2))[touched]
    return coo_tensor(touched[None], product, (mat1._a_.shape[0], mat2._a_.shape[1]))


def __getattr__(name: str) -> Any:
    """``torch.hsmm`` and ``torch.saddmm``, other names of ops."""
    if name in _OTHER_NAMES:
        return getattr(ops, _OTHER_NAMES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_OTHER_NAMES = {"hsmm": "hspmm", "saddmm": "sspaddmm"}
