"""Norms of matrices, and the condition numbers that are made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import op
from ..core.dims import wrap_dim
from ..core.operators import ops
from .linalg_common import (
    check_factorable,
    check_matrix,
    check_square,
    copied_result,
)
from .vector_norm import check_norm_dtype

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _check_norm(self: Any, dim: Any, dtype: Any, low: bool) -> list[int]:
    """The dimensions of the matrices, wrapped.

    :param low: whether numbers of low precision are accepted.

    Source: torch LinearAlgebra.cpp, _linalg_matrix_norm_checks.
    """
    who = "linalg.matrix_norm"
    check_matrix(self, who)
    check_factorable(self, who, low=low)
    if len(dim) != 2:
        raise RuntimeError(f"{who}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    found = [wrap_dim(d, self.dim()) for d in dim]
    if found[0] == found[1]:
        raise RuntimeError(f"{who}: dims must be different. Got ({found[0]}, {found[1]})")
    if dtype is not None:
        check_norm_dtype(self.dtype, dtype, who)
    return found


def _matrix_norm(self: Any, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """Source: torch LinearAlgebra.cpp, linalg_matrix_norm."""
    if isinstance(ord, complex):
        raise RuntimeError(
            "linalg.matrix_norm: Expected a non-complex scalar as the order of norm."
        )
    size = abs(ord)
    if size not in (1, 2, math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {_number(ord)} not supported.")
    rows, columns = _check_norm(self, dim, dtype, low=size != 2)

    def picked(norms: Any, dim: int) -> Any:
        """The largest or the smallest; 0 is the largest of none."""
        if ord > 0:
            return (norms.amax if norms.size(dim) else norms.sum)(dim, keepdim)
        return norms.amin(dim, keepdim)

    if size == 2:
        values = ops.linalg_svdvals(_in_dtype(self, dtype).movedim((rows, columns), (-2, -1)))
        norm = picked(values, -1)
        return _kept(norm, (rows, columns)) if keepdim else norm
    if size == math.inf:
        rows, columns = columns, rows
    if rows < columns and not keepdim:
        columns -= 1
    sums = ops.linalg_vector_norm(self, 1.0, (rows,), keepdim, dtype=dtype)
    return picked(sums, columns)


def _number(ord: Any) -> str:
    return f"{ord:g}" if isinstance(ord, float) or abs(ord) >= 2**63 else str(ord)


def _in_dtype(self: Any, dtype: Any) -> Any:
    return self if dtype is None else self.to(dtype)


def _kept(norm: Any, dims: tuple[int, int]) -> Any:
    return norm.unsqueeze(-1).movedim((-2, -1), dims)


def _matrix_norm_named(self: Any, ord: str, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if ord not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    rows, columns = _check_norm(self, dim, dtype, low=ord == "fro")
    if ord == "fro":
        return ops.linalg_vector_norm(self, 2, (rows, columns), keepdim, dtype=dtype)
    moved = _in_dtype(self, dtype).movedim((rows, columns), (-2, -1))
    norm = ops.linalg_svdvals(moved).sum(-1, keepdim)
    return _kept(norm, (rows, columns)) if keepdim else norm


op(
    "linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    says="Return the norm of matrices.",
    composite=_matrix_norm,
    module="linalg",
    variants="function",
    out=OutForm(
        text="linalg.matrix_norm expected out tensor dtype {result} but got: {out}",
        recorded=True,
        elsewhere="linalg.matrix_norm: Expected result and input tensors to be on "
        "the same device, but got result on {input} and input on {out}",
        meta="native",
    ),
    samples="linalg_matrix_norm",
    autocast=("", "float32"),
)
op(
    'linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1], '
    "bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    composite=_matrix_norm_named,
    module="linalg",
    variants="function",
    out=OutForm(
        "str_ord_out",
        text="linalg.matrix_norm expected out tensor dtype {result} but got: {out}",
        recorded=True,
        elsewhere="linalg.matrix_norm: Expected result and input tensors to be on "
        "the same device, but got result on {input} and input on {out}",
        meta="native",
    ),
    samples="linalg_matrix_norm_named",
    autocast=("", "float32"),
)


def _norm(self: Any, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    dims = (dim,) if isinstance(dim, int) else dim
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is specified, it must be of length 1 or 2. "
            f"Got [{', '.join(map(str, dims))}]"
        )
    if ord is None:
        return _vector(self, 2.0, dims, keepdim, dtype)
    if dims is None and self.dim() not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
            f"Got {self.dim()}D."
        )
    if (len(dims) if dims is not None else self.dim()) == 2:
        return ops.linalg_matrix_norm(
            self, ord, (0, 1) if dims is None else dims, keepdim, dtype=dtype
        )
    return _vector(self, ord, dims, keepdim, dtype)


def _vector(self: Any, ord: Any, dims: Any, keepdim: bool, dtype: Any) -> Any:
    return ops.linalg_vector_norm(self, ord, dims, keepdim, dtype=dtype)


def _norm_named(self: Any, ord: str, dim: Any, keepdim: bool, dtype: Any) -> Any:
    dims = (dim,) if isinstance(dim, int) else dim
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is specified, it must be of length 1 or 2. "
            f"Got [{', '.join(map(str, dims))}]"
        )
    if dims is None and self.dim() not in (1, 2):
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
            f"Got {self.dim()}D."
        )
    return ops.linalg_matrix_norm(self, ord, (0, 1) if dims is None else dims, keepdim, dtype=dtype)


op(
    "linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    says="""Return the norm of vectors or matrices.

    >>> torch.linalg.norm(torch.tensor([3., 4.]))
    tensor(5.)
    """,
    composite=_norm,
    module="linalg",
    variants="function",
    out=OutForm(
        text="linalg.norm expected out tensor dtype {result} but got: {out}",
        recorded=True,
        elsewhere="linalg.norm: Expected result and input tensors to be on the "
        "same device, but got result on {input} and input on {out}",
        meta="native",
    ),
    samples="linalg_norm",
)
op(
    "linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    composite=_norm_named,
    module="linalg",
    variants="function",
    out=OutForm(
        "ord_str_out",
        text="linalg.norm expected out tensor dtype {result} but got: {out}",
        recorded=True,
        elsewhere="linalg.norm: Expected result and input tensors to be on the "
        "same device, but got result on {input} and input on {out}",
        meta="native",
    ),
    samples="linalg_norm_named",
)


def _cond(self: Any, p: Any) -> Any:
    """Source: torch LinearAlgebra.cpp, linalg_cond."""
    if len(self.shape) < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    order = 2 if p is None else p
    if order in (2, -2):
        values = ops.linalg_svdvals(self)
        if self.numel() == 0:
            return ops.zeros(tuple(self.shape[:-2]), dtype=values.dtype, device=self.device)
        first, last = values.narrow(-1, 0, 1), values.narrow(-1, values.size(-1) - 1, 1)
        return (last / first if order == -2 else first / last).squeeze(-1)
    _check_cond(self, order)
    return _cond_by_norms(self, order)


def _check_cond(self: Any, order: Any) -> None:
    who = f"linalg.cond(ord={order})"
    if isinstance(order, complex):
        raise RuntimeError("value cannot be converted to type double without overflow")
    named = isinstance(order, str)
    if not named and abs(order) not in (1, math.inf):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {_number(order)}")
    if named or self.numel():
        check_square(self, who)
    if named and order not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {order}")


def _cond_by_norms(self: Any, order: Any) -> Any:
    if self.numel() == 0:
        real = self.dtype.to_real() if self.dtype.is_complex else self.dtype
        return ops.zeros(tuple(self.shape[:-2]), dtype=real, device=self.device)
    inverse, info = ops.linalg_inv_ex(self)
    inverse.masked_fill_(info.unsqueeze_(-1).unsqueeze_(-1) > 0, math.inf)
    norm = ops.linalg_matrix_norm
    found = norm(self, order) * norm(inverse, order)
    return found.nan_to_num_(math.inf, math.inf, -math.inf)


def _cond_named(self: Any, p: str) -> Any:
    _check_cond(self, p)
    if p == "nuc":
        values = ops.linalg_svdvals(self)
        inverted = values.reciprocal().sum(-1)
        return values.sum(-1) * inverted
    return _cond_by_norms(self, p)


op(
    "linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
    says="Return the condition number of matrices.",
    composite=_cond,
    module="linalg",
    variants="function",
    out=copied_result("linalg.cond"),
    samples="linalg_cond",
    autocast=("float32", ""),
)
op(
    "linalg_cond.p_str(Tensor self, str p) -> Tensor",
    composite=_cond_named,
    module="linalg",
    variants="function",
    out=copied_result("linalg.cond", "p_str_out"),
    samples="linalg_cond_named",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
