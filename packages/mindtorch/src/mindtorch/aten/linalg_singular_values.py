"""Singular values and their vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.errors import LinAlgError
from ..core.operators import of, ops
from ..tensor.resizing import resize_out
from . import matrix_tangents
from .linalg_common import (
    CALLS_OF_NUMPY,
    Together,
    all_finite,
    by_matrix,
    check_factorable,
    check_matrix,
    column_major,
    failure,
    lapack,
    like_matrix,
    refuse_all_but,
)
from .linalg_decompositions import distances, imaginary_is_zero, real_dtype, wants_vectors

__all__: list[str] = []

Array = np.ndarray[Any, Any]


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
    s = Out((*batch, k), real_dtype(A.dtype))
    if not compute_uv:
        return Out((0,), A.dtype), s, Out((0,), A.dtype)
    u = like_matrix((*batch, m, m if full_matrices else k), A.dtype)
    right = (*batch, n if full_matrices else k, n)
    if A.device.type == "meta":  # which torch lays out as an accelerator's library does
        return u, s, Out(right, A.dtype)
    return u, s, like_matrix(right, A.dtype)


def _prepare_svd(
    A: Array, full_matrices: bool, compute_uv: bool, driver: Any
) -> Callable[..., tuple[Array, Array, Array]]:
    *batch, m, n = A.shape
    k, whole, dtype, real = min(m, n), tuple(batch), A.dtype, A.real.dtype
    gesdd, vectors, full = lapack("gesdd", A), int(compute_uv), int(full_matrices)
    room = lapack("gesdd_lwork", A)(m, n, vectors, full)[0].real if k else 1
    room, finite, empty = max(1, int(room)), all_finite(A), np.empty
    svd = np.linalg.svd
    rows, columns = (m, n) if full_matrices else (k, k)

    def one(a: Array) -> tuple[Array, ...]:
        u, s, vh, info = gesdd(a, vectors, full, room)
        if info > 0:
            raise LinAlgError(f"linalg.svd: {failure('svd', info)}")
        return u, s, vh

    def values(a: Array) -> tuple[Array, ...]:
        return one(a)[1:2]

    def many(a: Array) -> tuple[tuple[Array, ...], None]:
        return tuple(svd(a, full_matrices)), None

    def many_values(a: Array) -> tuple[tuple[Array, ...], None]:
        return (svd(a, compute_uv=False),), None

    if not k and compute_uv:
        u, vh = np.eye(m, rows, dtype=dtype), np.eye(columns, n, dtype=dtype)

        def of_nothing(A: Array, *_: Any) -> tuple[Array, Array, Array]:
            left, right = (np.broadcast_to(x, (*whole, *x.shape)).copy() for x in (u, vh))
            return column_major(left), empty((*whole, 0), real), column_major(right)

        return of_nothing
    if compute_uv:
        outs = [((m, rows), dtype), ((k,), real), ((columns, n), dtype)]
        run = by_matrix(one, whole, outs, together=Together(many, CALLS_OF_NUMPY))
    else:
        outs = [((k,), real)]
        together = Together(many_values, CALLS_OF_NUMPY)
        run = by_matrix(values, whole, outs, nothing=not k, together=together)

    def kernel(A: Array, *_: Any) -> tuple[Array, Array, Array]:
        if not finite(A):
            bad = np.flatnonzero(~np.isfinite(A).all((-1, -2)))
            place = f"(Batch element {bad[0]}): " if batch else ""
            raise LinAlgError(
                f"linalg.svd: {place}The algorithm failed to converge because the input matrix "
                "contained non-finite values."
            )
        if compute_uv:
            return run(A)  # type: ignore[return-value]
        return empty((0,), dtype), run(A)[0], empty((0,), dtype)

    return kernel


def _skew(x: Any) -> Any:
    return x - x.mH


def _between_bases(left: Any, right: Any, s: Any, gaps: Any) -> Any:
    """What gradients of the vectors say of the matrix between the bases; not both are None."""
    if right is None:
        columns = s.unsqueeze(-2)
        return (left / gaps) * columns
    if left is None:
        inner = right / gaps
        return s.unsqueeze(-1) * inner
    second = s.unsqueeze(-1) * right
    return (left * s.unsqueeze(-2) + second) / gaps


def _svd_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, svd_backward."""
    gu, gs, gvh = g
    if gu is None and gs is None and gvh is None:
        return None
    s, u, vh = c.result1, c.result0, c.result2
    if not c.compute_uv:
        raise RuntimeError("svd_backward: Expected compute_uv to be true")
    k = s.size(-1)
    m, n = c.A.size(-2), c.A.size(-1)
    if c.full_matrices:
        vh, u = vh.narrow(-2, 0, k), u.narrow(-1, 0, k)
        gvh = None if gvh is None else gvh.narrow(-2, 0, k)
        gu = None if gu is None else gu.narrow(-1, 0, k)
    if gu is None and gvh is None:
        if m >= n:
            return u.matmul(gs.unsqueeze(-1) * vh)
        return (u * gs.unsqueeze(-2)).matmul(vh)
    left = None if gu is None else _skew(u.mH.matmul(gu))
    right = None if gvh is None else _skew(vh.matmul(gvh.mH))
    if c.A.is_complex():
        turns = [x.diagonal(0, -2, -1) for x in (left, right) if x is not None]
        if not imaginary_is_zero(sum(turns[1:], turns[0])):
            raise RuntimeError(
                "svd_backward: The singular vectors in the complex case are specified up to "
                "multiplication by e^{i phi}. The specified loss function depends on this phase "
                "term, making it ill-defined."
            )
    gaps = distances(s * s, 1)
    middle = _between_bases(left, right, s, gaps)
    if gs is not None:
        middle = middle + gs.diag_embed()
    if c.A.is_complex() and left is not None:
        twice = 2.0 * s
        middle = middle + (left.diagonal(0, -2, -1) / twice).diag_embed()
    if m > k and gu is not None:
        inside = u.matmul(middle)
        scaled = gu / s.unsqueeze(-2)
        along = u.matmul(u.mH.matmul(scaled))
        return (inside + scaled - along).matmul(vh)
    if n > k and gvh is not None:
        inside = middle.matmul(vh)
        scaled = gvh / s.unsqueeze(-1)
        along = scaled.matmul(vh.mH).matmul(vh)
        return u.matmul(inside + scaled - along)
    if m >= n:
        return u.matmul(middle.matmul(vh))
    return u.matmul(middle).matmul(vh)


op(
    "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) "
    "-> (Tensor U, Tensor S, Tensor Vh)",
    meta=_svd_meta,
    prepare=_prepare_svd,
    refuses=lambda A, *_: refuse_all_but(A, "linalg_svd_cpu", any_empty=True),
    variants="function",
    half=False,
    out=OutForm("U", meta="native"),
    grad={"A": _svd_gradient},
    samples="_linalg_svd",
    tags=("rounds", "of_matrices"),
    tangent=matrix_tangents.svd,
)


def _linalg_svd(A: Any, full_matrices: bool, driver: Any) -> tuple[Any, Any, Any]:
    u, s, vh = ops._linalg_svd(A, full_matrices, True, driver=driver)
    return u, s, vh


def _svdvals(A: Any, driver: Any) -> Any:
    return ops._linalg_svd(A, False, A.requires_grad or wants_vectors(A), driver=driver)[1]


def _check_old_svd(self: Any) -> None:
    if self.dim() < 2:
        raise RuntimeError(
            f"linalg.svd: input should have at least 2 dimensions, but has {self.dim()} dimensions "
            "instead"
        )


def _old_svd_onto(target: tuple[Any, Any, Any], self: Any, some: bool, compute_uv: bool) -> None:
    """V is transposed in place while it is written as V^H."""
    _check_old_svd(self)
    u, s, v = target
    if compute_uv:
        m, n = self.size(-2), self.size(-1)
        if v.dim() < 2:
            resize_out(v, Out((*self.shape[:-2], n, min(m, n) if some else n), self.dtype))
        vh = v.transpose_(-2, -1)
        of("_linalg_svd.U")(self, not some, True, driver=None, U=u, S=s, Vh=vh)
        v.transpose_(-2, -1)
        if v.is_complex():
            v.conj_physical_()
        return
    for t in (u, v):
        if t.dtype is not self.dtype:
            raise RuntimeError(
                f"torch.svd: Expected out tensor to have dtype {scalar_name(self.dtype)} but got "
                f"{scalar_name(t.dtype)} instead"
            )
    of("linalg_svdvals.out")(self, driver=None, out=s)
    for t, n in ((u, self.size(-2)), (v, self.size(-1))):
        resize_out(t, Out((*self.shape[:-2], n, n), self.dtype))
        t.zero_()


def _old_svd(self: Any, some: bool, compute_uv: bool) -> tuple[Any, Any, Any]:
    _check_old_svd(self)
    if compute_uv:
        u, s, vh = ops._linalg_svd(self, not some)
        return u, s, vh.mH
    s = of("linalg_svdvals")(self, driver=None)
    m, n = self.size(-2), self.size(-1)
    batch = tuple(self.shape[:-2])
    u, v = (
        ops.zeros((*batch, k, k), dtype=self.dtype, layout=self.layout, device=self.device)
        for k in (m, n)
    )
    return u, s, v.mH


op(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> "
    "(Tensor U, Tensor S, Tensor Vh)",
    says="Return the singular value decomposition U, S, Vh of matrices."
    " Shape ``(*, m, n)`` gives ``(*, m, m)``, ``(*, k)`` and ``(*, n, n)``, where k is min(m,"
    " n).",
    composite=_linalg_svd,
    module="linalg",
    variants="function",
    out=OutForm("U", gradient="_linalg_svd", meta="native"),
    samples="linalg_svd",
    autocast=("float32", ""),
)
op(
    "linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
    says="Return the singular values of matrices, in descending order.",
    composite=_svdvals,
    module="linalg",
    variants="function",
    out=OutForm(gradient="_linalg_svd", meta="native"),
    samples="linalg_svdvals",
    autocast=("float32", ""),
)
op(
    "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
    says="Return the singular value decomposition U, S, V; use torch.linalg.svd.",
    composite=_old_svd,
    out=OutForm("U", gradient="_linalg_svd", meta="native"),
    out_kernel=_old_svd_onto,
    samples="svd",
    autocast=("float32", ""),
)
