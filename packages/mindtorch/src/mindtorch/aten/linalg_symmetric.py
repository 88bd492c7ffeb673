"""Factors L D L^T of symmetric matrices: ``linalg.ldl_factor``, ``linalg.ldl_solve``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import bool as bool_
from mindtorch_storage import int32

from ..call.forms import DeviceRule
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import ops
from . import device_rules
from .derivatives import not_implemented_for
from .linalg_common import (
    batches,
    by_matrix,
    check_errors,
    check_factorable,
    check_square,
    column_strides,
    info_of,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
    solved_shapes,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _factor_meta(self: Any, hermitian: bool, checks: bool) -> tuple[Out, Out, Out]:
    who = "torch.linalg.ldl_factor_ex"
    check_square(self, who)
    check_factorable(self, who)
    shape = tuple(self.shape)
    return like_matrix(shape, self.dtype), Out(shape[:-1], int32), info_of(self)


def _kind(a: Array, hermitian: bool) -> str:
    return "he" if hermitian and a.dtype.kind == "c" else "sy"


def _prepare_factor(self: Array, hermitian: bool, checks: bool) -> Callable[..., Any]:
    *batch, m, n = self.shape
    factor = lapack(f"{_kind(self, hermitian)}trf", self)
    above, zero = ~np.tri(n, dtype=bool), np.zeros((), self.dtype)
    int32, array = np.dtype(np.int32), np.array

    def one(a: Array) -> tuple[Array, Array, Array]:
        made, pivots, info = factor(a, 1)
        made[above] = zero
        return made, pivots, array(info, int32)

    outs = [((m, n), self.dtype), ((n,), int32), ((), int32)]
    run = by_matrix(one, tuple(batch), outs, nothing=not n)

    def kernel(self: Array, *_: Any) -> tuple[Array, Array, Array]:
        made, pivots, info = run(self)
        if checks:
            refuse_failed(info, "torch.linalg.ldl_factor_ex")
        return made, pivots, info

    return kernel


op(
    "linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> "
    "(Tensor LD, Tensor pivots, Tensor info)",
    says="Return the packed LDL factors and a code for success in place of an error.",
    meta=_factor_meta,
    prepare=_prepare_factor,
    refuses=lambda self, *_: refuse_all_but(self, "ldl_factor_kernel_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad=not_implemented_for("linalg_ldl_factor_ex", "self"),
    samples="linalg_ldl_factor",
    tags=("rounds", "of_matrices"),
)


def _ldl_factor(self: Any, hermitian: bool) -> tuple[Any, Any]:
    LD, pivots, info = ops.linalg_ldl_factor_ex(self, hermitian=hermitian)
    check_errors(info, "torch.linalg.ldl_factor", self)
    return LD, pivots


def _ldl_factor_onto(targets: tuple[Any, Any], self: Any, hermitian: bool) -> None:
    info = ops.empty((0,), dtype=int32, device=self.device)
    ops.linalg_ldl_factor_ex(self, hermitian=hermitian, out=(*targets, info))
    check_errors(info, "torch.linalg.ldl_factor", self)


op(
    "linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)",
    says="Return the LDL factors of symmetric matrices, packed into one, and the pivots.",
    composite=_ldl_factor,
    module="linalg",
    variants="function",
    out=True,
    out_kernel=_ldl_factor_onto,
    samples="linalg_ldl_factor",
)


def _solve_meta(LD: Any, pivots: Any, B: Any, hermitian: bool) -> Out:
    who = "torch.linalg.ldl_solve"
    check_square(LD, who)
    check_factorable(LD, who)
    if B.dim() < 2:
        raise IndexError(
            "Dimension out of range (expected to be in range of [-1, 0], but got -2)"
            if B.dim()
            else "Dimension specified as -2 but tensor has no dimensions"
        )
    if LD.shape[-1] != B.shape[-2]:
        n, m, k = LD.shape[-1], *B.shape[-2:]
        raise RuntimeError(
            f"Incompatible matrix sizes for {who}: each A matrix is {n} by {n} but each b matrix "
            f"is {m} by {k}"
        )
    if tuple(LD.shape[:-1]) != tuple(pivots.shape):
        raise RuntimeError(
            f"{who}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with "
            f"shape {list(pivots.shape)} instead"
        )
    if pivots.dtype.is_floating_point or pivots.dtype.is_complex or pivots.dtype is bool_:
        raise RuntimeError(
            f"{who}: Expected pivots to be integers. Got {scalar_name(pivots.dtype)}"
        )
    if LD.dtype is not B.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {scalar_name(B.dtype)} "
            f"and A of type {scalar_name(LD.dtype)} instead."
        )
    shape = solved_shapes(LD, B)[0]
    return Out(shape, B.dtype, column_strides(shape))


def _prepare_solve(LD: Array, pivots: Array, B: Array, hermitian: bool) -> Callable[..., Array]:
    (*batch, m, k), _ = solved_shapes(LD, B)
    whole = tuple(batch)
    solve = lapack(f"{_kind(LD, hermitian)}trs", LD)
    run = by_matrix(
        lambda *args: solve(*args, 1)[:1], whole, [((m, k), B.dtype)], nothing=not (m and k)
    )
    spread_a, spread_b = batches(whole, LD), batches(whole, B)
    spread, int32 = batches(whole, pivots, 1), np.dtype(np.int32)
    return lambda LD, pivots, B, hermitian: run(
        spread_a(LD), spread(pivots).astype(int32), spread_b(B)
    )[0]


op(
    "linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
    says="Solve linear systems, given LDL factors.",
    meta=_solve_meta,
    prepare=_prepare_solve,
    refuses=lambda LD, *_: refuse_all_but(LD, "ldl_solve_kernel_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=True,
    grad=not_implemented_for("linalg_ldl_solve", "LD", "B"),
    samples="linalg_ldl_solve",
    tags=("rounds", "loops: functional", "of_matrices"),
    devices=DeviceRule(meta=device_rules.of_equation(2, 0)),
)
