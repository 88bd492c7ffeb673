"""Every optimizer with every setting: steps, state, functional forms, gradients through a step."""

from __future__ import annotations

import copy
import importlib
import inspect
import io

import numpy as np
import pytest

from tests.contract.both_frameworks import BOTH, ours, torch

SHAPES = [(3, 4), (5,), (), (2, 3, 2), (0,)]
COMMON = [
    {},
    {"maximize": True},
    {"foreach": True},
    {"foreach": False},
]
DECAY = [{"weight_decay": 0.1}]
SETTINGS = {
    "ASGD": [
        *COMMON,
        *DECAY,
        {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 2},
        {"lr": 0.1, "t0": 1, "weight_decay": 0.1, "maximize": True},
    ],
    "Adadelta": [*COMMON, *DECAY, {"rho": 0.5, "eps": 1e-3, "lr": 0.5}],
    "Adafactor": [
        *COMMON,
        *DECAY,
        {"lr": 0.1, "beta2_decay": -0.3, "eps": (1e-3, 1e-2), "d": 2.0},
    ],
    "Adagrad": [*COMMON, *DECAY, {"lr_decay": 0.1, "initial_accumulator_value": 0.3}],
    "Adam": [
        *COMMON,
        *DECAY,
        {"amsgrad": True, "lr": 0.1},
        {"decoupled_weight_decay": True, "weight_decay": 0.2},
        {"betas": (0.5, 0.7), "eps": 1e-3},
    ],
    "AdamW": [*COMMON, {"weight_decay": 0.3, "amsgrad": True}],
    "Adamax": [*COMMON, *DECAY, {"betas": (0.5, 0.7), "lr": 0.1}],
    "NAdam": [
        *COMMON,
        *DECAY,
        {"momentum_decay": 0.1},
        {"weight_decay": 0.1, "decoupled_weight_decay": True},
    ],
    "RAdam": [
        *COMMON,
        {"betas": (0.9, 0.9), "weight_decay": 0.1},
        {"betas": (0.9, 0.9), "weight_decay": 0.1, "decoupled_weight_decay": True},
    ],
    "RMSprop": [*COMMON, *DECAY, {"momentum": 0.9}, {"centered": True, "momentum": 0.5}],
    "Rprop": [*COMMON, {"etas": (0.3, 1.5), "step_sizes": (0.01, 0.1)}],
    "SGD": [
        *COMMON,
        *DECAY,
        {"momentum": 0.9, "nesterov": True},
        {"momentum": 0.9, "dampening": 0.2, "weight_decay": 0.1},
    ],
}
FUSED = ("SGD", "Adam", "AdamW", "Adagrad")
CASES = [(kind, options) for kind, several in SETTINGS.items() for options in several]
CASES += [(kind, {"fused": True}) for kind in FUSED]
DIFFERENTIABLE = [
    (kind, {k: v for k, v in options.items() if k != "foreach"})
    for kind, several in SETTINGS.items()
    for options in several
    if kind != "Adafactor" and "foreach" not in options
]


def data(shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


def parameters(t, dtype="float64", shapes=SHAPES):
    made = []
    for i, shape in enumerate(shapes):
        numbers = data(shape, i) + (1j * data(shape, i + 50) if "complex" in dtype else 0)
        made.append(t.nn.Parameter(t.tensor(numbers).to(getattr(t, dtype))))
    return made


def run_steps(t, params, optimizer, n, first=0):
    """*n* steps; the second parameter has no gradient at each third."""
    for i in range(first, first + n):
        for j, p in enumerate(params):
            if j == 1 and i % 3 == 1:
                p.grad = None
                continue
            numbers = data(tuple(p.shape), 10 * i + j + 7)
            numbers = numbers + 1j * data(tuple(p.shape), i + j) if p.is_complex() else numbers
            p.grad = t.tensor(numbers).to(p.dtype).reshape(p.shape)
        optimizer.step()


def saved(t, state, *, file):
    """*state* as another process would find it, or a copy."""
    if not file:
        return copy.deepcopy(state)
    written = io.BytesIO()
    t.save(state, written)
    written.seek(0)
    return t.load(written)


def flat(value, t):
    """Nested state as arrays and plain values."""
    if isinstance(value, t.Tensor):
        real = value.detach().resolve_conj()
        real = t.view_as_real(real) if real.is_complex() else real
        return str(value.dtype), real.double().numpy().copy()
    if isinstance(value, dict):
        return {k: flat(v, t) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [flat(v, t) for v in value]
    return value


def assert_near(got, want, near):
    """Equal structure; numbers within *near*."""
    assert type(got) is type(want), (got, want)
    if isinstance(got, dict):
        assert list(got) == list(want)
        for key in got:
            assert_near(got[key], want[key], near)
    elif isinstance(got, list) or (isinstance(got, tuple) and len(got) != 2):
        assert len(got) == len(want)
        for a, b in zip(got, want):
            assert_near(a, b, near)
    elif isinstance(got, tuple):
        assert got[0] == want[0]
        np.testing.assert_allclose(got[1], want[1], rtol=near, atol=near)
    elif isinstance(got, float):
        assert got == pytest.approx(want, rel=near, abs=near, nan_ok=True)
    else:
        assert got == want


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
@pytest.mark.parametrize("kind,options", CASES, ids=str)
def test_steps_and_state(kind, options, dtype):
    """Five steps give torch's parameters and state; a saved and loaded optimizer goes on so."""
    if "complex" in dtype and (kind == "Adafactor" or options.get("fused")):
        pytest.skip("refused, see test_refusals")

    def program(t):
        # torch's Adafactor divides by the number of elements
        params = parameters(t, dtype, SHAPES[:-1] if kind == "Adafactor" else SHAPES)
        optimizer = getattr(t.optim, kind)(params, **options)
        run_steps(t, params, optimizer, 3)
        seen = [flat(params, t), flat(optimizer.state_dict()["state"], t)]
        twins = [t.nn.Parameter(p.detach().clone()) for p in params]
        other = getattr(t.optim, kind)(twins, **options)
        other.load_state_dict(saved(t, optimizer.state_dict(), file=dtype == "float64"))
        run_steps(t, twins, other, 2, first=3)
        return [*seen, flat(twins, t), flat(other.state_dict()["state"], t)]

    near = 2e-5 if dtype == "float32" else 1e-12
    if kind == "ASGD" and options.get("foreach"):
        near = max(near, 1e-7)  # torch computes rates in float32 there
    assert_near(program(ours), program(torch), near)


@pytest.mark.parametrize("kind,options", DIFFERENTIABLE, ids=str)
def test_gradient_goes_through_a_step(kind, options):
    """With ``differentiable=True`` the gradient of what follows reaches what came before."""

    def program(t):
        start = [p.detach().requires_grad_() for p in parameters(t, shapes=[(3, 2), (4,)])]
        slopes = [
            t.tensor(data(tuple(p.shape), 30 + i), requires_grad=True) for i, p in enumerate(start)
        ]
        params = [p.clone() for p in start]
        optimizer = getattr(t.optim, kind)(params, differentiable=True, **options)
        # A second step has state that is not zero, where square roots have gradients.
        for state in range(2):
            for p, s in zip(params, slopes):
                p.grad = s * (1 + state)
            if state == 0:
                with t.no_grad():
                    optimizer.defaults["differentiable"] = False
                    for group in optimizer.param_groups:
                        group["differentiable"] = False
                    optimizer.step()
                for group in optimizer.param_groups:
                    group["differentiable"] = True
                optimizer.defaults["differentiable"] = True
            else:
                optimizer.step()
        total = sum((p * p).sum() for p in params)
        found = t.autograd.grad(total, [*start, *slopes], allow_unused=True)
        return [None if g is None else g.tolist() for g in found], [p.tolist() for p in params]

    got, want = program(ours), program(torch)
    for a, b in zip(got, want):
        for one, other in zip(a, b):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-11)


@pytest.mark.parametrize("kind", ["Adam", "AdamW", "SGD", "NAdam"])
def test_gradient_reaches_the_rate(kind):
    """A rate that is a tensor is learned through a step."""

    def program(t):
        rate = t.tensor(0.1, dtype=t.float64, requires_grad=True)
        start = parameters(t, shapes=[(3,)])[0]
        p = start.clone()
        optimizer = getattr(t.optim, kind)([p], lr=rate, differentiable=True)
        p.grad = t.tensor(data((3,), 9), requires_grad=True)
        optimizer.step()
        (p * p).sum().backward()
        return rate.grad.item(), start.grad.tolist()

    got, want = program(ours), program(torch)
    assert got[0] == pytest.approx(want[0], rel=1e-6)
    np.testing.assert_allclose(got[1], want[1], rtol=1e-6)


FUNCTIONAL = "adadelta adagrad adam adamax adamw asgd nadam radam rmsprop rprop sgd".split()
STATE = {
    "adadelta": ("zeros", "zeros", "steps"),
    "adagrad": ("zeros", "steps"),
    "adam": ("zeros", "zeros", "zeros", "steps"),
    "adamax": ("zeros", "zeros", "steps"),
    "adamw": ("zeros", "zeros", "zeros", "steps"),
    "asgd": ("zeros", "ones", "etas", "steps"),
    "nadam": ("zeros", "zeros", "ones", "steps"),
    "radam": ("zeros", "zeros", "steps"),
    "rmsprop": ("zeros", "zeros", "zeros", "steps"),
    "rprop": ("zeros", "sizes", "steps"),
    "sgd": ("nothing",),
}
NUMBERS = {
    "lr": 0.1, "rho": 0.9, "eps": 1e-6, "weight_decay": 0.1, "maximize": False, "lr_decay": 0.1,
    "amsgrad": True, "beta1": 0.9, "beta2": 0.99, "lambd": 1e-3, "t0": 2.0, "alpha": 0.75,
    "momentum_decay": 0.01, "momentum": 0.9, "centered": True, "step_size_min": 1e-6,
    "step_size_max": 50.0, "etaminus": 0.5, "etaplus": 1.2, "dampening": 0.1, "nesterov": False,
}  # fmt: skip


def modules(name):
    return [importlib.import_module(f"{t.__name__}.optim.{name}") for t in BOTH]


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_functional_forms(name):
    """The functions over lists have torch's parameters, and do what the classes do."""
    mine, theirs = (inspect.signature(getattr(m, name)) for m in modules(name))
    described = [
        [(p.name, p.default, p.kind) for p in s.parameters.values()] for s in (mine, theirs)
    ]
    assert described[0] == described[1]

    def program(t):
        function = getattr(importlib.import_module(f"{t.__name__}.optim._functional"), name)
        params = [p.detach() for p in parameters(t, shapes=[(3,), (2, 2)])]
        grads = [t.tensor(data(tuple(p.shape), 5 + i)) for i, p in enumerate(params)]
        makers = {
            "zeros": lambda p: t.zeros_like(p),
            "ones": lambda p: t.ones(()),
            "etas": lambda p: t.full((), 0.1),
            "sizes": lambda p: t.full_like(p, 0.1),
            "steps": lambda p: t.zeros(()),
            "nothing": lambda p: None,
        }
        state = [[makers[kind](p) for p in params] for kind in STATE[name]]
        required = [p.name for p in theirs.parameters.values() if p.kind == p.KEYWORD_ONLY]
        options = {k: NUMBERS[k] for k in required}
        for _ in range(3):
            function(params, grads, *state, **options)
        return flat([params, *state], t)

    assert_near(program(ours), program(torch), 1e-7)


def curve(t, p):
    """A bent valley."""
    return (1 - p[0]) ** 2 + 2 * (p[1] - p[0]) ** 2 + 0.1 * p[0] ** 4 + (p[2] - 3) ** 2


LBFGS = [
    {},
    {"line_search_fn": "strong_wolfe"},
    {"lr": 0.1, "max_iter": 3, "history_size": 2},
    {"line_search_fn": "strong_wolfe", "history_size": 2, "max_iter": 7, "max_eval": 5},
    {"tolerance_grad": 10.0},
    {"tolerance_change": 0.5, "lr": 0.01},
]


@pytest.mark.parametrize("options", LBFGS, ids=str)
def test_lbfgs(options):
    """The same way down, number of evaluations and state, also after loading."""

    def program(t):
        p = t.nn.Parameter(t.tensor([-1.2, 1.0, 0.0], dtype=t.float64))
        q = t.nn.Parameter(t.tensor(2.0, dtype=t.float64))
        optimizer = t.optim.LBFGS([p, q], **options)
        seen = []

        def closure():
            optimizer.zero_grad()
            loss = curve(t, p) + q * q
            loss.backward()
            return loss

        for i in range(4):
            if i == 2:
                state = copy.deepcopy(optimizer.state_dict())
                optimizer = t.optim.LBFGS([p, q], **options)
                optimizer.load_state_dict(state)
            loss = optimizer.step(closure)
            seen.append([loss.item(), *p.tolist(), q.item()])
            own = next(iter(optimizer.state.values()))
            seen.append([own["func_evals"], own["n_iter"]])
        return seen, sorted(own)

    got, want = program(ours), program(torch)
    assert got[1] == want[1]
    for a, b in zip(got[0], want[0]):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("rate", [1e-4, 1.0, 40.0])
def test_a_line_search_is_part_of_the_evaluations(most, rate):
    """However far the line goes on, a step computes the loss at most so often."""

    def program(t):
        p = t.nn.Parameter(t.tensor([-3.0, 2.0], dtype=t.float64))
        optimizer = t.optim.LBFGS([p], lr=rate, max_eval=most, line_search_fn="strong_wolfe")
        seen = []

        def closure():
            optimizer.zero_grad()
            loss = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
            loss.backward()
            seen.append(p.tolist())
            return loss

        for _ in range(3):
            optimizer.step(closure)
        return seen, optimizer.state[p]["prev_flat_grad"].tolist()

    for got, want in zip(program(ours), program(torch), strict=True):
        assert len(got) == len(want)
        np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-3)  # a last digit grows


def test_lbfgs_writes_earlier_gradients_in_place_and_lays_out_none():
    """What a program keeps of the state goes on; gradients that are not in a row are refused."""

    def program(t, turned=False):
        p = t.nn.Parameter(t.ones(2, 3))
        optimizer = t.optim.LBFGS([p], max_iter=1)

        def closure():
            made = t.arange(6.0).view(3, 2).t() * p.detach() if turned else p.detach() * 2
            p.grad = made
            return made.sum()

        optimizer.step(closure)
        kept = optimizer.state[p]["prev_flat_grad"]
        optimizer.step(closure)
        return kept.tolist(), kept is optimizer.state[p]["prev_flat_grad"]

    assert program(ours) == program(torch)
    texts = []
    for t in (ours, torch):
        with pytest.raises(RuntimeError) as caught:
            program(t, True)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("kind", ["SGD", "Adagrad", "Adam", "AdamW"])
def test_fused_steps_take_no_sparse_gradients(kind):
    """Each optimizer says so in its own words."""

    def program(t):
        table = t.nn.Embedding(4, 2, sparse=True)
        optimizer = getattr(t.optim, kind)(table.parameters(), lr=0.1, fused=True)
        table(t.tensor([1, 1, 3])).sum().backward()
        with pytest.raises(RuntimeError) as caught:
            optimizer.step()
        return str(caught.value)

    assert program(ours) == program(torch)


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (5, 5)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"nesterov": False, "lr": 0.1, "weight_decay": 0.0},
        {"adjust_lr_fn": "match_rms_adamw", "momentum": 0.5},
        {"adjust_lr_fn": "original", "ns_steps": 3, "ns_coefficients": (3.0, -3.0, 1.0)},
    ],
    ids=str,
)
def test_muon(shape, options):
    """To what bfloat16 holds, in which the matrices are made orthogonal."""

    def program(t):
        params = parameters(t, "float32", [shape])
        optimizer = t.optim.Muon(params, **options)
        run_steps(t, params, optimizer, 3)
        return flat([params, optimizer.state_dict()["state"]], t)

    got, want = program(ours), program(torch)
    assert_near(got, want, 2e-2 * options.get("lr", 1e-3) * 3 + 1e-6)
