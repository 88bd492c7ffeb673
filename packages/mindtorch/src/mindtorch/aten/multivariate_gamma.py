"""The logarithm of the multivariate gamma function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import can_cast
from mindtorch_storage.dtype import bool_

from ..call.elementwise_meta import COMPLEX, elementwise
from ..call.row import Out, op
from ..core.copies import cast
from ..core.half_precision import widened
from ..core.operators import of
from .special import prepare_lgamma

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _meta(self: Any, p: int) -> Out:
    if self.dtype is bool_:
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    return elementwise("float", 1, cpu={"arange_cpu": COMPLEX})(self)


def _onto(target: Any, self: Any, p: int) -> Out:
    found = _meta(self, p)
    if not can_cast(found.dtype, target.dtype):  # torch names the one for the other
        raise RuntimeError(
            f"mvlgamma: result type {self.dtype.scalar_type} can't be cast to the desired output "
            f"type {found.dtype.scalar_type}"
        )
    return Out(found.shape, target.dtype, found.strides)


def _prepare(self: Array, p: int) -> Callable[[Array, int], Array]:
    dtype, wide = self.dtype, widened(self[..., None])
    lgamma, constant = prepare_lgamma(wide), p * (p - 1) * math.log(math.pi) / 4
    steps = np.arange(1 - p, 1).astype(wide.dtype) / 2

    def rounded(v: Array) -> Array:
        """As torch leaves it after each step, in the half types."""
        return v if wide.dtype == dtype else widened(cast(v, dtype))

    def kernel(self: Array, p: int) -> Array:
        parts = rounded(lgamma(rounded(widened(self)[..., None] + steps)))
        total = rounded(np.add.reduce(parts, -1)) + rounded(wide.dtype.type(constant))
        return cast(total, dtype)

    return kernel


def _slope(g: Any, c: Any) -> Any:
    steps = of("arange.start_step")(
        -c.p / 2.0 + 0.5, 0.5, 0.5, c.self.dtype, c.self.layout, c.self.device, None
    )
    return g * (steps + c.self.unsqueeze(-1)).digamma_().sum(-1)


op(
    "mvlgamma(Tensor self, int p) -> Tensor",
    says="Return the logarithm of the multivariate gamma function of dimension p.",
    meta=_meta,
    prepare=_prepare,
    half=False,
    promote="float",
    grad={"self": _slope},
    inplace=True,
    out=True,
    out_meta=_onto,
    samples="mvlgamma",
    tags=("pointwise",),
)
