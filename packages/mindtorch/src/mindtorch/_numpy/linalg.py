"""numpy's linear algebra, by torch's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from .. import linalg as _linalg
from ..aten import torch
from . import _dtypes_impl, _util
from ._normalizations import ArrayLike, KeepDims, normalizer


class LinAlgError(Exception):
    """A matrix that the computation is not possible with."""


def _atleast_float_1(a: Any) -> Any:
    """The tensor with room for fractions."""
    if not (a.dtype.is_floating_point or a.dtype.is_complex):
        a = a.to(_dtypes_impl.default_dtypes().float_dtype)
    return a


def _atleast_float_2(a: Any, b: Any) -> Any:
    """Both tensors in one dtype with room for fractions."""
    dtype = _dtypes_impl.result_type_impl(a, b)
    if not (dtype.is_floating_point or dtype.is_complex):
        dtype = _dtypes_impl.default_dtypes().float_dtype
    return _util.cast_if_needed(a, dtype), _util.cast_if_needed(b, dtype)


def linalg_errors(func: Callable[..., Any]) -> Any:
    """Let torch's errors of linear algebra be numpy's."""

    @wraps(func)
    def wrapped(*args: Any, **kwds: Any) -> Any:
        try:
            return func(*args, **kwds)
        except _linalg.LinAlgError as error:
            raise LinAlgError(*error.args) from error

    return wrapped


@normalizer
@linalg_errors
def matrix_power(a: ArrayLike, n: Any) -> Any:
    """A matrix times itself, n times."""
    return _linalg.matrix_power(_atleast_float_1(a), n)


@normalizer
@linalg_errors
def multi_dot(inputs: Sequence[ArrayLike], *, out: Any = None) -> Any:
    """The product of several matrices."""
    return _linalg.multi_dot(list(inputs))


@normalizer
@linalg_errors
def solve(a: ArrayLike, b: ArrayLike) -> Any:
    """What solves the linear equations."""
    return _linalg.solve(*_atleast_float_2(a, b))


@normalizer
@linalg_errors
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Any = None) -> Any:
    """What comes nearest to solving the linear equations."""
    a, b = _atleast_float_2(a, b)
    driver = "gelsd" if a.device.type == "cpu" else None
    return _linalg.lstsq(a, b, rcond=rcond, driver=driver)


@normalizer
@linalg_errors
def inv(a: ArrayLike) -> Any:
    """The inverse of a matrix."""
    return _linalg.inv(_atleast_float_1(a))


@normalizer
@linalg_errors
def pinv(a: ArrayLike, rcond: Any = 1e-15, hermitian: Any = False) -> Any:
    """The pseudoinverse of a matrix."""
    return _linalg.pinv(_atleast_float_1(a), rtol=rcond, hermitian=hermitian)


@normalizer
@linalg_errors
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Any = None) -> Any:
    """What solves the linear equations of a tensor."""
    return _linalg.tensorsolve(*_atleast_float_2(a, b), dims=axes)


@normalizer
@linalg_errors
def tensorinv(a: ArrayLike, ind: Any = 2) -> Any:
    """The inverse of a tensor."""
    return _linalg.tensorinv(_atleast_float_1(a), ind=ind)


@normalizer
@linalg_errors
def det(a: ArrayLike) -> Any:
    """The determinant of a matrix."""
    return _linalg.det(_atleast_float_1(a))


@normalizer
@linalg_errors
def slogdet(a: ArrayLike) -> Any:
    """The sign of the determinant and the logarithm of its size."""
    return _linalg.slogdet(_atleast_float_1(a))


@normalizer
@linalg_errors
def cond(x: ArrayLike, p: Any = None) -> Any:
    """How much a matrix magnifies errors."""
    x = _atleast_float_1(x)
    # A matrix without elements has no such number.
    if x.numel() == 0 and math.prod(x.shape[-2:]) == 0:
        raise LinAlgError("cond is not defined on empty arrays")
    result = _linalg.cond(x, p=p)
    return torch.where(torch.isnan(result), float("inf"), result)


@normalizer
@linalg_errors
def matrix_rank(a: ArrayLike, tol: Any = None, hermitian: Any = False) -> Any:
    """How many rows of a matrix are independent."""
    a = _atleast_float_1(a)
    if a.ndim < 2:
        return int((a != 0).any())
    if tol is None:
        atol: Any = 0
        rtol: Any = max(a.shape[-2:]) * torch.finfo(a.dtype).eps
    else:
        atol, rtol = tol, 0
    return _linalg.matrix_rank(a, atol=atol, rtol=rtol, hermitian=hermitian)


@normalizer
@linalg_errors
def norm(x: ArrayLike, ord: Any = None, axis: Any = None, keepdims: KeepDims = False) -> Any:
    """The length of vectors or matrices."""
    return _linalg.norm(_atleast_float_1(x), ord=ord, dim=axis, keepdim=keepdims)


@normalizer
@linalg_errors
def cholesky(a: ArrayLike) -> Any:
    """The triangle whose product with its transpose is the matrix."""
    return _linalg.cholesky(_atleast_float_1(a))


@normalizer
@linalg_errors
def qr(a: ArrayLike, mode: Any = "reduced") -> Any:
    """An orthogonal matrix and a triangle whose product is the matrix."""
    result = _linalg.qr(_atleast_float_1(a), mode=mode)
    return result.R if mode == "r" else result


@normalizer
@linalg_errors
def svd(
    a: ArrayLike, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False
) -> Any:
    """The singular values of a matrix, and its vectors."""
    a = _atleast_float_1(a)
    if not compute_uv:
        return _linalg.svdvals(a)
    return _linalg.svd(a, full_matrices=full_matrices)


@normalizer
@linalg_errors
def eig(a: ArrayLike) -> Any:
    """The eigenvalues and eigenvectors of a matrix, real where they all are."""
    w, vt = _linalg.eig(_atleast_float_1(a))
    if not a.is_complex() and w.is_complex() and bool((w.imag == 0).all()):
        w, vt = w.real, vt.real
    return w, vt


@normalizer
@linalg_errors
def eigh(a: ArrayLike, UPLO: Any = "L") -> Any:
    """The eigenvalues and eigenvectors of a symmetric matrix."""
    return _linalg.eigh(_atleast_float_1(a), UPLO=UPLO)


@normalizer
@linalg_errors
def eigvals(a: ArrayLike) -> Any:
    """The eigenvalues of a matrix, real where they all are."""
    result = _linalg.eigvals(_atleast_float_1(a))
    if not a.is_complex() and result.is_complex() and bool((result.imag == 0).all()):
        result = result.real
    return result


@normalizer
@linalg_errors
def eigvalsh(a: ArrayLike, UPLO: Any = "L") -> Any:
    """The eigenvalues of a symmetric matrix."""
    return _linalg.eigvalsh(_atleast_float_1(a), UPLO=UPLO)
