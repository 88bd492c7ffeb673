"""Optimizers: gradients that turn sparse, options that are kept otherwise than they were given."""

import pytest
import torch

from tests.contract.both_frameworks import ours, outcome, same

OPTIMIZERS = (
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon",
    "NAdam", "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam",
)  # fmt: skip


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_sparse_gradient_is_refused_at_whatever_step(name, before):
    def program(t):
        p = t.nn.Parameter(t.arange(6.0).view(3, 2))
        optimizer = getattr(t.optim, name)([p])
        dense = t.ones(3, 2)
        for step in range(before + 1):
            sparse = step == before or name == "SparseAdam"
            p.grad = dense.to_sparse() if sparse else dense.clone()
            optimizer.step(*([lambda: t.ones(())] if name == "LBFGS" else []))
        return sorted(optimizer.state[p])

    # Not its warning, which names a C++ file: that checks of sparse tensors are off.
    assert outcome(program, ours)[0] == outcome(program, torch)[0]


OPTIONS = [
    f"t.optim.{name}({params}, betas={betas})"
    for name in ("Adam", "AdamW", "Adamax", "NAdam", "RAdam", "SparseAdam")
    for params in ("[x]", "[{'params': [x], 'betas': [0.7, 0.8]}]")
    for betas in (
        "[0.8, 0.9]",
        "(0.8, 0.9)",
        "t.tensor([0.8, 0.9])",
        "(t.tensor([0.8]),) * 2",
        "(0.9,)",
        "3",
    )
] + [
    f"S.CosineAnnealingWarmRestarts(t.optim.SGD([x], lr=1.0), {first}, {factor})"
    for first in (1, 0, -1, 1.5, "'x'", "[1]")
    for factor in (1, 0, 1.5, "'x'", None)
]


@pytest.mark.parametrize("call", OPTIONS)
def test_options_are_kept_or_refused(call):
    def program(t):
        x = t.ones(2, requires_grad=True)
        made = eval(call, {"t": t, "x": x, "S": t.optim.lr_scheduler})
        return repr(getattr(made, "defaults", None)), getattr(made, "T_i", None)

    same(program)


@pytest.mark.filterwarnings("ignore:optimizer contains a parameter group with duplicate")
@pytest.mark.parametrize("order", [(0, 0), (0, 1, 0), (0, 1, 0, 2, 1), (0, 1)])
def test_a_parameter_that_is_there_twice_has_one_number(order):
    def program(t):
        ps = [t.nn.Parameter(t.ones(1)) for _ in range(3)]
        optimizer = t.optim.SGD([ps[i] for i in order], lr=0.1, momentum=0.9)
        optimizer.add_param_group({"params": [p for i, p in enumerate(ps) if i not in order]})
        for p in ps:
            p.grad = t.ones(1)
        optimizer.step()
        state = optimizer.state_dict()
        return list(state["state"]), [group["params"] for group in state["param_groups"]]

    same(program)
