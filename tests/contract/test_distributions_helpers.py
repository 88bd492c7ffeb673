"""``torch.distributions``: helpers, what a subclass has to bring, names and signatures."""

import importlib
import inspect

import pytest

from .test_distributions import attempt, same

# ------------------------------------------------------------------------- helpers

UTILS = {
    "numbers": lambda u, t: u.broadcast_all(1.0, 2),
    "tensors": lambda u, t: u.broadcast_all(t.ones(2, 1, dtype=t.float64), 2, t.ones(3)),
    "strings": lambda u, t: u.broadcast_all("one"),
    "binary logits": lambda u, t: u.probs_to_logits(t.tensor([0.0, 0.5, 1.0]), is_binary=True),
    "logits": lambda u, t: u.probs_to_logits(t.tensor([0.0, 0.5, 1.0])),
    "probs": lambda u, t: [u.logits_to_probs(t.tensor([0.0, 0.5]), b) for b in (True, False)],
    "clamped": lambda u, t: u.clamp_probs(t.tensor([0.0, 0.5, 1.0], dtype=t.float64)),
    "vec": lambda u, t: [
        u.tril_matrix_to_vec(t.arange(9.0).reshape(3, 3), k) for k in range(-3, 3)
    ],
    "mat": lambda u, t: [u.vec_to_tril_matrix(t.arange(6.0), k) for k in (0, -1)],
    "far": lambda u, t: u.tril_matrix_to_vec(t.ones(3, 3), 3),
    "odd": lambda u, t: u.vec_to_tril_matrix(t.ones(5)),
    "sum": lambda u, t: u._sum_rightmost(t.ones(2, 3, 4), 2),
    "normal": lambda u, t: u._standard_normal((3,), dtype=t.float32, device="cpu"),
    "euler": lambda u, t: u.euler_constant,
}


@pytest.mark.parametrize("name", UTILS)
def test_helper(name):
    same(lambda t: UTILS[name](t.distributions.utils, t))


def test_lazy_property_is_computed_once_and_is_a_property_of_the_class():
    def lazy(t):
        class A:
            calls = 0

            @t.distributions.utils.lazy_property
            def x(self):
                """The x."""
                self.calls += 1
                return self.calls

        a = A()
        return [a.x, a.x, a.calls, isinstance(A.x, property), type(A.x).__name__, A.x.__doc__]

    same(lazy)


def test_subclass_without_expand_is_refused():
    def expanded(t):
        class Mine(t.distributions.Normal):
            def __init__(self):
                super().__init__(0.0, 1.0)

        return Mine().expand((2,))

    assert "must also define a custom .expand()" in same(expanded)


def test_distribution_without_facts_warns():
    def bare(t):
        class Bare(t.distributions.Distribution):
            pass

        Bare.__qualname__, Bare.__module__ = "Bare", "here"
        d = Bare(validate_args=True)
        d._validate_sample(t.ones(()))
        return [attempt(getattr, d, n) for n in ("mean", "mode", "variance", "support")]

    same(bare)


def test_default_of_validation():
    def unchecked(t):
        distribution = t.distributions.Distribution
        distribution.set_default_validate_args(False)
        try:
            d = t.distributions.Normal(0.0, -1.0)
            return [d, d._validate_args]
        finally:
            distribution.set_default_validate_args(True)

    same(unchecked)
    same(lambda t: t.distributions.Distribution.set_default_validate_args("yes"))


def test_sample_n_warns():
    same(lambda t: t.distributions.Normal(0.0, 1.0).sample_n(3))


# ------------------------------------------------------------------------- names

MODULES = ["", *sorted(
    m for m in (
        "bernoulli beta binomial categorical cauchy chi2 constraint_registry constraints "
        "continuous_bernoulli dirichlet distribution exp_family exponential fishersnedecor gamma "
        "generalized_pareto geometric gumbel half_cauchy half_normal independent inverse_gamma kl "
        "kumaraswamy laplace lkj_cholesky log_normal logistic_normal lowrank_multivariate_normal "
        "mixture_same_family multinomial multivariate_normal negative_binomial normal "
        "one_hot_categorical pareto poisson relaxed_bernoulli relaxed_categorical studentT "
        "transformed_distribution transforms uniform utils von_mises weibull wishart"
    ).split()
)]  # fmt: skip


def parameters(function):
    return [(p.name, p.kind) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("name", MODULES)
def test_names_and_signatures(name):
    path = f"distributions.{name}".rstrip(".")
    mine, theirs = (importlib.import_module(f"{p}.{path}") for p in ("mindtorch", "torch"))
    assert mine.__all__ == theirs.__all__
    for key, value in vars(theirs).items():
        if getattr(value, "__module__", None) != theirs.__name__ or key.startswith("__"):
            continue
        if key == "_add_kl_info":  # writes documentation
            continue
        found = getattr(mine, key)
        if not callable(value):
            continue
        assert found.__module__ == value.__module__.replace("torch", "mindtorch", 1), key
        if not inspect.isclass(value):
            assert parameters(found) == parameters(value), key
            continue
        assert found.__name__ == value.__name__
        for method, function in vars(value).items():
            if method.startswith("__") and method not in ("__init__", "__call__"):
                continue
            assert hasattr(found, method), f"{key}.{method}"
            if inspect.isfunction(function):
                assert parameters(getattr(found, method)) == parameters(function), (key, method)


def test_nothing_is_imported_before_it_is_asked_for():
    import subprocess
    import sys

    code = "import sys, mindtorch; print('mindtorch.distributions' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
