"""The regularised incomplete gamma functions ``igamma`` (lower) and ``igammac`` (upper).

The series below the parameter, the continued fraction above it; float32 is computed in float64.
For parameters above 20 and numbers near them torch's own series is exact to nine digits only.
What they say at zero, infinity and below zero is torch's.
Source of that: torch aten/src/ATen/native/Math.h, calc_igamma and calc_igammac.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .derivatives import no_formula_for
from .meta import NOT_REAL_FLOATING, elementwise
from .row import op
from .special import lgamma

__all__: list[str] = []

Array = np.ndarray[Any, Any]

#: More terms than are needed for parameters up to a hundred million.
_MOST = 100_000
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)


def _factor(a: Array, x: Array) -> Array:
    """``x**a * exp(-x) / gamma(a)``."""
    small = a < 20
    out = np.exp(a * np.log(x) - x - lgamma(a))
    b = np.where(small, 20.0, a)  # by Stirling's series: the large parts cancel beforehand
    off = (x - b) / b
    rest = sum(s / b ** (2 * k + 1) for k, s in enumerate(_STIRLING))
    large = np.exp(-b * (off - np.log1p(off)) - rest) * np.sqrt(b / (2 * np.pi))
    return np.where(small, out, large)


def _series(a: Array, x: Array) -> Array:
    """The lower function without its factor."""
    term = 1 / a
    total = term.copy()
    n = a.copy()
    for _ in range(_MOST):
        n = n + 1
        term = term * (x / n)
        total += term
        if not (term > total * 1e-17).any():
            break
    return total


def _fraction(a: Array, x: Array) -> Array:
    """The upper function without its factor, by Lentz's algorithm."""
    tiny = 1e-300
    b = x + 1 - a
    c = np.full_like(b, 1 / tiny)
    d = 1 / np.where(b == 0, tiny, b)
    out = d.copy()
    for i in range(1, _MOST):
        step = -i * (i - a)
        b = b + 2
        d = step * d + b
        d = 1 / np.where(d == 0, tiny, d)
        c = b + step / c
        c = np.where(c == 0, tiny, c)
        change = c * d
        out *= change
        if not (np.abs(change - 1) > 2e-16).any():
            break
    return out


def _both(a: Array, x: Array) -> tuple[Array, Array]:
    """The lower and the upper function of positive finite numbers."""
    lower = np.empty_like(x)
    upper = np.empty_like(x)
    factor = _factor(a, x)
    below = x <= a + 1
    if below.any():
        lower[below] = _series(a[below], x[below]) * factor[below]
        upper[below] = 1 - lower[below]
    above = ~below
    if above.any():
        upper[above] = _fraction(a[above], x[above]) * factor[above]
        lower[above] = 1 - upper[above]
    return lower, upper


def _kernel(upper: bool) -> Callable[[Array, Array], Array]:
    def kernel(self: Array, other: Array) -> Array:
        a, x = (t.astype(np.float64) for t in np.broadcast_arrays(self, other))
        none, all_ = (1.0, 0.0) if upper else (0.0, 1.0)
        with np.errstate(all="ignore"):
            out = np.full(a.shape, np.nan)
            usual = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
            out[usual] = _both(a[usual], x[usual])[upper]
            out[(a > 0) & (x == 0)] = none
            out[(a == 0) & (x > 0)] = all_
            out[np.isinf(a) & (a > 0) & (x >= 0) & np.isfinite(x)] = none
            out[np.isinf(x) & (x > 0) & (a > 0) & np.isfinite(a)] = all_
            return out.astype(self.dtype)

    return kernel


def _slope(a: Any, x: Any) -> Any:
    """The density of the gamma distribution, with which both functions change."""
    total = a.lgamma()
    logs = x.log()
    weights = (a - 1) * logs
    return (weights - x - total).exp()


for _name, _upper, _grad in (
    ("igamma", False, lambda g, c: g * _slope(c.self, c.other)),
    ("igammac", True, lambda g, c: g * _slope(c.self, c.other).neg()),
):
    op(
        f"{_name}(Tensor self, Tensor other) -> Tensor",
        meta=elementwise("common", 2, cpu={f"{_name}_cpu": NOT_REAL_FLOATING}),
        kernel=_kernel(_upper),
        promote="common",
        grad={**no_formula_for(f"{_name}: input", "self"), "other": _grad},
        inplace=True,
        out=True,
        samples="incomplete_gamma",
        tags=("pointwise",),
    )
