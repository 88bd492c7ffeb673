"""Cholesky factors of positive definite matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from ..core.warning import warn_once
from . import lanes, matrix_tangents
from .linalg_common import (
    by_matrix,
    check_errors,
    check_factorable,
    check_square,
    copied_onto,
    failure,
    info_of,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
    transposed,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _cholesky_ex_meta(self: Any, upper: bool, check_errors: bool) -> tuple[Out, Out]:
    check_square(self, "linalg.cholesky")
    check_factorable(self, "linalg.cholesky")
    return like_matrix(self.shape, self.dtype), info_of(self)


def _cholesky_factors(a: Array, upper: bool) -> Callable[[Array], tuple[Array, Array]]:
    """What factors matrices like *a*, of which one triangle is looked at; and what LAPACK says."""
    *batch, m, n = a.shape
    potrf, lower = lapack("potrf", a), int(not upper)
    int32, array = np.dtype(np.int32), np.array

    def factor(a: Array) -> tuple[Array, Array]:
        found, info = potrf(a, lower, 1)
        return found, array(info, int32)

    together = lanes.together(_factoring(upper), (n, n))
    outs = [((m, n), a.dtype), ((), int32)]
    return by_matrix(factor, tuple(batch), outs, nothing=not n, together=together)


def _factoring(upper: bool) -> Callable[[Array], tuple[tuple[Array, ...], Array]]:
    """What factors many small matrices at once."""

    def run(a: Array) -> tuple[tuple[Array, ...], Array]:
        low = lanes.to_lanes(transposed(a) if upper else a)
        doubtful = lanes.cholesky(low)
        factor = lanes.from_lanes(low)
        return (transposed(factor) if upper else factor, np.zeros(len(a), np.int32)), doubtful

    return run


def _prepare_cholesky_ex(self: Array, upper: bool, check_errors: bool) -> Callable[..., Any]:
    factor = _cholesky_factors(self, upper)

    def kernel(self: Array, *_: Any) -> tuple[Array, Array]:
        found, info = factor(self)
        if check_errors:
            refuse_failed(info, "linalg.cholesky_ex")
        return found, info

    return kernel


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
    says="Return the Cholesky factor and a code for success in place of an error.",
    meta=_cholesky_ex_meta,
    prepare=_prepare_cholesky_ex,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_cpu", any_empty=True),
    module="linalg",
    variants="function",
    half=False,
    out=OutForm("L", meta="native"),
    grad={"self": lambda g, c: _cholesky_gradient(g[0], c.result0, c.upper)},
    samples="linalg_positive",
    tags=("rounds", "of_matrices"),
    tangent=matrix_tangents.cholesky_ex,
    autocast=("float32", ""),
)


def _linalg_cholesky(self: Any, upper: bool) -> Any:
    factor, info = ops.linalg_cholesky_ex(self, upper=upper)
    check_errors(info, "linalg.cholesky", self)
    return factor


op(
    "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
    says="Return the Cholesky factor of Hermitian positive definite matrices.",
    composite=_linalg_cholesky,
    module="linalg",
    variants="function",
    out=OutForm(gradient="linalg_cholesky_ex", meta="native"),
    samples="linalg_positive",
    autocast=("float32", ""),
)


def _cholesky_meta(self: Any, upper: bool) -> Out:
    if not self.numel():
        return Out(tuple(self.shape), self.dtype)
    check_square(self, "cholesky")
    return like_matrix(self.shape, self.dtype)


def _warn_of_cholesky(self: Any, upper: bool) -> None:
    warn_once(
        "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a "
        "future PyTorch release.\nL = torch.cholesky(A)\nshould be replaced with\nL = "
        "torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\nshould be replaced "
        "with\nU = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent results "
        "for all valid (symmetric positive definite) inputs."
    )


def _cholesky_onto(target: Any, self: Any, upper: bool) -> Out:
    if target.device == self.device:
        _warn_of_cholesky(self, upper)
        if can_cast(self.dtype, target.dtype):  # torch calls the functional form then
            _warn_of_cholesky(self, upper)
    return _cholesky_meta(self, upper)._replace(strides=None)


def _prepare_cholesky(self: Array, upper: bool) -> Callable[..., Array]:
    if not self.size:
        shape, dtype = self.shape, self.dtype
        return lambda self, upper: np.empty(shape, dtype)
    factor, single = _cholesky_factors(self, upper), self.ndim == 2

    def kernel(self: Array, upper: bool) -> Array:
        found, info = factor(self)
        if not single or info:
            refuse_failed(info, "cholesky")
        return found

    return kernel


op(
    "cholesky(Tensor self, bool upper=False) -> Tensor",
    says="Return the Cholesky factor of positive definite matrices; use torch.linalg.cholesky.",
    meta=_cholesky_meta,
    prepare=_prepare_cholesky,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_cpu", any_empty=True),
    half=False,
    out=OutForm(castable=("cholesky", "result")),
    out_meta=_cholesky_onto,
    grad={"self": lambda g, c: _cholesky_gradient(g, c.result, c.upper)},
    samples="cholesky",
    warns=_warn_of_cholesky,
    tags=("rounds", "of_matrices"),
    tangent="not implemented",
    autocast=("float32", ""),
)


def _cholesky_inverse_meta(self: Any, upper: bool) -> Out:
    check_square(self, "cholesky_inverse")
    return like_matrix(self.shape, self.dtype)


def _prepare_cholesky_inverse(self: Array, upper: bool) -> Callable[..., Array]:
    *batch, m, n = self.shape
    potri, lower, where = lapack("potri", self), int(not upper), np.where
    missing = np.tri(n, k=-1, dtype=bool)
    missing = missing if upper else missing.T.copy()
    is_complex = self.dtype.kind == "c"

    def one(a: Array) -> tuple[Array, Array]:
        found, info = potri(a, lower)
        other = found.conj().T if is_complex else found.T
        return where(missing, other, found), np.asarray(info)

    def many(a: Array) -> tuple[tuple[Array, ...], Array]:
        low = lanes.to_lanes(transposed(a) if upper else a)
        inverse = lanes.units(n, n, low)
        doubtful = lanes.solved_cholesky(low, inverse)
        return (lanes.from_lanes(inverse), np.zeros(len(a), np.int32)), doubtful

    outs = [((m, n), self.dtype), ((), np.dtype(np.int32))]
    together = lanes.together(many, (n, n))
    run = by_matrix(one, tuple(batch), outs, nothing=not n, together=together)

    def kernel(self: Array, upper: bool) -> Array:
        out, info = run(self)
        if info.any():
            first = int(info.reshape(-1).nonzero()[0][0])
            place = f"(Batch element {first}): " if batch else ""
            error = failure("cholesky_inverse", int(info.reshape(-1)[first]))
            raise type(error)(f"cholesky_inverse: {place}{error}")
        return out

    return kernel


def _cholesky_inverse_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, cholesky_inverse_backward."""
    inverse, factor = c.result, c.self
    common = inverse.matmul((g + g.mH).matmul(inverse))
    if c.upper:
        return -factor.matmul(common)
    return -common.matmul(factor)


op(
    "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
    says="Return the inverse of a matrix, given its Cholesky factor.",
    meta=_cholesky_inverse_meta,
    prepare=_prepare_cholesky_inverse,
    refuses=lambda self, *_: refuse_all_but(self, "cholesky_inverse_out_cpu", any_empty=True),
    half=False,
    out=OutForm(castable=("cholesky_inverse", "result")),
    out_meta=copied_onto(_cholesky_inverse_meta, unless_empty=True),
    grad={"self": _cholesky_inverse_gradient},
    samples="cholesky_inverse",
    tags=("rounds", "of_matrices"),
    autocast=("float32", ""),
)
