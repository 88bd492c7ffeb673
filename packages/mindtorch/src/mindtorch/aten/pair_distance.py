"""``pdist``: the distances between all pairs of rows.

Source: torch aten/src/ATen/native/Distance.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..call.elementwise_meta import refuse
from ..call.row import Out, op
from ..core.operators import ops
from .derivatives import no_formula_for
from .distance_matrix import BLOCK, lengths, slopes

__all__: list[str] = []

_MEASURED = frozenset({"float32", "float64"})


def _pairs(rows: int) -> tuple[Any, Any]:
    return np.triu_indices(rows, 1)


def _meta(self: Any, p: float) -> Out:
    rows = self.shape[0]
    if rows > 1 and self.shape[1]:
        refuse(self.dtype, {"pdist": frozenset({self.dtype.name}) - _MEASURED}, self)
    return Out((max(rows * (rows - 1) // 2, 0),), self.dtype)


def _prepare_forward(self: Any, p: float) -> Callable[..., Any]:
    if self.shape[0] * self.size > 2 * BLOCK:
        return _forward_by_rows
    first, second = _pairs(self.shape[0])
    length, subtract = lengths(p, self[first]), np.subtract

    def kernel(self: Any, p: float) -> Any:
        apart = self.take(first, 0)
        return length(subtract(apart, self.take(second, 0), apart))

    return kernel


def _rows(self: Any) -> Iterator[tuple[int, slice, Any]]:
    """Each row, where its distances from all later ones stand, and its differences from them."""
    start, rows = 0, len(self)
    for i in range(rows - 1):
        stop = start + rows - 1 - i
        yield i, slice(start, stop), self[i] - self[i + 1 :]
        start = stop


def _forward_by_rows(self: Any, p: float) -> Any:
    rows = len(self)
    out = np.empty(rows * (rows - 1) // 2, self.dtype)
    for _, place, apart in _rows(self):
        out[place] = lengths(p, apart)(apart)
    return out


def _backward_by_rows(grad: Any, self: Any, p: float, pdist: Any) -> Any:
    out = np.zeros(self.shape, self.dtype)
    for i, place, apart in _rows(self):
        pull = slopes(grad[place], apart, pdist[place], p)
        out[i] += pull.sum(0)
        out[i + 1 :] -= pull
    return out


def _prepare_backward(grad: Any, self: Any, p: float, pdist: Any) -> Callable[..., Any]:
    if self.shape[0] * self.size > 2 * BLOCK and p and pdist.size:
        return _backward_by_rows
    first, second = _pairs(self.shape[0])
    shape, dtype, zeros = self.shape, self.dtype, np.zeros
    if not pdist.size or p == 0:
        return lambda *_: zeros(shape, dtype)
    add, subtract = np.add.at, np.subtract.at

    def kernel(grad: Any, self: Any, p: float, pdist: Any) -> Any:
        out = zeros(shape, dtype)
        pull = slopes(grad, self.take(first, 0) - self.take(second, 0), pdist, p)
        add(out, first, pull)
        subtract(out, second, pull)
        return out

    return kernel


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
    prepare=_prepare_forward,
    half=False,
    variants="",
    grad={"self": lambda g, c: ops._pdist_backward(g, c.self, c.p, c.result)},
    tangent="not implemented",
)
op(
    "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
    meta=lambda grad, self, p, pdist: Out(tuple(self.shape), self.dtype),
    prepare=_prepare_backward,
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
    tags=("loops: functional",),
)
