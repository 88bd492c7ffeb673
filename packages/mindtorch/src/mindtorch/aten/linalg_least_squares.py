"""Equations that have no solution, or many: least squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from ..call.elementwise_meta import broadcast_shapes
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import of
from .linalg_common import LAPACK, batches, by_matrix, column_strides, copied_onto, lapack
from .linalg_inverses import pinv_gradient
from .linalg_solving import Column, is_vector

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _lstsq_meta(self: Any, b: Any, rcond: Any, driver: Any) -> tuple[Out, Out, Out, Out]:
    who = "torch.linalg.lstsq"
    if len(self.shape) < 2:
        raise RuntimeError(f"{who}: input must have at least 2 dimensions.")
    if len(b.shape) < 1:
        raise RuntimeError(f"{who}: other must have at least 1 dimension.")
    if self.dtype is not b.dtype:
        raise RuntimeError(
            f"{who}: Expected input and other to have the same dtype, but got input's dtype "
            f"{scalar_name(self.dtype)} and other's dtype {scalar_name(b.dtype)}"
        )
    if not 0 <= len(self.shape) - len(b.shape) <= 1:
        raise RuntimeError(
            f"{who}: input.dim() must be greater or equal to other.dim() and "
            "(input.dim() - other.dim()) <= 1"
        )
    vector = is_vector(self, b)
    columns = Column(b) if vector else b
    if len(columns.shape) < 2 or self.shape[-2] != columns.shape[-2]:
        side = -1 if vector else -2
        raise RuntimeError(f"{who}: input.size(-2) should match other.size({side})")
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError(
            f"{who}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    if self.dtype.name not in LAPACK:
        raise RuntimeError("This function doesn't handle types other than float and double")
    *_, m, n = self.shape
    batch = broadcast_shapes(tuple(columns.shape[:-2]), tuple(self.shape[:-2]))
    shape = (*batch, n, columns.shape[-1])
    # The first rows of a matrix that holds the right sides before.
    strides = column_strides((*batch, max(m, n), columns.shape[-1]))
    if vector:
        shape, strides = shape[:-1], None
    real = self.dtype.to_real() if self.dtype.is_complex else self.dtype
    kind = driver or "gelsy"
    # What is said of the matrices alone is said once where they are spread over right sides.
    own = tuple(self.shape[:-2])
    values = Out((*own, min(m, n)) if kind in ("gelsd", "gelss") else (0,), real)
    residuals = Out((*batch, columns.shape[-1]) if m > n and kind != "gelsy" else (0,), real)
    rank = Out(own if kind != "gels" else (0,), int64)
    return Out(shape, self.dtype, strides), residuals, rank, values


def _prepare_lstsq(
    self: Array, b: Array, rcond: Any, driver: Any
) -> Callable[..., tuple[Array, Array, Array, Array]]:
    vector = is_vector(self, b)
    columns = (*b.shape, 1) if vector else b.shape
    *_, m, n = self.shape
    k, right, dtype, real = min(m, n), columns[-1], self.dtype, self.real.dtype
    batch = np.broadcast_shapes(columns[:-2], self.shape[:-2])
    kind = driver or "gelsy"
    empty, int64 = np.empty, np.dtype(np.int64)
    least = float(np.finfo(real).eps) * max(m, n, 1) if rcond is None else rcond
    solve = _solver(self, right, kind, least)
    outs = [((n, right), dtype), ((), int64), ((k,), real)]
    run = by_matrix(solve, batch, outs, nothing=not (k and right))
    spread_a, spread_b = batches(batch, self), batches(batch, np.empty(columns))
    with_residuals = m > n and kind != "gelsy"
    with_values, shape = kind in ("gelsd", "gelss"), (*batch, n)
    own = self.shape[:-2]
    lead = len(batch) - len(own)
    once = (*[0] * lead, *[slice(n) for n in own])

    def kernel(self: Array, b: Array, *_: Any) -> tuple[Array, Array, Array, Array]:
        a, y = spread_a(self), spread_b(b.reshape(columns))
        x, rank, values = run(a, y)
        if m > n and not vector:
            whole = empty((*batch, right, m), dtype).swapaxes(-1, -2)
            whole[..., :n, :] = x
            x = whole[..., :n, :]
        residuals = empty((0,), real)
        if with_residuals:
            residuals = np.add.reduce(np.abs(a @ x - y) ** 2, -2)
        return (
            np.ascontiguousarray(x.reshape(shape)) if vector else x,
            residuals,
            empty((0,), int64) if kind == "gels" else rank[once],
            values[once] if with_values else empty((0,), real),
        )

    return kernel


def _solver(a: Array, right: int, kind: str, rcond: float) -> Callable[..., tuple[Array, ...]]:
    """What solves one equation by LAPACK's driver *kind*: solution, rank, singular values."""
    *_, m, n = a.shape
    k, dtype, real = min(m, n), a.dtype, a.real.dtype
    name = "gelsy" if kind == "gels" else kind
    driver, int64, array = lapack(name, a), np.dtype(np.int64), np.array
    nothing = np.zeros(k, real)
    rows = max(m, n)
    sizes = lapack(f"{name}_lwork", a)(m, n, right, rcond) if k and right else (1, 1, 1)
    work = [max(1, int(np.real(size))) for size in sizes[:-1]]

    def filled(b: Array) -> Array:
        """LAPACK writes the solution over *b*, which may be too short for it."""
        out = np.zeros((rows, right), dtype, "F")
        out[:m] = b
        return out

    if name == "gelsy":

        def by_pivots(a: Array, b: Array) -> tuple[Array, ...]:
            pivots = np.zeros((n, 1), np.int32)
            _, x, _, rank, _ = driver(a, filled(b), pivots, rcond, work[0], False, False)
            return x[:n], array(rank, int64), nothing.copy()

        return by_pivots
    if name == "gelsd":

        def by_division(a: Array, b: Array) -> tuple[Array, ...]:
            x, s, rank, _ = driver(a, filled(b), *work, rcond, False, False)
            return x[:n], array(rank, int64), s

        return by_division

    def by_values(a: Array, b: Array) -> tuple[Array, ...]:
        _, x, s, rank, _, _ = driver(a, filled(b), rcond, work[0], False, False)
        return x[:n], array(rank, int64), s

    return by_values


def _lstsq_gradient(g: Any, c: Any) -> tuple[Any, Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, linalg_lstsq_backward."""
    a, b, x = c.self, c.b, c.result0
    gx, gr = g[0], g[1]
    ga = gb = None
    vector = is_vector(a, b)
    y = b.unsqueeze(-1) if vector else b
    if gx is not None:
        gx = gx.unsqueeze(-1) if vector else gx
        inverse = of("linalg_pinv.atol_rtol_tensor")(a)
        if c.mask[0]:
            # pinv(A) of which X is a product: its gradient.
            ga = pinv_gradient(gx.matmul(y.mH), inverse, a)
        inner = inverse.mH.matmul(gx)
        gb = inner.squeeze(-1) if vector else inner
    if gr is not None and gr.numel():
        found = x.unsqueeze(-1) if vector else x
        scaled = 2 * gr.unsqueeze(-2) * (a.matmul(found) - y)
        ga2 = scaled.matmul(found.mH)
        ga = ga2 if ga is None else ga + ga2
        gb2 = -(scaled.squeeze(-1) if vector else scaled)
        gb = gb2 if gb is None else gb + gb2
    return ga, gb


op(
    "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> "
    "(Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
    says="Return least squares solutions of linear systems, with residuals, rank and "
    "singular values.",
    meta=_lstsq_meta,
    prepare=_prepare_lstsq,
    module="linalg",
    variants="function",
    half=False,
    out=OutForm(
        castable=("torch.linalg.lstsq", "solution", "residuals", "rank", "singular_values")
    ),
    out_meta=copied_onto(_lstsq_meta, unless_empty=True),
    grad={"self, b": _lstsq_gradient},
    samples="linalg_lstsq",
    tags=("rounds", "no_gradient: 3", "dynamic_output_shape"),
    autocast=("float32", ""),
)
