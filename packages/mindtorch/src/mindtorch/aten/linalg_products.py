"""Functions and products of matrices, their norms, and tensors seen as matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from ..call.elementwise_meta import INTEGRAL
from ..call.forms import DOES_NOT_MATCH, OutForm
from ..call.row import Out, op
from ..core.constants import contiguous_format
from ..core.dims import scalar_name, wrap_dim
from ..core.errors import c_type_name
from ..core.operators import onto, ops
from ..tensor.resizing import resize_out
from .linalg_common import (
    LAPACK,
    check_errors,
    check_factorable,
    check_matrix,
    check_square,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


# -- powers -------------------------------------------------------------------------------------


def _power(self: Any, n: int) -> Any:
    """By repeated squares, as torch multiplies. Source: torch LinearAlgebra.cpp, matrix_power."""
    base, last = _last_product(self, n)
    return base if last is None else base.matmul(last)


def _last_product(self: Any, n: int) -> tuple[Any, Any]:
    """The two factors of a power, or the power itself and None."""
    check_square(self, "linalg.matrix_power")
    if n == 0:
        found = self.clone(memory_format=contiguous_format)
        eye = ops.eye(self.size(-1), dtype=self.dtype, layout=self.layout, device=self.device)
        return found.copy_(eye), None
    base = ops.linalg_inv(self) if n < 0 else self
    n = abs(n)
    if n == 1:
        return base.clone(memory_format=contiguous_format) if base is self else base, None
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
    target.copy_(base)


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

    def product(i: int, j: int) -> Any:
        if i == j:
            return chain[i]
        k = cut[i][j]
        behind = product(k + 1, j)
        return product(i, k).mm(behind)

    return product(0, n - 1)


op(
    "linalg_multi_dot(Tensor[] tensors) -> Tensor",
    says="Multiply several matrices in the order that costs least.",
    composite=_multi_dot,
    module="linalg",
    variants="function",
    out=OutForm(
        text="multi_dot(): expected out tensor to have dtype {c_result} but got {c_out}",
        gradient="mm",
        elsewhere="multi_dot(): expected out tensor to be on device {input} but got {out}",
    ),
    samples="multi_dot",
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


# -- norms ---------------------------------------------------------------------------------------


def _check_norm(self: Any, dim: Any, who: str = "linalg.matrix_norm") -> list[int]:
    check_matrix(self, who)
    check_factorable(self, who)
    if len(dim) != 2:
        raise RuntimeError(f"{who}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    found = [wrap_dim(d, self.dim()) for d in dim]
    if found[0] == found[1]:
        raise RuntimeError(f"{who}: dims must be different. Got ({found[0]}, {found[1]})")
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
    rows, columns = _check_norm(self, dim)

    def picked(norms: Any, dim: int) -> Any:
        """The largest or the smallest; 0 is the largest of none."""
        if ord > 0:
            return (norms.amax if norms.size(dim) else norms.sum)(dim, keepdim)
        return norms.amin(dim, keepdim)

    if size == 2:
        check_factorable(self, "linalg.matrix_norm", low=False)
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
    rows, columns = _check_norm(self, dim)
    if ord == "fro":
        return ops.linalg_vector_norm(self, 2, (rows, columns), keepdim, dtype=dtype)
    check_factorable(self, "linalg.matrix_norm", low=False)
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
    out=OutForm(
        castable=("linalg.cond", "result"),
        elsewhere="linalg.cond: Expected result and input tensors to be on the "
        "same device, but got result on {out} and input on {input}",
    ),
    samples="linalg_cond",
    autocast=("float32", ""),
)
op(
    "linalg_cond.p_str(Tensor self, str p) -> Tensor",
    composite=_cond_named,
    module="linalg",
    variants="function",
    out=OutForm(
        "p_str_out",
        castable=("linalg.cond", "result"),
        elsewhere="linalg.cond: Expected result and input tensors to be on the "
        "same device, but got result on {out} and input on {input}",
    ),
    samples="linalg_cond_named",
    autocast=("float32", ""),
)


# -- tensors seen as matrices --------------------------------------------------------------------


def _tensorinv(self: Any, ind: int) -> Any:
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    shape = tuple(self.shape)
    if ind > len(shape):
        raise RuntimeError(f"ArrayRef: invalid slice, N = {ind}; size = {len(shape)}")
    rows, columns = math.prod(shape[:ind]), math.prod(shape[ind:])
    if rows != columns:
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {columns} != {rows}"
        )
    inverse, info = ops.linalg_inv_ex(self.reshape((columns, rows)))
    check_errors(info, "inv", inverse)
    return inverse.reshape((*shape[ind:], *shape[:ind]))


def _tensorsolve(self: Any, other: Any, dims: Any) -> Any:
    ndim = self.dim()
    a = self
    if dims is not None:
        a = self.movedim(tuple(dims), tuple(range(ndim - len(dims), ndim)))
    if other.dim() > ndim:
        raise RuntimeError("cannot create std::vector larger than max_size()")
    shape = tuple(a.shape[other.dim() :])
    rows = other.numel()
    if rows != math.prod(shape):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {math.prod(shape)} != {rows}"
        )
    square = a.reshape((rows, rows))
    flat = other if other.dim() == 1 else other.reshape((rows,))
    solved = ops.linalg_solve(square, flat)
    return solved.reshape(shape)


op(
    "linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
    says="Return the inverse of tensordot by a tensor.",
    composite=_tensorinv,
    module="linalg",
    variants="function",
    out=OutForm(
        castable=("tensorinv", "result"),
        elsewhere="tensorinv: Expected result and input tensors to be on the same "
        "device, but got result on {out} and input on {input}",
    ),
    samples="tensorinv",
    autocast=("float32", ""),
)
op(
    "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
    says="Return the x for which tensordot of the input and x is other.",
    composite=_tensorsolve,
    module="linalg",
    variants="function",
    out=OutForm(
        castable=("tensorsolve", "result"),
        elsewhere="tensorsolve: Expected result and input tensors to be on the "
        "same device, but got result on {out} and input on {input}",
    ),
    samples="tensorsolve",
    autocast=("float32", ""),
)
