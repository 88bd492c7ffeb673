"""Eigenvalues and singular values, and what is defined by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LinAlgError
from ..signature import BATCHED, DUAL, FUNCTIONAL, OF_CLASS
from .call import of, ops
from .dims import scalar_name
from .linalg_common import (
    LAPACK,
    check_factorable,
    check_matrix,
    check_square,
    column_major,
    failure,
    like_matrix,
    of_types,
    refuse_all_but,
)
from .linalg_solving import pinv_gradient
from .number_first import watched
from .row import Out, op

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _real(dtype: Any) -> Any:
    return dtype.to_real() if dtype.is_complex else dtype


def _imaginary_is_zero(x: Any) -> bool:
    """Whether a diagonal is real up to rounding; torch looks for more than a hundredth."""
    part = ops.imag(x)
    if watched(x) or x.device.type == "meta":
        return True
    return bool(ops.allclose(part, ops.zeros_like(part), atol=1e-2, rtol=1e-2))


# -- of hermitian matrices -----------------------------------------------------------------------


def _eigh_meta(A: Any, UPLO: str, compute_v: bool) -> tuple[Out, Out]:
    check_square(A, "linalg.eigh")
    if UPLO.upper()[:1] not in ("U", "L") or len(UPLO) != 1:
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    vectors = like_matrix(A.shape, A.dtype) if compute_v else Out((0,), A.dtype)
    return Out(tuple(A.shape[:-1]), _real(A.dtype)), vectors


def _eigh(A: Array, UPLO: str, compute_v: bool) -> tuple[Array, Array]:
    bad = np.flatnonzero(~np.isfinite(A).all((-1, -2)))
    if bad.size:
        place = f"(Batch element {bad[0]}): " if A.ndim > 2 else ""
        raise LinAlgError(
            f"linalg.eigh: {place}{failure('eig', A.shape[-1] - 1 if compute_v else 1)}"
        )
    if not A.size:
        return np.empty(A.shape[:-1], A.real.dtype), A if compute_v else np.empty((0,), A.dtype)
    if not compute_v:
        return np.asarray(np.linalg.eigvalsh(A, UPLO.upper())), np.empty((0,), A.dtype)
    values, vectors = np.linalg.eigh(A, UPLO.upper())
    return values, column_major(vectors)


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
        return (v * gl.unsqueeze(-2)).matmul(v.mH)
    inner = v.mH.matmul(gv)
    diagonal = inner.diagonal(0, -2, -1)
    if inner.is_complex() and not _imaginary_is_zero(diagonal):
        raise RuntimeError(
            "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
            "multiplication by e^{i phi}. The specified loss function depends on this quantity, "
            "so it is ill-defined."
        )
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
    eye = ops.eye(values.size(-1), dtype=gaps.dtype, device=gaps.device)
    middle = (inner - inner.mH) * 0.5 / (gaps + eye)
    middle = middle - middle.diagonal(0, -2, -1).diag_embed()
    if gl is not None:
        middle = middle + gl.diag_embed()
    return v.matmul(middle.matmul(v.mH))


op(
    '_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> '
    "(Tensor eigenvalues, Tensor eigenvectors)",
    meta=_eigh_meta,
    kernel=_eigh,
    refuses=lambda A, *_: refuse_all_but(A, "linalg_eigh_cpu", any_empty=True),
    variants="function",
    half=False,
    out="eigenvalues",
    grad={"A": _eigh_gradient},
    samples="_linalg_eigh",
    tags=("rounds",),
)


def _linalg_eigh(self: Any, UPLO: str) -> tuple[Any, Any]:
    values, vectors = ops._linalg_eigh(self, UPLO, True)
    return values, vectors


def _eigvalsh(self: Any, UPLO: str) -> Any:
    wanted = self.requires_grad or _transformed(self)
    return ops._linalg_eigh(self, UPLO, wanted)[0]


def _transformed(self: Any) -> bool:
    """Whether somebody but autograd may ask for derivatives, for which vectors are needed."""
    return bool(self._sig & (BATCHED | DUAL | FUNCTIONAL | OF_CLASS))


op(
    'linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)',
    composite=_linalg_eigh,
    module="linalg",
    variants="function",
    out="eigvals",
    samples="linalg_eigh",
)
op(
    'linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor',
    composite=_eigvalsh,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_eigh",
)


# -- of any square matrix ------------------------------------------------------------------------


def _complex_of(self: Any) -> Any:
    dtype = self.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"Unknown Complex ScalarType for {scalar_name(dtype)}")
    return dtype if dtype.is_complex else dtype.to_complex()


def _eig_meta(self: Any) -> tuple[Out, Out]:
    check_square(self, "linalg.eig")
    dtype = _complex_of(self)
    return Out(tuple(self.shape[:-1]), dtype), like_matrix(self.shape, dtype)


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
        out = ops.linalg_solve(v.mH, gl.unsqueeze(-1) * v.mH)
    else:
        inner = v.mH.matmul(gv)
        diagonal = inner.diagonal(0, -2, -1)
        if not _imaginary_is_zero(diagonal):
            raise RuntimeError(
                "linalg_eig_backward: The eigenvectors in the complex case are specified up to "
                "multiplication by e^{i phi}. The specified loss function depends on this "
                "quantity, so it is ill-defined."
            )
        inner = inner - v.mH.matmul(v * ops.real(diagonal).unsqueeze(-2))
        conj = values.conj()
        gaps = conj.unsqueeze(-2) - conj.unsqueeze(-1)
        eye = ops.eye(values.size(-1), dtype=gaps.dtype, device=gaps.device)
        middle = inner / (gaps + eye)
        middle = middle - middle.diagonal(0, -2, -1).diag_embed()
        if gl is not None:
            middle = middle + gl.diag_embed()
        out = ops.linalg_solve(v.mH, middle.matmul(v.mH))
    return out if c.self.is_complex() else ops.real(out)


op(
    "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
    meta=_eig_meta,
    kernel=_eig,
    refuses=lambda self: refuse_all_but(self, "linalg_eig_out_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={"self": _eig_gradient},
    samples="linalg_eig",
    tags=("rounds",),
)


def _eigvals_meta(self: Any) -> Out:
    check_square(self, "linalg.eigvals")
    return Out(tuple(self.shape[:-1]), _complex_of(self))


op(
    "_linalg_eigvals(Tensor self) -> Tensor",
    meta=_eigvals_meta,
    kernel=lambda self: np.asarray(np.linalg.eigvals(self)).astype(_np_complex(self)),
    refuses=lambda self: refuse_all_but(self, "linalg_eig_out_cpu"),
    variants="",
    half=False,
    samples="linalg_eig",
    tags=("rounds",),
)


def _eigvals(self: Any) -> Any:
    if self.requires_grad or _transformed(self):
        check_square(self, "linalg.eigvals")
        return ops.linalg_eig(self)[0]
    return ops._linalg_eigvals(self)


op(
    "linalg_eigvals(Tensor self) -> Tensor",
    composite=_eigvals,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_eig",
)


# -- singular values -----------------------------------------------------------------------------


def _svd_meta(A: Any, full_matrices: bool, compute_uv: bool, driver: Any) -> Any:
    check_matrix(A, "linalg.svd")
    check_factorable(A, "linalg.svd")
    if driver is not None and A.device.type == "cpu":
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with "
            "cuSOLVER backend."
        )
    *batch, m, n = A.shape
    k = min(m, n)
    s = Out((*batch, k), _real(A.dtype))
    if not compute_uv:
        return Out((0,), A.dtype), s, Out((0,), A.dtype)
    u = like_matrix((*batch, m, m if full_matrices else k), A.dtype)
    return u, s, like_matrix((*batch, n if full_matrices else k, n), A.dtype)


def _svd(A: Array, full_matrices: bool, compute_uv: bool, driver: Any) -> Any:
    bad = np.flatnonzero(~np.isfinite(A).all((-1, -2)))
    if bad.size:
        place = f"(Batch element {bad[0]}): " if A.ndim > 2 else ""
        raise LinAlgError(
            f"linalg.svd: {place}The algorithm failed to converge because the input matrix "
            "contained non-finite values."
        )
    if not compute_uv:
        nothing = np.empty((0,), A.dtype)
        if not A.size:
            return nothing, np.empty((*A.shape[:-2], min(A.shape[-2:])), A.real.dtype), nothing
        return nothing, np.asarray(np.linalg.svd(A, compute_uv=False)), nothing
    u, s, vh = np.linalg.svd(A, full_matrices=full_matrices)
    return column_major(u), s, column_major(vh)


def _skew(x: Any) -> Any:
    return x - x.mH


def _svd_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, svd_backward."""
    gu, gs, gvh = g
    if gu is None and gs is None and gvh is None:
        return None
    u, s, vh = c.result0, c.result1, c.result2
    if not c.compute_uv:
        raise RuntimeError("svd_backward: Expected compute_uv to be true")
    k = s.size(-1)
    m, n = c.A.size(-2), c.A.size(-1)
    if c.full_matrices:
        u, vh = u.narrow(-1, 0, k), vh.narrow(-2, 0, k)
        gu = None if gu is None else gu.narrow(-1, 0, k)
        gvh = None if gvh is None else gvh.narrow(-2, 0, k)
    if gu is None and gvh is None:
        if m >= n:
            return u.matmul(gs.unsqueeze(-1) * vh)
        return (u * gs.unsqueeze(-2)).matmul(vh)
    left = None if gu is None else _skew(u.mH.matmul(gu))
    right = None if gvh is None else _skew(vh.matmul(gvh.mH))
    if c.A.is_complex():
        turns = [x.diagonal(0, -2, -1) for x in (left, right) if x is not None]
        if not _imaginary_is_zero(sum(turns[1:], turns[0])):
            raise RuntimeError(
                "svd_backward: The singular vectors in the complex case are specified up to "
                "multiplication by e^{i phi}. The specified loss function depends on this phase "
                "term, making it ill-defined."
            )
    squares = s * s
    gaps = squares.unsqueeze(-2) - squares.unsqueeze(-1)
    gaps = gaps + ops.eye(k, dtype=gaps.dtype, device=gaps.device)
    middle: Any = 0
    if left is not None:
        middle = (left / gaps) * s.unsqueeze(-2)
    if right is not None:
        middle = middle + s.unsqueeze(-1) * (right / gaps)
    if gs is not None:
        middle = middle + gs.diag_embed()
    if c.A.is_complex() and left is not None:
        middle = middle + (left.diagonal(0, -2, -1) / (2.0 * s)).diag_embed()
    if m > k and gu is not None:
        scaled = gu / s.unsqueeze(-2)
        return (u.matmul(middle) + scaled - u.matmul(u.mH.matmul(scaled))).matmul(vh)
    if n > k and gvh is not None:
        scaled = gvh / s.unsqueeze(-1)
        return u.matmul(middle.matmul(vh) + scaled - scaled.matmul(vh.mH).matmul(vh))
    return u.matmul(middle).matmul(vh)


op(
    "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) "
    "-> (Tensor U, Tensor S, Tensor Vh)",
    meta=_svd_meta,
    kernel=_svd,
    refuses=lambda A, *_: refuse_all_but(A, "linalg_svd_cpu", any_empty=True),
    variants="function",
    half=False,
    out="U",
    grad={"A": _svd_gradient},
    samples="_linalg_svd",
    tags=("rounds",),
)


def _linalg_svd(A: Any, full_matrices: bool, driver: Any) -> tuple[Any, Any, Any]:
    u, s, vh = ops._linalg_svd(A, full_matrices, True, driver=driver)
    return u, s, vh


def _svdvals(A: Any, driver: Any) -> Any:
    return ops._linalg_svd(A, False, A.requires_grad or _transformed(A), driver=driver)[1]


def _old_svd(self: Any, some: bool, compute_uv: bool) -> tuple[Any, Any, Any]:
    check_matrix(self, "linalg.svd")
    if compute_uv:
        u, s, vh = ops._linalg_svd(self, not some)
        return u, s, vh.mH
    s = of("linalg_svdvals")(self, driver=None)
    m, n = self.size(-2), self.size(-1)
    batch = tuple(self.shape[:-2])
    u = self.new_zeros((*batch, m, m))
    v = self.new_zeros((*batch, n, n))
    return u, s, v.mH


op(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> "
    "(Tensor U, Tensor S, Tensor Vh)",
    composite=_linalg_svd,
    module="linalg",
    variants="function",
    out="U",
    samples="linalg_svd",
)
op(
    "linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
    composite=_svdvals,
    module="linalg",
    variants="function",
    out=True,
    samples="linalg_svdvals",
)
op(
    "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
    composite=_old_svd,
    out="U",
    samples="svd",
)


# -- pseudoinverse, rank, condition --------------------------------------------------------------


def _tolerances(self: Any, atol: Any, rtol: Any, who: str) -> tuple[Any, Any]:
    """Both as tensors. Source: torch LinearAlgebra.cpp, get_atol_rtol."""
    real = ops.float64
    if rtol is None:
        nonzero = atol is not None and not isinstance(atol, (int, float))
        size = max(self.size(-2), self.size(-1))
        default = ops.finfo(self.dtype).eps * size
        if nonzero:
            rtol = ops.where(atol > 0, 0.0, default)
        else:
            rtol = 0.0 if atol is not None and atol > 0 else default
    if atol is None:
        atol = 0.0
    for value, name in ((atol, "atol"), (rtol, "rtol")):
        if hasattr(value, "dtype") and value.dtype.is_complex:
            raise RuntimeError(f"{who}: {name} tensor of complex type is not supported.")

    def as_tensor(value: Any) -> Any:
        if hasattr(value, "dtype"):
            return value
        return ops.full((), value, dtype=real, device=self.device)

    return as_tensor(atol), as_tensor(rtol)


def _pinv(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    """The pseudoinverse, by singular values or, of hermitian matrices, eigenvalues."""
    if len(self.shape) < 2 or self.dtype.name not in LAPACK:
        raise RuntimeError(
            f"linalg.pinv({of_types(self)}): expected a tensor with 2 or more dimensions of float, "
            "double, cfloat or cdouble types"
        )
    if self.numel() == 0:  # a product too, which autocast and gradients see
        *batch, m, n = self.shape
        return self.new_zeros((*batch, n, 0)).matmul(self.new_zeros((*batch, 0, m)))
    atol, rtol = _tolerances(self, atol, rtol, "torch.linalg.pinv")
    if hermitian:
        values, vectors = ops.linalg_eigh(self)
        size = values.abs()
        limit = ops.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1) * size.amax(-1, True))
        inverse = ops.where(size > limit, values.reciprocal(), 0.0)
        return (vectors * inverse.unsqueeze(-2)).matmul(vectors.mH)
    u, s, vh = ops.linalg_svd(self, False)
    limit = ops.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1) * s.narrow(-1, 0, 1))
    inverse = ops.where(s > limit, s.reciprocal(), 0.0).to(self.dtype)
    return (vh.mH * inverse.unsqueeze(-2)).matmul(u.mH)


op(
    "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, "
    "bool hermitian=False) -> Tensor",
    composite=_pinv,
    kinds={"functional": "explicit"},
    module="linalg",
    variants="function",
    out="atol_rtol_tensor_out",
    grad={"self": lambda g, c: pinv_gradient(g, c.result, c.self)},
    samples="linalg_pinv_tensor",
)


def _pinv_floats(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    if len(self.shape) >= 2 and self.dtype.name in LAPACK:
        atol, rtol = _tolerances(self, atol, rtol, "torch.linalg.pinv")
    else:
        atol = rtol = None
    return of("linalg_pinv.atol_rtol_tensor")(self, atol=atol, rtol=rtol, hermitian=hermitian)


op(
    "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
    "bool hermitian=False) -> Tensor",
    composite=_pinv_floats,
    module="linalg",
    variants="function",
    out="atol_rtol_float_out",
    samples="linalg_pinv",
)


def _pinv_rcond(self: Any, rcond: Any, hermitian: bool) -> Any:
    return _pinv_floats(self, 0.0, rcond, hermitian)


op(
    "linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor",
    composite=_pinv_rcond,
    module="linalg",
    variants="function",
    out="out",
    samples="linalg_pinv_rcond",
)
op(
    "linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
    composite=_pinv_rcond,
    module="linalg",
    variants="function",
    out="out_rcond_tensor",
    samples="linalg_pinv_rcond_tensor",
)
op(
    "pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor",
    composite=lambda self, rcond: _pinv_floats(self, 0.0, rcond, False),
    samples="pinverse",
)


def _rank(self: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    check_matrix(self, "torch.linalg.matrix_rank", "input")
    if self.dtype.name not in LAPACK:
        raise RuntimeError("This function doesn't handle types other than float and double")
    atol, rtol = _tolerances(self, atol, rtol, "torch.linalg.matrix_rank")
    if self.numel() == 0:
        return ops.zeros(tuple(self.shape[:-2]), dtype=ops.int64, device=self.device)
    if hermitian:
        values = ops.linalg_eigvalsh(self).abs()
        largest = values.amax(-1, True)
    else:
        values = ops.linalg_svdvals(self)
        largest = values.narrow(-1, 0, 1)
    limit = ops.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1) * largest)
    return (values > limit).sum(-1)


op(
    "linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, "
    "bool hermitian=False) -> Tensor",
    composite=_rank,
    module="linalg",
    variants="function",
    out="atol_rtol_tensor_out",
    samples="linalg_rank_tensor",
)
op(
    "linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
    "bool hermitian=False) -> Tensor",
    composite=_rank,
    module="linalg",
    variants="function",
    out="atol_rtol_float_out",
    samples="linalg_rank",
)


def _rank_tol(self: Any, tol: Any, hermitian: bool) -> Any:
    return _rank(self, tol, 0.0, hermitian)


op(
    "linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
    composite=_rank_tol,
    module="linalg",
    variants="function",
    out="out",
    samples="linalg_rank_tol",
)
op(
    "linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
    composite=_rank_tol,
    module="linalg",
    variants="function",
    out="out_tol_tensor",
    samples="linalg_rank_tol_tensor",
)
