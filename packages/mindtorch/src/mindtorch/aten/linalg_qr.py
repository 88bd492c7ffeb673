"""QR factors, and the reflections of which they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name, size_at
from ..core.operators import of, onto, ops
from ..core.warning import warn_once
from . import lanes
from .derivatives import no_formula_for
from .linalg_common import (
    batches,
    by_matrix,
    check_factorable,
    check_matrix,
    column_major,
    copied_onto,
    lapack,
    like_matrix,
    refuse_all_but,
)

__all__: list[str] = []

Array = np.ndarray[Any, Any]

#: So many reflections are applied at once: what LAPACK asks memory for.
_BLOCK = 64


def _qr_meta(A: Any, mode: str) -> tuple[Out, Out]:
    check_matrix(A, "linalg.qr")
    check_factorable(A, "linalg.qr")
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), "
            "'r', or 'complete'"
        )
    *batch, m, n = A.shape
    k = m if mode == "complete" else min(m, n)
    q = Out((0,), A.dtype) if mode == "r" else like_matrix((*batch, m, k), A.dtype)
    return q, like_matrix((*batch, k, n), A.dtype)


def _prepare_qr(A: Array, mode: str) -> Callable[..., tuple[Array, Array]]:
    *batch, m, n = A.shape
    k, dtype, whole = min(m, n), A.dtype, tuple(batch)
    rows = m if mode == "complete" else k
    geqrf, orgqr = lapack("geqrf", A), lapack("orgqr", A)
    upper, zero = ~np.tri(rows, n, -1, bool), np.zeros((), dtype)
    work = max(1, n * _BLOCK)
    room = max(1, rows * _BLOCK)
    where, empty = np.where, np.empty

    def factor(a: Array) -> tuple[Array, Array]:
        qr, tau, _, _ = geqrf(a, work)
        r = where(upper, qr[:rows], zero) if rows < m else where(upper, qr, zero)
        if mode == "r":
            return empty((0,), dtype), r
        if rows > n:
            wide = empty((m, m), dtype, "F")
            wide[:, :n] = qr
            qr = wide
        elif n > rows:
            qr = qr[:, :rows]
        return orgqr(qr, tau, room)[0], r

    if not k:  # nothing is reflected
        q = np.eye(m, rows, dtype=dtype)

        def of_nothing(A: Array, mode: str) -> tuple[Array, Array]:
            none = mode == "r"
            spread = empty((0,), dtype) if none else column_major(batches(whole, q)(q).copy())
            return spread, column_major(np.zeros((*whole, rows, n), dtype))

        return of_nothing

    def many(a: Array) -> tuple[tuple[Array, ...], Array]:
        qr = lanes.to_lanes(a)
        tau, doubtful = lanes.reflected(qr)
        r = where(upper, lanes.from_lanes(qr[:rows]), zero)
        if mode == "r":
            return (empty((len(a), 0), dtype), r), doubtful
        return (lanes.from_lanes(lanes.orthonormal(qr, tau, rows)), r), doubtful

    outs = [((0,) if mode == "r" else (m, rows), dtype), ((rows, n), dtype)]
    run = by_matrix(factor, whole, outs, together=lanes.together(many, (m, n)))
    if mode != "r" or not whole:
        return lambda A, mode: run(A)
    return lambda A, mode: (empty((0,), dtype), run(A)[1])


def _halve_diagonal(x: Any, imaginary: bool = False) -> Any:
    """*x*, whose diagonal is halved in place: its real part, or its imaginary part."""
    diagonal = x.diagonal(0, -2, -1)
    if x.is_complex():
        diagonal = ops.imag(diagonal) if imaginary else ops.real(diagonal)
    diagonal.mul_(0.5)
    return x


def _qr_gradient(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_qr_backward."""
    gq, gr, q, r, mode = g[0], g[1], c.result0, c.result1, c.mode
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when "
            "mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to differentiate "
            "through linalg.qr."
        )
    m, n = c.A.size(-2), c.A.size(-1)
    if mode == "complete" and m > n:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    if gq is None and gr is None:
        return None
    solve = ops.linalg_solve_triangular
    inside = None if gq is None else q.mH.matmul(gq)
    if gr is None:
        ga = -inside
    else:
        ga = gr.matmul(r.mH)
        ga = ga if inside is None else ga - inside
    if m >= n:
        ga = ga.triu()
        ga = q.matmul(_halve_diagonal(ga + ga.mH))
        if gq is not None:
            ga = ga + gq
        return solve(r.mH, ga, upper=False, left=False)
    ga = -ga
    ga = (ga - ga.mH).tril()
    ga = q.matmul(_halve_diagonal(ga, imaginary=True) if ga.is_complex() else ga)
    ga = solve(r.narrow(-1, 0, m).mH, ga, upper=False, left=False)
    ga = ops.cat([ga, ga.new_zeros((*ga.shape[:-1], n - m))], -1)
    return ga if gr is None else ga + q.matmul(gr)


op(
    'linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)',
    says="Return an orthonormal Q and an upper triangular R whose product is the matrix.",
    meta=_qr_meta,
    prepare=_prepare_qr,
    refuses=lambda A, *_: refuse_all_but(A, "geqrf_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out="out",
    grad={"A": _qr_gradient},
    samples="linalg_qr",
    tags=("rounds", "of_matrices"),
    autocast=("float32", ""),
)


def _old_qr(self: Any, some: bool, out: Any = None) -> tuple[Any, Any]:
    warn_once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future "
        "PyTorch release.\nThe boolean parameter 'some' has been replaced with a string parameter "
        "'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\nQ, R = torch.linalg.qr(A, "
        "'reduced' if some else 'complete')"
    )
    mode = "reduced" if some else "complete"
    if out is not None:
        return tuple(of("linalg_qr.out")(self, mode, Q=out[0], R=out[1]))
    return tuple(ops.linalg_qr(self, mode))


op(
    "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
    says="Return the QR decomposition of matrices; use torch.linalg.qr.",
    composite=_old_qr,
    out=OutForm("Q", gradient="linalg_qr"),
    out_kernel=onto(_old_qr),
    samples="qr",
    autocast=("float32", ""),
)


def _geqrf_meta(self: Any) -> tuple[Out, Out]:
    if len(self.shape) < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    *batch, m, n = self.shape
    return like_matrix(self.shape, self.dtype), Out((*batch, min(m, n)), self.dtype)


def _prepare_geqrf(self: Array) -> Callable[..., tuple[Array, Array]]:
    *batch, m, n = self.shape
    k, dtype, geqrf = min(m, n), self.dtype, lapack("geqrf", self)
    work = max(1, n * _BLOCK)

    def many(a: Array) -> tuple[tuple[Array, ...], Array]:
        qr = lanes.to_lanes(a)
        tau, doubtful = lanes.reflected(qr)
        return (lanes.from_lanes(qr), tau.T), doubtful

    return by_matrix(
        lambda a: geqrf(a, work)[:2],
        tuple(batch),
        [((m, n), dtype), ((k,), dtype)],
        nothing=not k,
        together=lanes.together(many, (m, n)),
    )


op(
    "geqrf(Tensor self) -> (Tensor a, Tensor tau)",
    says="Return the QR decomposition packed as Householder reflections.",
    meta=_geqrf_meta,
    prepare=_prepare_geqrf,
    refuses=lambda self: refuse_all_but(self, "geqrf_cpu"),
    half=False,
    out=OutForm("a", castable=("torch.geqrf", "a", "tau")),
    out_meta=copied_onto(_geqrf_meta, unless_empty=True),
    grad=no_formula_for("geqrf", "self"),
    samples="geqrf",
    tags=("rounds", "real_only", "of_matrices"),
    tangent="not implemented",
    autocast=("float32", ""),
)


def _householder_meta(input: Any, tau: Any) -> Out:
    who = "torch.linalg.householder_product"
    shape, taus = tuple(input.shape), tuple(tau.shape)
    if len(shape) < 2:
        raise RuntimeError(f"{who}: input must have at least 2 dimensions.")
    if shape[-2] < shape[-1]:
        raise RuntimeError(
            f"{who}: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if shape[-1] < size_at(tau, -1):
        raise RuntimeError(f"{who}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if len(shape) - len(taus) != 1:
        raise RuntimeError(
            f"{who}: Expected tau to have one dimension less than input, but got tau.ndim equal "
            f"to {len(taus)} and input.ndim is equal to {len(shape)}"
        )
    if len(shape) > 2 and shape[:-2] != taus[:-1]:
        raise RuntimeError(
            f"{who}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got "
            f"[{', '.join(map(str, taus[:-1]))}]"
        )
    if tau.dtype is not input.dtype:
        raise RuntimeError(
            f"{who}: tau dtype {scalar_name(tau.dtype)} does not match input dtype "
            f"{scalar_name(input.dtype)}"
        )
    return like_matrix(shape, input.dtype)


def _prepare_householder(input: Array, tau: Array) -> Callable[..., Array]:
    *batch, m, n = input.shape
    k, dtype, orgqr = tau.shape[-1], input.dtype, lapack("orgqr", input)
    room = max(1, n * _BLOCK)
    eye = np.eye(m, n, dtype=dtype)

    def one(a: Array, tau: Array) -> tuple[Array, ...]:
        return orgqr(a, tau, room)[:1] if k else (eye.copy(),)  # type: ignore[no-any-return]

    run = by_matrix(one, tuple(batch), [((m, n), dtype)], nothing=not n)
    return lambda input, tau: run(input, tau)[0]


def _reflections_gradient(g: Any, input: Any, tau: Any) -> tuple[Any, Any]:
    """From the gradient of as many columns of the product as *g* has: each reflection has its own.

    None for both where nothing is reflected.
    """
    if not input.numel() or not tau.numel():
        return None, None
    m, n, k = input.size(-2), g.size(-1), tau.size(-1)
    eye = ops.eye(m, dtype=input.dtype, device=input.device)
    columns = [input.narrow(-1, i, 1).tril(-i - 1) + eye.narrow(-1, i, 1) for i in range(k)]
    weights = [tau.narrow(-1, i, 1).unsqueeze(-1) for i in range(k)]
    # Products of the reflections behind each.
    after = [eye.narrow(-1, 0, n)]
    for v, t in zip(columns[:0:-1], weights[:0:-1], strict=True):
        last = after[-1]
        after.append(last - t * v.matmul(v.mH.matmul(last)))
    after.reverse()
    grads_in, grads_tau = [], []
    for i in range(k):
        v, t, rest = columns[i], weights[i], after[i]
        # y = rest - t v (v^H rest)
        inner = v.mH.matmul(rest)
        back = v.mH.matmul(g)
        grads_tau.append(-(back * inner.conj()).sum(-1, True))
        gv = -(t.conj() * g.matmul(inner.mH)) - t * rest.matmul(back.mH)
        grads_in.append(gv.tril(-i - 1))
        if i + 1 < k:
            g = g - t.conj() * v.matmul(back)
    if k < input.size(-1):
        grads_in.append(input.new_zeros((*input.shape[:-1], input.size(-1) - k)))
    return ops.cat(grads_in, -1), ops.cat(grads_tau, -2).squeeze(-1)


op(
    "linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
    says="Return the first columns of a product of Householder reflections.",
    meta=_householder_meta,
    prepare=_prepare_householder,
    refuses=lambda input, tau: refuse_all_but(input, "orgqr_cpu"),
    module="linalg",
    variants="function",
    half=False,
    out=OutForm(castable=("torch.linalg.householder_product", "result")),
    out_meta=copied_onto(_householder_meta, unless_empty=True),
    grad={"input, tau": lambda g, c: _reflections_gradient(g, c.input, c.tau)},
    samples="householder_product",
    tags=("rounds", "of_matrices"),
    autocast=("float32", ""),
)


def _orgqr(self: Any, input2: Any) -> Any:
    return ops.linalg_householder_product(self, input2)


op(
    "orgqr(Tensor self, Tensor input2) -> Tensor",
    says="Return the first columns of a product of Householder reflections, as "
    "torch.linalg.householder_product does.",
    composite=_orgqr,
    out=OutForm(gradient="linalg_householder_product"),
    out_kernel=lambda target, self, input2: of("linalg_householder_product.out")(
        self, input2, out=target
    ),
    samples="householder_product",
    autocast=("float32", ""),
)


def _ormqr_meta(self: Any, input2: Any, input3: Any, left: bool, transpose: bool) -> Out:
    for t, name in ((self, "input"), (input3, "other")):
        if len(t.shape) < 2:
            raise RuntimeError(f"torch.ormqr: {name} must have at least 2 dimensions.")
    side = -2 if left else -1
    if input3.shape[side] != self.shape[-2]:
        raise RuntimeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")
    if size_at(input2, -1) != min(input3.shape[side], self.shape[-1]):
        raise RuntimeError(
            f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])"
        )
    _refuse_other_dimensions(self, input2, input3)
    for t, name in ((input2, "tau"), (input3, "other")):
        if t.dtype is not self.dtype:
            raise RuntimeError(
                f"torch.ormqr: Expected input and {name} to have the same dtype, but input has "
                f"dtype{scalar_name(self.dtype)} and {name} has dtype {scalar_name(t.dtype)}"
            )
    return like_matrix(input3.shape, input3.dtype)


def _refuse_other_dimensions(self: Any, input2: Any, input3: Any) -> None:
    shape, batch = tuple(self.shape), len(self.shape) - 2
    given = ("tau", tuple(input2.shape), batch + 1), ("other", tuple(input3.shape), batch + 2)
    wanted = {"tau": "one dimension less than", "other": "the same number of dimensions as"}
    for name, own, dims in given:
        if len(own) != dims:
            raise RuntimeError(
                f"torch.ormqr: Expected {name} to have {wanted[name]} input, but got {name}.ndim "
                f"equal to {len(own)} and input.ndim is equal to {len(shape)}"
            )
    for name, own, _ in given:
        if own[:batch] != shape[:batch]:
            raise RuntimeError(
                f"torch.ormqr: Expected batch dimensions of {name} to be equal to "
                f"input.shape[:-2], but got [{', '.join(map(str, own[:batch]))}]"
            )


def _ormqr_gradient(g: Any, c: Any) -> tuple[Any, Any, Any]:
    """The result is a product of matrices, of which the reflections make one."""
    of_other = ops.ormqr(c.self, c.input2, g, c.left, not c.transpose)
    if not (c.mask[0] or c.mask[1]):
        return None, None, of_other
    other = c.input3
    whole = g.matmul(other.mH) if c.left else other.mH.matmul(g)
    of_reflections = _reflections_gradient(whole.mH if c.transpose else whole, c.self, c.input2)
    return (*of_reflections, of_other)


def _prepare_ormqr(
    self: Array, input2: Array, input3: Array, left: bool, transpose: bool
) -> Callable[..., Array]:
    *batch, m, n = input3.shape
    k, dtype, ormqr = input2.shape[-1], input3.dtype, lapack("ormqr", self)
    trans = ("C" if self.dtype.kind == "c" else "T") if transpose else "N"
    work, side = max(m, n, 1) * _BLOCK, "L" if left else "R"

    def one(a: Array, tau: Array, c: Array) -> tuple[Array, ...]:
        return ormqr(side, trans, a[:, :k], tau, c, work)[:1]  # type: ignore[no-any-return]

    run = by_matrix(one, tuple(batch), [((m, n), dtype)], nothing=not (m and n))
    return lambda self, input2, input3, *_: run(self, input2, input3)[0]


op(
    "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> "
    "Tensor",
    says="Multiply a matrix by the Q of Householder reflections.",
    meta=_ormqr_meta,
    prepare=_prepare_ormqr,
    refuses=lambda self, *_: refuse_all_but(self, "ormqr_cpu"),
    half=False,
    out=OutForm(
        text="torch.ormqr: Expected input and result to have the same dtype, "
        "but input has dtype{result} and result has dtype {out}"
    ),
    out_meta=copied_onto(_ormqr_meta, unless_empty=True),
    grad={"self, input2, input3": _ormqr_gradient},
    tangent="not implemented",
    samples="ormqr",
    tags=("rounds", "loops: functional", "of_matrices"),
    autocast=("float32", ""),
)
