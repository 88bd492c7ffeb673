"""``renorm``: slices whose norm is too large, scaled down to it.

Source: torch aten/src/ATen/native/Normalization.cpp; csrc/autograd/FunctionsManual.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import promote_types

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import scalar_name, wrap_dim
from ..core.operators import conj, of, ops
from .vector_norm import norm_grad, prepare_vector_norm

__all__: list[str] = []

_HALF = frozenset({"float16", "bfloat16", "complex32"})


def _meta(self: Any, p: Any, dim: int, maxnorm: Any) -> Out:
    if isinstance(p, complex):
        raise RuntimeError("renorm: p must be real-valued")
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if isinstance(maxnorm, complex):
        raise RuntimeError("renorm: maxnorm must be real-valued")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {float(maxnorm):g}")
    shape = tuple(self.shape)
    if len(shape) < 2:
        raise RuntimeError(
            f"renorm: input needs at least 2 dimensions, got {len(shape)} dimensions"
        )
    wrap_dim(dim, len(shape))
    if self.device.type != "meta" and not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. "
            f"Got {scalar_name(self.dtype)}"
        )
    if self.dtype.name.startswith("float8"):
        promote_types(self.dtype, ops.float32)  # the norm would be taken in it: refused
    return Out(shape, self.dtype)


def _others(dim: int, ndim: int) -> tuple[int, ...]:
    return tuple(d for d in range(ndim) if d != wrap_dim(dim, ndim))


def _prepare(self: Any, p: Any, dim: int, maxnorm: Any) -> Callable[..., Any]:
    norm_of = prepare_vector_norm(self, p, _others(dim, self.ndim), True, None)
    real = self.real.dtype
    limit, one, least = (np.array(x, real) for x in (maxnorm, 1, 1e-7))
    greater, add, divide, where = np.greater, np.add, np.divide, np.where

    def kernel(self: Any, *_: Any) -> Any:
        norm = norm_of(self)
        larger = greater(norm, limit)
        add(norm, least, norm)
        return self * where(larger, divide(limit, norm, norm), one)

    return kernel


def _grad(g: Any, c: Any) -> Any:
    x, dims = c.self, _others(c.dim, c.self.dim())
    wide = ops.float32 if x.dtype.name in _HALF else ops.float64  # torch adds up in it
    kind = wide.to_complex() if x.is_complex() else wide
    norm = ops.linalg_vector_norm(x, c.p, dims, True, dtype=kind)
    along = conj(x) * g
    if x.is_complex():
        along = along.real
    along = of("sum.dim_IntList")(along, dims, True, dtype=wide)
    back = norm_grad(along, x, float(c.p), norm, dims, True)
    inverse = of("add.Scalar")(norm, 1e-7).reciprocal()
    across = g - inverse * back
    scaled = of("mul.Scalar")(inverse, c.maxnorm) * across
    scaled = scaled.to(g.dtype)
    return ops.where(norm > c.maxnorm, scaled, g)


op(
    "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
    says="Scale down slices along a dimension whose norm exceeds a maximum.",
    meta=_meta,
    prepare=_prepare,
    grad={"self": _grad},
    inplace=True,
    out=OutForm(overlap="whole"),
    samples="renorm",
    batch="whole_loop",
    autocast=("", "float32"),
    tags=("loops: functional", "loops: inplace", "independent_slices"),
)
