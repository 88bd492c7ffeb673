"""Functions at infinities, NaN and signed zeros, part by part of complex numbers."""

from __future__ import annotations

import contextlib
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


#: Sums that multiply the second operand by a number, 1 if none is said.
SUMS = {
    "sum": lambda t, a, b: a + b,
    "difference": lambda t, a, b: a - b,
    "alpha": lambda t, a, b: t.sub(a, b, alpha=1j),
    "rsub": lambda t, a, b: t.rsub(a, b),
    "a number after": lambda t, a, b: a - complex(math.inf, 0),
    "a number before": lambda t, a, b: 1 - b,
    "a real tensor": lambda t, a, b: a.real - b,
    "in place": lambda t, a, b: a.clone().sub_(b).add_(b),
    "out": lambda t, a, b: t.sub(a, b, out=t.empty_like(a)),
    "addcmul": lambda t, a, b: t.addcmul(a, a, b),
    "addcmul in place": lambda t, a, b: a.clone().addcmul_(b, a, value=-1),
    "one element": lambda t, a, b: t.stack([a[i] - b[i] for i in range(0, a.numel(), 331)]),
    "foreach": lambda t, a, b: t._foreach_sub([a], [b])[0],
    "over a batch": lambda t, a, b: t.vmap(lambda x, y: x + y)(a, b),
    "a gradient of two": lambda t, a, b: _gradient_of_two(t, a, b),
}


def _gradient_of_two(t, a, b):
    """What the engine adds up where a leaf is used twice."""
    leaf = a.clone().requires_grad_()
    return t.autograd.grad(leaf * 1 + leaf * 2, leaf, b)[0]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_sums_of_complex_numbers_multiply_the_second_by_one(dtype):
    """An infinite part makes the other one NaN, and zeros have the signs that come of it."""
    firsts, seconds = zip(*itertools.product(COMPLEX, COMPLEX))

    def results(t, way):
        a, b = (t.tensor(x, dtype=getattr(t, dtype)) for x in (firsts, seconds))
        with way(t):
            return {name: of(t, a, b) for name, of in SUMS.items()}

    want = results(BOTH[1], lambda t: contextlib.nullcontext())
    # Three times: calls that have come before are made by a function of their own.
    for way in (*[lambda t: contextlib.nullcontext()] * 3, lambda t: t.pipeline()):
        got = results(BOTH[0], way)
        for name, expected in want.items():
            ours, theirs = (np.atleast_1d(x.numpy()) for x in (got[name], expected))
            parts = ours.real.dtype
            ours, theirs = ours.view(parts), theirs.view(parts)
            alike = (ours == theirs) & (np.signbit(ours) == np.signbit(theirs))
            alike |= np.isnan(ours) & np.isnan(theirs)
            assert alike.all(), (name, ours[~alike][:4], theirs[~alike][:4])


def test_gradients_of_running_products_are_nan_where_torchs_are():
    """Beside zeros a NaN reaches the places that torch's masks let it reach."""
    numbers = (0.0, 1.0, -2.0, math.nan, math.inf)
    rows = list(itertools.product(numbers, repeat=4))

    def gradient(t):
        x = t.tensor(rows, dtype=t.float64, requires_grad=True)
        (x.cumprod(1) * t.arange(1.0, 5.0)).sum().backward()
        return x.grad.numpy()

    np.testing.assert_array_equal(*map(gradient, BOTH))


def test_second_gradients_of_running_products_beside_zeros():
    """The formula that is differentiated again leaves out nothing that a zero hides."""
    rows = list(itertools.product((0.0, 1.0, -2.0), repeat=4))

    def gradient(t):
        x = t.tensor(rows, dtype=t.float64, requires_grad=True)
        (first,) = t.autograd.grad(x.cumprod(1).sin().sum(), x, create_graph=True)
        return t.autograd.grad(first.square().sum(), x)[0].numpy()

    np.testing.assert_allclose(*map(gradient, BOTH), rtol=1e-12)
