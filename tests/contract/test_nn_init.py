"""``nn.init`` and ``nn.utils``: the same numbers from the same seed, the same checks."""

import importlib

import numpy as np
import pytest
import torch

ours = importlib.import_module("mindtorch")

from tests.contract.batches import every
from tests.contract.hearing import hearing
from tests.contract.helpers import assert_same_value, assert_torch_error, both

FILLS = {
    "uniform": lambda t, i, w: i.uniform_(w, -2, 3),
    "normal": lambda t, i, w: i.normal_(w, 1, 0.5),
    "constant": lambda t, i, w: i.constant_(w, 0.3),
    "ones": lambda t, i, w: i.ones_(w),
    "zeros": lambda t, i, w: i.zeros_(w),
    "xavier_uniform": lambda t, i, w: i.xavier_uniform_(w, 1.5),
    "xavier_normal": lambda t, i, w: i.xavier_normal_(w),
    "kaiming_uniform": lambda t, i, w: i.kaiming_uniform_(w, 0.2),
    "kaiming_normal": lambda t, i, w: i.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"),
    "generator": lambda t, i, w: i.normal_(w, generator=t.Generator().manual_seed(3)),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", FILLS)
@every("shape", [(3, 4), (5, 2, 3), (4, 3, 2, 2)])
def test_fills(name, dtype, shape):
    """The same seed gives the same numbers, bit by bit; autograd sees nothing."""

    def run(t):
        t.manual_seed(7)
        w = t.nn.Parameter(t.empty(shape, dtype=getattr(t, dtype)))
        got = FILLS[name](t, t.nn.init, w)
        return got, got is w, w.is_leaf

    assert_same_value(*both(run))


@pytest.mark.parametrize(
    "options",
    [(), (0.5, 0.7, -0.2, 1.0), (0, 1, 1.5, 2.0), (0, 0.2, -2, 2), (0, 1, -0.1, 0.1)],
)
def test_truncated_normal(options):
    """Drawn anew, or kept by density, until all lie between the bounds."""

    def run(t):
        t.manual_seed(3)
        return t.nn.init.trunc_normal_(t.empty(50, 4), *options), t.rand(1)

    assert_same_value(*both(run))


@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (2, 3, 2)])
def test_orthogonal(shape):
    """Orthogonal up to rounding, as torch's from the same seed."""

    def run(t):
        t.manual_seed(3)
        return t.nn.init.orthogonal_(t.empty(shape), 1.5)

    assert_same_value(*both(run), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [(4, 3, 3), (3, 4, 3, 2)])
@pytest.mark.parametrize("groups", [1])
def test_dirac(shape, groups):
    """Channels are handed through."""
    assert_same_value(*both(lambda t: t.nn.init.dirac_(t.ones(shape), groups)))


def test_dirac_in_groups_and_eye():
    """Groups have a delta each; eye_ works on matrices of any shape."""
    assert_same_value(*both(lambda t: t.nn.init.dirac_(t.ones(4, 2, 3), 2)))
    assert_same_value(*both(lambda t: t.nn.init.eye_(t.ones(2, 3))))


def test_sparse():
    """The given share of each column is zero."""

    def run(t):
        t.manual_seed(1)
        return t.nn.init.sparse_(t.empty(10, 4), 0.25)

    assert_same_value(*both(run))


NONLINEARITIES = ["linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"]


@pytest.mark.parametrize("name", NONLINEARITIES)
def test_gains(name):
    """Gains are torch's numbers."""
    assert_same_value(*both(lambda t: [t.nn.init.calculate_gain(name, p) for p in (None, 0.3)]))


ERRORS = [
    lambda t, i: i.calculate_gain("foo"),
    lambda t, i: i.calculate_gain("leaky_relu", True),
    lambda t, i: i.calculate_gain("leaky_relu", "a"),
    lambda t, i: i.eye_(t.ones(2)),
    lambda t, i: i.dirac_(t.ones(2)),
    lambda t, i: i.dirac_(t.ones(3, 2, 2), 2),
    lambda t, i: i.xavier_uniform_(t.ones(2)),
    lambda t, i: i.kaiming_normal_(t.ones(2)),
    lambda t, i: i.kaiming_normal_(t.ones(2, 2), mode="foo"),
    lambda t, i: i.kaiming_normal_(t.ones(2, 2), nonlinearity="foo"),
    lambda t, i: i.orthogonal_(t.ones(2)),
    lambda t, i: i.orthogonal_(t.ones(2, 2, dtype=t.float16)),
    lambda t, i: i.orthogonal_(t.ones(2, 2, dtype=t.complex64)),
    lambda t, i: i.orthogonal_(t.ones(2, 2, dtype=t.int64)),
    lambda t, i: i.sparse_(t.ones(2), 0.1),
    lambda t, i: t.nn.utils.vector_to_parameters(3, []),
    lambda t, i: t.nn.utils.clip_grad_norm_(
        [with_grad(t, float("nan"))], 1.0, error_if_nonfinite=True
    ),
]


def with_grad(t, value):
    p = t.nn.Parameter(t.ones(2))
    p.grad = t.full((2,), value)
    return p


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_are_the_oracles(case):
    """Bad arguments."""
    assert_torch_error(*both(lambda t: ERRORS[case](t, t.nn.init)))


def heard(fn):
    with hearing() as caught:
        fn()
    return [(str(w.message), w.category.__name__) for w in caught]


WARNINGS = [
    lambda t: t.nn.init.kaiming_uniform_(t.empty(0, 3)),
    lambda t: t.nn.init.trunc_normal_(t.empty(3), 5.0, 0.1),
    lambda t: t.nn.init.xavier_uniform(t.empty(2, 3)),
    lambda t: t.nn.init.constant(t.empty(2), 1),
    lambda t: t.nn.Linear(0, 3),
    lambda t: t.nn.utils.clip_grad_norm_((p for p in []), 1.0),
    lambda t: t.nn.utils.clip_grad_norm([with_grad(t, 1.0)], 1.0),
]


@pytest.mark.parametrize("case", range(len(WARNINGS)))
def test_warnings_are_the_oracles(case):
    """What deserves a warning."""
    got, want = (heard(lambda: WARNINGS[case](t)) for t in (ours, torch))
    assert want
    assert got == want


def test_an_iterator_without_parameters_is_no_empty_generator():
    """Only a generator may have been used up before."""
    for t in (ours, torch):
        assert not heard(lambda t=t: t.nn.utils.clip_grad_norm_(iter(()), 1.0))


LAYERS = ["Linear(5, 3)", "Conv2d(2, 4, 3)", "Conv1d(4, 2, 3, groups=2)", "Embedding(6, 4, 2)"]


@pytest.mark.parametrize("text", LAYERS)
def test_layers_begin_with_the_oracles_numbers(text):
    """The same seed gives the same weights."""

    def run(t):
        t.manual_seed(0)
        return dict(eval("t.nn." + text, {"t": t}).state_dict())

    assert_same_value(*both(run))


def model(t):
    m = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.Linear(3, 1))
    for i, p in enumerate(m.parameters()):
        values = np.random.default_rng(i).normal(size=tuple(p.shape)).astype(np.float32)
        with t.no_grad():
            p.copy_(t.from_numpy(values))
        p.grad = t.from_numpy(values * 3 + 1)
    return m


@pytest.mark.parametrize("norm", [2.0, 1, float("inf")])
@pytest.mark.parametrize("limit", [0.5, 100])
def test_clipping_by_norm(norm, limit):
    """Gradients are scaled only where their norm is too large; the norm is returned."""

    def run(t):
        m = model(t)
        total = t.nn.utils.clip_grad_norm_(m.parameters(), limit, norm)
        return total, [p.grad for p in m.parameters()]

    assert_same_value(*both(run), rtol=1e-6)


def test_clipping_by_value():
    """Each element is held between the limits."""

    def run(t):
        m = model(t)
        t.nn.utils.clip_grad_value_(m.parameters(), 0.7)
        t.nn.utils.clip_grad_value_(m[0].weight, 0.2)
        return [p.grad for p in m.parameters()]

    assert_same_value(*both(run))


def test_clipping_by_value_needs_a_gradient():
    """Before any backward there is nothing to group, which the oracle refuses."""
    assert_torch_error(
        *both(lambda t: t.nn.utils.clip_grad_value_(t.nn.Linear(2, 2).parameters(), 1.0))
    )


def test_parameters_as_a_vector():
    """There and back; afterwards parameters are views of the vector."""

    def run(t):
        m = model(t)
        vector = t.nn.utils.parameters_to_vector(m.parameters())
        fresh = vector.detach() * 2
        t.nn.utils.vector_to_parameters(fresh, m.parameters())
        with t.no_grad():
            fresh += 1
        return vector, dict(m.state_dict()), [p.is_leaf for p in m.parameters()]

    assert_same_value(*both(run))
