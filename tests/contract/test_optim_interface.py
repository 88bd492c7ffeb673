"""What optimizers refuse, their names, the helpers that others import, and fused steps."""

from __future__ import annotations

import contextlib
import copy
import importlib
import inspect
import textwrap

import pytest

from tests.contract.both_frameworks import BOTH, ours, same, torch
from tests.workspace import run_python

from .test_optim_more import (
    FUNCTIONAL,
    FUSED,
    NUMBERS,
    STATE,
    assert_near,
    data,
    flat,
    modules,
)


def parameter(t, *shape, **options):
    return t.nn.Parameter(t.ones(*(shape or (2,)), **options))


def stepped(t, kind, *shape, dtype=None, **options):
    """One step with a gradient of ones."""
    p = parameter(t, *shape, dtype=dtype or t.float32)
    optimizer = getattr(t.optim, kind)([p], **options)
    p.grad = t.ones_like(p)
    optimizer.step()
    return p


REFUSALS = [
    *(lambda t, o=o: t.optim.Adafactor([parameter(t)], **o) for o in (
        {"lr": -1}, {"beta2_decay": 1.0}, {"eps": (-1, 1)}, {"eps": (1, -1)}, {"d": 0.5},
        {"weight_decay": -1},
    )),
    *(lambda t, o=o: t.optim.Muon([parameter(t, 2, 2)], **o) for o in (
        {"lr": -1}, {"momentum": -1}, {"weight_decay": -1}, {"adjust_lr_fn": "x"},
    )),
    lambda t: t.optim.Muon([parameter(t)]),
    lambda t: t.optim.Muon([parameter(t, 2, 2, 2)]),
    lambda t: stepped(t, "Muon", 2, 2, ns_steps=100),
    lambda t: stepped(t, "Muon", 2, 2, ns_coefficients=(1, 2)),
    lambda t: stepped(t, "Muon", 2, 2, dtype=t.complex64),
    lambda t: stepped(t, "Adafactor", 2, dtype=t.complex64),
    *(lambda t, o=o: t.optim.SparseAdam([parameter(t)], **o) for o in (
        {"lr": -1}, {"eps": 0}, {"betas": (1, 0.1)}, {"betas": (0.1, 1)},
    )),
    lambda t: t.optim.SparseAdam([parameter(t, dtype=t.complex64)]),
    lambda t: stepped(t, "SparseAdam"),
    *(lambda t, o=o: t.optim.ASGD([parameter(t)], **o) for o in (
        {"lr": -1}, {"weight_decay": -1},
    )),
    *(lambda t, o=o: t.optim.Rprop([parameter(t)], **o) for o in (
        {"lr": -1}, {"etas": (1, 2)}, {"etas": (0, 2)}, {"etas": (0.5, 1.0)},
    )),
    *(lambda t, k=k: getattr(t.optim, k)([parameter(t)], lr=t.ones(2)) for k in (
        "ASGD", "Adafactor", "LBFGS", "Muon", "Rprop", "SparseAdam",
    )),
    lambda t: t.optim.LBFGS([parameter(t)], lr=-1),
    lambda t: t.optim.LBFGS([{"params": [parameter(t)]}, {"params": [parameter(t)]}]),
    lambda t: t.optim.LBFGS([parameter(t)]).step(),
    *(lambda t, k=k: stepped(t, k, foreach=True, differentiable=True) for k in (
        "ASGD", "Adadelta", "Adagrad", "Adam", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop",
    )),
    *(lambda t, k=k: stepped(t, k, differentiable=True) for k in ("SGD", "Adam", "Rprop", "ASGD")),
    *(
        lambda t, n=n: importlib.import_module(f"{t.__name__}.optim.{n}").__dict__[n](
            [t.ones(2)], [t.ones(2)], *[[t.zeros(2)]] * (len(STATE[n]) - 1), [3], **{
                p: NUMBERS[p] for p, v in inspect.signature(
                    importlib.import_module(f"torch.optim.{n}").__dict__[n]
                ).parameters.items() if v.kind == v.KEYWORD_ONLY
            }
        )
        for n in FUNCTIONAL
        if n not in ("sgd", "asgd")
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(REFUSALS)))
def test_refusals(case):
    """Bad options, and what an optimizer cannot do, with torch's type and text."""
    (result, _) = same(lambda t: type(REFUSALS[case](t)).__name__)
    assert result[0] != "value"


def test_signatures_and_names():
    """All classes of ``torch.optim``: parameters, methods, printing."""
    assert sorted(ours.optim.__all__) == sorted(torch.optim.__all__)
    for name in torch.optim.__all__:
        mine, theirs = getattr(ours.optim, name), getattr(torch.optim, name)
        if not inspect.isclass(theirs):
            continue
        described = [
            [(p.name, p.default, p.kind) for p in inspect.signature(c).parameters.values()]
            for c in (mine, theirs)
        ]
        assert described[0] == described[1], name
        assert mine.__module__.replace("mindtorch", "torch", 1) == theirs.__module__
        for method in ("_init_group", "step"):
            if hasattr(theirs, method):
                got, want = (
                    list(inspect.signature(getattr(c, method)).parameters) for c in (mine, theirs)
                )
                assert got == want, (name, method)
        if name not in ("Optimizer", "Muon"):
            assert repr(mine([parameter(ours)])) == repr(theirs([parameter(torch)]))


SUBMODULES = (
    "_adafactor _functional _multi_tensor _muon adadelta adagrad adam adamax adamw asgd lbfgs "
    "lr_scheduler nadam optimizer radam rmsprop rprop sgd sparse_adam swa_utils"
).split()


@pytest.mark.parametrize("name", SUBMODULES)
def test_submodules_have_torchs_names(name):
    """What ``__all__`` of a submodule tells."""
    mine, theirs = modules(name)
    told = getattr(theirs, "__all__", None) or [
        n
        for n, v in vars(theirs).items()
        if n[0] != "_" and getattr(v, "__module__", "").startswith("torch.optim")
    ]
    assert [n for n in told if not hasattr(mine, n)] == []


PRIVATE = [
    lambda o, t: (o._get_value(t.ones(1)), o._get_value(3)),
    lambda o, t: (o._to_scalar(t.ones(1)), o._to_scalar(2.0), o._to_scalar(t.ones(()))),
    lambda o, t: (o._get_scalar_dtype(), o._get_scalar_dtype(True)),
    lambda o, t: o._stack_if_compiling([1]),
    lambda o, t: o._default_to_fused_or_foreach([t.ones(1)], False),
    lambda o, t: o._default_to_fused_or_foreach([t.ones(1)], False, True),
    lambda o, t: o._default_to_fused_or_foreach([t.ones(1)], True, True),
    lambda o, t: repr(o.required),
    lambda o, t: o._device_dtype_check_for_fused(t.ones(1)),
]


@pytest.mark.parametrize("case", range(len(PRIVATE)))
def test_helpers_that_others_import(case):
    """Functions of ``torch.optim.optimizer``."""
    program = PRIVATE[case]

    def run(t):
        result = program(importlib.import_module(f"{t.__name__}.optim.optimizer"), t)
        return [str(r) for r in result] if isinstance(result, tuple) else result

    same(run)


def grouped(t):
    utils = importlib.import_module(f"{t.__name__}.utils._foreach_utils")
    lists = [[t.ones(1), t.ones(2, dtype=t.float64), t.ones(3)], [t.ones(1), None, t.ones(2)], []]
    found = utils._group_tensors_by_device_and_dtype(lists, with_indices=True)
    return sorted(
        (str(k), [[None if x is None else x.tolist() for x in l] for l in a], b)
        for k, (a, b) in found.items()
    )


def test_lists_are_parted_by_device_and_dtype():
    """``_group_tensors_by_device_and_dtype`` and its refusals."""
    same(grouped)
    for lists in (
        lambda t: [],
        lambda t: [[]],
        lambda t: [[], [t.ones(1)]],
        lambda t: [[None]],
        lambda t: [[t.ones(1)], [t.ones(1), None]],
    ):
        same(
            lambda t: importlib.import_module(
                f"{t.__name__}.utils._foreach_utils"
            )._group_tensors_by_device_and_dtype(lists(t))
        )


def test_fused_steps_take_what_a_scaler_finds():
    """``grad_scale`` and ``found_inf``: gradients are unscaled, a step may be left out."""
    for kind in FUSED:
        for bad in (False, True):

            def program(t):
                p = parameter(t)
                optimizer = getattr(t.optim, kind)([p], lr=0.1, fused=True)
                scaler = t.amp.GradScaler("cpu", init_scale=4.0)
                scaler.scale(p.sum() * (float("inf") if bad else 1.0)).backward()
                scaler.step(optimizer)
                scaler.update()
                return (
                    p.tolist(),
                    p.grad.tolist(),
                    optimizer.state_dict()["state"],
                    scaler.get_scale(),
                )

            same(program)


def swapped(t, state, parameters=None, steps=1):
    """Run *steps* in the block; what is then where."""
    params = [t.nn.Parameter(t.ones(2)), t.nn.Parameter(t.ones(3))]
    optimizer = t.optim.SGD(params, lr=0.1, momentum=0.9)
    for p in params:
        p.grad = t.ones_like(p)
    optimizer.step()
    others = parameters(t) if parameters else {"a": t.zeros(2), "b": t.zeros(3)}
    given = state(copy.deepcopy(optimizer.state_dict()))
    with t.optim.swap_in_optimizer_params_and_state(optimizer, others, given):
        for p in optimizer.param_groups[0]["params"]:
            p.grad = t.ones_like(p)
        for _ in range(steps):
            optimizer.step()
        optimizer.param_groups[0]["lr"] = 9.0
    return list(others.values()), given["state"], optimizer.state_dict(), params


SWAPS = [
    lambda s: s,
    lambda s: (s["param_groups"][0].update(lr=0.5), s)[1],
    lambda s: {**s, "state": {}},
    lambda s: {},
    lambda s: 3,
    lambda s: {**s, "state": 3},
    lambda s: {**s, "state": {"a": {}}},
    lambda s: {**s, "state": {0: 3}},
    lambda s: {**s, "param_groups": 3},
    lambda s: {**s, "param_groups": []},
    lambda s: {**s, "param_groups": [3]},
    lambda s: {**s, "param_groups": [{}]},
    lambda s: {**s, "param_groups": [{"params": ["a", "b"]}]},
    lambda s: {**s, "param_groups": [{"params": [0]}]},
    lambda s: {**s, "param_groups": [{"params": [0, 1]}]},
    lambda s: {**s, "state": {**s["state"], 7: {}}},
]


@pytest.mark.parametrize("case", range(len(SWAPS)))
def test_other_parameters_for_a_while(case):
    """``swap_in_optimizer_params_and_state`` gives the optimizer back as it was."""
    same(lambda t: swapped(t, SWAPS[case]))


def test_other_parameters_must_be_as_many():
    """And an optimizer must have made a step."""
    same(lambda t: swapped(t, SWAPS[0], lambda t: {"a": t.zeros(2)}))
    same(
        lambda t: t.optim.swap_in_optimizer_params_and_state(
            t.optim.SGD([t.nn.Parameter(t.ones(1))]), {}, {}
        ).__enter__()
    )


@pytest.mark.parametrize("options", [{}, {"amsgrad": True, "weight_decay": 0.1, "maximize": True}])
@pytest.mark.parametrize("name", ["Adam", "AdamW"])
def test_a_fused_step_of_the_accelerator_waits_for_no_number(name, options):
    """One kernel reads the counts where they are; the numbers are those of torch's step."""

    def stepped(t, device):
        p = t.nn.Parameter(t.arange(1.0, 5.0, device=device))
        optimizer = getattr(t.optim, name)([p], lr=0.1, fused=True, **options)
        for n in (1, 2):
            p.grad = t.linspace(-n, n, 4).to(device)
            with sync_refused(t) if device == "npu" else contextlib.nullcontext():
                optimizer.step()
        return p.detach().cpu().tolist(), [type(v) for v in optimizer.state[p].values()]

    (got, kinds), (want, _) = stepped(ours, "npu"), stepped(torch, "cpu")
    assert got == pytest.approx(want, rel=2e-6)
    assert set(kinds) == {ours.Tensor}


@contextlib.contextmanager
def sync_refused(t):
    """A block in which the host may not wait for the accelerator."""
    t.npu.set_sync_debug_mode("error")
    try:
        yield
    finally:
        t.npu.set_sync_debug_mode("default")


def fused(t, name, rate, scale, bad, first):
    """One call of a fused op: all that it may have written, what it gives, versions."""
    params, grads, *state = (
        [t.tensor(data((3,), 10 * i + j)).float().abs() for j in range(2)] for i in range(5)
    )
    counts = [t.tensor(3.0) for _ in params]
    lists = {
        "adam": [*state, counts],
        "adamw": [*state, counts],
        "sgd": [state[0]],
        "adagrad": [state[0], counts],
    }[name]
    options = {
        "adam": ("beta1", "beta2", "weight_decay", "eps", "amsgrad", "maximize"),
        "adamw": ("beta1", "beta2", "weight_decay", "eps", "amsgrad", "maximize"),
        "sgd": ("weight_decay", "momentum", "dampening", "nesterov", "maximize"),
        "adagrad": ("lr_decay", "weight_decay", "eps", "maximize"),
    }[name]
    given = {k: NUMBERS[k] for k in options}
    given["lr"] = t.tensor(0.1) if rate else 0.1
    if name == "sgd":
        given["is_first_step"] = bool(first)
    if scale:
        given |= {"grad_scale": t.tensor(4.0), "found_inf": t.tensor(float(bad))}
    result = getattr(t, f"_fused_{name}_")(params, grads, *lists, **given)
    versions = [written._version for each in (params, grads, *lists) for written in each]
    return flat([params, grads, lists], t), result, versions


@pytest.mark.parametrize("setting", [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 1), (0, 1, 1, 1)])
@pytest.mark.parametrize("name", ["adam", "adamw", "sgd", "adagrad"])
def test_fused_ops(name, setting):
    """``torch._fused_adam_`` and its kin write what torch's kernels write, past all versions."""
    got, want = (fused(t, name, *setting) for t in BOTH)
    assert got[1] is want[1] is None
    assert got[2] == want[2]
    assert_near(got[0], want[0], 2e-6)


KINDS = (
    "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "ASGD", "LBFGS", "Muon", "NAdam",
    "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_states_of_before_an_option_was_there_are_loaded(kind):
    """A state that lacks options which came later gets them, in torch's order, and steps go on."""
    lacking = (
        "foreach maximize differentiable capturable fused amsgrad decoupled_weight_decay nesterov "
        "centered momentum"
    ).split()
    if kind in ("SGD", "Muon"):
        lacking.remove("momentum")

    def program(t):
        p = parameter(t, 2, 2)
        optimizer = getattr(t.optim, kind)([p])
        state = optimizer.state_dict()
        state["param_groups"] = [
            {k: v for k, v in group.items() if k not in lacking} for group in state["param_groups"]
        ]
        optimizer.load_state_dict(state)
        options = list(optimizer.param_groups[0])
        p.grad = t.ones_like(p).to_sparse() if kind == "SparseAdam" else t.ones_like(p)
        optimizer.step(*([lambda: p.sum()] if kind == "LBFGS" else []))
        return options, p.round(decimals=5)

    same(program)


def test_a_step_with_sparse_gradients_does_not_ask_for_checks_of_sparse_tensors():
    """The indices are those of a gradient, so there is nothing to warn about."""
    code = """
        import {}
        p = torch.nn.Parameter(torch.ones(3, 2))
        p.grad = torch.eye(3, 2).to_sparse()
        torch.optim.SparseAdam([p]).step()
    """
    for names in ("torch", "mindtorch as torch"):
        done = run_python("-W", "error", "-c", textwrap.dedent(code.format(names)))
        assert (done.returncode, done.stderr) == (0, "")
