"""Formulas of gradients that torch has as operators, too: ``cumprod_backward`` and its kin.

Each is a composite of the formula by which the op itself is differentiated.
"""

from __future__ import annotations

import math
from typing import Any

from ..call.row import op
from ..core.operators import of, ops
from .cumulative import cummaxmin_backward, cumprod_backward, trace_backward
from .masking import masked_select_backward
from .reflected import watched
from .scatter import gather_backward
from .weight_norms import differentiable_backward

__all__: list[str] = []


def _index_select(grad: Any, self_sizes: Any, dim: int, index: Any) -> Any:
    zeros = grad.new_zeros(tuple(self_sizes))
    add = ops.index_add if watched(grad) else of("index_add_")
    return add(zeros, dim, index, grad)


def _gelu(grad: Any, self: Any) -> Any:
    cdf = (1 + (self * math.sqrt(0.5)).erf()) * 0.5
    pdf = (-0.5 * self * self).exp()
    return cdf.addcmul(self, pdf, value=1 / math.sqrt(2 * math.pi)) * grad


for _schema, _formula, _samples in (
    (
        "trace_backward(Tensor grad, SymInt[] sizes) -> Tensor",
        trace_backward,
        "trace_backward",
    ),
    (
        "cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor",
        cumprod_backward,
        "cumprod_backward",
    ),
    (
        "cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor",
        cummaxmin_backward,
        "cummaxmin_backward",
    ),
    (
        "gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) "
        "-> Tensor",
        gather_backward,
        "gather_backward",
    ),
    (
        "index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor",
        _index_select,
        "index_select_backward",
    ),
    (
        "masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor",
        masked_select_backward,
        "masked_select_backward",
    ),
    (
        "infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor",
        _gelu,
        "two_floats",
    ),
    (
        "_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, "
        "Tensor saved_norms, int dim) -> (Tensor, Tensor)",
        differentiable_backward,
        "_weight_norm_backward",
    ),
):
    op(_schema, composite=_formula, variants="", samples=_samples)
