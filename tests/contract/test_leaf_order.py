"""Hooks of leaves run in the oracle's order, also among leaves that are ready together."""

from __future__ import annotations

import random

import mindtorch
import pytest
import torch


def _order(lib, seed):
    """The order in which leaves' hooks run in the backward of a random program."""
    draw = random.Random(seed)
    order: list[int] = []
    leaves = [lib.ones(2, 2, requires_grad=True) for _ in range(12)]
    for i, leaf in enumerate(leaves):
        leaf.register_post_accumulate_grad_hook(lambda _, i=i: order.append(i))
    values = list(leaves)
    for _ in range(draw.randint(1, 6)):
        kind = draw.choice(["cat", "mul", "addcmul", "stack"])
        many = draw.sample(values, draw.randint(2, 8))
        if kind == "cat":
            made = lib.cat(many)[:2]
        elif kind == "stack":
            made = lib.stack(many)[0]
        elif kind == "mul":
            made = many[0] @ many[1]
        else:
            made = lib.addcmul(many[0], many[1], many[-1])
        values.append(made)
    sum(v.sum() for v in values[12:]).backward()
    return order


@pytest.mark.parametrize("seed", range(40))
def test_hooks_of_leaves_run_in_the_oracles_order(seed):
    """Leaves have one priority in torch; who is first follows from its heap."""
    assert _order(mindtorch, seed) == _order(torch, seed)
