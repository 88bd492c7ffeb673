"""``torch._lowrank``: singular values and principal components of matrices of low rank.

The method is the randomized one of Halko, Martinsson and Tropp (2009), algorithms 4.4 and 5.1.
"""

from __future__ import annotations

from typing import Any

from .. import linalg, sparse
from ..aten import torch
from ..call.intercept import overridable
from . import utils as _utils

__all__ = ["get_approximate_basis", "pca_lowrank", "svd_lowrank"]


def get_approximate_basis(A: Any, q: int, niter: int | None = 2, M: Any = None) -> Any:
    """Return an orthonormal basis of *q* columns that nearly spans what ``A - M`` maps to."""

    steps = 2 if niter is None else niter
    dtype = _utils.get_floating_dtype(A) if not A.is_complex() else A.dtype
    start = torch.randn(A.shape[-1], q, dtype=dtype, device=A.device)

    def forth(x: Any) -> Any:
        return _utils.matmul(A, x) if M is None else _utils.matmul(A, x) - _utils.matmul(M, x)

    def back(x: Any) -> Any:
        found = _utils.matmul(A.mH, x)
        return found if M is None else found - _utils.matmul(M.mH, x)

    basis = linalg.qr(forth(start)).Q
    for _ in range(steps):
        basis = linalg.qr(back(basis)).Q
        basis = linalg.qr(forth(basis)).Q
    return basis


def _svd_lowrank(A: Any, q: int | None = 6, niter: int | None = 2, M: Any = None) -> Any:
    """Return ``(U, S, V)`` of ``A - M``, as :func:`svd_lowrank` does."""

    rank = 6 if q is None else q
    rows, columns = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())
    wide = rows < columns
    if wide:
        A, M = A.mH, None if M is None else M.mH
    basis = get_approximate_basis(A, rank, niter=niter, M=M)
    small = _utils.matmul(basis.mH, A)
    if M is not None:
        small = small - _utils.matmul(basis.mH, M)
    U, S, Vh = linalg.svd(small, full_matrices=False)
    U, V = basis.matmul(U), Vh.mH
    return (V, S, U) if wide else (U, S, V)


def svd_lowrank(A: Any, q: int | None = 6, niter: int | None = 2, M: Any = None) -> Any:
    """Return the *q* largest singular values of ``A - M`` and their vectors: ``(U, S, V)``.

    :param q: how many, somewhat more than the rank.
    :param niter: how many subspace iterations sharpen the basis.
    :param M: what is taken from *A*, broadcast to its size.
    """
    return _svd_lowrank(A, q=q, niter=niter, M=M)


def pca_lowrank(A: Any, q: int | None = None, center: bool = True, niter: int = 2) -> Any:
    """Return the principal components of the rows of *A*: ``(U, S, V)``.

    :param q: how many; six, or as many as *A* has rows or columns, if none is given.
    :param center: take the mean of each column from it first.
    """

    rows, columns = A.shape[-2:]
    if q is None:
        q = min(6, rows, columns)
    elif not (q >= 0 and q <= min(rows, columns)):
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)="
            f"{min(rows, columns)}"
        )
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    if not center:
        return _svd_lowrank(A, q, niter=niter, M=None)
    if not _utils.is_sparse(A):
        return _svd_lowrank(A - A.mean(dim=(-2,), keepdim=True), q, niter=niter, M=None)
    if len(A.shape) != 2:
        raise ValueError("pca_lowrank input is expected to be 2-dimensional tensor")
    # A sparse matrix less its means is dense, so the means are taken from the products instead.
    dtype = _utils.get_floating_dtype(A)
    means = (sparse.sum(A, dim=(-2,)) / rows).to_dense().to(dtype)
    ones = torch.ones((rows, 1), dtype=dtype, device=A.device)
    return _svd_lowrank(A, q, niter=niter, M=ones * means)


svd_lowrank = overridable(svd_lowrank)
pca_lowrank = overridable(pca_lowrank)
