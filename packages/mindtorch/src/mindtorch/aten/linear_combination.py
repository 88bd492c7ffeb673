"""Sums of tensors that are slices of one, each times a number: ``_compute_linear_combination``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.row import Out, op
from ..core.dims import size_at
from .derivatives import not_implemented_for

__all__: list[str] = []


def _meta(input: Any, coefficients: Any) -> Out:
    terms = size_at(coefficients, 1)
    if input.dtype is not coefficients.dtype or size_at(input, 0) != terms:
        raise RuntimeError(
            "_compute_linear_combination: expected coefficients of the dtype of the input, one of "
            f"each slice, but got {coefficients.dtype}{list(coefficients.shape)} for "
            f"{input.dtype}{list(input.shape)}"
        )
    return Out((coefficients.shape[0], *input.shape[1:]), input.dtype)


def _combined(input: Any, coefficients: Any) -> Any:
    return np.tensordot(coefficients, input, 1)


def _added(target: Any, input: Any, coefficients: Any) -> Any:
    """torch adds to what *target* holds."""
    return target + _combined(input, coefficients)


op(
    "_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor",
    says="Return sums of the slices of a tensor along its first dimension, with coefficients."
    " With out they are added to what it holds.",
    meta=_meta,
    kernel=_combined,
    out_kernel=_added,
    grad=not_implemented_for("_compute_linear_combination", "input", "coefficients"),
    variants="function",
    out=True,
    tags=("not_on_meta",),
)
