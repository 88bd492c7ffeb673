"""Optimizers: the same numbers step by step, the same state, groups, checks and printing."""

import copy
import importlib
import itertools
import pickle
import warnings

import numpy as np
import pytest
import torch

ours = importlib.import_module("mindtorch")
BOTH = (ours, torch)

from tests.contract.hearing import hearing
from tests.contract.helpers import assert_same_value, assert_torch_error, both

SGD = [
    {},
    {"momentum": 0.9},
    {"momentum": 0.9, "dampening": 0.3},
    {"momentum": 0.8, "nesterov": True},
    {"weight_decay": 0.1},
    {"weight_decay": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True},
    {"maximize": True},
    {"foreach": True, "momentum": 0.5},
]
ADAM = [
    {},
    {"amsgrad": True},
    {"weight_decay": 0.1},
    {"maximize": True, "betas": (0.7, 0.9)},
    {"eps": 1e-3, "amsgrad": True, "weight_decay": 0.2, "maximize": True},
    {"betas": (0.0, 0.5)},
]
SCALED = [
    ("RMSprop", {}),
    ("RMSprop", {"momentum": 0.9, "weight_decay": 0.1, "maximize": True}),
    ("RMSprop", {"centered": True, "alpha": 0.7}),
    ("Adagrad", {}),
    ("Adagrad", {"lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.5}),
    ("Adadelta", {}),
    ("Adadelta", {"rho": 0.5, "weight_decay": 0.1, "maximize": True}),
    ("Adamax", {}),
    ("Adamax", {"weight_decay": 0.1, "betas": (0.5, 0.7)}),
    ("NAdam", {}),
    ("NAdam", {"weight_decay": 0.1, "momentum_decay": 0.1}),
    ("NAdam", {"weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True}),
    ("RAdam", {"betas": (0.5, 0.7)}),
    ("RAdam", {"betas": (0.9, 0.9), "weight_decay": 0.1, "decoupled_weight_decay": True}),
    ("RAdam", {"betas": (0.9, 0.9), "weight_decay": 0.1, "maximize": True}),
]
CASES = [("SGD", o) for o in SGD] + [(k, o) for k in ("Adam", "AdamW") for o in ADAM]
CASES += SCALED


def data(shape, seed, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def parameters(t, dtype="float32"):
    shapes = [(3, 4), (5,), ()]
    return [
        t.nn.Parameter(t.from_numpy(data(s, i, dtype).reshape(s))) for i, s in enumerate(shapes)
    ]


def steps(t, params, optimizer, n, first=0):
    """*n* steps with gradients that depend on the step only; one parameter skips every third."""
    for i in range(first, first + n):
        for j, p in enumerate(params):
            if j == 1 and i % 3 == 1:
                p.grad = None
                continue
            kind = str(p.dtype).removeprefix("torch.")
            p.grad = t.from_numpy(data(tuple(p.shape), 10 * i + j + 7, kind).reshape(p.shape))
        optimizer.step()


def numbers(params, optimizer):
    state = optimizer.state_dict()["state"]
    return [p.detach() for p in params], {k: dict(v) for k, v in state.items()}


def rounding(kind, dtype="float32"):
    """How far parameters and state may be off: several steps of sums that are rounded twice.

    RMSprop's roots are those of the processor, of which makes differ.
    """
    if dtype != "float32":
        return 1e-13
    return 1e-5 if kind == "RMSprop" else 2e-6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind, options", CASES, ids=str)
def test_steps(kind, options, dtype):
    """Seven steps from the same gradients: parameters and state."""

    def run(t):
        params = parameters(t, dtype)
        optimizer = getattr(t.optim, kind)(params, lr=0.05, **options)
        steps(t, params, optimizer, 7)
        return numbers(params, optimizer)

    (got, state), (want, other) = (run(t) for t in BOTH)
    assert_same_value(lambda: got, lambda: want, rtol=rounding(kind, dtype), atol=2e-8)
    assert_same_value(lambda: state, lambda: other, rtol=rounding(kind, dtype), atol=2e-8)


@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_groups_have_their_own_options(kind):
    """Options of a group win over the defaults."""

    def run(t):
        a, b, c = params = parameters(t)
        groups = [{"params": [a]}, {"params": [b], "lr": 0.5, "weight_decay": 0.3}]
        optimizer = getattr(t.optim, kind)(groups, lr=0.01)
        optimizer.add_param_group({"params": c, "lr": 0.2})
        steps(t, params, optimizer, 3)
        return numbers(params, optimizer), repr(optimizer), optimizer.state_dict()

    assert_same_value(*both(run), rtol=rounding(kind))


@pytest.mark.parametrize("kind, options", CASES[1::4], ids=str)
def test_state_round_trip(kind, options):
    """A fresh optimizer that loads the state goes on as the old one would."""

    def run(t):
        params = parameters(t)
        make = getattr(t.optim, kind)
        old = make(params, lr=0.05, **options)
        steps(t, params, old, 3)
        new = make(params, lr=1.0)
        new.load_state_dict(copy.deepcopy(old.state_dict()))
        steps(t, params, new, 2, first=3)
        return numbers(params, new), new.state_dict()

    assert_same_value(*both(run), rtol=rounding(kind))


def test_loading_casts_state_but_not_step_counts():
    """State takes the parameter's dtype, step counts stay float32."""

    def run(t):
        params = parameters(t)
        old = t.optim.Adam(params)
        steps(t, params, old, 2)
        doubles = parameters(t, "float64")
        new = t.optim.Adam(doubles)
        new.load_state_dict(old.state_dict())
        return new.state_dict()

    assert_same_value(*both(run), rtol=rounding("Adam"))


def test_tensor_rate():
    """A learning rate may be a tensor."""

    def run(t):
        results = []
        for kind in ("SGD", "Adam", "AdamW"):
            params = parameters(t)
            optimizer = getattr(t.optim, kind)(params, lr=t.tensor(0.05))
            steps(t, params, optimizer, 3)
            results.append(numbers(params, optimizer))
        return results

    assert_same_value(*both(run), rtol=1e-5)


def test_complex_parameters():
    """Adam averages real and imaginary parts on their own."""

    def run(t):
        p = t.nn.Parameter(t.tensor([1 + 2j, 3 - 1j]))
        results = []
        for kind in ("SGD", "Adam"):
            optimizer = getattr(t.optim, kind)([p], lr=0.1)
            for i in range(3):
                p.grad = t.tensor([1j * i + 1, 2 - 3j])
                optimizer.step()
            results.append(p.detach().clone())
        return results

    assert_same_value(*both(run), rtol=1e-6)


def test_closure():
    """The closure runs with gradients on; its result is returned."""

    def run(t):
        p = t.nn.Parameter(t.tensor([1.0, 2.0]))
        optimizer = t.optim.SGD([p], lr=0.1)

        def closure():
            optimizer.zero_grad()
            loss = (p * p).sum()
            loss.backward()
            return loss

        with t.no_grad():
            loss = optimizer.step(closure)
        return loss, p, optimizer.zero_grad(), p.grad

    assert_same_value(*both(run))


@pytest.mark.parametrize("to_none", [True, False])
def test_zero_grad(to_none):
    """Gradients become None, or zeros without history."""

    def run(t):
        p = t.nn.Parameter(t.ones(2))
        optimizer = t.optim.SGD([p])
        (p * p).sum().backward(create_graph=True)
        optimizer.zero_grad(to_none)
        return p.grad, p.grad is None or p.grad.requires_grad

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same_value(*both(run))


def test_hooks_run_around_steps_and_states():
    """Own and global hooks, in torch's order; pre-hooks may replace arguments."""

    def run(t):
        seen = []
        p = t.nn.Parameter(t.ones(1))
        o = t.optim.SGD([p])

        def say(what):
            return lambda *a: seen.append((what, len(a)))

        module = importlib.import_module(t.__name__ + ".optim.optimizer")
        handles = [
            module.register_optimizer_step_pre_hook(say("global pre")),
            module.register_optimizer_step_post_hook(say("global post")),
        ]
        o.register_step_pre_hook(say("pre"))
        o.register_step_pre_hook(lambda opt, args, kw: (args, {"closure": lambda: 5}))
        o.register_step_post_hook(say("post"))
        o.register_state_dict_pre_hook(say("state pre"))
        o.register_state_dict_post_hook(say("state post"))
        o.register_state_dict_post_hook(lambda opt, d: {**d, "more": 1}, prepend=True)
        o.register_load_state_dict_pre_hook(say("load pre"))
        o.register_load_state_dict_pre_hook(lambda opt, d: d, prepend=True)
        o.register_load_state_dict_post_hook(say("load post"))
        try:
            result = o.step()
        finally:
            for h in handles:
                h.remove()
        state = o.state_dict()
        o.load_state_dict(state)
        return seen, result, state

    assert_same_value(*both(run))


def parameter(t, n=2):
    return t.nn.Parameter(t.ones(n))


ERRORS = [
    *[
        lambda t, o, w, kind=kind, options=options: getattr(o, kind)([w], **options)
        for kind in ("RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam")
        for options in ({"lr": -1}, {"eps": -1}, {"weight_decay": -1})
    ],
    lambda t, o, w: o.RMSprop([w], alpha=-1),
    lambda t, o, w: o.RMSprop([w], momentum=-1),
    lambda t, o, w: o.Adagrad([w], lr_decay=-1),
    lambda t, o, w: o.Adagrad([w], initial_accumulator_value=-1),
    lambda t, o, w: o.Adagrad([w], fused=True, foreach=True),
    lambda t, o, w: o.Adadelta([w], rho=2),
    lambda t, o, w: o.Adamax([w], betas=(2, 0)),
    lambda t, o, w: o.NAdam([w], momentum_decay=-1),
    lambda t, o, w: o.RAdam([w], betas=(0, 2)),
    lambda t, o, w: o.RAdam([w], lr=t.ones(2)),
    lambda t, o, w: o.SGD(w),
    lambda t, o, w: o.SGD([]),
    lambda t, o, w: o.SGD([3]),
    lambda t, o, w: o.SGD(3),
    lambda t, o, w: o.SGD("a"),
    lambda t, o, w: o.SGD([{w}]),
    lambda t, o, w: o.SGD([{"params": {w}}]),
    lambda t, o, w: o.SGD([{"params": [w]}, {"params": [w]}]),
    lambda t, o, w: o.SGD([w * 2]),
    lambda t, o, w: o.SGD([w], lr=-1),
    lambda t, o, w: o.SGD([w], lr="a"),
    lambda t, o, w: o.SGD([w], momentum=-1),
    lambda t, o, w: o.SGD([w], weight_decay=-1),
    lambda t, o, w: o.SGD([w], nesterov=True),
    lambda t, o, w: o.SGD([w], nesterov=True, momentum=0.1, dampening=0.1),
    lambda t, o, w: o.SGD([w], lr=t.tensor([1.0, 2])),
    lambda t, o, w: o.SGD([w], fused=True, foreach=True),
    lambda t, o, w: o.SGD([w], fused=True, differentiable=True),
    lambda t, o, w: o.Adam([w], lr=-1),
    lambda t, o, w: o.Adam([w], betas=(1, 2)),
    lambda t, o, w: o.Adam([w], betas=(0.1, 2)),
    lambda t, o, w: o.Adam([w], eps=-1),
    lambda t, o, w: o.Adam([w], weight_decay=-1),
    lambda t, o, w: o.Adam([w], betas=(t.tensor(0.1), 0.1)),
    lambda t, o, w: o.Adam([w], lr=t.tensor(0.1), foreach=True),
    lambda t, o, w: o.Adam([("a", w), parameter(t)]),
    lambda t, o, w: o.Adam([w, ("b", parameter(t))]),
    lambda t, o, w: o.SGD([{"params": [w]}, {"params": [("b", parameter(t))]}]),
    lambda t, o, w: o.SGD([{"params": [("b", w)]}, {"params": [parameter(t)]}]),
    lambda t, o, w: o.Optimizer([w], {}).step(),
    lambda t, o, w: o.SGD([w]).add_param_group(3),
    lambda t, o, w: o.SGD([w]).add_param_group({"params": "a"}),
    lambda t, o, w: o.SGD([w]).add_param_group({}),
    lambda t, o, w: o.SGD([w]).load_state_dict({"param_groups": [], "state": {}}),
    lambda t, o, w: o.SGD([w]).load_state_dict({"param_groups": [{"params": [0, 1]}], "state": {}}),
]


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_are_the_oracles(case):
    """Bad arguments."""
    assert_torch_error(*both(lambda t: ERRORS[case](t, t.optim, parameter(t))))


@pytest.mark.parametrize("kind", ["Adam", "AdamW", "SGD", "Adagrad"])
def test_fused_steps_take_no_complex_parameters(kind):
    """Refused at the first step; only the name of the renamed backend differs."""
    texts = []
    for home in (ours, torch):
        p = home.nn.Parameter(home.ones(2, dtype=home.complex64))
        optimizer = getattr(home.optim, kind)([p], lr=0.1, fused=True)
        p.grad = home.ones_like(p)
        with pytest.raises(RuntimeError, match="floating point Tensors") as caught:
            optimizer.step()
        texts.append(str(caught.value).replace("'npu'", "'privateuseone'"))
    assert texts[0] == texts[1]


def test_wrong_result_of_a_step_hook():
    """A pre-hook returns None or a pair; the message names the step function."""

    def text(t):
        o = t.optim.SGD([parameter(t)])
        o.register_step_pre_hook(lambda *a: 3)
        with pytest.raises(RuntimeError) as caught:
            o.step()
        before, _, after = str(caught.value).partition(" at 0x")
        return before, after.partition(" ")[2]

    assert text(ours) == text(torch)


def test_duplicates_warn():
    """The same tensor twice in a group."""

    def heard(t):
        w = parameter(t)
        with hearing() as caught:
            t.optim.SGD([w, w])
        return [(str(c.message), c.category.__name__) for c in caught]

    assert heard(ours) == heard(torch) != []


PRINTED = [
    lambda t, w: t.optim.SGD([w], lr=0.1),
    lambda t, w: t.optim.Adam([w]),
    lambda t, w: t.optim.AdamW([{"params": [w], "lr": 1}, {"params": parameter(t)}]),
    lambda t, w: t.optim.SGD([("w", w)]),
]


@pytest.mark.parametrize("case", range(len(PRINTED)))
def test_printing_and_groups(case):
    """repr, group keys in order, attributes, the empty state dict."""

    def run(t):
        o = PRINTED[case](t, parameter(t))
        keys = [list(g) for g in o.param_groups]
        return repr(o), keys, list(o.__dict__), o.state_dict(), list(o.__getstate__())

    assert_same_value(*both(run))


@pytest.mark.parametrize("names", list(itertools.product([False, True], repeat=2)))
def test_names_in_state_dicts(names):
    """Names of parameters are saved with groups; loading keeps those that are there."""

    def run(t):
        def make(named, tag):
            w = parameter(t)
            return t.optim.SGD([(tag, w)] if named else [w], lr=0.1)

        target, source = make(names[0], "mine"), make(names[1], "other")
        target.load_state_dict(source.state_dict())
        return [{k: v for k, v in g.items() if k != "params"} for g in target.param_groups]

    got, want = run(ours), run(torch)
    assert got == want and [list(g) for g in got] == [list(g) for g in want]


def test_deepcopy_goes_on_alone():
    """A copied optimizer has parameters and state of its own."""

    def run(t):
        params = parameters(t)
        o = t.optim.AdamW(params)
        steps(t, params, o, 2)
        twin = copy.deepcopy(o)
        theirs = twin.param_groups[0]["params"]
        steps(t, theirs, twin, 2, first=2)
        return numbers(params, o), numbers(theirs, twin)

    assert_same_value(*both(run), rtol=1e-6)


def test_own_optimizer_class():
    """A user's optimizer gets hooks, groups and state from the base."""

    def run(t):
        class Sign(t.optim.Optimizer):
            def __init__(self, params, lr):
                super().__init__(params, {"lr": lr})

            def step(self, closure=None):
                with t.no_grad():
                    for g in self.param_groups:
                        for p in g["params"]:
                            self.state[p]["n"] = self.state[p].get("n", 0) + 1
                            p.sub_(p.grad.sign(), alpha=g["lr"])

        seen = []
        p = parameter(t)
        o = Sign([p], 0.1)
        o.register_step_post_hook(lambda *a: seen.append("post"))
        p.grad = t.tensor([2.0, -3.0])
        o.step()
        o.step()
        return p, o.state_dict(), seen

    assert_same_value(*both(run))


def test_pickle():
    """An optimizer survives pickling without its hooks."""
    p = parameter(ours)
    o = ours.optim.SGD([p], lr=0.3, momentum=0.9)
    p.grad = ours.ones(2)
    o.step()
    twin = pickle.loads(pickle.dumps(o))
    assert twin.state_dict()["param_groups"] == o.state_dict()["param_groups"]
    assert twin.state_dict()["state"][0]["momentum_buffer"].tolist() == [1.0, 1.0]
    twin.step()


CAPTURABLE = ["Adam", "AdamW", "Adadelta", "Adamax", "NAdam", "RAdam", "RMSprop"]


@pytest.mark.parametrize("foreach", [None, True, False])
@pytest.mark.parametrize("name", CAPTURABLE)
def test_steps_on_the_host_cannot_be_captured(name, foreach):
    """``capturable=True`` is refused at the first step; on an NPU it is taken."""
    found = []
    for framework in BOTH:
        p = framework.nn.Parameter(framework.ones(2))
        optimizer = getattr(framework.optim, name)([p], capturable=True, foreach=foreach)
        optimizer.step()  # without a gradient there is none
        p.sum().backward()
        with pytest.raises(AssertionError) as caught:
            optimizer.step()
        found.append(str(caught.value).replace("privateuseone", "npu"))
    assert found[0] == found[1]
    p = ours.nn.Parameter(ours.ones(2, device="npu"))
    optimizer = getattr(ours.optim, name)([p], capturable=True, foreach=foreach)
    p.sum().backward()
    optimizer.step()
    assert optimizer.state[p]["step"].device == p.device


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("kind", ["Adam", "AdamW"])
def test_fused_steps_of_half_precision_are_rounded_once(kind, dtype):
    def run(t):
        # Squares of such gradients are no numbers of float16 but zero.
        param = t.nn.Parameter(t.arange(50, dtype=getattr(t, dtype)).sin())
        optimizer = getattr(t.optim, kind)([param], weight_decay=0.1, amsgrad=True, fused=True)
        for scale in (1e-4, 1.0, 0.3):
            param.grad = (t.arange(50, dtype=param.dtype).cos() * scale).detach()
            optimizer.step()
        state = optimizer.state[param]
        return [param.tolist(), *(v.tolist() for _, v in sorted(state.items()))]

    assert run(ours) == run(torch)
