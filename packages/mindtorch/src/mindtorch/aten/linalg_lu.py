"""LU factors, their pivots and permutations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from ..core.warning import warn_once
from . import lanes, matrix_tangents
from .linalg_common import (
    Together,
    by_matrix,
    check_errors,
    check_matrix,
    info_of,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
)

__all__ = ["lu_factors", "lu_gradient", "lu_outs", "lu_parts", "lu_solver", "solutions_together"]

Array = np.ndarray[Any, Any]


def lu_factors(a: Array) -> Callable[[Array], tuple[Array, Array, Array]]:
    """What factors matrices like *a*: LU in one matrix, pivots from one on, what LAPACK says."""
    *batch, m, n = a.shape
    k, int32, array = min(m, n), np.dtype(np.int32), np.array
    getrf, one = lapack("getrf", a), np.array(1, np.int32)

    def factor(a: Array) -> tuple[Array, Array, Array]:
        lu, pivots, info = getrf(a)
        pivots += one
        return lu, pivots, array(info, int32)

    outs = [((m, n), a.dtype), ((k,), int32), ((), int32)]
    return by_matrix(factor, tuple(batch), outs, nothing=not k, together=_factors_together(m, n))


def _factors_together(m: int, n: int) -> Together | None:
    def run(a: Array) -> tuple[tuple[Array, ...], Array]:
        lu = lanes.to_lanes(a)
        pivots, doubtful = lanes.lu_factors(lu)
        return (lanes.from_lanes(lu), pivots.T, np.zeros(len(a), np.int32)), doubtful

    return lanes.together(run, (m, n), exchanges=True)


def _factors_in_order(a: Array) -> Callable[[Array], tuple[Array, Array, Array]]:
    """The same without an exchange of rows."""
    *batch, m, n = a.shape
    k, int32 = min(m, n), np.dtype(np.int32)

    def factor(a: Array) -> tuple[Array, Array, Array]:
        lu = a.copy("F")
        return lu, np.arange(1, k + 1, dtype=int32), np.array(_factor_in_order(lu), int32)

    outs = [((m, n), a.dtype), ((k,), int32), ((), int32)]
    return by_matrix(factor, tuple(batch), outs, nothing=not k)


def lu_outs(A: Any) -> tuple[Out, Out]:
    shape = tuple(A.shape)
    return like_matrix(shape, A.dtype), Out(shape[:-1], int32)


def lu_solver(b: Array, trans: int = 0) -> Callable[[Array, Array, Array], Array]:
    """What solves equations of one factored matrix for right-hand sides like *b*, a matrix.

    Its pivots count from one; *trans* is 1 for the transposed matrix, 2 for the conjugated too.
    LAPACK's own ``getrs`` wakes up threads for the smallest matrix, which takes a thousand times
    as long where they have no processor.
    """
    trsm, numbers, empty = lapack("trsm", b, blas=True), list(range(b.shape[0])), np.empty

    def order(pivots: Array) -> list[int]:
        rows = numbers.copy()
        for i, p in enumerate(pivots.tolist()):
            rows[i], rows[p - 1] = rows[p - 1], rows[i]
        return rows

    if not trans:

        def solve(lu: Array, pivots: Array, b: Array) -> Array:
            x = trsm(1.0, lu, b.take(order(pivots), 0), 0, 1, 0, 1)
            return trsm(1.0, lu, x, 0, 0, 0, 0, 1)  # type: ignore[no-any-return]

        return solve

    def solve_transposed(lu: Array, pivots: Array, b: Array) -> Array:
        x = trsm(1.0, lu, b, 0, 0, trans, 0)
        x = trsm(1.0, lu, x, 0, 1, trans, 1, 1)
        out = empty(x.shape, x.dtype, "F")
        out[order(pivots)] = x
        return out

    return solve_transposed


def solutions_together(shape: tuple[int, int], *, left: bool, trans: int) -> Together | None:
    """What solves many small factored systems at once, for right-hand sides of this *shape*.

    ``A X = B`` or, not from the *left*, ``X A = B``; with *trans* 2 for the adjoint of A.
    """
    turns = left == (trans != 0)

    def run(lu: Array, pivots: Array, b: Array) -> tuple[tuple[Array], Array]:
        factors, x = lanes.to_lanes(lu), lanes.to_lanes(b)
        if trans:
            np.conjugate(factors, out=factors)
        if not left:
            x = x.swapaxes(0, 1)
        if not turns:
            x = lanes.permuted(x, pivots.T)
            doubtful = lanes.solved_factors(factors, x)
        else:
            doubtful = lanes.solved_factors_turned(factors, x)
            x = lanes.permuted_back(x, pivots.T)
        return (lanes.from_lanes(x if left else x.swapaxes(0, 1)),), doubtful

    return lanes.together(run, shape)


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


def _refuse_factors(A: Any, pivot: bool, *_: Any) -> None:
    refuse_all_but(A, "lu_cpu")
    if not pivot and 0 not in A.shape and A.device.type == "cpu":
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


def _prepare_lu_factor_ex(A: Array, pivot: bool, check_errors: bool) -> Callable[..., Any]:
    factor = lu_factors(A) if pivot else _factors_in_order(A)
    if not check_errors:
        return lambda A, *_: factor(A)

    def kernel(A: Array, *_: Any) -> tuple[Array, Array, Array]:
        lu, pivots, info = factor(A)
        refuse_failed(info, "torch.linalg.lu_factor_ex")
        return lu, pivots, info

    return kernel


def lu_parts(lu: Any) -> tuple[Any, Any]:
    """The two triangles of a factorization in one matrix, of which L has ones."""
    m, n = lu.size(-2), lu.size(-1)
    k = min(m, n)
    low = lu.narrow(-1, 0, k).tril(-1)
    ones = lu.new_ones((k,)).diag_embed()
    low = low + (ones if m == k else ops.cat([ones, lu.new_zeros((m - k, k))], 0))
    return low, lu.narrow(-2, 0, k).triu()


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
    prepare=_prepare_lu_factor_ex,
    refuses=_refuse_factors,
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={"A": _lu_factor_gradient},
    samples="linalg_lu_factor",
    tags=("rounds", "of_matrices"),
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


def _splitter(lu: Array) -> Callable[[Array], tuple[Array, Array]]:
    """What takes LU apart into both triangles, of which L has ones."""
    m, n = lu.shape[-2:]
    k = min(m, n)
    below = np.tri(m, k, -1, bool)
    upper = ~np.tri(k, n, -1, bool)
    ones, zero = np.eye(m, k, dtype=lu.dtype), np.zeros((), lu.dtype)
    where, array = np.where, np.ascontiguousarray
    low, up = (..., slice(0, k)), (..., slice(0, k), slice(None))
    # What stands for nothing is written over: 0 * inf would be NaN.
    return lambda lu: (array(where(below, lu[low], ones)), array(where(upper, lu[up], zero)))


#: The exchanges of so many matrices are made one by one: faster than numpy starts up.
_FEW_BY_LIST = 16


def _permuter(pivots: Array, m: int, dtype: Any) -> Callable[[Array], Array]:
    """What makes a matrix of the pivots of *m* rows: the product of their exchanges."""
    *batch, k = pivots.shape
    count, zeros, rows = math.prod(batch), np.zeros, list(range(m))
    base = np.arange(count)[:, None] * (m * m) + np.arange(m)

    def permuting(pivots: Array) -> Array:
        if count > _FEW_BY_LIST:
            order = lanes.order_of(pivots.reshape(count, k).T, m).T
            out = zeros((*batch, m, m), dtype)
            out.reshape(-1)[order * m + base] = 1
            return out
        places = []
        for exchanges in pivots.reshape(count, k).tolist():
            order = rows.copy()
            for i, p in enumerate(exchanges):
                order[i], order[p - 1] = order[p - 1], order[i]
            places.append(order)
        out = zeros((*batch, m, m), dtype)
        if places:
            out.reshape(-1)[np.array(places, np.int64) * m + base] = 1
        return out

    return permuting


def _prepare_lu(A: Array, pivot: bool) -> Callable[..., tuple[Array, Array, Array]]:
    factor = lu_factors(A) if pivot else _factors_in_order(A)
    split, m, k, dtype = _splitter(A), A.shape[-2], min(A.shape[-2:]), A.dtype
    permuting = _permuter(np.empty((*A.shape[:-2], k)), m, dtype)

    def kernel(A: Array, *_: Any) -> tuple[Array, Array, Array]:
        lu, pivots, _ = factor(A)
        return permuting(pivots) if pivot else np.empty((0,), dtype), *split(lu)

    return kernel


op(
    "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
    says="Return the factors P, L and U of matrices.",
    meta=_lu_meta,
    prepare=_prepare_lu,
    refuses=_refuse_factors,
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
    tags=("rounds", "no_gradient: 0", "loops: functional", "of_matrices"),
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


def _prepare_lu_unpack(
    data: Array, pivots: Array, unpack_data: bool, unpack_pivots: bool
) -> Callable[..., tuple[Array, Array, Array]]:
    dtype = data.dtype
    split = _splitter(data) if unpack_data else None
    m = data.shape[-2]
    permuting = _permuter(pivots, m, dtype) if unpack_pivots else None

    def kernel(data: Array, pivots: Array, *_: Any) -> tuple[Array, Array, Array]:
        if permuting is not None and pivots.size and not 1 <= pivots.min() <= pivots.max() <= m:
            raise RuntimeError(
                "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
                "Did you properly pass the result of lu_factor?"
            )
        p = np.empty((0,), dtype) if permuting is None else permuting(pivots)
        if split is None:
            return p, np.empty((0,), dtype), np.empty((0,), dtype)
        return p, *split(data)

    return kernel


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
    prepare=_prepare_lu_unpack,
    variants="function",
    half=False,
    out="out",
    grad={"LU_data": _lu_unpack_gradient},
    samples="lu_unpack",
    tags=("no_gradient: 0", "of_matrices"),
    tangent=matrix_tangents.lu_unpack,
)
