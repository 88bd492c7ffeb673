"""Inverses of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from . import lanes
from .linalg_common import (
    Together,
    by_matrix,
    check_errors,
    check_factorable,
    check_square,
    info_of,
    lapack,
    like_matrix,
    refuse_failed,
)
from .linalg_lu import lu_solver

__all__ = ["pinv_gradient"]

Array = np.ndarray[Any, Any]

#: From so many rows on a matrix is inverted by its factors, in blocks of so many columns.
_LARGE, _BLOCK = 64, 64


def _inv_ex_meta(A: Any, check_errors: bool) -> tuple[Out, Out]:
    check_square(A, "linalg.inv")
    check_factorable(A, "linalg.inv", low=False)
    return like_matrix(A.shape, A.dtype), info_of(A)


def _inverses_together(n: int) -> Together | None:
    def run(a: Array) -> tuple[tuple[Array, ...], Array]:
        lu = lanes.to_lanes(a)
        pivots, doubtful = lanes.lu_factors(lu)
        inverse = lanes.permuted_units(pivots, lu)
        doubtful |= lanes.solved_factors(lu, inverse)
        return (lanes.from_lanes(inverse), np.zeros(len(a), np.int32)), doubtful

    return lanes.together(run, (n, n), exchanges=True)


def _prepare_inv_ex(A: Array, check_errors: bool) -> Callable[..., tuple[Array, Array]]:
    *batch, m, n = A.shape
    solve, eye = lapack("gesv", A), np.eye(n, dtype=A.dtype, order="F")
    getrf, getri = lapack("getrf", A), lapack("getri", A)
    solve_singular, int32, array = lu_solver(eye), np.dtype(np.int32), np.array
    one_more = np.array(1, np.int32)

    def one(a: Array) -> tuple[Array, Array]:
        lu, pivots, x, info = solve(a, eye)
        if info > 0:
            x = solve_singular(lu, pivots + one_more, eye)
        return x, array(info, int32)

    def from_factors(a: Array) -> tuple[Array, Array]:
        lu, pivots, info = getrf(a)
        if info > 0:
            return solve_singular(lu, pivots + one_more, eye), array(info, int32)
        return getri(lu, pivots, _BLOCK * n, 1)[0], array(info, int32)

    # Equations with a unit matrix cost one call, and of a large matrix twice the work.
    of_one = one if n < _LARGE else from_factors
    outs = [((m, n), A.dtype), ((), int32)]
    run = by_matrix(of_one, tuple(batch), outs, nothing=not n, together=_inverses_together(n))

    def kernel(A: Array, check_errors: bool) -> tuple[Array, Array]:
        inverse, info = run(A)
        if check_errors:
            refuse_failed(info, "linalg.inv_ex")
        return inverse, info

    return kernel


def _inv_gradient(g: Any, c: Any) -> Any:
    if g[0] is None:
        return None
    inner = g[0].matmul(c.result0.mH)
    return -c.result0.mH.matmul(inner)


op(
    "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    says="Return the inverse and a code for success in place of an error.",
    meta=_inv_ex_meta,
    prepare=_prepare_inv_ex,
    module="linalg",
    variants="function",
    half=False,
    out=OutForm("inverse", meta="native"),
    grad={"A": _inv_gradient},
    samples="linalg_square",
    tags=("rounds", "of_matrices"),
    autocast=("float32", ""),
)


def _inv(A: Any) -> Any:
    inverse, info = ops.linalg_inv_ex(A)
    check_errors(info, "linalg.inv", A)
    return inverse


op(
    "linalg_inv(Tensor A) -> Tensor",
    says="""Return the inverse of square matrices.
    Of shape ``(*, n, n)``; a singular matrix is refused.

    >>> torch.linalg.inv(torch.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """,
    composite=_inv,
    module="linalg",
    variants="function",
    out=OutForm(gradient="linalg_inv_ex", meta="native"),
    samples="linalg_square",
    autocast=("float32", ""),
)
op(
    "inverse(Tensor self) -> Tensor",
    says="Return the inverse of square matrices.",
    composite=lambda self: ops.linalg_inv(self),
    out=OutForm(gradient="linalg_inv_ex", meta="native"),
    samples="linalg_square",
    autocast=("float32", ""),
)


def pinv_gradient(g: Any, inverse: Any, a: Any) -> Any:
    """In the row space, in the column space, and of the inverse itself."""
    back, gh = inverse.mH, g.mH
    if a.size(-2) <= a.size(-1):
        k = gh.matmul(inverse)
        kb = k.matmul(back)
        gram = back.matmul(inverse)
        outside = gram.matmul(gh - k.matmul(a))
        inside = a.matmul(inverse).matmul(kb)
        return -inverse.matmul(k).mH + kb - inside + outside
    k = inverse.matmul(gh)
    bk = back.matmul(k)
    inside = bk.matmul(inverse).matmul(a)
    outside = (gh - a.matmul(k)).matmul(inverse).matmul(back)
    return -k.matmul(inverse).mH + outside + bk - inside
