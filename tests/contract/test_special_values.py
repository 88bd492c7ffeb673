"""Functions at infinities, NaN and signed zeros, part by part of complex numbers."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.contract.both_frameworks import BOTH

PARTS = (0.0, -0.0, 1.0, -1.0, 2.5, math.inf, -math.inf, math.nan)
COMPLEX = [complex(a, b) for a, b in itertools.product(PARTS, PARTS)]

#: Of functions of complex numbers; ``log1p`` and ``expm1`` are numpy's where a part is NaN.
UNARY = (
    "acos", "acosh", "angle", "asin", "asinh", "atan", "atanh", "conj_physical", "cos", "cosh",
    "exp", "exp2", "isfinite", "isinf", "isnan", "log", "log10", "log2", "neg", "reciprocal",
    "sgn", "sigmoid", "sin", "sinh", "sqrt", "square", "tan", "tanh",
)  # fmt: skip


def pairs(result):
    """The numbers of *result* as real ones."""
    return np.atleast_1d(result.resolve_conj().numpy()).view(np.float64)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_complex_numbers_are_infinite_and_nan_where_torchs_are(name):
    """Each part has torch's number, NaN or infinity."""

    def result(t):
        found = getattr(t, name)(t.tensor(COMPLEX, dtype=t.complex128))
        return found if found.dtype is t.bool else pairs(found)

    got, want = (np.asarray(result(t)) for t in BOTH)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("base", [1, 1.0, 1 + 0j, True, 2])
def test_complex_powers_of_one_are_one(base):
    """Whatever the exponent, where torch sees the number one; it does not see it in ``True``."""
    exponents = [2j, 0.5, complex(math.inf, 0), complex(math.nan, 1)]
    got, want = (pairs(t.pow(base, t.tensor(exponents, dtype=t.complex128))) for t in BOTH)
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_zeta_has_a_pole_at_one_whatever_its_second_argument():
    """It is infinite there, and NaN where the second argument is infinite elsewhere."""
    s, q = zip(*itertools.product((0.5, 1.0, 2.0, 2.5, math.nan), (*PARTS, -1.5)))
    got, want = (t.special.zeta(t.tensor(s), t.tensor(q)).numpy() for t in BOTH)
    np.testing.assert_allclose(got, want, rtol=1e-6)
