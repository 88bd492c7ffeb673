"""Equations with matrices, whole or factored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int32

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import of, onto, ops
from ..core.warning import warn_once
from . import lanes
from .linalg_common import (
    Together,
    batches,
    by_matrix,
    check_errors,
    check_factorable,
    check_matrix,
    check_solvable,
    check_square,
    column_strides,
    fitted,
    info_of,
    lapack,
    refuse_all_but,
    refuse_failed,
    solved_shapes,
    transposed,
)
from .linalg_lu import lu_factors, lu_outs, lu_solver, solutions_together
from .reflected import differentiated

__all__ = ["Column", "is_vector"]

Array = np.ndarray[Any, Any]


def is_vector(a: Any, b: Any) -> bool:
    """Whether *b* is a batch of vectors to ``linalg.solve``."""
    return len(b.shape) == 1 or (
        len(a.shape) - 1 == len(b.shape) and tuple(b.shape) == tuple(a.shape[:-1])
    )


class Column:
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
    columns = Column(B) if vector else B
    check_solvable(A, columns, left, who)
    shape = solved_shapes(A, columns)[0]
    if vector:
        shape = shape[:-1]
    return Out(shape, A.dtype, column_strides(shape) if left else None), *lu_outs(A), info_of(A)


def _prepare_solve_ex(
    A: Array, B: Array, left: bool, check_errors: bool
) -> Callable[..., tuple[Array, ...]]:
    vector = is_vector(A, B)
    columns = (*B.shape, 1) if vector else B.shape
    (*batch, m, k), _ = solved_shapes(A, np.empty(columns, B.dtype))
    whole, empty = tuple(batch), not (m and k)
    shape = (*whole, m) if vector else (*whole, m, k)
    strides = column_strides(shape) if left else None
    plain = left and whole == A.shape[:-2] and not empty
    solve, factors = _solve_one(A, np.empty((m, k), B.dtype)), lu_factors(A)
    solve_factored = lu_solver(np.empty((m, k) if left else (k, m), B.dtype), 0 if left else 1)

    def one(lu: Array, pivots: Array, b: Array) -> tuple[Array]:
        # X A = B is A^T X^T = B^T
        return (solve_factored(lu, pivots, b) if left else solve_factored(lu, pivots, b.T).T,)

    n, int32 = A.shape[-1], np.dtype(np.int32)
    outs = [((m, k), B.dtype), ((n, n), A.dtype), ((n,), int32), ((), int32)]
    solve = by_matrix(solve, whole, outs, nothing=empty, together=_solving(m, k))
    solution = by_matrix(
        one,
        whole,
        [((m, k), B.dtype)],
        nothing=empty,
        together=solutions_together((m, k), left=left, trans=0),
    )
    spread_lu, spread_b = batches(whole, A), batches(whole, np.empty(columns))
    spread_pivots = batches(whole, np.empty(A.shape[:-1]), 1)

    def kernel(A: Array, B: Array, *_: Any) -> tuple[Array, ...]:
        b = B.reshape(columns) if vector else B
        if plain:
            x, lu, pivots, info = solve(A, spread_b(b))
        else:
            lu, pivots, info = factors(A)
            x = solution(spread_lu(lu), spread_pivots(pivots), spread_b(b))[0]
            x = fitted(x.reshape(shape), strides)
        if check_errors:
            refuse_failed(info, "torch.linalg.solve_ex")
        return x.reshape(shape) if vector else x, lu, pivots, info

    return kernel


def _solving(m: int, k: int) -> Together | None:
    """What solves many small systems at once: results as of :func:`_solve_one`."""

    def run(a: Array, b: Array) -> tuple[tuple[Array, ...], Array]:
        lu = lanes.to_lanes(a)
        pivots, doubtful = lanes.lu_factors(lu)
        x = lanes.permuted(lanes.to_lanes(b), pivots)
        doubtful |= lanes.solved_factors(lu, x)
        found = (lanes.from_lanes(x), lanes.from_lanes(lu), pivots.T)
        return (*found, np.zeros(len(a), np.int32)), doubtful

    return lanes.together(run, (m, k), exchanges=True)


def _solve_one(a: Array, b: Array) -> Callable[[Array, Array], tuple[Array, ...]]:
    """LAPACK's gesv; where a matrix is singular, the division by zero is done as it comes."""
    solve, solve_factored = lapack("gesv", a), lu_solver(b)
    int32, array, one_more = np.dtype(np.int32), np.array, np.array(1, np.int32)

    def one(a: Array, b: Array) -> tuple[Array, ...]:
        lu, pivots, x, info = solve(a, b)
        pivots += one_more
        if info > 0:
            x = solve_factored(lu, pivots, b)
        return x, lu, pivots, array(info, int32)

    return one


def _solve_gradient(g: Any, c: Any) -> Any:
    """By the factors that are there, unless the gradient is differentiated itself."""
    A, x, g = c.A, c.result0, g[0]
    if g is None:
        return None, None
    vector = is_vector(A, x)
    g = g.unsqueeze(-1) if vector else g
    if differentiated(A, x, g):
        gb = ops.linalg_solve(A.mH, g, left=c.left)
    else:
        gb = ops.linalg_lu_solve(c.result1, c.result2, g, left=c.left, adjoint=True)
    ga = None
    if c.mask[0]:
        column = x.unsqueeze(-1) if vector else x
        ga = -gb.matmul(column.mH) if c.left else -column.mH.matmul(gb)
    return ga, gb.squeeze(-1) if vector else gb


op(
    "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
    "(Tensor result, Tensor LU, Tensor pivots, Tensor info)",
    meta=_solve_ex_meta,
    prepare=_prepare_solve_ex,
    refuses=lambda A, *_: refuse_all_but(A, "lu_cpu", any_empty=True),
    variants="function",
    half=False,
    out="result",
    grad={"A, B": _solve_gradient},
    samples="_linalg_solve_ex",
    tags=("rounds", "one_gradient", "of_matrices"),
)


def _linalg_solve_ex(A: Any, B: Any, left: bool, check_errors: bool) -> tuple[Any, Any]:
    result, _, _, info = ops._linalg_solve_ex(A, B, left=left, check_errors=check_errors)
    return result, info


op(
    "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
    "(Tensor result, Tensor info)",
    says="Solve linear systems and return a code for success in place of an error.",
    composite=_linalg_solve_ex,
    module="linalg",
    variants="function",
    out=OutForm(gradient="_linalg_solve_ex"),
    samples="linalg_solve",
)


def _solve(A: Any, B: Any, left: bool) -> Any:
    result, info = ops.linalg_solve_ex(A, B, left=left)
    check_errors(info, "torch.linalg.solve", A)
    return result


op(
    "linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
    says="""Solve square linear systems: the X for which A @ X = B.
    A is of shape ``(*, n, n)``, B of ``(*, n)`` or ``(*, n, k)``.

    >>> torch.linalg.solve(torch.tensor([[2., 0.], [0., 4.]]), torch.tensor([2., 4.]))
    tensor([1., 1.])
    """,
    composite=_solve,
    module="linalg",
    variants="function",
    out=OutForm(gradient="_linalg_solve_ex"),
    samples="linalg_solve",
    autocast=("float32", ""),
)


def _lu_solve_meta(LU: Any, pivots: Any, B: Any, left: bool, adjoint: bool) -> Out:
    who = "linalg.lu_solve"
    check_factorable(LU, f"torch.{who}")
    if LU.dtype is not B.dtype:
        raise RuntimeError(
            f"{who}: Expected LU and B to have the same dtype, but found LU of type "
            f"{scalar_name(LU.dtype)} and B of type {scalar_name(B.dtype)} instead"
        )
    if pivots.dtype is not int32:
        raise RuntimeError(f"{who}: pivots should be a Tensor of scalar type torch.int32")
    check_square(LU, "torch.linalg.lu_solve")
    check_solvable(LU, B, left, who)
    if not len(pivots.shape):
        raise IndexError("Dimension specified as -1 but tensor has no dimensions")
    if tuple(LU.shape[:-1]) != tuple(pivots.shape):
        raise RuntimeError(
            f"{who}: Number of pivots per batch should be same as the dimension of the matrix"
        )
    shape = solved_shapes(LU, B)[0]
    if left:
        return Out(shape, B.dtype, column_strides(shape))
    *batch, m, k = shape  # that of the transposed system, turned round
    *outer, row, column = column_strides((*batch, k, m))
    return Out(shape, B.dtype, (*outer, column, row))


def _prepare_lu_solve(
    LU: Array, pivots: Array, B: Array, left: bool, adjoint: bool
) -> Callable[..., Array]:
    (*batch, m, k), _ = solved_shapes(LU, B)
    whole = tuple(batch)
    spread_lu, spread_b = batches(whole, LU), batches(whole, B)
    spread_pivots = batches(whole, pivots, 1)
    if left:
        solve = lu_solver(np.empty((m, k), B.dtype), 2 if adjoint else 0)
    else:  # X A = B is A^H X^H = B^H
        inner = lu_solver(np.empty((k, m), B.dtype), 0 if adjoint else 2)

        def solve(lu: Array, pivots: Array, b: Array) -> Array:
            return transposed(inner(lu, pivots, transposed(b)))

    run = by_matrix(
        lambda *args: (solve(*args),),
        whole,
        [((m, k), B.dtype)],
        nothing=not (m and k),
        together=solutions_together((m, k), left=left, trans=2 if adjoint else 0),
    )

    def kernel(LU: Array, pivots: Array, B: Array, *_: Any) -> Array:
        if pivots.size and pivots.max() > LU.shape[-2]:
            raise RuntimeError(
                "Pivots given to lu_solve must all be smaller or equal to LU.size(-2). "
                "Did you properly pass the result of lu_factor?"
            )
        return run(spread_lu(LU), spread_pivots(pivots), spread_b(B))[0]

    return kernel


def _lu_solve_gradient(g: Any, c: Any) -> Any:
    """Of the triangles of the factors, by equations with them alone."""
    LU, x = c.LU, c.result
    gb = ops.linalg_lu_solve(LU, c.pivots, g, left=c.left, adjoint=not c.adjoint)
    if not c.mask[0]:
        return None, gb
    solve = ops.linalg_solve_triangular
    p, low, up = ops.lu_unpack(LU, c.pivots, True, c.left == c.adjoint)
    if c.left != c.adjoint:
        inner = -g.matmul(x.mH) if c.left else -g.mH.matmul(x)
        right = solve(up.mH, inner, upper=False)
        inner = right.matmul(up.mH)
        return solve(low.mH, inner, upper=True, unitriangular=True).tril(-1) + right.triu(), gb
    back = p.mT
    inner = -back.matmul(x if c.left else x.mH).matmul(g.mH if c.left else g).matmul(p)
    left = solve(low.mH, inner, upper=True, left=False, unitriangular=True)
    inner = low.mH.matmul(left)
    return solve(up.mH, inner, upper=False, left=False).triu() + left.tril(-1), gb


op(
    "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) "
    "-> Tensor",
    says="Solve square linear systems, given LU factors.",
    meta=_lu_solve_meta,
    prepare=_prepare_lu_solve,
    refuses=lambda LU, *_: refuse_all_but(LU, "linalg.lu_solve_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=OutForm(overlap="whole of B"),
    grad={"LU, B": _lu_solve_gradient},
    samples="linalg_lu_solve",
    tags=("rounds", "of_matrices"),
)


def _old_lu_solve(self: Any, LU_data: Any, LU_pivots: Any, out: Any = None) -> Any:
    warn_once(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a "
        "future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\n"
        "X = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
        "X = torch.linalg.lu_solve(LU, pivots, B)"
    )
    if out is not None:
        return of("linalg_lu_solve.out")(LU_data, LU_pivots, self, out=out)
    return ops.linalg_lu_solve(LU_data, LU_pivots, self)


op(
    "lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
    says="Solve square linear systems, given LU factors.",
    composite=_old_lu_solve,
    out=OutForm(gradient="linalg_lu_solve"),
    out_kernel=onto(_old_lu_solve),
    samples="lu_solve",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
