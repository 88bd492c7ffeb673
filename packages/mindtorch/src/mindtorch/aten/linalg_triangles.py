"""Equations with triangular matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.forms import SCALAR_TYPE, DeviceRule, OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import ops
from ..core.warning import warn_once
from . import device_rules, matrix_tangents
from .linalg_common import (
    check_solvable,
    column_major,
    copied_onto,
    each,
    lapack,
    like_matrix,
    refuse_all_but,
    solved_shapes,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


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
    kernel=_solve_triangular,
    refuses=lambda self, *_: refuse_all_but(self, "triangular_solve_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=OutForm(text=SCALAR_TYPE),
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


def _warn_of_triangular(*args: Any) -> None:
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
    says="Solve linear systems whose matrix is triangular, and return a copy of the matrix, too.",
    meta=_triangular_solve_meta,
    kernel=_triangular_solve,
    refuses=lambda self, *_: refuse_all_but(self, "triangular_solve_cpu"),
    half=False,
    out=OutForm("X", names=("X", "M")),
    warns=_warn_of_triangular,
    grad={"self, A": _triangular_solve_gradient},
    samples="triangular_solve",
    tags=("rounds",),
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
    says="Solve linear systems, given a Cholesky factor.",
    meta=_cholesky_solve_meta,
    kernel=_cholesky_solve,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_solve_cpu"),
    half=False,
    out=OutForm(castable=("cholesky_solve", "result")),
    out_meta=copied_onto(_cholesky_solve_meta),
    grad={"self, input2": _cholesky_solve_gradient},
    samples="cholesky_solve",
    tags=("rounds",),
    devices=DeviceRule(meta=device_rules.of_equation(0, 1)),
    autocast=("float32", ""),
)
