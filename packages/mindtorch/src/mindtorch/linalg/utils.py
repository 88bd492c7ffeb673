"""``torch._linalg_utils``: small functions of linear algebra, for sparse and dense matrices."""

from __future__ import annotations

from typing import Any, NoReturn

from .. import linalg, sparse
from ..aten import torch

__all__: list[str] = []


def is_sparse(A: Any) -> bool:
    """Whether *A* is a tensor of the sparse COO layout."""

    if isinstance(A, torch.Tensor):
        return A.layout == torch.sparse_coo
    raise TypeError(f"expected Tensor but got {type(A)}")


def get_floating_dtype(A: Any) -> Any:
    """The dtype to compute *A*'s values in: its own if that is a floating one, else float32."""

    dtype = A.dtype
    return dtype if dtype in (torch.float16, torch.float32, torch.float64) else torch.float32


def matmul(A: Any, B: Any) -> Any:
    """``A @ B``, of sparse matrices too; *B* itself where *A* is none."""

    if A is None:
        return B
    return sparse.mm(A, B) if is_sparse(A) else torch.matmul(A, B)


def bform(X: Any, A: Any, Y: Any) -> Any:
    """The bilinear form ``X^H A Y``."""
    return matmul(X.mT, matmul(A, Y))


def qform(A: Any, S: Any) -> Any:
    """The quadratic form ``S^H A S``."""
    return bform(S, A, S)


def basis(A: Any) -> Any:
    """An orthonormal basis of what the columns of *A* span."""

    return linalg.qr(A).Q


def symeig(A: Any, largest: bool | None = False) -> tuple[Any, Any]:
    """Eigenvalues of a symmetric matrix and their vectors, smallest first unless *largest*."""

    values, vectors = linalg.eigh(A, UPLO="U")
    if largest:
        values, vectors = values.flip(dims=(-1,)), vectors.flip(dims=(-1,))
    return values, vectors


# Functions that torch removed: they refuse, and name what is to be called instead.
def matrix_rank(input: Any, tol: Any = None, symmetric: bool = False, *, out: Any = None) -> Any:
    """Refuse: ``torch.linalg.matrix_rank`` is in its place."""
    _removed(
        "\nPlease use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' "
        "was renamed in `torch.linalg.matrix_rank()` to 'hermitian'."
    )


def solve(input: Any, A: Any, *, out: Any = None) -> Any:
    """Refuse: ``torch.linalg.solve`` is in its place."""
    _removed(
        " `torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has "
        "its arguments reversed and does not return the LU factorization.\n\nTo get the LU "
        "factorization see `torch.lu`, which can be used with `torch.lu_solve` or "
        "`torch.lu_unpack`.\nX = torch.solve(B, A).solution should be replaced with:\n"
        "X = torch.linalg.solve(A, B)"
    )


def lstsq(input: Any, A: Any, *, out: Any = None) -> Any:
    """Refuse: ``torch.linalg.lstsq`` is in its place."""
    _removed(
        " `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\n`torch.linalg.lstsq` has "
        "reversed arguments and does not return the QR decomposition in the returned tuple "
        "(although it returns other information about the problem).\n\nTo get the QR decomposition "
        "consider using `torch.linalg.qr`.\n\nThe returned solution in `torch.lstsq` stored the "
        "residuals of the solution in the last m - n columns of the returned value whenever m > n. "
        "In torch.linalg.lstsq, the residuals are in the field 'residuals' of the returned named "
        "tuple.\n\nThe unpacking of the solution, as in\nX, _ = torch.lstsq(B, A)"
        ".solution[:A.size(1)]\nshould be replaced with:\nX = torch.linalg.lstsq(A, B).solution"
    )


def _symeig(input: Any, eigenvectors: bool = False, upper: bool = True, *, out: Any = None) -> Any:
    """Refuse: ``torch.linalg.eigh`` is in its place."""
    _removed(
        " The default behavior has changed from using the upper triangular portion of the matrix "
        "by default to using the lower triangular portion.\n\n"
        "L, _ = torch.symeig(A, upper=upper) should be replaced with:\n"
        "L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\n\nand\n\n"
        "L, V = torch.symeig(A, eigenvectors=True) should be replaced with:\n"
        "L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')"
    )


def eig(self: Any, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> Any:
    """Refuse: ``torch.linalg.eig`` is in its place."""
    _removed(
        " `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than "
        "real tensors mimicking complex tensors.\n\n"
        "L, _ = torch.eig(A) should be replaced with:\nL_complex = torch.linalg.eigvals(A)\n\n"
        "and\n\nL, V = torch.eig(A, eigenvectors=True) should be replaced with:\n"
        "L_complex, V_complex = torch.linalg.eig(A)"
    )


def _removed(instead: str) -> NoReturn:
    raise RuntimeError(
        f"This function was deprecated since version 1.9 and is now removed.{instead}"
    )
