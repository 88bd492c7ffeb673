"""Modified Bessel functions of the first kind: ``i0``, and ``i0e``, ``i1``, ``i1e`` of its slopes.

Near zero their power series, all of whose terms have one sign, and far from it the asymptotic one:
both are exact to a few units of float64, in which float32 is computed, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import of, ops
from .meta import COMPLEX
from .unary import unary

__all__: list[str] = []

Array = np.ndarray[Any, Any]

#: Where the asymptotic series takes over: its smallest term is e**-60 there.
_FAR = 30.0


def _near(a: Array, order: int) -> Array:
    """The power series, for ``0 <= a <= _FAR``."""
    square = a * a / 4
    term = a / 2 if order else np.ones_like(a)
    total = term.copy()
    for k in range(1, 200):
        term = term * (square / (k * (k + order)))
        total += term
        if (term <= total * 1e-17).all():
            break
    return total


def _far(a: Array, order: int) -> Array:
    """The asymptotic series, less the factor ``exp(a)``."""
    term = np.ones_like(a)
    total = term.copy()
    for k in range(1, 40):
        term = term * (((2 * k - 1) ** 2 - 4 * order * order) / (8 * k * a))
        total += term
    return total / np.sqrt(2 * np.pi * a)


def _bessel(order: int, scaled: bool) -> Callable[[Array], Array]:
    """``I_order(x)``, or that by ``exp(-abs(x))``. Of infinity the former is NaN, as torch's."""

    def kernel(x: Array) -> Array:
        a = np.abs(x).astype(np.float64)
        far = a > _FAR
        with np.errstate(all="ignore"):
            out = np.where(far, 0.0, _near(np.where(far, 0.0, a), order))
            if scaled:
                out *= np.exp(-a)
            if far.any():
                beyond = _far(a[far], order)
                out[far] = beyond if scaled else beyond * np.exp(a[far] / 2) * np.exp(a[far] / 2)
                if not scaled:
                    out[np.isinf(a)] = np.nan
            out[np.isnan(a)] = np.nan
            if order:
                out = np.where(x < 0, -out, out)
            return out.astype(x.dtype)

    return kernel


def _safe(self: Any) -> tuple[Any, Any]:
    """Where ``self`` is not tiny, and itself with the least number in place of what is."""
    least = ops.finfo(self.dtype).eps
    large = self.abs() > least
    return large, ops.where(large, self, least)


def _i1_slope(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, i1_backward."""
    large, x = _safe(c.self)
    part = c.result * x.reciprocal()
    return g * of("where.ScalarOther")(large, ops.i0(x) - part, 0.5)


def _i1e_slope(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, i1e_backward."""
    large, x = _safe(c.self)
    inverse = x.reciprocal()
    part = c.result * (x.sgn() + inverse)
    return g * of("where.ScalarOther")(large, of("special_i0e")(x) - part, 0.5)


def _i0e_slope(g: Any, c: Any) -> Any:
    part = c.self.sgn() * c.result
    return g * (of("special_i1e")(c.self) - part)


for _name, _order, _scaled, _slope in (
    ("i0e", 0, True, _i0e_slope),
    ("i1", 1, False, _i1_slope),
    ("i1e", 1, True, _i1e_slope),
):
    unary(
        f"special_{_name}",
        _bessel(_order, _scaled),
        _slope,
        lacks=COMPLEX,
        cpu=f"{_name}_cpu",
        samples="unary_bessel",
        inplace=False,
        variants="function",
        module="special",
    )

unary(
    "i0",
    _bessel(0, scaled=False),
    lambda g, c: g * of("special_i1")(c.self),
    lacks=COMPLEX,
    cpu="i0_vml_cpu",
    samples="unary_bessel",
)
