"""The regularised incomplete gamma functions ``igamma`` (lower) and ``igammac`` (upper)."""

from __future__ import annotations

from typing import Any

from ..call.elementwise_meta import NOT_REAL_FLOATING, elementwise
from ..call.row import op
from .derivatives import no_formula_for
from .special import from_scipy

__all__: list[str] = []


def _slope(a: Any, x: Any) -> Any:
    """The density of the gamma distribution, with which both functions change."""
    total = a.lgamma()
    logs = x.log()
    weights = (a - 1) * logs
    return (weights - x - total).exp()


for _name, _scipy, _grad, _says in (
    (
        "igamma",
        "gammainc",
        lambda g, c: g * _slope(c.self, c.other),
        "Return the regularised lower incomplete gamma function.",
    ),
    (
        "igammac",
        "gammaincc",
        lambda g, c: g * _slope(c.self, c.other).neg(),
        "Return the regularised upper incomplete gamma function.",
    ),
):
    op(
        f"{_name}(Tensor self, Tensor other) -> Tensor",
        says=_says,
        meta=elementwise("common", 2, cpu={f"{_name}_cpu": NOT_REAL_FLOATING}),
        prepare=from_scipy(_scipy),
        promote="common",
        grad={**no_formula_for(f"{_name}: input", "self"), "other": _grad},
        inplace=True,
        out=True,
        samples="incomplete_gamma",
        tangent="not implemented",
        tags=("pointwise", "loops: inplace"),
    )
