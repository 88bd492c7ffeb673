"""Histograms in one and more dimensions, and factors of symmetric matrices: values and checks."""

import pytest

from tests.contract.both_frameworks import agree, refuse


def points(t):
    return t.tensor([1.0, 2, 1, 3, 0.5])


HISTOGRAMS = {
    "count": lambda t, x: t.histogram(x, 4),
    "range": lambda t, x: t.histogram(x, 4, range=(0.0, 3.0)),
    "no width": lambda t, x: t.histogram(x, 4, range=(1.0, 1.0)),
    "density": lambda t, x: t.histogram(x, 4, weight=x, density=True),
    "edges": lambda t, x: t.histogram(x, t.tensor([0.0, 1, 2, 3])),
    "falling edges": lambda t, x: t.histogram(x, t.tensor([3.0, 1.0])),
    "nothing": lambda t, x: t.histogram(x[:0], 3),
    "equal": lambda t, x: t.histogram(t.ones(3), 3),
    "nan": lambda t, x: t.histogram(t.tensor([1.0, float("nan"), 2]), 3, range=(0.0, 3.0)),
    "number": lambda t, x: t.histogram(x[0], 2),
    "method": lambda t, x: x.histogram(3),
    "out": lambda t, x: t.histogram(x, 3, out=(t.empty(0), t.empty(0))),
    "half": lambda t, x: t.histogram(x.half(), 3, range=(0.0, 3.0)),
    "two counts": lambda t, x: t.histogramdd(x[:4].view(2, 2), [3, 2]),
    "one count": lambda t, x: t.histogramdd(x[:4].view(2, 2), 2),
    "two ranges": lambda t, x: t.histogramdd(
        x[:4].view(2, 2), [2, 3], range=[0.0, 1, 0, 2], weight=x[:2], density=True
    ),
    "two edges": lambda t, x: t.histogramdd(x[:4].view(2, 2), [t.arange(3.0), t.arange(4.0)]),
    "batch": lambda t, x: t.histogramdd(x[:4].view(2, 1, 2), [2, 2], weight=t.ones(2, 1)),
}

WRONG = {
    "no bins": lambda t, x: t.histogram(x, 0),
    "integers": lambda t, x: t.histogram(x.long(), 4),
    "low precision": lambda t, x: t.histogram(x.half(), 4),
    "complex": lambda t, x: t.histogram(x.cfloat(), 2),
    "fewer weights": lambda t, x: t.histogram(x, 4, weight=x[:2]),
    "other weights": lambda t, x: t.histogram(x, 4, weight=x.double()),
    "falling range": lambda t, x: t.histogram(x, 4, range=(3.0, 1.0)),
    "endless range": lambda t, x: t.histogram(x, 4, range=(1.0, float("inf"))),
    "half a range": lambda t, x: t.histogram(x, 4, range=(1.0,)),
    "nan": lambda t, x: t.histogram(x * float("nan"), 4),
    "other edges": lambda t, x: t.histogram(x, t.tensor([0, 1, 2])),
    "table of edges": lambda t, x: t.histogram(x, t.ones(2, 2)),
    "no edges": lambda t, x: t.histogram(x, x[:0]),
    "one edge": lambda t, x: t.histogram(x, x[:1]),
    "out": lambda t, x: t.histogram(x, 3, out=(t.empty(0).double(), t.empty(0))),
    "other dimensions": lambda t, x: t.histogramdd(x[:4].view(2, 2), [3]),
    "no dimensions": lambda t, x: t.histogramdd(x, [2]),
    "number": lambda t, x: t.histogramdd(x[0], [2]),
    "too few ranges": lambda t, x: t.histogramdd(x[:4].view(2, 2), [2, 3], range=[0.0, 1]),
    "too few edges": lambda t, x: t.histogramdd(x[:4].view(2, 2), [t.arange(2.0)]),
    "a gradient": lambda t, x: t.histogram(x.requires_grad_(), 3).hist.sum().backward(),
}


@pytest.mark.parametrize("case", HISTOGRAMS)
def test_histograms(case):
    agree(lambda t: HISTOGRAMS[case](t, points(t)))


@pytest.mark.parametrize("case", WRONG)
def test_what_has_no_histogram(case):
    refuse(lambda t: WRONG[case](t, points(t)))


def symmetric(t, dtype="float64"):
    a = (t.arange(48, dtype=t.float64) * 1.3).sin().view(3, 4, 4)
    if dtype == "complex128":
        a = t.complex(a, a.flip(0))
    return a + a.mT


@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_factors_of_symmetric_matrices_solve(dtype, hermitian):
    def program(t):
        a = symmetric(t, dtype)
        a = a + a.mH if hermitian else a
        factors, pivots = t.linalg.ldl_factor(a, hermitian=hermitian)
        x = t.linalg.ldl_solve(factors, pivots, a[..., :2] * 2, hermitian=hermitian)
        near = [t.view_as_real(v).mul(1e8).round().add(0.0) for v in (factors + 0j, x + 0j)]
        return *near, pivots, factors.stride(), x.stride()

    agree(program)


@pytest.mark.parametrize("shape", [(0, 2, 2), (2, 0, 0), (2, 2)], ids=str)
def test_factors_of_what_is_empty_or_zero(shape):
    agree(lambda t: t.linalg.ldl_factor_ex(t.zeros(shape)))


UNSOLVABLE = {
    "singular": lambda t, f, p: t.linalg.ldl_factor(t.zeros(2, 2)),
    "singular, checked": lambda t, f, p: t.linalg.ldl_factor_ex(t.zeros(2, 2), check_errors=True),
    "not square": lambda t, f, p: t.linalg.ldl_factor(f[:, :2]),
    "vector": lambda t, f, p: t.linalg.ldl_factor(f[0, 0]),
    "integers": lambda t, f, p: t.linalg.ldl_factor(f.long()),
    "low precision": lambda t, f, p: t.linalg.ldl_factor(f.half()),
    "pivots of numbers": lambda t, f, p: t.linalg.ldl_solve(f, p.float(), f),
    "fewer pivots": lambda t, f, p: t.linalg.ldl_solve(f, p[:, :2], f),
    "other rows": lambda t, f, p: t.linalg.ldl_solve(f, p, f[:, :2]),
    "other dtype": lambda t, f, p: t.linalg.ldl_solve(f, p, f.float()),
    "a gradient": lambda t, f, p: t.linalg.ldl_solve(f, p, f.requires_grad_()).sum().backward(),
}


@pytest.mark.parametrize("case", UNSOLVABLE)
def test_what_cannot_be_factored_or_solved(case):
    refuse(lambda t: UNSOLVABLE[case](t, *t.linalg.ldl_factor(symmetric(t))))
