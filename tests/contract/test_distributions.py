"""``torch.distributions``: numbers, samples, gradients, reprs and refusals are the oracle's."""

import re

import numpy as np
import pytest

from tests.contract.both_frameworks import ours, torch
from tests.contract.distribution_cases import BAD, GOOD, build
from tests.contract.hearing import hearing

NAMES = sorted(torch.distributions.__all__)


def comparable(value):
    """*value* as plain data, tensors as arrays."""
    if hasattr(value, "detach") and hasattr(value, "numpy"):
        return value.detach().numpy()
    if isinstance(value, (list, tuple)) and not hasattr(value, "numel"):
        return [comparable(v) for v in value]
    if isinstance(value, (int, float, str, bool, type(None))):
        return value
    return re.sub(r"\bmindtorch\b", "torch", repr(value))


def told(error):
    return f"{type(error).__name__}: {error}".replace("mindtorch.", "torch.")


def outcome(fn, t):
    t.manual_seed(7)
    with hearing() as heard:
        try:
            result = comparable(fn(t))
        except Exception as error:
            result = told(error)
    messages = [str(w.message).replace("mindtorch.", "torch.") for w in heard]
    return result, messages


@pytest.fixture(autouse=True)
def arguments_are_checked():
    """As at first: torch checks none any more once its compiler was loaded."""
    for t in (ours, torch):
        t.distributions.Distribution.set_default_validate_args(True)


def check(got, want, tolerance):
    if isinstance(want, np.ndarray):
        assert isinstance(got, np.ndarray), f"{got!r}, not {want!r}"
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if want.dtype == np.float32:
            tolerance = max(tolerance, 3e-5)
        scale = np.abs(want[np.isfinite(want)]).max(initial=1.0) if want.dtype.kind == "f" else 0
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * scale)
    elif isinstance(want, list):
        assert isinstance(got, list), got
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            check(one, other, tolerance)
    else:
        assert got == want


def same(fn, tolerance=3e-5):
    """Both frameworks return, raise and warn the same; returns what that is."""
    got, want = outcome(fn, ours), outcome(fn, torch)
    check(got[0], want[0], tolerance)
    assert got[1] == want[1]
    return want[0]


def label(case):
    return f"{case[0]}-{'-'.join(case[1])}"


each_case = pytest.mark.parametrize("case", GOOD, ids=[label(c) for c in GOOD])


def facts(d):
    return [
        repr(d),
        d.batch_shape,
        d.event_shape,
        d.has_rsample,
        d.has_enumerate_support,
        repr(d.support),
        d.support.is_discrete,
        d.support.event_dim,
        repr(d.arg_constraints),
        d._validate_args,
    ]


def attempt(fn, *args):
    try:
        return fn(*args)
    except NotImplementedError as error:
        return told(error)


def moments(d):
    numbers = [attempt(getattr, d, n) for n in ("mean", "mode", "variance", "stddev")]
    return [*numbers, attempt(d.entropy), attempt(d.perplexity)]


def drawn(d):
    found = [d.sample(), d.sample((3,)), d.sample((2, 3)).shape]
    return [*found, attempt(d.rsample, (4,))]


def values_of(t, d):
    """Values of the support, the same for both frameworks."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return t.tensor(d.sample((5,)).numpy())


def probabilities(t, d, oracle):
    values = values_of(t, oracle)
    u = t.tensor([[0.1], [0.5], [0.9]])
    return [attempt(d.log_prob, values), attempt(d.cdf, values), attempt(d.icdf, u)]


@each_case
def test_facts_and_moments(case):
    same(lambda t: facts(build(t, case)))
    same(lambda t: moments(build(t, case)))


@each_case
def test_samples(case):
    same(lambda t: drawn(build(t, case)))
    same(lambda t: drawn(build(t, case, dtype="float64")), 1e-9)


@each_case
def test_probabilities(case):
    oracle = build(torch, case)
    same(lambda t: probabilities(t, build(t, case), oracle))
    same(lambda t: [attempt(build(t, case).enumerate_support, e) for e in (True, False)])


@each_case
def test_expanded(case):
    def expanded(t):
        d = build(t, case)
        e = d.expand((4, *d.batch_shape))
        values = values_of(t, build(torch, case).expand(e.batch_shape))
        numbers = [attempt(e.log_prob, values), attempt(getattr, e, "mean")]
        if case[0] != "Multinomial":  # the oracle's forgets what it needs
            numbers.append(attempt(e.entropy))
        return [facts(e), drawn(e), *numbers]

    same(expanded)


@each_case
def test_gradients(case):
    def slopes(t):
        leaves = []
        d = build(t, case, leaves)
        values = values_of(t, build(torch, case))
        results = [d.log_prob(values)]
        if d.has_rsample and "StraightThrough" not in case[0]:
            results.append(d.rsample((3,)))
        found = []
        for result in results:
            if result.requires_grad:
                weights = t.linspace(0.5, 1.5, result.numel()).reshape(result.shape)
                grads = t.autograd.grad(
                    (result * weights).sum(), leaves, allow_unused=True, retain_graph=True
                )
                found.append(grads)
        return found

    same(slopes, 2e-4)


@each_case
def test_values_outside_the_support(case):
    def refused(t):
        d = build(t, case)
        shape = (*d.batch_shape, *d.event_shape)
        told_ = []
        for value in (t.full(shape, float("nan")), t.full((*shape, 7), 0.5), 1.0):
            try:
                d.log_prob(value)
                told_.append("nothing")
            except Exception as error:
                told_.append(told(error))
        return told_

    same(refused)


@pytest.mark.parametrize("case", BAD, ids=[f"{i}-{label(c)}" for i, c in enumerate(BAD)])
def test_bad_parameters(case):
    got = same(lambda t: build(t, case))
    assert "Error: " in got


# ------------------------------------------------------------------------- divergences

FAMILIES = {}
for _case in GOOD:
    FAMILIES.setdefault(_case[0], _case)
PAIRS = [(p.__name__, q.__name__) for p, q in torch.distributions.kl._KL_REGISTRY]
POSITIVE = {
    "Beta": {"concentration1": [1.5, 2.0], "concentration0": [0.7, 3.0]},
    "Binomial": {"total_count": 3, "probs": [0.2, 0.7]},
    "ContinuousBernoulli": {"probs": [0.2, 0.7]},
    "Gamma": {"concentration": [1.5, 2.0], "rate": [0.7, 3.0]},
    "Uniform": {"low": [0.1, 0.2], "high": [0.9, 0.7]},
    "Pareto": {"scale": [0.1, 1.0], "alpha": [2.5, 1.5]},
    "Poisson": {"rate": [0.5, 3.0]},
    "LowRankMultivariateNormal": {
        "loc": [0.5, -1.0], "cov_factor": [[1.0, 2.0], [0.5, 0.1]], "cov_diag": [0.5, 1.0]
    },
}  # fmt: skip


def of_pair(name, other):
    parameters = POSITIVE.get(name) or FAMILIES[name][1]
    if other:
        parameters = {
            k: [v * 1.0 for v in reversed(x)]
            if isinstance(x, list) and name in POSITIVE and not isinstance(x[0], list)
            else x
            for k, x in parameters.items()
        }
    return name, parameters


def test_every_divergence_is_registered():
    registered = [(p.__name__, q.__name__) for p, q in ours.distributions.kl._KL_REGISTRY]
    assert sorted(registered) == sorted(PAIRS)


@pytest.mark.parametrize("pair", PAIRS, ids=["-".join(p) for p in PAIRS])
def test_divergence(pair):
    p, q = pair
    if "ExponentialFamily" in pair:
        p, q = "Normal", "Normal"

        def divergence(t):
            found = t.distributions.kl._kl_expfamily_expfamily
            return found(build(t, of_pair(p, False)), build(t, of_pair(q, True)))
    else:

        def divergence(t):
            one, other = build(t, of_pair(p, False)), build(t, of_pair(q, True))
            return t.distributions.kl_divergence(one, other)

    same(divergence, 1e-4)


def test_unregistered_and_ambiguous_divergences():
    def none(t):
        d = t.distributions
        return d.kl_divergence(d.Cauchy(0.0, 1.0), d.Bernoulli(0.5))

    assert "No KL(p || q) is implemented" in same(none)

    def ambiguous(t):
        d = t.distributions
        kl = d.kl
        p_class = type("Sub", (d.Normal,), {})
        before = dict(kl._KL_REGISTRY)
        try:
            d.register_kl(p_class, d.Normal)(lambda p, q: "left")
            d.register_kl(d.Normal, p_class)(lambda p, q: "right")
            one, other = p_class(0.0, 1.0), p_class(0.0, 1.0)
            return d.kl_divergence(one, other)
        finally:
            kl._KL_REGISTRY.clear()
            kl._KL_REGISTRY.update(before)
            kl._KL_MEMOIZE.clear()

    assert same(ambiguous) == "left"
    same(lambda t: t.distributions.register_kl(t.distributions.Normal, 3))


# ------------------------------------------------------------------------- transforms

TRANSFORMS = [
    ("AbsTransform", {}),
    ("AffineTransform", {"loc": 1.0, "scale": -2.0}),
    ("AffineTransform", {"loc": [1.0, 2.0, 3.0], "scale": [0.5, -1.0, 2.0], "event_dim": 1}),
    ("ComposeTransform", {"parts": [("ExpTransform", {}), ("AffineTransform", {"loc": 1.0,
                                                                            "scale": 2.0})]}),
    ("CorrCholeskyTransform", {}),
    ("CumulativeDistributionTransform", {"distribution": ("Normal", {"loc": 0.0, "scale": 1.0})}),
    ("ExpTransform", {}),
    ("IndependentTransform", {"base_transform": ("ExpTransform", {}),
                              "reinterpreted_batch_ndims": 1}),
    ("LowerCholeskyTransform", {}),
    ("PositiveDefiniteTransform", {}),
    ("PowerTransform", {"exponent": 2.5}),
    ("PowerTransform", {"exponent": [2.0, -1.0, 0.5]}),
    ("ReshapeTransform", {"in_shape": (3,), "out_shape": (1, 3)}),
    ("SigmoidTransform", {}),
    ("SoftplusTransform", {}),
    ("TanhTransform", {}),
    ("SoftmaxTransform", {}),
    ("StickBreakingTransform", {}),
    ("CatTransform", {"tseq": [("ExpTransform", {}), ("TanhTransform", {})], "dim": -1,
                      "lengths": (1, 2)}),
    ("StackTransform", {"tseq": [("ExpTransform", {}), ("TanhTransform", {}),
                                 ("SigmoidTransform", {})], "dim": -1}),
]  # fmt: skip


def whole(t, case):
    name, parameters = case
    if "lengths" in parameters:
        parameters = {**parameters, "lengths": list(parameters["lengths"])}
    return build(t, (name, parameters))


@pytest.mark.parametrize("case", TRANSFORMS, ids=[label(c) for c in TRANSFORMS])
@pytest.mark.parametrize("cached", [0, 1])
def test_transform(case, cached):
    def transformed(t):
        f = whole(t, case).with_cache(cached)
        x = t.tensor([[0.3, 0.7, 1.2], [0.5, 0.1, 0.9], [1.5, 0.2, 0.4]], requires_grad=True)
        y = f(x)
        back = f.inv(y)
        found = [repr(f), repr(f.inv), y, back, (back is x) == bool(cached)]
        for read in (
            lambda: f.bijective,
            lambda: f.sign,
            lambda: f.event_dim,
            lambda: repr(f.domain),
            lambda: repr(f.codomain),
            lambda: repr(f.inv.domain),
            lambda: f.codomain.event_dim,
            lambda: f.codomain.is_discrete,
            lambda: f.domain.check(x),
            lambda: f.codomain.check(y),
            lambda: f.log_abs_det_jacobian(x, y),
            lambda: f.inv.log_abs_det_jacobian(y, x),
            lambda: f.forward_shape((3, 3)),
            lambda: f.inverse_shape(tuple(y.shape)),
            lambda: f.forward_shape(()),
            lambda: f.inverse_shape(()),
            lambda: f == whole(t, case),
            lambda: f.inv == whole(t, case).inv,
            lambda: f.inv.inv is f,
            lambda: t.autograd.grad(y.sum(), x)[0],
        ):
            try:
                found.append(read())
            except Exception as error:
                found.append(told(error))
        return found

    same(transformed)


CONSTRAINTS = """
real positive nonnegative unit_interval simplex lower_cholesky positive_definite
positive_semidefinite corr_cholesky real_vector boolean one_hot nonnegative_integer
positive_integer lower_triangular square symmetric dependent greater_than(1.0) greater_than_eq(1.0)
less_than(1.0) interval(-1.0,3.0) half_open_interval(-1.0,3.0) integer_interval(0,2) multinomial(3)
independent(c.positive,1) cat([c.positive,c.real],-1,[1,2]) stack([c.positive,c.real,c.simplex],-1)
MixtureSameFamilyConstraint(c.positive) MixtureSameFamilyConstraint(c.simplex)
dependent(event_dim=1) dependent(is_discrete=True) independent(c.real_vector,2)
""".split()  # fmt: skip


def constraint(t, text):
    return eval(f"c.{text}", {"c": t.distributions.constraints})


@pytest.mark.parametrize("text", CONSTRAINTS)
def test_constraint(text):
    def checked(t):
        c = constraint(t, text)
        found = [repr(c)] if not text.startswith("dependent") else []
        found.append(t.distributions.constraints.is_dependent(c))
        values = (
            [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            [[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 3.0, 1.0]],
            [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, float("nan")]],
            [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]],
            [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]],
        )
        for read in (
            lambda: c.is_discrete,
            lambda: c.event_dim,
            *(lambda v=v: c.check(t.tensor(v)) for v in values),
            lambda: c.check(t.tensor(0.5)),
        ):
            try:
                found.append(read())
            except Exception as error:
                found.append(told(error))
        return found

    same(checked)


@pytest.mark.parametrize("text", CONSTRAINTS)
@pytest.mark.parametrize("registry", ["biject_to", "transform_to"])
def test_registered_transform(text, registry):
    def found(t):
        c = constraint(t, text)
        f = getattr(t.distributions, registry)(c)
        return [repr(f), repr(f.domain), repr(f.codomain), f(t.tensor([[0.1, 0.2, -0.3]] * 3))]

    same(found)


def test_registering_a_transform():
    def registered(t):
        d = t.distributions
        registry = d.constraint_registry.ConstraintRegistry()

        class Mine(d.constraints.Constraint):
            pass

        registry.register(Mine, lambda c: d.ExpTransform())
        return [repr(registry(Mine())), registry(Mine()) == d.ExpTransform()]

    same(registered)
    same(lambda t: t.distributions.biject_to.register(3, lambda c: c))
    same(lambda t: t.distributions.biject_to(3))


@pytest.mark.parametrize("factors", [(), (3,), (2, 1), (2, 3)], ids=str)
@pytest.mark.parametrize("values", [(), (3,), (2, 3), (4, 2, 3), (4, 1, 3), (0, 2, 3)], ids=str)
def test_batches_of_multivariate_normals(factors, values):
    def distances(t):
        diagonal = t.linspace(0.5, 2.0, 2).expand(*factors, 2)
        lower = t.diag_embed(diagonal) + t.tensor([[0.0, 0.0], [0.3, 0.0]])
        d = t.distributions.MultivariateNormal(t.zeros(2), scale_tril=lower)
        x = t.linspace(-1, 1, 2 * int(np.prod(values))).reshape(*values, 2)
        return d.log_prob(x)

    same(distances)
