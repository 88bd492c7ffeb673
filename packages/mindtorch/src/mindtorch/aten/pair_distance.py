"""``pdist``: the distances between all pairs of rows.

Source: torch aten/src/ATen/native/Distance.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import refuse
from ..call.row import Out, op
from ..core.operators import ops
from .derivatives import no_formula_for
from .distance_matrix import _lengths, _slopes

__all__: list[str] = []

_MEASURED = frozenset({"float32", "float64"})


def _pairs(rows: int) -> tuple[Any, Any]:
    return np.triu_indices(rows, 1)


def _meta(self: Any, p: float) -> Out:
    rows = self.shape[0]
    if rows > 1 and self.shape[1]:
        refuse(self.dtype, {"pdist": frozenset({self.dtype.name}) - _MEASURED}, self)
    return Out((max(rows * (rows - 1) // 2, 0),), self.dtype)


def _forward(self: Any, p: float) -> Any:
    first, second = _pairs(self.shape[0])
    return np.asarray(_lengths(self[first] - self[second], p), self.dtype)


def _backward(grad: Any, self: Any, p: float, pdist: Any) -> Any:
    first, second = _pairs(self.shape[0])
    out = np.zeros(self.shape, self.dtype)
    if not pdist.size or p == 0:
        return out
    pull = _slopes(grad, self[first] - self[second], pdist, p)
    np.add.at(out, first, pull)
    np.subtract.at(out, second, pull)
    return out


def _pdist(self: Any, p: float) -> Any:
    if self.dim() != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {self.dim()}D")
    if not self.dtype.is_floating_point:
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return ops._pdist_forward(self.contiguous(), p)


op(
    "_pdist_forward(Tensor self, float p=2.) -> Tensor",
    meta=_meta,
    kernel=_forward,
    half=False,
    variants="",
    grad={"self": lambda g, c: ops._pdist_backward(g, c.self, c.p, c.result)},
    tangent="not implemented",
)
op(
    "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
    meta=lambda grad, self, p, pdist: Out(tuple(self.shape), self.dtype),
    kernel=_backward,
    half=False,
    variants="",
    grad=no_formula_for("_pdist_backward", "grad", "self", "pdist"),
)
op(
    "pdist(Tensor self, float p=2.) -> Tensor",
    says="Return the distances between all pairs of rows of one matrix.",
    composite=_pdist,
    variants="function",
    samples="pdist",
    autocast=("", "float32"),
)
