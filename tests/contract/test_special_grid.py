"""Special functions over a grid: at poles, ends, infinities, NaN, the largest and least numbers."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.contract.both_frameworks import BOTH
from tests.contract.bounds import bound
from tests.contract.rows import ROWS

POINTS = (0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 1.5, 2.0, 2.5, 3.0, 7.5, 10.0, 33.0, 100.0, 1e3, 6e4)
#: Beyond the exponential of single precision and before that of twice as many bits, and so on.
STEEP = (88.0, 89.0, 91.0, 104.0, 700.0, 709.0, 171.5)
#: The functions of one argument, by the row that bounds them.
UNARY = {name: lambda t, x, name=name: getattr(t, name)(x) for name in ("digamma", "erf", "erfc")}
UNARY |= {
    name: lambda t, x, name=name: getattr(t, name)(x)
    for name in "erfinv lgamma i0 sinc logit expm1 log1p sigmoid".split()
}
UNARY |= {
    f"special_{name}": lambda t, x, name=name: getattr(t.special, name)(x)
    for name in (
        "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 entr erfcx i0e i1 i1e log_ndtr "
        "modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 ndtri "
        "scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0"
    ).split()
}
BINARY = {name: lambda t, x, y, name=name: getattr(t, name)(x, y) for name in ("igamma", "igammac")}
BINARY |= {
    f"special_{name}": lambda t, x, y, name=name: getattr(t.special, name)(x, y)
    for name in ("zeta", "xlog1py")
}
#: Where the oracle's own series is the less exact one: compared is where it is infinite or NaN.
COARSE = {
    *(f"special_{name}" for name in "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 i1".split()),
    "special_modified_bessel_i1",
    "igamma",
    "igammac",
}
DTYPES = ["float32", "float64", "float16", "bfloat16"]


def grid(t, dtype, more=()):
    """Numbers of *dtype*, of both signs, and NaN; not the least: a sine of it is noise."""
    info = t.finfo(getattr(t, dtype))
    found = [*POINTS, *more, info.tiny, info.eps, 1 - info.eps / 2, 1 + info.eps]
    return [*found, *(-v for v in found), info.max, math.inf, -math.inf, math.nan]


def results(t, function, dtype, columns):
    """What *function* makes of *columns* of numbers, or the error."""
    given = [t.tensor(column, dtype=t.float64).to(getattr(t, dtype)) for column in columns]
    try:
        result = function(t, *given)
    except (RuntimeError, NotImplementedError) as error:
        return type(error).__name__, str(error)
    return str(result.dtype).rpartition(".")[2], result.double().numpy()


def kinds(numbers):
    """Which are NaN, infinite and finite."""
    return np.where(np.isnan(numbers), "nan", np.where(np.isinf(numbers), np.sign(numbers), 0.0))


def compare(name, function, dtype, columns):
    """Both sides are infinite and NaN at the same places, and near each other elsewhere."""
    got, want = (results(t, function, dtype, columns) for t in BOTH)
    assert got[0] == want[0]
    if isinstance(want[1], str):
        assert got[1] == want[1]
        return
    differ = kinds(got[1]) != kinds(want[1])
    if name not in COARSE:
        finite = np.where(np.isfinite(want[1]), want[1], 0.0)
        mine = np.where(np.isfinite(want[1]), got[1], 0.0)
        differ |= ~np.isclose(mine, finite, *bound(ROWS[name], dtype))
    cases = zip(*columns, got[1], want[1], strict=True)
    assert not list(itertools.compress(cases, differ))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name, dtype):
    compare(name, UNARY[name], dtype, [grid(BOTH[1], dtype, STEEP)])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name, dtype):
    """Not where both are the largest: the oracle's series of such arguments overflow."""
    numbers = [v for v in grid(BOTH[1], dtype) if abs(v) < 1e30 or not math.isfinite(v)]
    pairs = list(itertools.product(numbers, numbers))
    compare(name, BINARY[name], dtype, list(zip(*pairs, strict=True)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("order", [0, 2, 3, 5, 33, 34, 35, 100, 170, 171, 180])
def test_polygamma(order, dtype):
    """Of large orders the factorial is infinite. Of order one the oracle has no poles."""
    numbers = [v for v in grid(BOTH[1], dtype) if abs(v) != 0.5]  # powers of them may underflow
    compare("polygamma", lambda t, x: t.polygamma(order, x), dtype, [numbers])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_mvlgamma(p, dtype):
    """Half types are rounded at each step, and so have more poles."""
    numbers = [v for v in grid(BOTH[1], dtype) if not v < -100]
    compare("mvlgamma", lambda t, x: t.mvlgamma(x, p), dtype, [numbers])


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("special_airy_ai", [-1e7, -1e8, -1e10, -1e15, 1e7, 1e30]),
        ("lgamma", [5e-324, -5e-324, 1e-310, 2.3e-308]),
    ],
)
def test_where_scipy_has_no_answer(name, numbers):
    got, want = (results(t, UNARY[name], "float64", [numbers])[1] for t in BOTH)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("way", ["none", "tanh"])
def test_the_largest_number_stays_through_gelu(way, dtype):
    """In single precision as it does for few elements."""

    def largest(t):
        x = t.tensor([t.finfo(getattr(t, dtype)).max], dtype=getattr(t, dtype))
        return t.nn.functional.gelu(x, approximate=way).item()

    got, want = map(largest, BOTH)
    assert got == want
