"""Powers and products of matrices, and matrices of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from ..call.elementwise_meta import INTEGRAL
from ..call.forms import DOES_NOT_MATCH, OutForm
from ..call.row import Out, op
from ..core.constants import contiguous_format
from ..core.dims import scalar_name
from ..core.errors import c_type_name
from ..core.operators import onto, ops
from ..tensor.resizing import resize_out
from .linalg_common import (
    LAPACK,
    check_factorable,
    check_square,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


# -- powers -------------------------------------------------------------------------------------


def _power(self: Any, n: int) -> Any:
    """By repeated squares, as torch multiplies. Source: torch LinearAlgebra.cpp, matrix_power."""
    base, last = _last_product(self, n)
    if n == 0:
        return self.clone(memory_format=contiguous_format).copy_(_identity(self))
    if base is self and last is None:
        return self.clone(memory_format=contiguous_format)
    return base if last is None else base.matmul(last)


def _identity(self: Any) -> Any:
    """The identity matrix of the size of those in *self*."""
    return ops.eye(self.size(-1), dtype=self.dtype, layout=self.layout, device=self.device)


def _last_product(self: Any, n: int) -> tuple[Any, Any]:
    """The two factors of a power, or the power itself and None; *self* for the zeroth."""
    check_square(self, "linalg.matrix_power")
    base = ops.linalg_inv(self) if n < 0 else self
    n = abs(n)
    if n < 2:
        return base, None
    if n == 2:
        return base, base
    if n == 3:
        return base.matmul(base), base
    square, result = None, None
    while n > 1:
        square = base if square is None else square.matmul(square)
        n, odd = divmod(n, 2)
        if odd:
            result = square if result is None else result.matmul(square)
    square = square.matmul(square)
    return (square, None) if result is None else (result, square)


def _power_onto(target: Any, self: Any, n: int) -> None:
    if not can_cast(self.dtype, target.dtype):
        raise RuntimeError(
            f"matrix_power: Expected result to be safely castable from {scalar_name(self.dtype)} "
            f"dtype, but got result with dtype {scalar_name(target.dtype)}"
        )
    if target.device != self.device:
        raise RuntimeError(
            "matrix_power: Expected result and input tensors to be on the same device, but got "
            f"result on {target.device} and input on {self.device}"
        )
    if n == -1:
        ops.linalg_inv(self, out=target)
        return
    base, last = _last_product(self, n)
    if last is not None:
        ops.matmul(base, last, out=target)
        return
    resize_out(target, Out(tuple(base.shape), base.dtype))
    target.copy_(base if n else _identity(self))


for _name, _module, _says in (
    (
        "linalg_matrix_power",
        "linalg",
        "Return the n-th power of square matrices, of the inverse for negative n.",
    ),
    (
        "matrix_power",
        "",
        "Return the n-th power of square matrices, of the inverse for negative n.",
    ),
):
    op(
        f"{_name}(Tensor self, int n) -> Tensor",
        says=_says,
        composite=_power,
        module=_module,
        variants="function" if _module else "function, method",
        out=OutForm(gradient="matmul"),
        out_kernel=_power_onto,
        samples="matrix_power",
    )


# -- products ------------------------------------------------------------------------------------

op(
    "linalg_matmul(Tensor self, Tensor other) -> Tensor",
    says="Return the matrix product, as torch.matmul does.",
    composite=lambda self, other: self.matmul(other),
    module="linalg",
    variants="function",
    out=OutForm(text=DOES_NOT_MATCH, gradient="matmul"),
    out_kernel=lambda target, self, other: ops.matmul(self, other, out=target),
    samples="matmul",
)


def _multi_dot(tensors: Any) -> Any:
    """In the order of least cost. Source: torch LinearAlgebra.cpp, multi_dot_impl."""
    who = "multi_dot()"
    count = len(tensors)
    if count < 2:
        raise RuntimeError(f"{who}: expected at least 2 tensors but got {count}")
    first, last = tensors[0], tensors[-1]
    for i, t in ((0, first), (count - 1, last)):
        if not 1 <= t.dim() <= 2:
            place = "first" if i == 0 else "last"
            raise RuntimeError(f"{who}: the {place} tensor must be 1D or 2D but got {t.dim()}D")
    row, column = first.dim() == 1, last.dim() == 1
    chain = list(tensors)
    chain[0] = first.unsqueeze(0) if row else first
    chain[-1] = last.unsqueeze(-1) if column else last
    for i, t in enumerate(chain):
        if t.dim() != 2:
            raise RuntimeError(f"{who}: tensor {i} must be 2D but got {t.dim()}D")
        if t.dtype is not first.dtype:
            raise RuntimeError(
                f"{who}: all tensors must have be the same dtype but tensor 0 is "
                f"{c_type_name(first.dtype)} and tensor {i} {c_type_name(t.dtype)}"
            )
        if t.device != first.device:
            raise RuntimeError(
                f"{who}: all tensors must be on the same device but tensor 0 is on "
                f"{first.device} and tensor {i} on {t.device}"
            )
        if i and chain[i - 1].size(-1) != t.size(0):
            raise RuntimeError(
                f"{who}: tensors {i - 1} and {i} with shapes "
                f"{list(tensors[i - 1].shape)} and {list(tensors[i].shape)} cannot be multiplied"
            )
    product = _in_best_order(chain)
    shape = (*(() if row else (first.size(0),)), *(() if column else (last.size(1),)))
    return product.view(shape)


def _in_best_order(chain: list[Any]) -> Any:
    n = len(chain)
    sizes = [chain[0].size(0), *[t.size(1) for t in chain]]
    cost = [[0] * n for _ in range(n)]
    cut = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            found = [
                (cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            ]
            cost[i][j], cut[i][j] = min(found)

    return _product(chain, cut, 0, n - 1)


def _product(chain: list[Any], cut: list[list[int]], i: int, j: int) -> Any:
    """The product of the matrices *i* to *j*, divided behind ``cut[i][j]``."""
    if i == j:
        return chain[i]
    k = cut[i][j]
    behind = _product(chain, cut, k + 1, j)
    return _product(chain, cut, i, k).mm(behind)


op(
    "linalg_multi_dot(Tensor[] tensors) -> Tensor",
    says="Multiply several matrices in the order that costs least.",
    composite=_multi_dot,
    module="linalg",
    variants="function",
    out=OutForm(
        text="multi_dot(): expected out tensor to have dtype {c_result} but got {c_out}",
        gradient="mm",
        meta="native",
        elsewhere="multi_dot(): expected out tensor to be on device {input} but got {out}",
    ),
    samples="multi_dot",
    autocast=("", "lower precision"),
)


def _chain_matmul(matrices: Any, out: Any = None) -> Any:
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        if matrix.dim() != 2:
            raise RuntimeError(f"Tensor dimension is {matrix.dim()}, expected 2 instead.")
    if len(matrices) > 1:
        return ops.linalg_multi_dot(matrices, out=out)
    if out is None:
        return matrices[0].clone()
    resize_out(out, Out(tuple(matrices[0].shape), out.dtype))
    return out.copy_(matrices[0])


op(
    "chain_matmul(Tensor[] matrices) -> Tensor",
    says="Multiply matrices in the order that costs least, as linalg.multi_dot does.",
    composite=_chain_matmul,
    variants="",
    out=OutForm(dtype="any", function=False),
    out_kernel=onto(_chain_matmul),
    samples="chain_matmul",
    autocast=("", "lower precision"),
)


def _vecdot(x: Any, y: Any, dim: int, out: Any = None) -> Any:
    check_factorable(x, "linalg.vecdot")
    if x.dtype is not y.dtype:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{scalar_name(x.dtype)} and y of type {scalar_name(y.dtype)} instead"
        )
    if out is not None:
        _check_vecdot(x, out)
    if x.dim() == 1 and y.dim() == 1:
        return x.vdot(y) if out is None else ops.vdot(x, y, out=out)
    product = x.conj() * y
    return product.sum(dim) if out is None else ops.sum(product, dim, out=out)


def _check_vecdot(x: Any, out: Any) -> None:
    if out.dtype is not x.dtype:
        raise RuntimeError(
            f"linalg.vecdot: Expected out of dtype{scalar_name(x.dtype)} but found "
            f"{scalar_name(out.dtype)}"
        )
    if out.device != x.device:  # torch confuses the two
        raise RuntimeError(
            "linalg.vecdot: Expected result and input tensors to be on the same device, but got "
            f"result on {x.device} and input on {out.device}"
        )


op(
    "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
    says="Return inner products of vectors along a dimension, the first ones conjugated.",
    composite=_vecdot,
    module="linalg",
    variants="function",
    out=OutForm(gradient="vdot"),
    out_kernel=onto(_vecdot),
    samples="vecdot",
    autocast="lower precision",
)


def _vander(x: Any, N: Any) -> Any:
    dtype = x.dtype
    if dtype.name not in LAPACK | INTEGRAL:
        raise RuntimeError(
            "linalg.vander supports floating point, complex, and integer tensors, but got "
            f"{scalar_name(dtype)}"
        )
    x = x if x.dim() else x.unsqueeze(-1)
    n = x.size(-1) if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = x.unsqueeze(-1).expand(*x.shape, n - 1).cumprod(-1)
    ones = powers.new_ones((*x.shape, 1))
    return ops.cat([ones, powers], -1)


op(
    "linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor",
    says="Return the Vandermonde matrices of vectors: their powers from 0 on.",
    composite=_vander,
    module="linalg",
    variants="function",
    samples="vander",
)
op(
    "linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)",
    says="View the diagonal of matrices.",
    composite=lambda A, offset, dim1, dim2: A.diagonal(offset, dim1, dim2),
    module="linalg",
    variants="function",
    samples="linalg_diagonal",
)
