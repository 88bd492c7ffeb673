"""torch.nn.utils.parametrize and the ready parametrizations."""

import copy
import pickle

import pytest

from tests.contract.both_frameworks import ours, outcome, refuse, same, torch
from tests.contract.test_nn_utils import arange, assert_close, filled, near, rounded, state


def function(t, forward, right_inverse=None):
    """A module of a function, with a right inverse or without."""

    class F(t.nn.Module):
        def forward(self, *x):
            return forward(*x)

    if right_inverse is not None:
        F.right_inverse = lambda self, x: right_inverse(x)
    return F()


def linear(t, *functions, name="weight", unsafe=False):
    layer = filled(t.nn.Linear(3, 3), t)
    for f in functions:
        t.nn.utils.parametrize.register_parametrization(layer, name, f, unsafe=unsafe)
    return layer


def identity(t):
    return function(t, lambda x: x)


def symmetric(t):
    return function(t, lambda x: x.triu() + x.triu(1).mT, lambda x: x.triu())


def halves(t):
    return function(t, lambda a, b: a + b, lambda x: (x / 2, x / 2))


# -- mechanism -----------------------------------------------------------------------------------


def test_parametrized_tensors_are_computed_and_learn():
    def run(t):
        layer = linear(t, symmetric(t), function(t, lambda x: x * 2, lambda x: x / 2))
        layer(arange(t, 2, 3)).sum().backward()
        return [layer.weight, layer.parametrizations.weight.original.grad, state(layer, t)]

    near(run)


def test_tensors_may_come_from_several():
    def run(t):
        layer = linear(t, halves(t))
        layer(arange(t, 2, 3)).sum().backward()
        layer.weight = t.eye(3)
        grads = [p.grad for p in layer.parameters()]
        t.nn.utils.parametrize.remove_parametrizations(layer, "weight")
        return grads, [n for n, _ in layer.named_parameters()], layer.weight

    near(run)


def test_classes_and_reprs_are_the_oracles():
    def run(t):
        layer = linear(t, identity(t), identity(t))
        kinds = [type(layer), type(layer.parametrizations.weight)]
        P = t.nn.utils.parametrize
        return (
            repr(layer),
            [(k.__name__, k.__module__.replace("mindtorch", "torch")) for k in kinds],
            P.type_before_parametrizations(layer).__name__,
            [P.is_parametrized(layer), P.is_parametrized(layer, "weight")],
            [P.is_parametrized(layer, "bias"), P.is_parametrized(t.nn.ReLU())],
            list(layer.state_dict()),
            repr(P.remove_parametrizations(layer, "weight")),
            type(layer).__name__,
        )

    same(run)


def test_values_left_by_removal_are_the_oracles():
    def run(t, leave):
        layer = linear(t, function(t, lambda x: x * 2))
        t.nn.utils.parametrize.remove_parametrizations(layer, "weight", leave_parametrized=leave)
        return layer.weight

    near(lambda t: run(t, True))
    near(lambda t: run(t, False))


def test_assignment_goes_through_right_inverses():
    def run(t):
        layer = linear(t, symmetric(t))
        layer.weight = arange(t, 3, 3)
        return layer.weight, layer.parametrizations.weight.original

    near(run)


def test_buffers_are_parametrized_too():
    def run(t):
        norm = filled(t.nn.BatchNorm1d(3), t)
        t.nn.utils.parametrize.register_parametrization(
            norm, "running_mean", function(t, lambda x: x * 2)
        )
        return norm.running_mean, list(norm.state_dict())

    near(run)


def test_results_are_remembered_inside_a_cached_block():
    def run(t):
        calls = []
        layer = linear(t, function(t, lambda x: calls.append(1) or x * 2))
        before = len(calls)
        with t.nn.utils.parametrize.cached():
            same_one = layer.weight is layer.weight
            with t.nn.utils.parametrize.cached():
                layer(t.ones(1, 3))
        inside = len(calls) - before
        return same_one, inside, layer.weight is layer.weight

    same(run)


def test_copies_are_parametrized_and_apart():
    def run(t):
        layer = linear(t, symmetric(t))
        other = copy.deepcopy(layer)
        with t.no_grad():
            other.parametrizations.weight.original.zero_()
        return [type(other) is type(layer), float(other.weight.sum()), rounded(layer.weight, t)]

    near(run)


def test_state_dicts_are_loaded():
    def run(t):
        layer, other = linear(t, symmetric(t)), linear(t, symmetric(t))
        with t.no_grad():
            layer.parametrizations.weight.original.mul_(3)
        return str(other.load_state_dict(layer.state_dict())), other.weight

    near(run)


def test_parametrizations_are_transferred():
    def run(t, name):
        one, other = linear(t, symmetric(t)), t.nn.Linear(3, 3)
        t.nn.utils.parametrize.transfer_parametrizations_and_params(one, other, name)
        return rounded(other.weight, t), repr(other)

    near(lambda t: run(t, None))
    near(lambda t: run(t, "weight"))


BAD = {
    "no such name": lambda t: linear(t, identity(t), name="foo"),
    "dtype": lambda t: linear(t, function(t, lambda x: x.double())),
    "shape": lambda t: linear(t, function(t, lambda x: x[0])),
    "no tensor": lambda t: linear(t, function(t, lambda x: 3)),
    "inverse no tensor": lambda t: linear(t, function(t, lambda x: x, lambda x: 3)),
    "inverse dtype": lambda t: linear(t, function(t, lambda x: x, lambda x: x.double())),
    "inverse shape": lambda t: linear(t, function(t, lambda x: x, lambda x: x[0])),
    "inverse element": lambda t: linear(t, function(t, lambda x, y: x, lambda x: (x, 3))),
    "second shape": lambda t: linear(t, identity(t), function(t, lambda x: x[0])),
    "second dtype": lambda t: linear(t, identity(t), function(t, lambda x: x.double())),
    "second no tensor": lambda t: linear(t, identity(t), function(t, lambda x: 3)),
    "second inverse": lambda t: linear(t, identity(t), function(t, lambda x: x, lambda x: 3)),
    "second inverse shape": lambda t: linear(
        t, identity(t), function(t, lambda x: x, lambda x: x[0])
    ),
    "second inverse dtype": lambda t: linear(
        t, identity(t), function(t, lambda x: x, lambda x: x.double())
    ),
    "no inverse": lambda t: setattr(linear(t, identity(t)), "weight", t.ones(3, 3)),
    "assigned dtype": lambda t: setattr(linear(t, symmetric(t)), "weight", t.eye(3).double()),
    "pickled": lambda t: pickle.dumps(linear(t, identity(t))),
    "not parametrized": lambda t: t.nn.utils.parametrize.remove_parametrizations(
        t.nn.Linear(2, 2), "weight"
    ),
    "several left": lambda t: t.nn.utils.parametrize.remove_parametrizations(
        linear(t, halves(t)), "weight", leave_parametrized=False
    ),
    "empty list": lambda t: t.nn.utils.parametrize.ParametrizationList([], t.ones(2)),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_parametrizations_are_refused_as_by_the_oracle(name):
    got, want = outcome(BAD[name], ours), outcome(BAD[name], torch)
    assert want[0][0] != "value" or name in ("assigned dtype",)
    assert got[0] == want[0]


def test_unsafe_parametrizations_may_change_everything():
    same(lambda t: str(linear(t, function(t, lambda x: x.double()), unsafe=True).weight.dtype))


# -- ready ones ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["matrix_exp", "cayley", "householder"])
@pytest.mark.parametrize("trivialized", [True, False])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2)])
def test_orthogonal_weights_are_the_oracles(kind, trivialized, shape):
    """The same numbers where nothing is drawn, and an orthogonal matrix in any case."""

    def run(t):
        layer = filled(t.nn.Linear(*shape), t)
        t.nn.utils.parametrizations.orthogonal(
            layer, orthogonal_map=kind, use_trivialization=trivialized
        )
        return layer

    mine, theirs = run(ours), run(torch)
    for t, layer in ((ours, mine), (torch, theirs)):
        q = layer.weight
        q = q if q.size(0) >= q.size(1) else q.mT
        assert_close(rounded(q.mT @ q, t), rounded(t.eye(q.size(1)), t))
    if shape == (3, 3) or not trivialized:
        assert_close(rounded(mine.weight, ours), rounded(theirs.weight, torch))
        for t, layer in ((ours, mine), (torch, theirs)):
            (layer.weight * arange(t, *layer.weight.shape)).sum().backward()
        grads = [m.parametrizations.weight.original.grad for m in (mine, theirs)]
        assert_close(rounded(grads[0], ours), rounded(grads[1], torch))
    assert list(mine.state_dict()) == list(theirs.state_dict())


def test_orthogonal_weights_are_assigned():
    def run(t, kind):
        layer = t.nn.utils.parametrizations.orthogonal(t.nn.Linear(3, 3), orthogonal_map=kind)
        layer.weight = t.eye(3).flip(0)
        return layer.weight

    for kind in ("matrix_exp", "cayley", "householder"):
        near(lambda t, kind=kind: run(t, kind))


ORTHOGONAL = {
    "map": lambda t: t.nn.utils.parametrizations.orthogonal(t.nn.Linear(2, 2), orthogonal_map="x"),
    "vector": lambda t: t.nn.utils.parametrizations.orthogonal(t.nn.Linear(2, 2), "bias"),
    "name": lambda t: t.nn.utils.parametrizations.orthogonal(t.nn.Linear(2, 2), "foo"),
    "complex": lambda t: t.nn.utils.parametrizations.orthogonal(
        t.nn.Linear(2, 2, dtype=t.complex64), orthogonal_map="householder"
    ),
    "assigned": lambda t: setattr(
        t.nn.utils.parametrizations.orthogonal(t.nn.Linear(2, 2), use_trivialization=False),
        "weight",
        t.eye(2),
    ),
    "shape": lambda t: setattr(
        t.nn.utils.parametrizations.orthogonal(t.nn.Linear(2, 2)), "weight", t.eye(3)
    ),
    "spectral name": lambda t: t.nn.utils.parametrizations.spectral_norm(t.nn.Linear(2, 2), "foo"),
    "spectral dim": lambda t: t.nn.utils.parametrizations.spectral_norm(t.nn.Linear(2, 2), dim=3),
    "spectral steps": lambda t: t.nn.utils.parametrizations.spectral_norm(
        t.nn.Linear(2, 2), n_power_iterations=0
    ),
}


@pytest.mark.parametrize("name", ORTHOGONAL)
def test_ready_parametrizations_refuse_as_the_oracle(name):
    refuse(ORTHOGONAL[name])


def test_weight_norm_is_the_oracles_and_loads_old_files():
    def run(t, dim):
        layer = t.nn.utils.parametrizations.weight_norm(filled(t.nn.Linear(3, 2), t), dim=dim)
        layer(arange(t, 4, 3)).sum().backward()
        grads = [p.grad for p in layer.parameters()]
        old = t.nn.utils.weight_norm(filled(t.nn.Linear(3, 2), t), dim=dim).state_dict()
        loaded = str(layer.load_state_dict(old))
        return state(layer, t), grads, loaded, layer.weight, repr(layer)

    for dim in (0, 1, None):
        near(lambda t, dim=dim: run(t, dim))


def test_spectral_norm_is_the_oracles():
    def run(t, kind, shape):
        layer = filled(getattr(t.nn, kind)(*shape), t)
        t.nn.utils.parametrizations.spectral_norm(layer)
        part = layer.parametrizations.weight[0]
        with t.no_grad():
            for i, v in enumerate((part._u, part._v)):
                v.copy_(t.nn.functional.normalize(arange(t, *v.shape, start=i), dim=0))
        first = layer.weight
        first.sum().backward()
        layer.eval()
        return first, layer.parametrizations.weight.original.grad, layer.weight, state(layer, t)

    near(lambda t: run(t, "Linear", (3, 2)))
    near(lambda t: run(t, "Conv1d", (2, 3, 2)))
    near(lambda t: run(t, "ConvTranspose1d", (2, 3, 2)))
    near(
        lambda t: (
            t.nn.utils.parametrizations.spectral_norm(filled(t.nn.Linear(3, 2), t), "bias").bias
        )
    )
