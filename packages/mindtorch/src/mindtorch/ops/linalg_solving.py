"""Inverses, determinants, and equations with matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32, int64

from ..warning import warn_once
from .call import of, ops
from .dims import scalar_name
from .linalg_common import (
    LAPACK,
    check_errors,
    check_factorable,
    check_matrix,
    check_solvable,
    check_square,
    column_major,
    column_strides,
    each,
    fitted,
    info_of,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
    solved_shapes,
    transposed,
)
from .linalg_factors import factor_lu
from .meta import broadcast_shapes
from .number_first import watched
from .row import Out, op

__all__: list[str] = []

Array = np.ndarray[Any, Any]


# -- inverses ------------------------------------------------------------------------------------


def _inv_ex_meta(A: Any, check_errors: bool) -> tuple[Out, Out]:
    check_square(A, "linalg.inv")
    check_factorable(A, "linalg.inv", low=False)
    return like_matrix(A.shape, A.dtype), info_of(A)


def _inv_ex(A: Array, check_errors: bool) -> tuple[Array, Array]:
    info = np.zeros(A.shape[:-2], np.int32)
    try:
        inverse = np.linalg.inv(A) if A.size else A
    except np.linalg.LinAlgError:
        lu, pivots, info = factor_lu(A)
        eye = np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype), A.shape)
        inverse = _solve_lu(lu, pivots, eye)
        if check_errors:
            refuse_failed(info, "linalg.inv_ex")
    return column_major(inverse), info


def _inv_gradient(g: Any, c: Any) -> Any:
    back = c.result0.mH
    return None if g[0] is None else -back.matmul(g[0].matmul(back))


op(
    "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    meta=_inv_ex_meta,
    kernel=_inv_ex,
    module="linalg",
    variants="function",
    half=False,
    out="inverse",
    grad={"A": _inv_gradient},
    samples="linalg_square",
    tags=("rounds",),
)


def _inv(A: Any) -> Any:
    inverse, info = ops.linalg_inv_ex(A)
    check_errors(info, "linalg.inv", A)
    return inverse


op(
    "linalg_inv(Tensor A) -> Tensor",
    composite=_inv,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_square",
)
op(
    "inverse(Tensor self) -> Tensor",
    composite=lambda self: ops.linalg_inv(self),
    out=True,
    samples="linalg_square",
)


# -- determinants --------------------------------------------------------------------------------


def _lu_outs(A: Any) -> tuple[Out, Out]:
    shape = tuple(A.shape)
    return like_matrix(shape, A.dtype), Out(shape[:-1], int32)


def _det_meta(A: Any) -> tuple[Out, Out, Out]:
    check_square(A, "linalg.det")
    check_factorable(A, "linalg.det")
    return Out(tuple(A.shape[:-2]), A.dtype), *_lu_outs(A)


def _parity(pivots: Array) -> Array:
    swaps = (pivots != np.arange(1, pivots.shape[-1] + 1)).sum(-1)
    return np.asarray(1 - 2 * (swaps % 2))


def _factored(A: Array) -> tuple[Array, Array]:
    """LU as torch has it here: of what lies row by row, the transposed matrix."""
    by_rows = A.flags.c_contiguous and A.dtype.kind != "c"
    lu, pivots, _ = factor_lu(np.swapaxes(A, -1, -2) if by_rows else A)
    return lu, pivots


def _det(A: Array) -> tuple[Array, Array, Array]:
    lu, pivots = _factored(A)
    product = np.multiply.reduce(np.diagonal(lu, 0, -2, -1), -1)
    return np.asarray(product * _parity(pivots).astype(A.dtype)), lu, pivots


def _det_gradient(g: Any, c: Any) -> Any:
    """The conjugated cofactors. Source: torch FunctionsManual.cpp, linalg_det_backward."""
    if g[0] is None:
        return None
    A, det = c.A, c.result0
    weight = g[0] * det.conj()
    if A.numel() == 0:
        return ops.zeros_like(A)
    if watched(A) or A.device.type == "meta" or not bool((det == 0).any()):
        eye = ops.diag_embed(weight.unsqueeze(-1).expand(*A.shape[:-1]))
        return ops.linalg_solve(A.mH, eye)
    # Of singular matrices: the products of all other singular values, in the singular bases.
    u, s, vh = ops._linalg_svd(A, full_matrices=False)
    n = s.size(-1)
    square = s.unsqueeze(-2).expand(*s.shape, n)
    others = square.masked_fill(ops.eye(n, dtype=ops.bool, device=s.device), 1).prod(-1)
    turn = ops.linalg_det(u.matmul(vh)).conj() * g[0]
    return (u * others.unsqueeze(-2).to(u.dtype)).matmul(vh) * turn[..., None, None]


op(
    "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)",
    meta=_det_meta,
    kernel=_det,
    refuses=lambda A: refuse_all_but(A, "lu_cpu", any_empty=True),
    variants="function",
    half=False,
    out="result",
    grad={"A": _det_gradient},
    samples="linalg_square",
    tags=("rounds", "one_gradient"),
)


def _linalg_det(A: Any) -> Any:
    return ops._linalg_det(A)[0]


op(
    "linalg_det(Tensor A) -> Tensor",
    composite=_linalg_det,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_square",
)
op(
    "det(Tensor self) -> Tensor",
    composite=lambda self: ops.linalg_det(self),
    samples="linalg_square",
)


def _slogdet_meta(A: Any) -> tuple[Out, Out, Out, Out]:
    check_square(A, "linalg.slogdet")
    check_factorable(A, "linalg.slogdet", low=False)
    batch = tuple(A.shape[:-2])
    real = A.dtype.to_real() if A.dtype.is_complex else A.dtype
    return Out(batch, A.dtype), Out(batch, real), *_lu_outs(A)


def _slogdet(A: Array) -> tuple[Array, Array, Array, Array]:
    lu, pivots = _factored(A)
    diagonal = np.diagonal(lu, 0, -2, -1)
    size = np.abs(diagonal)
    with np.errstate(all="ignore"):
        if A.dtype.kind == "c":
            turns = np.where(size == 0, 0, diagonal / np.where(size == 0, 1, size))
        else:
            turns = np.sign(diagonal)
        logs = np.log(size).sum(-1)
    sign = np.multiply.reduce(turns, -1) * _parity(pivots)
    return np.asarray(sign, A.dtype), np.asarray(logs, size.dtype), lu, pivots


def _slogdet_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, slogdet_backward."""
    g_sign, weight = g[0], g[1]
    A, sign = c.A, c.result0
    if A.is_complex() and g_sign is not None:
        turned = 1j * ops.imag(g_sign.conj() * sign)
        weight = -turned if weight is None else weight - turned
    if weight is None:
        return None
    weight = weight.to(A.dtype)
    eye = ops.diag_embed(weight.unsqueeze(-1).expand(*A.shape[:-1]))
    return ops.linalg_solve(A.mH, eye)


op(
    "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)",
    meta=_slogdet_meta,
    kernel=_slogdet,
    variants="function",
    half=False,
    out="sign",
    grad={"A": _slogdet_gradient},
    samples="linalg_square",
    tags=("rounds", "no_gradient: 2"),
)


def _linalg_slogdet(A: Any) -> tuple[Any, Any]:
    sign, logs, _, _ = ops._linalg_slogdet(A)
    return sign, logs


op(
    "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
    composite=_linalg_slogdet,
    module="linalg",
    variants="function",
    out="out",
    samples="linalg_square",
)
op(
    "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
    composite=lambda self: tuple(ops.linalg_slogdet(self)),
    out="out",
    samples="linalg_square",
)


def _logdet(A: Any) -> Any:
    check_square(A, "logdet")
    check_factorable(A, "logdet", low=False)
    sign, logs = ops.linalg_slogdet(A)
    if A.is_complex():
        return sign.log() + logs
    return ops.where(sign == -1.0, float("nan"), logs)


op("logdet(Tensor self) -> Tensor", composite=_logdet, samples="linalg_square")


# -- equations -----------------------------------------------------------------------------------


def is_vector(a: Any, b: Any) -> bool:
    """Whether *b* is a batch of vectors to ``linalg.solve``."""
    return len(b.shape) == 1 or (
        len(a.shape) - 1 == len(b.shape) and tuple(b.shape) == tuple(a.shape[:-1])
    )


class _Column:
    """A vector as a matrix of one column, for the checks."""

    def __init__(self, b: Any) -> None:
        self.shape, self.dtype = (*b.shape, 1), b.dtype


def _solve_ex_meta(A: Any, B: Any, left: bool, check_errors: bool) -> tuple[Out, Out, Out, Out]:
    who = "linalg.solve"
    check_factorable(A, who)
    if A.dtype is not B.dtype:
        raise RuntimeError(
            f"{who}: Expected A and B to have the same dtype, but found A of type "
            f"{scalar_name(A.dtype)} and B of type {scalar_name(B.dtype)} instead"
        )
    check_matrix(A, who)
    vector = is_vector(A, B)
    columns = _Column(B) if vector else B
    check_solvable(A, columns, left, who)
    shape = solved_shapes(A, columns)[0]
    if vector:
        shape = shape[:-1]
    return Out(shape, A.dtype, column_strides(shape) if left else None), *_lu_outs(A), info_of(A)


def _solve_ex(A: Array, B: Array, left: bool, check_errors: bool) -> tuple[Array, ...]:
    vector = is_vector(A, B)
    b = B[..., None] if vector else B
    lu, pivots, info = factor_lu(A)
    shape, _ = solved_shapes(A, b)
    if left:
        out = _solve_lu(lu, pivots, np.broadcast_to(b, shape))
    else:
        out = np.swapaxes(
            _solve_lu(lu, pivots, np.swapaxes(np.broadcast_to(b, shape), -1, -2), 1), -1, -2
        )
    if vector:
        out = out[..., 0]
    if check_errors:
        refuse_failed(info, "torch.linalg.solve_ex")
    return fitted(out, column_strides(out.shape) if left else None), lu, pivots, info


def _solve_lu(lu: Array, pivots: Array, b: Array, trans: int = 0) -> Array:
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


def _outer(x: Any, y: Any, vector: bool) -> Any:
    """``x @ y^H``, of vectors as of columns."""
    if vector:
        x, y = x.unsqueeze(-1), y.unsqueeze(-1)
    return x.matmul(y.mH)


def _solve_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_solve_backward."""
    A, x, g = c.A, c.result0, g[0]
    if g is None:
        return None, None
    vector = is_vector(A, c.B)
    gb = ops.linalg_solve(A.mH, g.unsqueeze(-1) if vector else g, left=c.left)
    column = x.unsqueeze(-1) if vector else x
    ga = None
    if c.mask[0]:
        ga = -gb.matmul(column.mH) if c.left else -column.mH.matmul(gb)
    return ga, gb.squeeze(-1) if vector else gb


op(
    "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
    "(Tensor result, Tensor LU, Tensor pivots, Tensor info)",
    meta=_solve_ex_meta,
    kernel=_solve_ex,
    refuses=lambda A, *_: refuse_all_but(A, "lu_cpu", any_empty=True),
    variants="function",
    half=False,
    out="result",
    grad={"A, B": _solve_gradient},
    samples="_linalg_solve_ex",
    tags=("rounds", "one_gradient"),
)


def _linalg_solve_ex(A: Any, B: Any, left: bool, check_errors: bool) -> tuple[Any, Any]:
    result, _, _, info = ops._linalg_solve_ex(A, B, left=left, check_errors=check_errors)
    return result, info


op(
    "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
    "(Tensor result, Tensor info)",
    composite=_linalg_solve_ex,
    module="linalg",
    variants="function",
    out="out",
    samples="linalg_solve",
)


def _solve(A: Any, B: Any, left: bool) -> Any:
    result, info = ops.linalg_solve_ex(A, B, left=left)
    check_errors(info, "torch.linalg.solve", A)
    return result


op(
    "linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
    composite=_solve,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_solve",
)


def _lu_solve_meta(LU: Any, pivots: Any, B: Any, left: bool, adjoint: bool) -> Out:
    who = "linalg.lu_solve"
    check_factorable(LU, who)
    if LU.dtype is not B.dtype:
        raise RuntimeError(
            f"{who}: Expected LU and B to have the same dtype, but found LU of type "
            f"{scalar_name(LU.dtype)} and B of type {scalar_name(B.dtype)} instead"
        )
    if pivots.dtype is not int32:
        raise RuntimeError(f"{who}: pivots should be a Tensor of scalar type torch.int32")
    check_square(LU, "torch.linalg.lu_solve")
    check_solvable(LU, B, left, who)
    if tuple(LU.shape[:-1]) != tuple(pivots.shape):
        raise RuntimeError(
            f"{who}: Number of pivots per batch should be same as the dimension of the matrix"
        )
    shape = solved_shapes(LU, B)[0]
    return Out(shape, B.dtype, column_strides(shape) if left else None)


def _lu_solve(LU: Array, pivots: Array, B: Array, left: bool, adjoint: bool) -> Array:
    shape, _ = solved_shapes(LU, B)
    b = np.broadcast_to(B, shape)
    if left:
        out = _solve_lu(LU, pivots, b, 2 if adjoint else 0)
    else:  # X A = B is A^H X^H = B^H
        out = transposed(_solve_lu(LU, pivots, transposed(b), 0 if adjoint else 2))
    return fitted(out, column_strides(out.shape) if left else None)


def _lu_solve_gradient(g: Any, c: Any) -> Any:
    LU, x = c.LU, c.result
    gb = ops.linalg_lu_solve(LU, c.pivots, g, left=c.left, adjoint=not c.adjoint)
    if not c.mask[0]:
        return None, gb
    # The gradient of the matrix P L U itself, then of its factors.
    if c.left:
        gm = -x.matmul(gb.mH) if c.adjoint else -gb.matmul(x.mH)
    else:
        gm = -gb.mH.matmul(x) if c.adjoint else -x.mH.matmul(gb)
    p, low, up = ops.lu_unpack(LU, c.pivots)
    gm = p.mT.matmul(gm)
    return gm.matmul(up.mH).tril(-1) + low.mH.matmul(gm).triu(), gb


op(
    "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) "
    "-> Tensor",
    meta=_lu_solve_meta,
    kernel=_lu_solve,
    refuses=lambda LU, *_: refuse_all_but(LU, "lu_solve_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=True,
    grad={"LU, B": _lu_solve_gradient},
    samples="linalg_lu_solve",
    tags=("rounds",),
)


def _old_lu_solve(self: Any, LU_data: Any, LU_pivots: Any) -> Any:
    warn_once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a "
        "future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\n"
        "X = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
        "X = torch.linalg.lu_solve(LU, pivots, B)"
    )
    return ops.linalg_lu_solve(LU_data, LU_pivots, self)


op(
    "lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
    composite=_old_lu_solve,
    out=True,
    samples="lu_solve",
)


# -- triangular matrices -------------------------------------------------------------------------


def _triangular(a: Array, b: Array, upper: bool, left: bool, unit: bool, trans: int = 0) -> Array:
    """BLAS's trsm, which divides by zeros as it comes."""
    out = np.empty(b.shape, b.dtype)
    if out.size:
        trsm = lapack("trsm", b, blas=True)
        with np.errstate(all="ignore"):
            for i in each(b.shape[:-2]):
                out[i] = trsm(
                    1.0, a[i], b[i], side=not left, lower=not upper, trans_a=trans, diag=unit
                )
    return out


def _solve_triangular_meta(self: Any, B: Any, upper: bool, left: bool, unitriangular: bool) -> Out:
    who = "linalg.solve_triangular"
    if self.dtype is not B.dtype:
        raise RuntimeError(
            f"{who}: Expected A and B to have the same dtype, but found A of type "
            f"{scalar_name(self.dtype)} and B of type {scalar_name(B.dtype)} instead"
        )
    check_solvable(self, B, left, who)
    return like_matrix(solved_shapes(self, B)[0], B.dtype)


def _solve_triangular(self: Array, B: Array, upper: bool, left: bool, unitriangular: bool) -> Array:
    b_shape, a_shape = solved_shapes(self, B)
    a, b = np.broadcast_to(self, a_shape), np.broadcast_to(B, b_shape)
    return column_major(_triangular(a, b, upper, left, unitriangular))


def _triangle_of(g: Any, upper: bool, unit: bool) -> Any:
    return g.triu(int(unit)) if upper else g.tril(-int(unit))


def _solve_triangular_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_solve_triangular_backward."""
    gb = ops.linalg_solve_triangular(
        c.self.mH, g, upper=not c.upper, left=c.left, unitriangular=c.unitriangular
    )
    if gb.is_complex() and gb.dim() == 2:  # with a conjugated matrix torch solves row by row
        gb = gb.contiguous()
    ga = None
    if c.mask[0]:
        x = c.result
        ga = -gb.matmul(x.mH) if c.left else -x.mH.matmul(gb)
        ga = _triangle_of(ga, c.upper, c.unitriangular)
    return ga, gb


op(
    "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, "
    "bool unitriangular=False) -> Tensor",
    meta=_solve_triangular_meta,
    kernel=_solve_triangular,
    refuses=lambda self, *_: refuse_all_but(self, "triangular_solve_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=True,
    grad={"self, B": _solve_triangular_gradient},
    samples="linalg_solve_triangular",
    tags=("rounds",),
)


def _same_dtype(b: Any, a: Any) -> None:
    if b.dtype is not a.dtype:
        raise RuntimeError(
            "Expected b and A to have the same dtype, but found b of type "
            f"{scalar_name(b.dtype)} and A of type {scalar_name(a.dtype)} instead."
        )


def _old_solve_check(b: Any, a: Any, who: str) -> None:
    """Source: torch LinearAlgebraUtils.h, linearSolveCheckInputs."""
    if a.device != b.device:
        raise RuntimeError(
            "Expected b and A to be on the same device, but found b on "
            f"{b.device} and A on {a.device} instead."
        )
    _same_dtype(b, a)
    m, n = a.shape[-2:]
    if m != n:
        raise RuntimeError(
            f"A must be batches of square matrices, but they are {m} by {n} matrices"
        )
    if m != b.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {who}: each A matrix is {m} by {m} but each b matrix "
            f"is {b.shape[-2]} by {b.shape[-1]}"
        )


def _triangular_solve_meta(
    self: Any, A: Any, upper: bool, transpose: bool, unitriangular: bool
) -> tuple[Out, Out]:
    for t, name in ((self, "b"), (A, "A")):
        if len(t.shape) < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it "
                f"has {len(t.shape)} dimensions instead"
            )
    _old_solve_check(self, A, "triangular_solve")
    b_shape, a_shape = solved_shapes(A, self)
    return like_matrix(b_shape, self.dtype), like_matrix(a_shape, self.dtype)


def _warn_of_triangular(self: Any, *rest: Any) -> None:
    warn_once(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be "
        "removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its arguments "
        "reversed and does not return a copy of one of the inputs.\n"
        "X = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
        "X = torch.linalg.solve_triangular(A, B)."
    )


def _triangular_solve(
    self: Array, A: Array, upper: bool, transpose: bool, unitriangular: bool
) -> tuple[Array, Array]:
    b_shape, a_shape = solved_shapes(A, self)
    a, b = np.broadcast_to(A, a_shape), np.broadcast_to(self, b_shape)
    found = _triangular(a, b, upper, True, unitriangular, 1 if transpose else 0)
    return column_major(found), column_major(a)


def _triangular_solve_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, triangular_solve_backward."""
    gx, gm, x, a = g[0], g[1], c.result0, c.A
    gb = ga = None
    if gx is not None:
        gb = ops.triangular_solve(gx, a.conj(), c.upper, not c.transpose, c.unitriangular)[0]
        ga = -(x.conj().matmul(gb.mT) if c.transpose else gb.matmul(x.mH))
        ga = _triangle_of(ga, c.upper, c.unitriangular)
    if gm is not None:
        ga = gm if ga is None else ga + gm
    return gb, ga


op(
    "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, "
    "bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
    meta=_triangular_solve_meta,
    kernel=_triangular_solve,
    refuses=lambda self, *_: refuse_all_but(self, "triangular_solve_cpu"),
    half=False,
    out="X",
    grad={"self, A": _triangular_solve_gradient},
    samples="triangular_solve",
    warns=_warn_of_triangular,
    tags=("rounds",),
)


def _cholesky_solve_shapes(self: Any, input2: Any) -> tuple[Any, Any]:
    for t, name in ((self, "b"), (input2, "u")):
        if len(t.shape) < 2:
            raise RuntimeError(
                f"{name} should have at least 2 dimensions, but has {len(t.shape)} dimensions "
                "instead"
            )
    _old_solve_check(self, input2, "cholesky_solve")
    return solved_shapes(input2, self)


def _cholesky_solve_meta(self: Any, input2: Any, upper: bool) -> Out:
    return like_matrix(_cholesky_solve_shapes(self, input2)[0], self.dtype)


def _cholesky_solve(self: Array, input2: Array, upper: bool) -> Array:
    b_shape, a_shape = solved_shapes(input2, self)
    a, b = np.broadcast_to(input2, a_shape), np.broadcast_to(self, b_shape)
    out = np.empty(b_shape, b.dtype)
    if out.size:
        potrs = lapack("potrs", b)
        for i in each(b_shape[:-2]):
            out[i], _ = potrs(a[i], b[i], lower=not upper)
    return column_major(out)


def _cholesky_solve_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, cholesky_solve_backward."""
    gb = ops.cholesky_solve(g, c.input2, c.upper)
    ga = None
    if c.mask[1]:
        common = gb.matmul(c.result.mH)
        common = common + common.mH
        ga = -c.input2.matmul(common) if c.upper else -common.matmul(c.input2)
    return gb, ga


op(
    "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
    meta=_cholesky_solve_meta,
    kernel=_cholesky_solve,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_solve_cpu"),
    half=False,
    out=True,
    grad={"self, input2": _cholesky_solve_gradient},
    samples="cholesky_solve",
    tags=("rounds",),
)


# -- least squares -------------------------------------------------------------------------------

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _lstsq_meta(self: Any, b: Any, rcond: Any, driver: Any) -> tuple[Out, Out, Out, Out]:
    who = "torch.linalg.lstsq"
    if len(self.shape) < 2:
        raise RuntimeError(f"{who}: input must have at least 2 dimensions.")
    if len(b.shape) < 1:
        raise RuntimeError(f"{who}: other must have at least 1 dimension.")
    if self.dtype is not b.dtype:
        raise RuntimeError(
            f"{who}: Expected input and other to have the same dtype, but got input's dtype "
            f"{scalar_name(self.dtype)} and other's dtype {scalar_name(b.dtype)}"
        )
    if not 0 <= len(self.shape) - len(b.shape) <= 1:
        raise RuntimeError(
            f"{who}: input.dim() must be greater or equal to other.dim() and "
            "(input.dim() - other.dim()) <= 1"
        )
    vector = is_vector(self, b)
    columns = _Column(b) if vector else b
    if len(columns.shape) < 2 or self.shape[-2] != columns.shape[-2]:
        side = -1 if vector else -2
        raise RuntimeError(f"{who}: input.size(-2) should match other.size({side})")
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError(
            f"{who}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    if self.dtype.name not in LAPACK:
        raise RuntimeError("This function doesn't handle types other than float and double")
    *_, m, n = self.shape
    batch = broadcast_shapes(tuple(columns.shape[:-2]), tuple(self.shape[:-2]))
    shape = (*batch, n, columns.shape[-1])
    strides = column_strides(shape)
    if vector:
        shape, strides = shape[:-1], None
    real = self.dtype.to_real() if self.dtype.is_complex else self.dtype
    kind = driver or "gelsy"
    values = Out((*batch, min(m, n)) if kind in ("gelsd", "gelss") else (0,), real)
    residuals = Out((*batch, columns.shape[-1]) if m > n and kind != "gelsy" else (0,), real)
    rank = Out(tuple(batch) if kind != "gels" else (0,), int64)
    return Out(shape, self.dtype, strides), residuals, rank, values


def _lstsq(self: Array, b: Array, rcond: Any, driver: Any) -> tuple[Array, Array, Array, Array]:
    from scipy.linalg import lstsq  # loaded when an equation is first solved so

    vector = is_vector(self, b)
    columns = b[..., None] if vector else b
    *_, m, n = self.shape
    batch = np.broadcast_shapes(columns.shape[:-2], self.shape[:-2])
    a = np.broadcast_to(self, (*batch, m, n))
    y = np.broadcast_to(columns, (*batch, m, columns.shape[-1]))
    kind = driver or "gelsy"
    real = self.real.dtype
    rcond = float(np.finfo(real).eps) * max(m, n) if rcond is None else rcond
    x = np.zeros((*batch, n, y.shape[-1]), self.dtype)
    rank = np.zeros(batch, np.int64)
    values = np.zeros((*batch, min(m, n)), real)
    if x.size and m:
        how = "gelsy" if kind == "gels" else kind
        for i in each(batch):
            x[i], _, rank[i], s = lstsq(a[i], y[i], cond=rcond, lapack_driver=how)
            if s is not None:
                values[i] = s
    nothing = np.empty((0,), real)
    residuals = nothing
    if m > n and kind != "gelsy":
        residuals = (np.abs(a @ x - y) ** 2).sum(-2).astype(real)
    out = np.ascontiguousarray(x[..., 0]) if vector else column_major(x)
    return (
        out,
        residuals,
        rank if kind != "gels" else np.empty((0,), np.int64),
        values if kind in ("gelsd", "gelss") else nothing,
    )


def _lstsq_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_lstsq_backward."""
    a, b, x = c.self, c.b, c.result0
    gx, gr = g[0], g[1]
    ga = gb = None
    vector = is_vector(a, b)
    y = b.unsqueeze(-1) if vector else b
    if gx is not None:
        gx = gx.unsqueeze(-1) if vector else gx
        inverse = of("linalg_pinv")(a, 0.0, False)
        inner = inverse.mH.matmul(gx)
        gb = inner.squeeze(-1) if vector else inner
        if c.mask[0]:
            # pinv(A) of which X is a product: its gradient.
            ga = pinv_gradient(gx.matmul(y.mH), inverse, a)
    if gr is not None and gr.numel():
        found = x.unsqueeze(-1) if vector else x
        scaled = 2 * gr.unsqueeze(-2) * (a.matmul(found) - y)
        ga2 = scaled.matmul(found.mH)
        ga = ga2 if ga is None else ga + ga2
        gb2 = -(scaled.squeeze(-1) if vector else scaled)
        gb = gb2 if gb is None else gb + gb2
    return ga, gb


def pinv_gradient(g: Any, inverse: Any, a: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, pinv_backward."""
    back, gh = inverse.mH, g.mH
    if a.size(-2) <= a.size(-1):
        k = gh.matmul(inverse)
        kb = k.matmul(back)
        return (
            -inverse.matmul(k).mH
            + kb
            - a.matmul(inverse).matmul(kb)
            + back.matmul(inverse).matmul(gh - k.matmul(a))
        )
    k = inverse.matmul(gh)
    bk = back.matmul(k)
    return (
        -k.matmul(inverse).mH
        + (gh - a.matmul(k)).matmul(inverse).matmul(back)
        + bk
        - bk.matmul(inverse).matmul(a)
    )


op(
    "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> "
    "(Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
    meta=_lstsq_meta,
    kernel=_lstsq,
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={"self, b": _lstsq_gradient},
    samples="linalg_lstsq",
    tags=("rounds", "no_gradient: 3", "dynamic_output_shape"),
)
