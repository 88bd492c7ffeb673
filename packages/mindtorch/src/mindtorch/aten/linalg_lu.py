"""LU factors, their pivots and permutations."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from ..core.warning import warn_once
from . import matrix_tangents
from .linalg_common import (
    check_errors,
    check_matrix,
    column_major,
    each,
    info_of,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
)

__all__ = ["factor_lu", "lu_gradient", "lu_outs", "lu_parts", "solve_lu"]

Array = np.ndarray[Any, Any]


def factor_lu(a: Array, pivot: bool = True) -> tuple[Array, Array, Array]:
    """LU in one matrix, the pivots counted from one, and what LAPACK says."""
    *batch, m, n = a.shape
    lu = column_major(a).copy("K")
    pivots = np.empty((*batch, min(m, n)), np.int32)
    pivots[...] = np.arange(1, min(m, n) + 1)
    info = np.zeros(batch, np.int32)
    if a.size == 0:
        return lu, pivots, info
    getrf = lapack("getrf", a)
    for i in each(batch):
        if pivot:
            lu[i], found, info[i] = getrf(a[i])
            pivots[i] = found + 1
        else:
            info[i] = _factor_in_order(lu[i])
    return lu, pivots, info


def lu_outs(A: Any) -> tuple[Out, Out]:
    shape = tuple(A.shape)
    return like_matrix(shape, A.dtype), Out(shape[:-1], int32)


def solve_lu(lu: Array, pivots: Array, b: Array, trans: int = 0) -> Array:
    """LAPACK's getrs: *trans* is 1 for the transposed matrix, 2 for the conjugated too."""
    out = np.empty(b.shape, b.dtype)
    if not out.size:
        return out
    getrs = lapack("getrs", b)
    batch = b.shape[:-2]
    lu = np.broadcast_to(lu, (*batch, *lu.shape[-2:]))
    pivots = np.broadcast_to(pivots, (*batch, pivots.shape[-1]))
    with np.errstate(all="ignore"):
        for i in each(batch):
            out[i], _ = getrs(np.asfortranarray(lu[i]), pivots[i] - 1, b[i], trans=trans)
    return out


def _factor_in_order(a: Array) -> int:
    """LU without pivots, in place; the place of the first zero on the diagonal."""
    info = 0
    for k in range(min(a.shape)):
        if a[k, k] == 0 and not info:
            info = k + 1
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return info


def _lu_factor_ex_meta(A: Any, pivot: bool, check_errors: bool) -> tuple[Out, Out, Out]:
    shape = tuple(A.shape)
    if len(shape) < 2:
        raise RuntimeError(
            "torch.lu_factor: Expected tensor with 2 or more dimensions. "
            f"Got size: [{', '.join(map(str, shape))}] instead"
        )
    pivots = Out((*shape[:-2], min(shape[-2:])), int32)
    return like_matrix(shape, A.dtype), pivots, info_of(A)


def _lu_factor_ex(A: Array, pivot: bool, check_errors: bool) -> tuple[Array, Array, Array]:
    lu, pivots, info = factor_lu(A, pivot)
    if check_errors:
        refuse_failed(info, "torch.linalg.lu_factor_ex")
    return lu, pivots, info


def lu_parts(lu: Any) -> tuple[Any, Any]:
    """The two triangles of a factorization in one matrix, of which L has ones."""
    m, n = lu.size(-2), lu.size(-1)
    k = min(m, n)
    low = lu.narrow(-1, 0, k).tril(-1)
    ones = lu.new_ones((k,)).diag_embed()
    low = low + (ones if m == k else ops.cat([ones, lu.new_zeros((m - k, k))], 0))
    return low, lu.narrow(-2, 0, k).triu()


def permutation_of(pivots: Any, m: int) -> Any:
    """The matrix that LAPACK's *pivots* of *m* rows stand for, as int64 places of ones."""
    out = np.empty((*pivots.shape[:-1], m), np.int64)
    out[...] = np.arange(m)
    for i in each(pivots.shape[:-1]):
        row = out[i]
        for k, p in enumerate(pivots[i]):
            row[k], row[p - 1] = row[p - 1], row[k]
    return out


def lu_gradient(gl: Any, gu: Any, p: Any, low: Any, up: Any) -> Any:
    """The gradient of a matrix from those of its factors.

    Of a matrix that is not square, the triangle of its smaller factor follows from the other parts.

    :param p: the permutation, None without pivots; a missing gradient is None, too.
    """
    if gl is None and gu is None:
        return None
    m, n = low.size(-2), up.size(-1)
    if m == n:
        found = _square_lu_gradient(gl, gu, low, up)
    elif m < n:
        found = _wide_lu_gradient(gl, gu, low, up)
    else:
        found = _tall_lu_gradient(gl, gu, low, up)
    return found if p is None else p.matmul(found)


def _by_low(low: Any, x: Any) -> Any:
    return ops.linalg_solve_triangular(low.mH, x, upper=True, unitriangular=True)


def _by_up(up: Any, x: Any) -> Any:
    return ops.linalg_solve_triangular(up.mH, x, upper=False, left=False)


def _square_lu_gradient(gl: Any, gu: Any, low: Any, up: Any) -> Any:
    inner = None if gl is None else low.mH.matmul(gl).tril(-1)
    if gu is not None:
        above = gu.matmul(up.mH).triu()
        inner = above if inner is None else inner + above
    return _by_low(low, _by_up(up, inner))


def _wide_lu_gradient(gl: Any, gu: Any, low: Any, up: Any) -> Any:
    k, n = low.size(-1), up.size(-1)
    inner = None if gl is None else low.mH.matmul(gl)
    if gu is not None:
        part = gu.triu()
        part = part.matmul(up.mH)
        inner = -part if inner is None else inner - part
    inner = inner.tril(-1)
    left = _by_up(up.narrow(-1, 0, k), inner)
    if gu is None:
        left = _by_low(low, left)
        return ops.cat([left, ops.zeros_like(up.narrow(-1, k, n - k))], -1)
    left = left + gu.narrow(-1, 0, k).triu()
    return _by_low(low, ops.cat([left, gu.narrow(-1, k, n - k)], -1))


def _tall_lu_gradient(gl: Any, gu: Any, low: Any, up: Any) -> Any:
    k, m = up.size(-2), low.size(-2)
    inner = None if gu is None else gu.matmul(up.mH)
    if gl is not None:
        back = low.mH
        part = back.matmul(gl.tril(-1))
        inner = -part if inner is None else inner - part
    inner = inner.triu()
    top = _by_low(low.narrow(-2, 0, k), inner)
    if gl is None:
        top = _by_up(up, top)
        return ops.cat([top, ops.zeros_like(low.narrow(-2, k, m - k))], -2)
    top = top + gl.narrow(-2, 0, k).tril(-1)
    return _by_up(up, ops.cat([top, gl.narrow(-2, k, m - k)], -2))


def _lu_factor_gradient(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None
    p, low, up = ops.lu_unpack(c.result0, c.result1, True, bool(c.pivot))
    k = low.size(-1)
    gl, gu = g[0].narrow(-1, 0, k), g[0].narrow(-2, 0, k)
    return lu_gradient(gl, gu, p if c.pivot else None, low, up)


op(
    "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> "
    "(Tensor LU, Tensor pivots, Tensor info)",
    says="Return the packed LU factors and a code for success in place of an error.",
    meta=_lu_factor_ex_meta,
    kernel=_lu_factor_ex,
    refuses=lambda A, *_: refuse_all_but(A, "lu_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={"A": _lu_factor_gradient},
    samples="linalg_lu_factor",
    tags=("rounds",),
)


def _lu_factor(A: Any, pivot: bool) -> tuple[Any, Any]:
    lu, pivots, info = ops.linalg_lu_factor_ex(A, pivot=pivot)
    check_errors(info, "torch.linalg.lu_factor", A)
    return lu, pivots


op(
    "linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
    says="Return the LU factors of matrices, packed into one, and the pivots.",
    composite=_lu_factor,
    module="linalg",
    variants="function",
    out=OutForm(gradient="linalg_lu_factor_ex"),
    samples="linalg_lu_factor",
)


def _lu_with_info(self: Any, pivot: bool, check_errors: bool) -> tuple[Any, Any, Any]:
    warn_once(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and "
        "will be removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\n"
        "should be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)"
    )
    return tuple(ops.linalg_lu_factor_ex(self, pivot=pivot))  # torch checks nothing here


op(
    "_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> "
    "(Tensor LU, Tensor pivots, Tensor info)",
    composite=_lu_with_info,
    variants="function",
    samples="lu_with_info",
    autocast=("float32", ""),
)


def _lu_meta(A: Any, pivot: bool) -> tuple[Out, Out, Out]:
    shape = tuple(A.shape)
    if len(shape) < 2:
        raise RuntimeError(
            "linalg.lu: Expected tensor with 2 or more dimensions. "
            f"Got size: [{', '.join(map(str, shape))}] instead"
        )
    *batch, m, n = shape
    k = min(m, n)
    p = Out((*batch, m, m) if pivot else (0,), A.dtype)
    return p, Out((*batch, m, k), A.dtype), Out((*batch, k, n), A.dtype)


def _split(lu: Array) -> tuple[Array, Array]:
    m, n = lu.shape[-2:]
    k = min(m, n)
    low = np.tril(lu[..., :, :k], -1) + np.eye(m, k, dtype=lu.dtype)
    return np.ascontiguousarray(low), np.ascontiguousarray(np.triu(lu[..., :k, :]))


def _permuting(pivots: Array, m: int, dtype: Any) -> Array:
    places = permutation_of(pivots, m)
    p = np.zeros((*places.shape, m), dtype)
    np.put_along_axis(p, places[..., None], 1, -1)
    return np.ascontiguousarray(np.swapaxes(p, -1, -2))


def _lu(A: Array, pivot: bool) -> tuple[Array, Array, Array]:
    lu, pivots, _ = factor_lu(A, pivot)
    p = _permuting(pivots, A.shape[-2], A.dtype) if pivot else np.empty((0,), A.dtype)
    return p, *_split(lu)


op(
    "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
    says="Return the factors P, L and U of matrices.",
    meta=_lu_meta,
    kernel=_lu,
    refuses=lambda A, *_: refuse_all_but(A, "lu_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={
        "A": lambda g, c: lu_gradient(
            g[1], g[2], c.result0 if c.pivot else None, c.result1, c.result2
        )
    },
    samples="linalg_lu_factor",
    tags=("rounds", "no_gradient: 0"),
)


def _lu_unpack_meta(data: Any, pivots: Any, unpack_data: bool, unpack_pivots: bool) -> Any:
    check_matrix(data, "torch.lu_unpack", "LU_data")
    if unpack_pivots and pivots.dtype is not int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 "
            "dtype.\nNote: this function is intended to be used with the output produced by "
            "torch.linalg.lu_factor"
        )
    *batch, m, n = data.shape
    k = min(m, n)
    nothing = Out((0,), data.dtype)
    return (
        Out((*batch, m, m), data.dtype) if unpack_pivots else nothing,
        Out((*batch, m, k), data.dtype) if unpack_data else nothing,
        Out((*batch, k, n), data.dtype) if unpack_data else nothing,
    )


def _lu_unpack(data: Array, pivots: Array, unpack_data: bool, unpack_pivots: bool) -> Any:
    nothing = np.empty((0,), data.dtype)
    p = _permuting(pivots, data.shape[-2], data.dtype) if unpack_pivots else nothing
    return (p, *_split(data)) if unpack_data else (p, nothing, nothing)


def _lu_unpack_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, lu_unpack_backward."""
    gl, gu = g[1], g[2]
    if gl is None and gu is None:
        return None
    m, n = c.LU_data.size(-2), c.LU_data.size(-1)
    k = min(m, n)
    if gl is None or gu is None or m == n:
        return _unpacked(gl, gu, m, n)
    if m < n:
        square = gu.narrow(-1, 0, k).triu() + gl.tril(-1)
        return ops.cat([square, gu.narrow(-1, k, n - k)], -1)
    upper = gu.triu()
    square = gl.narrow(-2, 0, k).tril(-1)
    return ops.cat([upper + square, gl.narrow(-2, k, m - k)], -2)


def _unpacked(gl: Any, gu: Any, m: int, n: int) -> Any:
    """The gradient of factors in one matrix, which is square or of which only one counts."""
    gu = None if gu is None else gu.triu()
    if gl is None:
        return gu if m <= n else ops.cat([gu, gu.new_zeros((*gu.shape[:-2], m - n, n))], -2)
    gl = gl.tril(-1)
    if gu is not None:
        return gu + gl
    return gl if m >= n else ops.cat([gl, gl.new_zeros((*gl.shape[:-1], n - m))], -1)


op(
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) "
    "-> (Tensor P, Tensor L, Tensor U)",
    says="Return P, L and U of packed LU factors and pivots.",
    meta=_lu_unpack_meta,
    kernel=_lu_unpack,
    variants="function",
    half=False,
    out="out",
    grad={"LU_data": _lu_unpack_gradient},
    samples="lu_unpack",
    tags=("no_gradient: 0",),
    tangent=matrix_tangents.lu_unpack,
)
