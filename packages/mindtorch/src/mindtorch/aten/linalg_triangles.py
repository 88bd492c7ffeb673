"""Equations with triangular matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.forms import SCALAR_TYPE, DeviceRule, OutForm
from ..call.row import Out, op
from ..core.dims import laid_out, scalar_name
from ..core.operators import ops
from ..core.warning import warn_discarded, warn_once
from . import device_rules, lanes, matrix_tangents
from .linalg_common import (
    batches,
    by_matrix,
    check_solvable,
    column_strides,
    copied_onto,
    lapack,
    like_matrix,
    refuse_all_but,
    solved_shapes,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _by_triangles(
    a: Array, b: Array, one: Callable[..., Array], in_lanes: Callable[[Array, Array], Array]
) -> Callable[[Array, Array], Array]:
    """What runs *one* of a matrix and right-hand sides over the batches of both.

    :param in_lanes: does the same of lanes in place of the right-hand sides: what is doubtful.
    """

    def many(a: Array, b: Array) -> tuple[tuple[Array], Array]:
        x = lanes.to_lanes(b)
        doubtful = in_lanes(lanes.to_lanes(a), x)
        return (lanes.from_lanes(x),), doubtful

    (*batch, m, k), _ = solved_shapes(a, b)
    whole = tuple(batch)
    spread_a, spread_b = batches(whole, a), batches(whole, b)
    run = by_matrix(
        lambda a, b: (one(a, b),),
        whole,
        [((m, k), b.dtype)],
        nothing=not (m and k),
        together=lanes.together(many, (m, k)),
    )
    return lambda a, b: run(spread_a(a), spread_b(b))[0]


def _triangular(
    a: Array, b: Array, upper: bool, left: bool, unit: bool, trans: int = 0
) -> Callable[[Array, Array], Array]:
    """BLAS's trsm, which divides by zeros as it comes."""
    trsm = lapack("trsm", b, blas=True)
    side, lower, diagonal = int(not left), int(not upper), int(unit)

    def in_lanes(a: Array, b: Array) -> Array:
        # X A = B is A^T X^T = B^T
        turns = (trans != 0) == left
        a = a.swapaxes(0, 1) if turns else a
        return lanes.solved_triangle(
            np.conjugate(a) if trans == 2 else a,
            b if left else b.swapaxes(0, 1),
            upper != turns,
            unit=unit,
        )

    if trans < 2 and a.strides[-1] == a.itemsize < a.strides[-2]:
        # By rows: the transpose lies by columns, as trsm takes it without a copy.
        below, turned = 1 - lower, 1 - trans

        def by_rows(a: Array, b: Array) -> Array:
            solved: Array = trsm(1.0, a.T, b, side, below, turned, diagonal)
            return solved

        return _by_triangles(a, b, by_rows, in_lanes)
    return _by_triangles(a, b, lambda a, b: trsm(1.0, a, b, side, lower, trans, diagonal), in_lanes)


def _solve_triangular_meta(self: Any, B: Any, upper: bool, left: bool, unitriangular: bool) -> Out:
    check_solvable(self, B, left, "linalg.solve_triangular")
    return like_matrix(solved_shapes(self, B)[0], self.dtype)  # B is copied into the result


def _prepare_solve_triangular(
    self: Array, B: Array, upper: bool, left: bool, unitriangular: bool
) -> Callable[..., Array]:
    if B.dtype == self.dtype:
        solve = _triangular(self, B, upper, left, unitriangular)
        return lambda self, B, *_: solve(self, B)
    dtype, real = self.dtype, B.dtype.kind == "c" and self.dtype.kind != "c"

    def converted(B: Array) -> Array:
        return (B.real if real else B).astype(dtype)

    solve = _triangular(self, converted(B), upper, left, unitriangular)
    return lambda self, B, *_: solve(self, converted(B))


def _parts_lost(self: Any, B: Any, *_: Any) -> None:
    """The warning of ``copy_``, by which *B* gets into the result."""
    if B.dtype.is_complex and not self.dtype.is_complex:
        warn_discarded()


def _triangle_of(g: Any, upper: bool, unit: bool) -> Any:
    return g.triu(int(unit)) if upper else g.tril(-int(unit))


def _solve_triangular_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_solve_triangular_backward."""
    gb = ops.linalg_solve_triangular(
        c.self.mH, g, upper=not c.upper, left=c.left, unitriangular=c.unitriangular
    )
    by_rows = c.self.is_contiguous() and not c.self.is_conj()
    if by_rows and gb.is_complex() and gb.shape[:-2] == c.self.shape[:-2]:
        gb = gb.contiguous()  # of a conjugated matrix that lies by columns torch solves the rows
    ga = None
    if c.mask[0]:
        x = c.result
        ga = -gb.matmul(x.mH) if c.left else -x.mH.matmul(gb)
        ga = _triangle_of(ga, c.upper, c.unitriangular)
    return ga, gb


op(
    "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, "
    "bool unitriangular=False) -> Tensor",
    says="Solve linear systems whose matrix is triangular.",
    meta=_solve_triangular_meta,
    prepare=_prepare_solve_triangular,
    refuses=lambda self, *_: refuse_all_but(self, "triangular_solve_cpu"),
    warns=_parts_lost,
    warns_of=("complex64", "complex128"),
    module="linalg",
    variants="function",
    half=False,
    out=OutForm(text=SCALAR_TYPE, overlap="whole of B"),
    grad={"self, B": _solve_triangular_gradient},
    samples="linalg_solve_triangular",
    tags=("rounds", "of_matrices"),
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


def _warn_of_triangular(*args: Any) -> None:
    warn_once(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be "
        "removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its arguments "
        "reversed and does not return a copy of one of the inputs.\n"
        "X = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
        "X = torch.linalg.solve_triangular(A, B)."
    )


def _prepare_triangular_solve(
    self: Array, A: Array, upper: bool, transpose: bool, unitriangular: bool
) -> Callable[..., tuple[Array, Array]]:
    solve = _triangular(A, self, upper, True, unitriangular, 1 if transpose else 0)
    _, shape = solved_shapes(A, self)
    spread, strides = batches(shape[:-2], A), column_strides(shape)
    return lambda self, A, *_: (solve(A, self), laid_out(spread(A), strides))


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
    says="Solve linear systems whose matrix is triangular, and return a copy of the matrix, too.",
    meta=_triangular_solve_meta,
    prepare=_prepare_triangular_solve,
    refuses=lambda self, *_: refuse_all_but(self, "triangular_solve_cpu"),
    half=False,
    out=OutForm("X", names=("X", "M"), meta="exact"),
    warns=_warn_of_triangular,
    grad={"self, A": _triangular_solve_gradient},
    samples="triangular_solve",
    tags=("rounds", "of_matrices"),
    tangent=matrix_tangents.triangular_solve,
    devices=DeviceRule(meta=device_rules.of_equation(0, 1)),
    autocast=("float32", ""),
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


def _prepare_cholesky_solve(self: Array, input2: Array, upper: bool) -> Callable[..., Array]:
    """Two equations with triangles: LAPACK's own ``potrs`` wakes up threads for a few numbers."""
    trsm, lower = lapack("trsm", self, blas=True), int(not upper)
    first, second = (2, 0) if upper else (0, 2)

    def one(a: Array, b: Array) -> Array:
        x = trsm(1.0, a, b, 0, lower, first)
        return trsm(1.0, a, x, 0, lower, second, 0, 1)  # type: ignore[no-any-return]

    def in_lanes(a: Array, b: Array) -> Array:
        return lanes.solved_cholesky(np.conjugate(a.swapaxes(0, 1)) if upper else a, b)

    solve = _by_triangles(input2, self, one, in_lanes)
    return lambda self, input2, *_: solve(input2, self)


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
    says="Solve linear systems, given a Cholesky factor.",
    meta=_cholesky_solve_meta,
    prepare=_prepare_cholesky_solve,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_solve_cpu"),
    half=False,
    out=OutForm(castable=("cholesky_solve", "result")),
    out_meta=copied_onto(_cholesky_solve_meta),
    grad={"self, input2": _cholesky_solve_gradient},
    samples="cholesky_solve",
    tags=("rounds", "of_matrices"),
    devices=DeviceRule(meta=device_rules.of_equation(0, 1)),
    autocast=("float32", ""),
)
