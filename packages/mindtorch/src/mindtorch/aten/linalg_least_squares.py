"""Equations that have no solution, or many: least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from ..call.elementwise_meta import broadcast_shapes
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import of
from .linalg_common import LAPACK, column_major, column_strides, copied_onto, each
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
    strides = column_strides(shape)
    if vector:
        shape, strides = shape[:-1], None
    real = self.dtype.to_real() if self.dtype.is_complex else self.dtype
    kind = driver or "gelsy"
    values = Out((*batch, min(m, n)) if kind in ("gelsd", "gelss") else (0,), real)
    residuals = Out((*batch, columns.shape[-1]) if m > n and kind != "gelsy" else (0,), real)
    rank = Out(tuple(batch) if kind != "gels" else (0,), int64)
    return Out(shape, self.dtype, strides), residuals, rank, values


def _lstsq(self: Array, b: Array, rcond: Any, driver: Any) -> tuple[Array, Array, Array, Array]:
    from scipy.linalg import lstsq  # loaded when an equation is first solved so

    vector = is_vector(self, b)
    columns = b[..., None] if vector else b
    *_, m, n = self.shape
    batch = np.broadcast_shapes(columns.shape[:-2], self.shape[:-2])
    a = np.broadcast_to(self, (*batch, m, n))
    y = np.broadcast_to(columns, (*batch, m, columns.shape[-1]))
    kind = driver or "gelsy"
    real = self.real.dtype
    rcond = float(np.finfo(real).eps) * max(m, n) if rcond is None else rcond
    x = np.zeros((*batch, n, y.shape[-1]), self.dtype)
    rank = np.zeros(batch, np.int64)
    values = np.zeros((*batch, min(m, n)), real)
    if x.size and m:
        how = "gelsy" if kind == "gels" else kind
        for i in each(batch):
            x[i], _, rank[i], s = lstsq(a[i], y[i], cond=rcond, lapack_driver=how)
            if s is not None:
                values[i] = s
    nothing = np.empty((0,), real)
    residuals = nothing
    if m > n and kind != "gelsy":
        residuals = (np.abs(a @ x - y) ** 2).sum(-2).astype(real)
    out = np.ascontiguousarray(x[..., 0]) if vector else column_major(x)
    return (
        out,
        residuals,
        rank if kind != "gels" else np.empty((0,), np.int64),
        values if kind in ("gelsd", "gelss") else nothing,
    )


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
    kernel=_lstsq,
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
