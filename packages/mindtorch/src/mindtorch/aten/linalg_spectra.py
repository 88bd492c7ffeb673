"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import ops
from . import matrix_tangents
from .derivatives import not_implemented_for
from .linalg_common import (
    CALLS_OF_NUMPY,
    Together,
    by_matrix,
    check_square,
    column_major,
    copied_onto,
    lapack,
    like_matrix,
    refuse_all_but,
    refuse_failed,
)
from .linalg_decompositions import distances, imaginary_is_zero, real_dtype, wants_vectors

__all__: list[str] = []

Array = np.ndarray[Any, Any]


# -- of hermitian matrices -----------------------------------------------------------------------


def _eigh_meta(A: Any, UPLO: str, compute_v: bool) -> tuple[Out, Out]:
    check_square(A, "linalg.eigh")
    if UPLO.upper()[:1] not in ("U", "L") or len(UPLO) != 1:
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    vectors = like_matrix(A.shape, A.dtype) if compute_v else Out((0,), A.dtype)
    return Out(tuple(A.shape[:-1]), real_dtype(A.dtype)), vectors


class _Failed(Exception):
    """LAPACK did not converge."""


def _prepare_eigh(A: Array, UPLO: str, compute_v: bool) -> Callable[..., tuple[Array, Array]]:
    *batch, n, _ = A.shape
    whole, dtype, real = tuple(batch), A.dtype, A.real.dtype
    eigh, eigvalsh = np.linalg.eigh, np.linalg.eigvalsh
    solve = lapack("heevd" if dtype.kind == "c" else "syevd", A)
    lower, vectors = int(UPLO.upper() == "L"), int(compute_v)

    def one(a: Array) -> tuple[Array, ...]:
        *found, info = solve(a, vectors, lower)
        if info:
            raise _Failed
        return tuple(found[: 1 + vectors])

    half: Any = "L" if lower else "U"

    def many(a: Array) -> tuple[tuple[Array, ...], None]:
        return tuple(eigh(a, half)) if compute_v else (eigvalsh(a, half),), None

    outs = [((n,), real), ((n, n), dtype)][: 1 + vectors]
    run = by_matrix(one, whole, outs, nothing=not n, together=Together(many, CALLS_OF_NUMPY))

    def failures(A: Array) -> Array:
        found = np.array([solve(a, vectors, lower)[2] for a in A.reshape(-1, n, n)])
        # Of values alone torch's library (MKL) counts from 0.
        return found if compute_v else np.where(found > 1, found - 1, found)

    def kernel(A: Array, *_: Any) -> tuple[Array, Array]:
        try:
            values, *found = run(A)
        except _Failed:
            refuse_failed(failures(A), "linalg.eigh", matrix=not batch)
            raise
        return values, found[0] if compute_v else np.empty((0,), dtype)

    return kernel


def _eigh_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_eig_backward."""
    gl, gv, values, v = g[0], g[1], c.result0, c.result1
    if gl is None and gv is None:
        return None
    if not c.compute_v:
        raise RuntimeError(
            "linalg_eigh: Expected compute_v to be true for the derivative of eigenvalues"
        )
    if gv is None:
        back = v.mH
        return (v * gl.unsqueeze(-2)).matmul(back)
    inner = v.mH.matmul(gv)
    diagonal = inner.diagonal(0, -2, -1)
    if inner.is_complex() and not imaginary_is_zero(diagonal):
        raise RuntimeError(
            "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this quantity, "
            "so it is ill-defined."
        )
    middle = ((inner - inner.mH) * 0.5).div_(distances(values))
    if gl is not None:
        middle = middle.diagonal_scatter(gl, 0, -2, -1)
    outer = middle.matmul(v.mH)
    return v.matmul(outer)


op(
    '_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> '
    "(Tensor eigenvalues, Tensor eigenvectors)",
    meta=_eigh_meta,
    prepare=_prepare_eigh,
    refuses=lambda A, *_: refuse_all_but(A, "linalg_eigh_cpu", any_empty=True),
    variants="function",
    half=False,
    out="eigenvalues",
    grad={"A": _eigh_gradient},
    samples="_linalg_eigh",
    tags=("rounds", "of_matrices"),
    tangent=matrix_tangents.eigh,
)


def _linalg_eigh(self: Any, UPLO: str) -> tuple[Any, Any]:
    values, vectors = ops._linalg_eigh(self, UPLO, True)
    return values, vectors


def _eigvalsh(self: Any, UPLO: str) -> Any:
    wanted = self.requires_grad or wants_vectors(self)
    return ops._linalg_eigh(self, UPLO, wanted)[0]


op(
    'linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)',
    says="Return eigenvalues and eigenvectors of Hermitian matrices."
    " Eigenvalues are real, in ascending order.",
    composite=_linalg_eigh,
    module="linalg",
    variants="function",
    out=OutForm("eigvals", names=("eigvals", "eigvecs"), gradient="_linalg_eigh"),
    samples="linalg_eigh",
    autocast=("float32", ""),
)
op(
    'linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor',
    says="Return the eigenvalues of Hermitian matrices, in ascending order.",
    composite=_eigvalsh,
    module="linalg",
    variants="function",
    out=OutForm(gradient="_linalg_eigh"),
    samples="linalg_eigh",
    autocast=("float32", ""),
)


# -- of any square matrix ------------------------------------------------------------------------


def _complex_of(self: Any) -> Any:
    dtype = self.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"Unknown Complex ScalarType for {scalar_name(dtype)}")
    return dtype if dtype.is_complex else dtype.to_complex()


def _eig_meta(self: Any) -> tuple[Out, Out]:
    dtype = _complex_of(self)
    check_square(self, "linalg.eig")
    shape = tuple(self.shape)
    # On meta torch lays the vectors out as an accelerator's library does.
    vectors = Out(shape, dtype) if self.device.type == "meta" else like_matrix(shape, dtype)
    return Out(shape[:-1], dtype), vectors


def _np_complex(a: Array) -> Any:
    return np.complex64 if a.dtype.char in "fF" else np.complex128


def _eig(self: Array) -> tuple[Array, Array]:
    if not np.isfinite(self).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    values, vectors = np.linalg.eig(self)
    dtype = _np_complex(self)
    return values.astype(dtype), column_major(vectors.astype(dtype))


def _eig_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_eig_backward."""
    gl, gv, values, v = g[0], g[1], c.result0, c.result1
    if gl is None and gv is None:
        return None
    if gv is None:
        back = v.mH
        back = gl.unsqueeze(-1) * back
    else:
        inner = v.mH.matmul(gv)
        diagonal = inner.diagonal(0, -2, -1)
        if not imaginary_is_zero(diagonal):
            raise RuntimeError(
                "linalg_eig_backward: The eigenvectors in the complex case are specified up to "
                "multiplication by e^{i phi}. The specified loss function depends on this "
                "quantity, so it is ill-defined."
            )
        scaled = v * ops.real(diagonal).unsqueeze(-2)
        inner = inner - v.mH.matmul(scaled)
        middle = inner.div_(distances(values.conj()))
        if gl is not None:
            middle = middle.diagonal_scatter(gl, 0, -2, -1)
        back = middle.matmul(v.mH)
    out = ops.linalg_solve(v.mH, back)
    return out if c.self.is_complex() else ops.real(out)


op(
    "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
    says="Return eigenvalues and eigenvectors of square matrices, as complex numbers.",
    meta=_eig_meta,
    kernel=_eig,
    refuses=lambda self: refuse_all_but(self, "linalg_eig_out_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=OutForm(castable=("torch.linalg.eig", "eigenvalues", "eigenvectors")),
    out_meta=copied_onto(_eig_meta, unless_empty=True),
    grad={"self": _eig_gradient},
    samples="linalg_eig",
    tags=("rounds", "of_matrices"),
    autocast=("float32", ""),
)


def _eigvals_meta(self: Any) -> Out:
    dtype = _complex_of(self)
    check_square(self, "linalg.eigvals")
    return Out(tuple(self.shape[:-1]), dtype)


op(
    "_linalg_eigvals(Tensor self) -> Tensor",
    meta=_eigvals_meta,
    kernel=lambda self: np.asarray(np.linalg.eigvals(self)).astype(_np_complex(self)),
    refuses=lambda self: refuse_all_but(self, "linalg_eig_out_cpu"),
    module="linalg",
    variants="function",
    half=False,
    grad=not_implemented_for("_linalg_eigvals", "self"),
    samples="linalg_eig",
    tags=("rounds", "of_matrices", "loops: functional"),
)


def _eigvals(self: Any) -> Any:
    if self.requires_grad or wants_vectors(self):
        _eigvals_meta(self)
        return ops.linalg_eig(self)[0]
    return ops._linalg_eigvals(self)


op(
    "linalg_eigvals(Tensor self) -> Tensor",
    says="Return the eigenvalues of square matrices, as complex numbers.",
    composite=_eigvals,
    module="linalg",
    variants="function",
    kinds={"out": "explicit"},
    out=OutForm(castable=("torch.linalg.eigvals", "eigenvalues")),
    tags=("out_has_no_formula",),
    samples="linalg_eig",
    autocast=("float32", ""),
)
