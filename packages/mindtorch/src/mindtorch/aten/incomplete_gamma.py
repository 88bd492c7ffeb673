"""The regularised incomplete gamma functions ``igamma`` (lower) and ``igammac`` (upper)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import NOT_REAL_FLOATING, elementwise
from ..call.row import op
from .derivatives import no_formula_for
from .special import Array, Prepare, loaded

__all__: list[str] = []


def _slope(a: Any, x: Any) -> Any:
    """The density of the gamma distribution, with which both functions change."""
    total = a.lgamma()
    logs = x.log()
    weights = (a - 1) * logs
    return (weights - x - total).exp()


def _at_ends(name: str, first: float) -> Prepare:
    """scipy's ufunc *name*, which is *first* where its second argument is 0 or its first infinite.

    As torch's, and unlike scipy's, it is so where the other argument is NaN, too.
    """

    def kernel(a: Array, x: Array) -> Array:
        out = loaded(name)(a, x)
        if not np.isnan(out).any():
            return out
        begins = (np.isnan(a) & (x == 0)) | ((a == np.inf) & np.isnan(x))
        ends = np.isnan(a) & (x == np.inf)
        return np.select([begins, ends], [first, 1 - first], out).astype(out.dtype)

    return lambda a, x: kernel


for _name, _prepare, _grad, _says in (
    (
        "igamma",
        _at_ends("gammainc", 0.0),
        lambda g, c: g * _slope(c.self, c.other),
        "Return the regularised lower incomplete gamma function.",
    ),
    (
        "igammac",
        _at_ends("gammaincc", 1.0),
        lambda g, c: g * _slope(c.self, c.other).neg(),
        "Return the regularised upper incomplete gamma function.",
    ),
):
    op(
        f"{_name}(Tensor self, Tensor other) -> Tensor",
        says=_says,
        meta=elementwise("common", 2, cpu={f"{_name}_cpu": NOT_REAL_FLOATING}),
        prepare=_prepare,
        promote="common",
        grad={**no_formula_for(f"{_name}: input", "self"), "other": _grad},
        inplace=True,
        out=True,
        samples="incomplete_gamma",
        tangent="not implemented",
        tags=("pointwise", "loops: inplace"),
    )
