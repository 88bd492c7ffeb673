"""Which in-place changes of a step of an optimizer version counters tell of."""

from __future__ import annotations

import inspect
import itertools

import pytest

from tests.contract.both_frameworks import ours, torch

KINDS = "ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax NAdam RAdam RMSprop Rprop SGD".split()
OPTIONS = [
    {},
    {"momentum": 0.9},
    {"weight_decay": 0.1},
    {"amsgrad": True},
    {"centered": True},
    {"maximize": True},
]
WAYS = [{}, {"foreach": False}, {"fused": True}]
CASES = [
    (kind, {**options, **way})
    for kind, options, way in itertools.product(KINDS, OPTIONS, WAYS)
    if {*options, *way} <= set(inspect.signature(getattr(torch.optim, kind)).parameters)
]


def versions(t, kind, options):
    """Those of parameters, gradients and states after each of two steps."""
    params = [t.nn.Parameter(t.ones(3, 2)), t.nn.Parameter(t.ones(2, 2))]
    optimizer = getattr(t.optim, kind)(params, **options)
    seen = []
    for _ in range(2):
        for param in params:
            param.grad = t.ones_like(param)
        optimizer.step()
        states = [optimizer.state[param] for param in params]
        told = [{k: v._version for k, v in s.items() if isinstance(v, t.Tensor)} for s in states]
        seen.append(([p._version for p in params], [p.grad._version for p in params], told))
    return seen


@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
def test_versions_after_a_step_are_the_oracles(kind, options):
    """torch's fused kernels write past them."""
    assert versions(ours, kind, options) == versions(torch, kind, options)
