"""Products of sparse matrices, by the compiled functions of scipy.sparse."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...call.row import op
from ...core import constants
from ...core.dims import scalar_name
from ...core.half_precision import widened
from ...core.operators import ops
from ...core.scipy_extensions import extension
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import layout_name
from ..derivatives import not_implemented_for
from .coalescing import coalesced
from .compressing import compress, coo_coordinates, lines_of, to_coo
from .parts import COMPRESSED, COO, DENSE, array, coo_tensor, is_sparse, with_values

__all__ = ["by_rows", "dense_of_array"]

Array = np.ndarray[Any, Any]


class _Rows(NamedTuple):
    """A sparse matrix in the form that scipy's functions take."""

    shape: tuple[int, int]
    starts: Array
    columns: Array
    values: Array


def by_rows(t: Tensor) -> _Rows:
    """A sparse matrix by rows; float16 and bfloat16 in float32."""
    if t.layout is not constants.sparse_csr:
        t = compress(t if t.is_sparse else to_coo(t), constants.sparse_csr)
    content = t._content
    coo_coordinates(content, t._a.shape)  # scipy does not look where it reads
    parts = [array(p).astype(np.int64, copy=False) for p in (content.compressed, content.plain)]
    values = np.ascontiguousarray(widened(array(content.values)))
    rows, columns = t._a.shape
    return _Rows((rows, columns), parts[0], parts[1], values)


def _tools() -> Any:
    return extension("sparse._sparsetools")


def _times_dense(a: _Rows, b: Array) -> Array:
    """The dense product of a sparse matrix and a dense one."""
    other = np.ascontiguousarray(widened(b))
    out = np.zeros((a.shape[0], other.shape[1]), a.values.dtype)
    if out.size and a.values.size:
        _tools().csr_matvecs(
            *a.shape, other.shape[1], a.starts, a.columns, a.values, other.reshape(-1),
            out.reshape(-1),
        )  # fmt: skip
    return out


def _times_sparse(a: _Rows, b: _Rows) -> _Rows:
    """The sparse product of two, its columns in order; with the elements that come out zero."""
    most = _tools().csr_matmat_maxnnz(
        a.shape[0], b.shape[1], a.starts, a.columns, b.starts, b.columns
    )
    product = _without_zeros(a, b, most)
    if len(product.values) == most:
        return product
    ones = _without_zeros(_filled(a), _filled(b), most)
    values = np.zeros(most, product.values.dtype)
    at = np.searchsorted(_places(ones), _places(product))
    values[at] = product.values
    return ones._replace(values=values)


def _without_zeros(a: _Rows, b: _Rows, most: int) -> _Rows:
    """The same as scipy has it, which leaves elements out that come out zero."""
    tools, rows, columns = _tools(), a.shape[0], b.shape[1]
    starts, places = np.empty(rows + 1, np.int64), np.empty(most, np.int64)
    values = np.empty(most, a.values.dtype)
    tools.csr_matmat(
        rows, columns, a.starts, a.columns, a.values, b.starts, b.columns, b.values, starts,
        places, values,
    )  # fmt: skip
    tools.csr_sort_indices(rows, starts, places, values)
    count = starts[-1]
    return _Rows((rows, columns), starts, places[:count], values[:count])


def _filled(a: _Rows) -> _Rows:
    return a._replace(values=np.ones(len(a.values), np.float64))


def _places(a: _Rows) -> Array:
    return lines_of(a.starts) * a.shape[1] + a.columns


def _as_coo(a: _Rows, dtype: Any) -> Tensor:
    lines = lines_of(a.starts)
    values = a.values.astype(dtype.np, copy=False)
    return coo_tensor(np.stack([lines, a.columns]), values, a.shape, True)


def _as_csr(a: _Rows, dtype: Any) -> Tensor:
    return compress(_as_coo(a, dtype), constants.sparse_csr)


def dense_of_array(a: Array, dtype: Any) -> Tensor:
    return wrap(a.astype(dtype.np, copy=False))


# -- checks ----------------------------------------------------------------------------------------


def _check_factors(name: str, mat1: Tensor, mat2: Tensor) -> None:
    """Refuse what ``sspaddmm`` and ``hspmm`` do not multiply: a sparse matrix by a dense one."""
    if not is_sparse(mat1):
        raise RuntimeError(f"tensor.{name}(...) can only be called on sparse tensors")
    if is_sparse(mat2):
        raise RuntimeError(
            f"{name}: expected 'mat2' to have strided layout, got 'mat2' with layout "
            f"{layout_name(mat2.layout)}"
        )
    if mat2._a.ndim != 2:
        raise RuntimeError(f"{name}: Argument #3: matrices expected, got {mat2._a.ndim}D tensor")
    if mat1._a.shape[1] != mat2._a.shape[0]:
        raise RuntimeError(
            f"{name}: Argument #3: Expected dim 0 size {mat1._a.shape[1]}, got {mat2._a.shape[0]}"
        )
    _check_dtypes(mat1, mat2)


def _check_matrices(self: Tensor, mat2: Tensor) -> None:
    for t in (self, mat2):
        if t._a.ndim != 2 and not is_sparse(t):
            raise IndexError(
                "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
                if t._a.ndim == 1
                else f"addmm: expected a matrix, but got a {t._a.ndim}-D tensor"
            )
        if t._a.ndim != 2:
            raise RuntimeError(f"addmm: matrices expected, got {t._a.ndim}D tensor")


def _check_dtypes(self: Tensor, mat2: Tensor) -> None:
    if self.dtype is not mat2.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(mat2.dtype)}"
        )


def _check_inner(self: Tensor, mat2: Tensor) -> None:
    """Refuse matrices that do not fit, as the kernel for their layouts does."""
    inner, rows = self._a.shape[1], mat2._a.shape[0]
    if inner == rows:
        return
    if self.is_sparse and not is_sparse(mat2):
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {inner}, got {rows}")
    raise RuntimeError(
        f"mat1 and mat2 shapes cannot be multiplied ({self._a.shape[0]}x{inner} and "
        f"{rows}x{mat2._a.shape[1]})"
    )


# -- products --------------------------------------------------------------------------------------


def _mm(self: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices of which one at least is sparse: sparse if both are."""
    _check_matrices(self, mat2)
    _check_inner(self, mat2)
    _check_dtypes(self, mat2)
    dtype = self.dtype
    if not is_sparse(mat2):
        return dense_of_array(_times_dense(by_rows(self), array(mat2)), dtype)
    if not is_sparse(self):
        turned = by_rows(ops.t(mat2))
        product = _times_dense(turned, array(self).T).T
        by_column = mat2.is_sparse  # what torch's kernels for either layout leave
        return dense_of_array(product if by_column else np.ascontiguousarray(product), dtype)
    sparse = _times_sparse(by_rows(self), by_rows(mat2))
    if self.is_sparse and mat2.is_sparse:
        return _as_coo(sparse, dtype)
    if self.is_sparse or mat2.is_sparse:
        one, two = layout_name(self.layout), layout_name(mat2.layout)
        raise RuntimeError(
            f"addmm: computation on CPU is not implemented for {one} + {one} @ {two}"
        )
    return _as_csr(sparse, dtype)


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


def _mv(self: Tensor, vec: Tensor) -> Tensor:
    if self._a.ndim != 2 or vec._a.ndim != 1:
        raise RuntimeError(
            f"mv: two dim tensor x one dim tensor expected, but got tensors of {self._a.ndim} and "
            f"{vec._a.ndim} dims"
        )
    if self._a.shape[1] != vec._a.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({self._a.shape[0]}x{self._a.shape[1]}), vec "
            f"({vec._a.shape[0]})"
        )
    _check_dtypes(self, vec)
    return dense_of_array(_times_dense(by_rows(self), array(vec)[:, None])[:, 0], self.dtype)


for _kernels in (COO, COMPRESSED):
    _kernels.register("mv", _mv)


@COMPRESSED("addmv")
def _addmv(self: Tensor, mat: Tensor, vec: Tensor, beta: Any, alpha: Any) -> Tensor:
    product = ops.mul(_mv(mat, vec), alpha)
    return product if beta == 0 else ops.add(ops.mul(self, beta), product)


@COO("bmm")
def _bmm(self: Tensor, mat2: Tensor) -> Tensor:
    if is_sparse(mat2):
        raise RuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    if self._a.ndim != 3 or self._content.dense_dim or mat2._a.ndim != 3:
        raise RuntimeError("bmm_sparse: Tensor 'self' must be a 3D sparse tensor")
    if self._a.shape[0] != mat2._a.shape[0] or self._a.shape[2] != mat2._a.shape[1]:
        raise RuntimeError("bmm_sparse: the sizes of the operands do not fit")
    _check_dtypes(self, mat2)
    products = [_mm(ops.select(self, 0, i), ops.select(mat2, 0, i)) for i in range(len(self))]
    if not products:
        return wrap(np.zeros((0, self._a.shape[1], mat2._a.shape[2]), self._a.dtype))
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
    if self._a.shape[1] != other._a.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({self._a.shape[0]}x{self._a.shape[1]} "
            f"and {other._a.shape[0]}x{other._a.shape[1]})"
        )
    _check_dtypes(self, other)
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
    module="sparse",
    variants="function",
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
    added = wrap(np.zeros((), (dense if is_sparse(sparse) else sparse)._a.dtype))
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
    empty = ops.zeros((0, 0), dtype=self.dtype, layout=constants.sparse_coo)
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
@COO("sspaddmm")
def _sspaddmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Any, alpha: Any) -> Tensor:
    _check_factors("sspaddmm", mat1, mat2)
    mat1 = coalesced(mat1)
    shape = mat1._a.shape[0], mat2._a.shape[1]
    if beta != 0 and self._a.shape != shape:
        raise RuntimeError(
            f"sspaddmm: Argument #1: Expected dim 0 size {shape[0]}, got {self._a.shape[0]}"
        )
    touched = np.unique(array(mat1._content.indices)[0])
    product = array(_mm(mat1, mat2))[touched]
    rows, columns = np.meshgrid(touched, np.arange(shape[1]), indexing="ij")
    indices = np.stack([rows.reshape(-1), columns.reshape(-1)])
    values = wrap(product.reshape(-1))
    if alpha != 1:
        values = ops.mul(values, alpha)
    if beta != 0:
        own = self._content
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
    _check_factors("hspmm", mat1, mat2)
    touched = np.unique(array(coalesced(mat1)._content.indices)[0])
    product = array(_mm(mat1, mat2))[touched]
    return coo_tensor(touched[None], product, (mat1._a.shape[0], mat2._a.shape[1]))


# -- sampled ---------------------------------------------------------------------------------------


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


@COMPRESSED("sparse_sampled_addmm")
def _sampled_addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Any, alpha: Any) -> Tensor:
    if self.layout is not constants.sparse_csr:
        raise RuntimeError(
            "sampled_addmm: Expected self to have layout SparseCsr, but got "
            f"{layout_name(self.layout)}"
        )
    if mat1._a.shape[-1] != mat2._a.shape[-2]:
        one, two = mat1._a.shape[-2:], mat2._a.shape[-2:]
        raise RuntimeError(
            f"sampled_addmm: mat1 and mat2 shapes cannot be multiplied ({one[0]}x{one[1]} and "
            f"{two[0]}x{two[1]})"
        )
    for name, at, t in (("mat1.shape[-2]", -2, mat1), ("mat2.shape[-1]", -1, mat2)):
        if t._a.shape[at] != self._a.shape[at]:
            raise RuntimeError(
                f"sampled_addmm: self.shape[{at}] must match {name}, but got {self._a.shape[at]} "
                f"and {t._a.shape[at]}"
            )
    content = self._content
    *lead, row, column = coo_coordinates(content, self._a.shape)
    one, two = widened(array(mat1)), widened(array(mat2))
    left = one[(*lead, row)]
    right = two.swapaxes(-1, -2)[(*lead, column)]
    found = (left * right).sum(-1).astype(self._a.dtype, copy=False)
    product = ops.mul(wrap(found.reshape(content.values._a.shape)), alpha)
    values = product if beta == 0 else ops.add(ops.mul(content.values, beta), product)
    return with_values(self, values)


def __getattr__(name: str) -> Any:
    """``torch.hsmm`` and ``torch.saddmm``, other names of ops."""
    if name in _OTHER_NAMES:
        return getattr(ops, _OTHER_NAMES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_OTHER_NAMES = {"hsmm": "hspmm", "saddmm": "sspaddmm"}
