"""How far a result may be from the oracle's: the bounds that ``docs/exactness.md`` names.

A row's bound follows from its facts: rows that only move, compare or round numbers, and the few
functions that every processor computes alike, are owed to the bit; other elementwise rows within
four units in the last place; what adds up many terms within :data:`SUMS`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["COMPLEX_UNITS", "GRADIENT", "NARROW", "SUMS", "UNITS", "WIDER", "bound"]

#: ``(relative, absolute)``, as ``numpy.isclose`` takes them.
Bound = tuple[float, float]

#: Units in the last place that elementwise functions may be off: of real numbers, of complex ones.
UNITS: Final = 4
COMPLEX_UNITS: Final = 8
_EPS: Final = {"float32": 2.0**-23, "float64": 2.0**-52}
#: What float16 and bfloat16 may be off: one rounding of a wider result.
NARROW: Final[dict[str, Bound]] = {"float16": (1e-3, 1e-4), "bfloat16": (8e-3, 1e-3)}
#: Sums of many terms: products of matrices, convolutions, means, norms, transforms, factors.
SUMS: Final[dict[str, Bound]] = {
    "float32": (2e-6, 2e-6),
    "float64": (1e-13, 1e-14),
    "float16": (1e-3, 1e-3),
    "bfloat16": (8e-3, 8e-3),
}
#: Gradients of float64, of first and second order.
GRADIENT: Final[Bound] = (1e-9, 1e-11)
#: Sums that are rounded to 8 bits: they may fall on either side of a tie.
_SUMS_IN_8_BITS: Final[dict[str, Bound]] = {
    "float8_e4m3fn": (2.0**-3, 2.0**-9),
    "float8_e5m2": (2.0**-2, 2.0**-16),
}
#: numpy's functions whose result IEEE 754 fixes, for real numbers. Not the square root: that of the
#: oracle's vector library is a unit off on some processors.
_EXACT: Final = frozenset(
    (np.add, np.subtract, np.multiply, np.true_divide, np.square)
    + (np.negative, np.positive, np.floor, np.ceil, np.trunc, np.maximum, np.minimum)
    + (np.fmax, np.fmin, np.copysign, np.nextafter, np.remainder, np.fmod)
)
#: Elementwise functions that may be further off, by how many units: beginning of the name.
WIDER: Final[dict[str, float]] = {
    # Sums of as many terms as the degree, which cancel.
    "special_chebyshev_polynomial": 16,
    "special_shifted_chebyshev_polynomial": 32,  # the oracle's cosine of a multiple of an angle
    "special_hermite_polynomial": 16,
    "special_laguerre_polynomial": 16,
    "special_legendre_polynomial": 16,
    # Where the oracle's own series is the less exact one.
    "digamma": 8,
    "igamma": 8,
    "polygamma": 2.0**23,
    "special_polygamma": 2.0**23,
    # A quotient whose terms the oracle's vector unit fuses.
    "mish_backward": 8,
}


def _last_place(dtype: str, units: float) -> Bound:
    """*units* in the last place of the result, or of one where the result is smaller than that."""
    reach = units * _EPS[dtype]
    return reach, reach


def bound(row: Any, dtype: str) -> Bound:
    """How far results of *dtype* may be off in *row*.

    Integers that become floats are float32; between whole numbers that bound sees any difference.
    """
    moves = row.view is not None or (row.promote is None and not row.half)
    if row.promote in ("bool", "integral") or (moves and "rounds" not in row.tags):
        return 0.0, 0.0
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    elementwise = "pointwise" in row.tags
    if real in _SUMS_IN_8_BITS and not elementwise:
        return _SUMS_IN_8_BITS[real]
    real = real if real in SUMS else "float32"
    if real in NARROW:
        return (NARROW if elementwise else SUMS)[real]
    if row.ufunc in _EXACT and real == dtype and "alpha" not in row.schema:
        return 0.0, 0.0
    units = UNITS if real == dtype else COMPLEX_UNITS
    units = next((n for base, n in WIDER.items() if row.base.startswith(base)), units)
    return _last_place(real, units) if elementwise else max(SUMS[real], _last_place(real, units))
