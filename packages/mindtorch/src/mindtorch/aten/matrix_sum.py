"""Products with something added: ``addmm``, ``baddbmm``, ``addbmm``, ``addmv``."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindtorch.aten.expansion import expand_view as expanded
from mindtorch.aten.matrix_product import (
    batch_product,
    bmm_sizes,
    check_out_dtype,
    left_grad,
    mv_check,
    product_of,
    refusing,
    right_grad,
    same_scalar,
    shapes_of,
)
from mindtorch.aten.scalars import checked
from mindtorch.call.elementwise_meta import not_implemented
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name, size_at
from mindtorch.core.errors import c_type_name
from mindtorch.core.operators import conj
from mindtorch.core.warning import warn_discarded
from mindtorch.tensor.resizing import grow

__all__ = ["scaled"]


def scaled(product: Any, self: Any, beta: Any, alpha: Any) -> Any:
    """``beta * self + alpha * product`` in the memory of *product*; beta 0 ignores NaN in self."""
    kind = product.dtype.kind
    if alpha != 1:
        product *= int(alpha) if kind in "iu" else alpha
    if beta == 1:
        product += self
    elif beta != 0:
        product += self * np.asarray(int(beta) if kind in "iu" else beta, product.dtype)
    return product


def _addmm_meta(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Out:
    a, b, dtype = mat1.shape, mat2.shape, self.dtype
    _check_dtypes(dtype, mat1.dtype, mat2.dtype)
    if len(a) != 2:
        raise RuntimeError(f"mat1 must be a matrix, got {len(a)}-D tensor")
    if len(b) != 2:
        raise RuntimeError(f"mat2 must be a matrix, got {len(b)}-D tensor")
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied {shapes_of(mat1, mat2)}")
    shape = (a[0], b[1])
    own = self.shape
    if own != shape[1:] and own != shape:  # in this order: a size that is a symbol is not asked
        expanded(self, shape, False)
    _check_factors(dtype, beta, alpha)
    return Out(shape, dtype)


def _check_dtypes(dtype: Any, left: Any, right: Any) -> None:
    if dtype is not right:
        raise RuntimeError(
            "self and mat2 must have the same dtype, but got "
            f"{scalar_name(dtype)} and {scalar_name(right)}"
        )
    if dtype is not left:
        raise RuntimeError(
            "mat1 and mat2 must have the same dtype, but got "
            f"{scalar_name(left)} and {scalar_name(right)}"
        )


def _check_factors(dtype: Any, *factors: Any) -> None:
    for factor in factors:
        if type(factor) is complex:
            checked(factor, dtype)


def _addmm(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    product = product_of(mat1, mat2)
    if beta == 1 == alpha:
        product += self
        return product
    return scaled(product, self, beta, alpha)


def _times(g: Any, number: Any) -> Any:
    if isinstance(number, complex):
        number = number.conjugate()
    return g if number == 1 else g * number


op(
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    says="""Return beta * input + alpha * (mat1 @ mat2).
    Shapes (n, m) and (m, p) give (n, p), to which input broadcasts.

    >>> torch.addmm(torch.ones(2, 2), torch.eye(2), torch.eye(2), beta=10, alpha=5)
    tensor([[15., 10.],
            [10., 15.]])
    """,
    meta=_addmm_meta,
    kernel=_addmm,
    refuses=refusing("addmm_impl_cpu_", 1),
    inplace=True,
    out=OutForm(meta="exact", overlap="whole of self"),
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "mat1": lambda g, c: _times(left_grad(g, c.mat1_facts, c.mat2), c.alpha),
        "mat2": lambda g, c: _times(right_grad(g, c.mat1, c.mat2_facts), c.alpha),
    },
    samples="addmm",
    tags=(
        "devices: mat1, mat2, self",
        "keeps_conjugates",
        "product",
        "loops: inplace",
        "einsum: mk,kn->mn",
    ),
    batch=("added_product", "mm"),
    autocast="lower precision",
)


def _addmm_dtype_meta(
    self: Any, mat1: Any, mat2: Any, out_dtype: Any, beta: Any, alpha: Any
) -> Out:
    out = _addmm_meta(self, mat1, mat2, beta, alpha)
    check_out_dtype(self, out_dtype)
    return Out(out.shape, out_dtype)


op(
    "addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, "
    "Scalar alpha=1) -> Tensor",
    meta=_addmm_dtype_meta,
    kernel=lambda self, mat1, mat2, _, *factors: _addmm(self, mat1, mat2, *factors),
    refuses=refusing("addmm_impl_cpu_", 1),
    variants="function",
    out=OutForm("dtype_out", meta="exact"),
    samples="addmm_dtype",
    tags=(
        "not_on_cpu",
        "devices: mat1, mat2, self",
        "product",
        "loops: functional",
        "einsum: mk,kn->mn",
    ),
    tangent="refused",
)


def _baddbmm_meta(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Out:
    shape = size_at(batch1, 0), size_at(batch1, 1), size_at(batch2, 2)
    if tuple(self.shape) != shape:
        expanded(self, shape, False)
    bmm_sizes(batch1, batch2)
    if self.dtype is not batch1.dtype:
        raise RuntimeError(
            "Input dtypes must be the same, got: input "
            f"{c_type_name(self.dtype)}, batch1: {c_type_name(batch1.dtype)}, "
            f"batch2: {c_type_name(batch2.dtype)}"
        )
    same_scalar("baddbmm", batch1, batch2)
    _check_factors(self.dtype, beta, alpha)
    return Out(shape, self.dtype)


def _baddbmm(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    return scaled(batch_product(batch1, batch2), self, beta, alpha)


op(
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)"
    " -> Tensor",
    says="Return beta * input + alpha * (batch1 @ batch2), a matrix product per batch.",
    meta=_baddbmm_meta,
    kernel=_baddbmm,
    refuses=refusing("baddbmm", 1),
    inplace=InplaceForm(overlap="in sequence"),
    out=OutForm(meta="exact", overlap="whole of self"),
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "batch1": lambda g, c: _times(g.bmm(conj(c.batch2.transpose(1, 2))), c.alpha),
        "batch2": lambda g, c: _times(conj(c.batch1.transpose(1, 2)).bmm(g), c.alpha),
    },
    samples="baddbmm",
    batch=("added_product", "bmm"),
    tags=("keeps_conjugates", "product", "loops: inplace", "einsum: bmk,bkn->bmn"),
    autocast="lower precision",
)


def _baddbmm_dtype_meta(
    self: Any, batch1: Any, batch2: Any, out_dtype: Any, beta: Any, alpha: Any
) -> Out:
    out = _baddbmm_meta(self, batch1, batch2, beta, alpha)
    check_out_dtype(self, out_dtype)
    return Out(out.shape, out_dtype)


op(
    "baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, "
    "Scalar beta=1, Scalar alpha=1) -> Tensor",
    meta=_baddbmm_dtype_meta,
    kernel=lambda self, batch1, batch2, out_dtype, beta, alpha: _baddbmm(
        self, batch1, batch2, beta, alpha
    ),
    refuses=refusing("baddbmm", 1),
    variants="function",
    out="dtype_out",
    samples="baddbmm_dtype",
    tags=(
        "not_on_cpu",
        "devices: batch1, batch2, self",
        "product",
        "loops: functional",
        "einsum: bmk,bkn->bmn",
    ),
    tangent="refused",
)


def _addbmm_meta(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Out:
    shape = size_at(batch1, 1), size_at(batch2, 2)
    expanded(self, shape, False)
    a, b = batch1.shape, batch2.shape
    if len(a) != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if len(b) != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a[0] != b[0]:
        raise RuntimeError(
            f"batch1 and batch2 must have same number of batches, got {a[0]} and {b[0]}"
        )
    if a[2] != b[1]:
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({a[1]}x{a[2]} and {b[1]}x{b[2]})")
    if a[0]:
        _check_dtypes(self.dtype, batch1.dtype, batch2.dtype)
    _check_factors(self.dtype, beta, alpha)
    return Out(shape, self.dtype)


def _addbmm_onto(target: Any, self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Out:
    """As a row of ``addmm_`` on the target, which first becomes *self* in the result's shape."""
    out = _addbmm_meta(self, batch1, batch2, beta, alpha)
    if batch1.shape[0]:
        if self.dtype.is_complex and self.numel() and target.device == self.device:
            if not (target.dtype.is_complex or target.dtype.name == "bool"):
                warn_discarded()  # *self* is written before the products are refused
        _check_dtypes(target.dtype, batch1.dtype, batch2.dtype)
    if target is self and tuple(self.shape) != out.shape:
        self._settle_()
        values = np.broadcast_to(self._a_, out.shape).copy()
        grow(target, out.shape)
        if target.device.type != "meta":
            target._a_[...] = values
    return out


def _addbmm(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    return scaled(batch_product(batch1, batch2).sum(0, dtype=self.dtype), self, beta, alpha)


def _each(g: Any, batch: Any) -> Any:
    """*g* for every matrix of *batch*."""
    return g.unsqueeze(0).expand((batch.shape[0], *g.shape))


def _no_bool_product(self: Any, *rest: Any) -> None:
    """The kernel of ``addbmm_`` refuses bool before it looks at shapes."""
    if self.dtype.name == "bool":
        raise not_implemented("addmm_impl_cpu_", self.dtype)


op(
    "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    says="Return beta * input plus alpha times the sum of the matrix products of two batches.",
    meta=_addbmm_meta,
    kernel=_addbmm,
    refuses=refusing("addmm_impl_cpu_", 1),
    inplace=InplaceForm(check=_no_bool_product),
    out=OutForm(quiet=True, meta="exact", overlap="whole of self"),
    out_meta=_addbmm_onto,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "batch1": lambda g, c: _times(
            _each(g, c.batch1_facts).bmm(conj(c.batch2.transpose(1, 2))), c.alpha
        ),
        "batch2": lambda g, c: _times(
            conj(c.batch1.transpose(1, 2)).bmm(_each(g, c.batch1)), c.alpha
        ),
    },
    samples="addbmm",
    tags=("rounds", "product", "loops: inplace", "einsum: bmk,bkn->mn"),
    autocast="lower precision",
)


def _addmv_meta(self: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Out:
    dims = len(self.shape)
    if dims > 1:
        mv_check(self, mat, vec, dims, self.shape[0])
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {dims}, {len(mat.shape)}, {len(vec.shape)}"
        )
    mv_check(self, mat, vec, dims, self.shape[0] if dims else 1)
    _check_factors(self.dtype, beta, alpha)
    return Out((mat.shape[0],), self.dtype)


op(
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    says="Return beta * input + alpha * (mat @ vec).",
    meta=_addmv_meta,
    kernel=lambda self, mat, vec, beta, alpha: scaled(np.dot(mat, vec), self, beta, alpha),
    refuses=refusing("addmv_impl_cpu", 1),
    inplace=InplaceForm(overlap="in sequence"),
    out=OutForm(meta="exact", overlap="whole of self"),
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "mat": lambda g, c: _times(g.outer(conj(c.vec)), c.alpha),
        "vec": lambda g, c: _times(conj(c.mat.t()).mv(g), c.alpha),
    },
    samples="addmv",
    tags=("devices: mat, vec, self", "product", "loops: inplace", "einsum: mk,k->m"),
    batch=("added_product", "mv"),
    autocast=("", "lower precision"),
)
