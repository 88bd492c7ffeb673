"""Which factors the products of sparse matrices refuse, in the words of torch's kernels."""

from __future__ import annotations

from mindtorch_storage.dtype import bool_, complex64, complex128, float32, float64

from ...core.dims import scalar_name, size_at
from ...core.errors import not_as_expected, not_implemented_for
from ...core.layout_names import layout_name
from ...tensor import Tensor
from .parts import is_sparse

__all__ = [
    "check_dtypes",
    "check_factor_dtypes",
    "check_factors",
    "check_inner",
    "check_matrices",
]


#: Dtypes of two sparse matrices that torch multiplies.
_OF_SPARSE_FACTORS = frozenset((float32, float64, complex64, complex128))


def check_factors(name: str, mat1: Tensor, mat2: Tensor) -> None:
    """Refuse what ``sspaddmm`` and ``hspmm`` do not multiply: a sparse matrix by a dense one."""
    if not is_sparse(mat1):
        raise RuntimeError(
            f"{name}: expected 'mat1' to have sparse layout, got 'mat1' with layout Strided"
        )
    content = mat1._content_
    if content.sparse_dim != 2:
        raise RuntimeError(
            f"{name}: Argument #2: matrices expected, got {content.sparse_dim}D tensor"
        )
    if content.dense_dim:
        raise RuntimeError(
            f"{name}: Argument #2: scalar values expected, got {content.dense_dim}D values"
        )
    if is_sparse(mat2):
        raise RuntimeError(
            f"{name}: expected 'mat2' to have strided layout, got 'mat2' with layout "
            f"{layout_name(mat2.layout)}"
        )
    if mat2._a_.ndim != 2:
        raise RuntimeError(f"{name}: Argument #3: matrices expected, got {mat2._a_.ndim}D tensor")
    if mat1._a_.shape[1] != mat2._a_.shape[0]:
        raise RuntimeError(
            f"{name}: Argument #3: Expected dim 0 size {mat1._a_.shape[1]}, got {mat2._a_.shape[0]}"
        )
    check_dtypes(mat1, mat2)


def check_matrices(self: Tensor, mat2: Tensor) -> None:
    """Refuse what are no matrices of numbers, as the kernel for their layouts does."""
    coo = [t for t in (self, mat2) if is_sparse(t) and t.is_sparse]
    for i, t in enumerate((self, mat2), 1):
        if t._a_.ndim < 2 and not is_sparse(t):
            size_at(t, 2 - 3 * (i == 1) - 1 if t._a_.ndim else -1)
        if t._a_.ndim == 2:
            continue
        if len(coo) == 2:
            raise not_as_expected(f"mat{i}_.dim() == 2")
        if not coo:
            raise RuntimeError(f"mat{i} must be a matrix, got {t._a_.ndim}-D tensor")
        raise RuntimeError(f"addmm: matrices expected, got {t._a_.ndim}D tensor")
    for t in coo:
        if t._content_.dense_dim and len(coo) == 2:
            raise RuntimeError(
                "sparse_sparse_matmul_cpu: scalar values expected, got "
                f"{t._content_.dense_dim}D values"
            )
        if t._content_.dense_dim:
            raise RuntimeError(f"addmm: matrices expected, got {t._content_.sparse_dim}D tensor")


def check_factor_dtypes(self: Tensor, mat2: Tensor) -> None:
    """Refuse factors of two dtypes, and bools, as the kernel for their layouts does."""
    coo = [t for t in (self, mat2) if is_sparse(t) and t.is_sparse]
    if len(coo) == 2 and self.dtype is not mat2.dtype:
        raise RuntimeError(
            f"mat1 dtype {scalar_name(self.dtype)} does not match mat2 dtype "
            f"{scalar_name(mat2.dtype)}"
        )
    if len(coo) == 1 and not (is_sparse(self) and is_sparse(mat2)):
        if coo[0].dtype is bool_:
            raise not_implemented_for("addmm_sparse_dense", bool_)
        return check_dtypes(coo[0], self if coo[0] is mat2 else mat2)
    if len(coo) == 2 and self.dtype not in _OF_SPARSE_FACTORS:
        raise not_implemented_for("sparse_matmul", self.dtype)
    return check_dtypes(self, mat2)


def check_dtypes(self: Tensor, mat2: Tensor) -> None:
    if self.dtype is not mat2.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(mat2.dtype)}"
        )


def check_inner(self: Tensor, mat2: Tensor) -> None:
    """Refuse matrices that do not fit, as the kernel for their layouts does."""
    inner, rows = self._a_.shape[1], mat2._a_.shape[0]
    if inner == rows:
        return
    if self.is_sparse and not is_sparse(mat2):
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {inner}, got {rows}")
    if mat2.is_sparse and not is_sparse(self):  # computed as the product of the transposed two
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {rows}, got {inner}")
    raise RuntimeError(
        f"mat1 and mat2 shapes cannot be multiplied ({self._a_.shape[0]}x{inner} and "
        f"{rows}x{mat2._a_.shape[1]})"
    )
