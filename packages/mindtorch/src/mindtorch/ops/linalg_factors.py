"""Factorizations: Cholesky, LU, QR, and the reflections of which QR is made."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32

from ..warning import warn_once
from .call import ops
from .dims import scalar_name
from .linalg_common import (
    check_errors,
    check_factorable,
    check_matrix,
    check_square,
    column_major,
    each,
    failure,
    info_of,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
    transposed,
)
from .row import Out, op

__all__ = ["factor_lu", "lu_gradient", "lu_parts"]

Array = np.ndarray[Any, Any]


# -- Cholesky ------------------------------------------------------------------------------------


def _cholesky_ex_meta(self: Any, upper: bool, check_errors: bool) -> tuple[Out, Out]:
    check_square(self, "linalg.cholesky")
    check_factorable(self, "linalg.cholesky")
    return like_matrix(self.shape, self.dtype), info_of(self)


def _factor_cholesky(a: Array, upper: bool) -> tuple[Array, Array]:
    info = np.zeros(a.shape[:-2], np.int32)
    if a.size == 0:
        return column_major(a), info
    source = transposed(a) if upper else a
    try:
        factor = np.linalg.cholesky(source)
    except np.linalg.LinAlgError:
        potrf = lapack("potrf", a)
        factor = np.empty_like(a)
        for i in each(a.shape[:-2]):
            factor[i], info[i] = potrf(source[i], lower=1, clean=1)
    return column_major(transposed(factor) if upper else factor), info


def _cholesky_ex(self: Array, upper: bool, check_errors: bool) -> tuple[Array, Array]:
    factor, info = _factor_cholesky(self, upper)
    if check_errors:
        refuse_failed(info, "linalg.cholesky_ex")
    return factor, info


def _cholesky_gradient(g: Any, factor: Any, upper: bool) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, cholesky_backward."""
    low, g = (factor.mH, g.mH) if upper else (factor, g)
    phi = low.mH.matmul(g).tril()
    strict = phi.tril(-1)
    phi = 0.5 * (phi + strict.mH)
    x = ops.linalg_solve_triangular(low.mH, phi, upper=True, left=True)
    return ops.linalg_solve_triangular(low, x, upper=False, left=False)


op(
    "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> "
    "(Tensor L, Tensor info)",
    meta=_cholesky_ex_meta,
    kernel=_cholesky_ex,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_cpu", any_empty=True),
    module="linalg",
    variants="function",
    half=False,
    out="L",
    grad={"self": lambda g, c: _cholesky_gradient(g[0], c.result0, c.upper)},
    samples="linalg_positive",
    tags=("rounds",),
)


def _linalg_cholesky(self: Any, upper: bool) -> Any:
    factor, info = ops.linalg_cholesky_ex(self, upper=upper)
    check_errors(info, "linalg.cholesky", self)
    return factor


op(
    "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
    composite=_linalg_cholesky,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_positive",
)


def _cholesky_meta(self: Any, upper: bool) -> Out:
    check_square(self, "cholesky")
    if not self.numel():
        return Out(tuple(self.shape), self.dtype)
    refuse_all_but(self, "cholesky_cpu")
    return like_matrix(self.shape, self.dtype)


def _warn_of_cholesky(self: Any, upper: bool) -> None:
    warn_once(
        "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a "
        "future PyTorch release.\nL = torch.cholesky(A)\nshould be replaced with\nL = "
        "torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\nshould be replaced "
        "with\nU = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent results "
        "for all valid (symmetric positive definite) inputs."
    )


def _cholesky(self: Array, upper: bool) -> Array:
    factor, info = _factor_cholesky(self, upper)
    refuse_failed(info, "cholesky")
    return factor


op(
    "cholesky(Tensor self, bool upper=False) -> Tensor",
    meta=_cholesky_meta,
    kernel=_cholesky,
    half=False,
    out=True,
    grad={"self": lambda g, c: _cholesky_gradient(g, c.result, c.upper)},
    samples="cholesky",
    warns=_warn_of_cholesky,
    tags=("rounds",),
)


def _cholesky_inverse_meta(self: Any, upper: bool) -> Out:
    check_square(self, "cholesky_inverse")
    if self.numel():
        refuse_all_but(self, "cholesky_inverse_out_cpu")
    return like_matrix(self.shape, self.dtype)


def _cholesky_inverse(self: Array, upper: bool) -> Array:
    out = np.empty_like(self)
    if self.size:
        potri = lapack("potri", self)
        mirrored = np.tri(self.shape[-1], k=-1, dtype=bool)
        for i in each(self.shape[:-2]):
            found, info = potri(self[i], lower=not upper)
            if info > 0:
                place = f"(Batch element {i[0]}): " if self.ndim > 2 else ""
                error = failure("cholesky_inverse", info)
                raise type(error)(f"cholesky_inverse: {place}{error}")
            missing = mirrored if upper else mirrored.T
            out[i] = np.where(missing, transposed(found), found)
    return column_major(out)


def _cholesky_inverse_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, cholesky_inverse_backward."""
    inverse, factor = c.result, c.self
    common = inverse.matmul((g + g.mH).matmul(inverse))
    if c.upper:
        return -factor.matmul(common)
    return -common.matmul(factor)


op(
    "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
    meta=_cholesky_inverse_meta,
    kernel=_cholesky_inverse,
    half=False,
    out=True,
    grad={"self": _cholesky_inverse_gradient},
    samples="cholesky_inverse",
    tags=("rounds",),
)


# -- LU ------------------------------------------------------------------------------------------


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
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_lu_backward.

    :param p: the permutation, None without pivots; a missing gradient is None, too.
    """
    solve = ops.linalg_solve_triangular
    m, n = low.size(-2), up.size(-1)
    k = min(m, n)
    if gl is None and gu is None:
        return None
    low1, up1 = low.narrow(-2, 0, k), up.narrow(-1, 0, k)
    below = None if gl is None else low1.mH.matmul(gl.narrow(-2, 0, k))
    above = None if gu is None else gu.narrow(-1, 0, k).matmul(up1.mH)
    if gu is not None and n > k:
        part = gu.narrow(-1, k, n - k).matmul(up.narrow(-1, k, n - k).mH)
        below = -part if below is None else below - part
    if gl is not None and m > k:
        part = low.narrow(-2, k, m - k).mH.matmul(gl.narrow(-2, k, m - k))
        above = -part if above is None else above - part
    phi = 0
    if below is not None:
        phi = below.tril(-1)
    if above is not None:
        phi = above.triu() + phi
    if m <= n:
        out = solve(up1.mH, phi, upper=False, left=False)
        if n > k:
            rest = out.new_zeros((*out.shape[:-1], n - k))
            rest = rest if gu is None else gu.narrow(-1, k, n - k)
            out = ops.cat([out, rest], -1)
        out = solve(low1.mH, out, upper=True, unitriangular=True)
    else:
        out = solve(low1.mH, phi, upper=True, unitriangular=True)
        rest = out.new_zeros((*out.shape[:-2], m - k, k))
        rest = rest if gl is None else gl.narrow(-2, k, m - k)
        out = solve(up1.mH, ops.cat([out, rest], -2), upper=False, left=False)
    return out if p is None else p.matmul(out)


def _lu_factor_gradient(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None
    low, up = lu_parts(c.result0)
    p = None
    if c.pivot:
        p, _, _ = ops.lu_unpack(c.result0.detach(), c.result1, False, True)
    k = min(low.size(-2), up.size(-1))
    return lu_gradient(g[0].narrow(-1, 0, k), g[0].narrow(-2, 0, k), p, low, up)


op(
    "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> "
    "(Tensor LU, Tensor pivots, Tensor info)",
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
    composite=_lu_factor,
    module="linalg",
    variants="function",
    out="out",
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
    batch = tuple(c.LU_data.shape[:-2])
    gu = None if gu is None else gu.triu()
    gl = None if gl is None else gl.tril(-1)
    if gl is not None and n > k:
        gl = ops.cat([gl, gl.new_zeros((*batch, m, n - k))], -1)
    if gu is not None and m > k:
        gu = ops.cat([gu, gu.new_zeros((*batch, m - k, n))], -2)
    return gu if gl is None else gl if gu is None else gl + gu


op(
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) "
    "-> (Tensor P, Tensor L, Tensor U)",
    meta=_lu_unpack_meta,
    kernel=_lu_unpack,
    variants="function",
    half=False,
    out="out",
    grad={"LU_data": _lu_unpack_gradient},
    samples="lu_unpack",
    tags=("no_gradient: 0",),
)


# -- QR ------------------------------------------------------------------------------------------


def _qr_meta(A: Any, mode: str) -> tuple[Out, Out]:
    check_matrix(A, "linalg.qr")
    check_factorable(A, "linalg.qr")
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), "
            "'r', or 'complete'"
        )
    *batch, m, n = A.shape
    k = m if mode == "complete" else min(m, n)
    q = Out((0,), A.dtype) if mode == "r" else like_matrix((*batch, m, k), A.dtype)
    return q, like_matrix((*batch, k, n), A.dtype)


def _qr(A: Array, mode: str) -> tuple[Array, Array]:
    nothing = np.empty((0,), A.dtype)
    if mode == "r":
        return nothing, column_major(np.asarray(np.linalg.qr(A, "r")))
    q, r = np.linalg.qr(A, "complete" if mode == "complete" else "reduced")
    return column_major(q), column_major(r)


def _real_part(x: Any, weight: float) -> Any:
    """*x* with the real (imaginary where negative) part of its diagonal times *weight*."""
    diagonal = x.diagonal(0, -2, -1)
    if weight < 0:
        return x - 0.5 * (1j * ops.imag(diagonal)).diag_embed() if x.is_complex() else x
    return x - (1 - weight) * ops.real(diagonal).diag_embed()


def _qr_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_qr_backward."""
    gq, gr, q, r, mode = g[0], g[1], c.result0, c.result1, c.mode
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when "
            "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to differentiate "
            "through linalg.qr."
        )
    m, n = c.A.size(-2), c.A.size(-1)
    if mode == "complete" and m > n:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    if gq is None and gr is None:
        return None
    solve = ops.linalg_solve_triangular
    ga = 0 if gr is None else gr.matmul(r.mH)
    if gq is not None:
        ga = ga - q.mH.matmul(gq)
    if m >= n:
        ga = ga.triu()
        ga = q.matmul(_real_part(ga + ga.mH, 0.5))
        if gq is not None:
            ga = ga + gq
        return solve(r.mH, ga, upper=False, left=False)
    ga = -ga
    ga = q.matmul(_real_part((ga - ga.mH).tril(), -1))
    ga = solve(r.narrow(-1, 0, m).mH, ga, upper=False, left=False)
    ga = ops.cat([ga, ga.new_zeros((*ga.shape[:-1], n - m))], -1)
    return ga if gr is None else ga + q.matmul(gr)


op(
    'linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)',
    meta=_qr_meta,
    kernel=_qr,
    refuses=lambda A, *_: refuse_all_but(A, "geqrf_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={"A": _qr_gradient},
    samples="linalg_qr",
    tags=("rounds",),
)


def _old_qr(self: Any, some: bool) -> tuple[Any, Any]:
    warn_once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future "
        "PyTorch release.\nThe boolean parameter 'some' has been replaced with a string parameter "
        "'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\nQ, R = torch.linalg.qr(A, "
        "'reduced' if some else 'complete')"
    )
    return tuple(ops.linalg_qr(self, "reduced" if some else "complete"))


op(
    "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
    composite=_old_qr,
    out="Q",
    samples="qr",
)


def _geqrf_meta(self: Any) -> tuple[Out, Out]:
    if len(self.shape) < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    *batch, m, n = self.shape
    return like_matrix(self.shape, self.dtype), Out((*batch, min(m, n)), self.dtype)


def _geqrf(self: Array) -> tuple[Array, Array]:
    *batch, m, n = self.shape
    a = column_major(self).copy("K")
    tau = np.zeros((*batch, min(m, n)), self.dtype)
    if self.size:
        geqrf = lapack("geqrf", self)
        for i in each(batch):
            a[i], tau[i], _, _ = geqrf(self[i])
    return a, tau


def _without_derivative(g: Any, c: Any) -> Any:
    raise NotImplementedError("the derivative for 'geqrf' is not implemented.")


op(
    "geqrf(Tensor self) -> (Tensor a, Tensor tau)",
    meta=_geqrf_meta,
    kernel=_geqrf,
    refuses=lambda self: refuse_all_but(self, "geqrf_cpu"),
    half=False,
    out="a",
    grad={"self": _without_derivative},
    samples="geqrf",
    tags=("rounds",),
)


def _householder_meta(input: Any, tau: Any) -> Out:
    who = "torch.linalg.householder_product"
    shape, taus = tuple(input.shape), tuple(tau.shape)
    if len(shape) < 2:
        raise RuntimeError(f"{who}: input must have at least 2 dimensions.")
    if shape[-2] < shape[-1]:
        raise RuntimeError(
            f"{who}: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if shape[-1] < taus[-1]:
        raise RuntimeError(f"{who}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if len(shape) - len(taus) != 1:
        raise RuntimeError(
            f"{who}: Expected tau to have one dimension less than input, but got tau.ndim equal "
            f"to {len(taus)} and input.ndim is equal to {len(shape)}"
        )
    if len(shape) > 2 and shape[:-2] != taus[:-1]:
        raise RuntimeError(
            f"{who}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got "
            f"[{', '.join(map(str, taus[:-1]))}]"
        )
    if tau.dtype is not input.dtype:
        raise RuntimeError(
            f"{who}: tau dtype {scalar_name(tau.dtype)} does not match input dtype "
            f"{scalar_name(input.dtype)}"
        )
    return like_matrix(shape, input.dtype)


def _householder(input: Array, tau: Array) -> Array:
    m, n = input.shape[-2:]
    out = np.empty_like(input)
    if input.size:
        orgqr = lapack("orgqr", input)
        for i in each(input.shape[:-2]):
            given = np.asfortranarray(input[i])
            out[i], _, _ = orgqr(given, tau[i]) if tau.shape[-1] else (np.eye(m, n), 0, 0)
    return column_major(out)


def _householder_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """By the product of the reflections, of which each has a formula of its own."""
    input, tau = c.input, c.tau
    m, n, k = input.size(-2), input.size(-1), tau.size(-1)
    eye = ops.eye(m, dtype=input.dtype, device=input.device)
    columns = [input.narrow(-1, i, 1).tril(-i - 1) + eye.narrow(-1, i, 1) for i in range(k)]
    weights = [tau.narrow(-1, i, 1).unsqueeze(-1) for i in range(k)]
    # Products of the reflections behind each, and before it.
    after = [eye.narrow(-1, 0, n)]
    for v, t in zip(reversed(columns), reversed(weights), strict=True):
        last = after[-1]
        after.append(last - t * v.matmul(v.mH.matmul(last)))
    after.reverse()
    grads_in, grads_tau = [], []
    for i in range(k):
        v, t, rest = columns[i], weights[i], after[i + 1]
        # y = rest - t v (v^H rest)
        inner = v.mH.matmul(rest)
        back = v.mH.matmul(g)
        grads_tau.append(-(back * inner.conj()).sum(-1, True))
        gv = -(t.conj() * g.matmul(inner.mH)) - t * rest.matmul(back.mH)
        grads_in.append(gv.tril(-i - 1))
        g = g - t.conj() * v.matmul(back)
    if k < n:
        grads_in.append(input.new_zeros((*input.shape[:-1], n - k)))
    g_input = ops.cat(grads_in, -1) if grads_in else ops.zeros_like(input)
    g_tau = ops.cat(grads_tau, -2).squeeze(-1) if grads_tau else ops.zeros_like(tau)
    return g_input, g_tau


op(
    "linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
    meta=_householder_meta,
    kernel=_householder,
    refuses=lambda input, tau: refuse_all_but(input, "orgqr_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=True,
    grad={"input, tau": _householder_gradient},
    samples="householder_product",
    tags=("rounds",),
)


def _orgqr(self: Any, input2: Any) -> Any:
    return ops.linalg_householder_product(self, input2)


op(
    "orgqr(Tensor self, Tensor input2) -> Tensor",
    composite=_orgqr,
    out=True,
    samples="householder_product",
)


def _ormqr_meta(self: Any, input2: Any, input3: Any, left: bool, transpose: bool) -> Out:
    for t, name in ((self, "input"), (input3, "other")):
        if len(t.shape) < 2:
            raise RuntimeError(f"torch.ormqr: {name} must have at least 2 dimensions.")
    side = -2 if left else -1
    if input3.shape[side] < input2.shape[-1]:
        raise RuntimeError(
            f"torch.ormqr: other.shape[{side}] must be greater than or equal to tau.shape[-1]"
        )
    if input3.shape[side] != self.shape[-2]:
        raise RuntimeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")
    return like_matrix(input3.shape, input3.dtype)


def _ormqr(self: Array, input2: Array, input3: Array, left: bool, transpose: bool) -> Array:
    out = np.empty_like(input3)
    if out.size:
        ormqr = lapack("ormqr", self)
        trans = ("C" if self.dtype.kind == "c" else "T") if transpose else "N"
        work = max(input3.shape[-2:]) * 64
        for i in each(self.shape[:-2]):
            given = np.asfortranarray(self[i][..., : input2.shape[-1]])
            side = "L" if left else "R"
            out[i], _, _ = ormqr(side, trans, given, input2[i], np.asfortranarray(input3[i]), work)
    return column_major(out)


op(
    "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> "
    "Tensor",
    meta=_ormqr_meta,
    kernel=_ormqr,
    refuses=lambda self, *_: refuse_all_but(self, "ormqr_cpu"),
    half=False,
    out=True,
    samples="ormqr",
    tags=("rounds",),
)
