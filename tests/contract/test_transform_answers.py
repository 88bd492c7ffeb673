"""What tensors answer inside of nested transforms: whether they are differentiated, and by what."""

from __future__ import annotations

import itertools

import pytest

from tests.contract.both_frameworks import ours, torch

#: Chains of transforms, the innermost last, in which vmap gives the function a sample.
CHAINS = [
    chain
    for n in (1, 2, 3)
    for chain in itertools.product(("grad", "vmap", "jvp", "vjp"), repeat=n)
    if "vmap" in chain and chain.count("jvp") < 2
]


def transformed(t, chain, f):
    """*f* in the transforms of *chain*."""
    for name in reversed(chain):
        f = {
            "grad": lambda f: lambda x: t.func.grad(lambda y: f(y).sum())(x),
            "vjp": lambda f: lambda x: t.func.vjp(f, x)[1](t.ones_like(f(x)))[0],
            "jvp": lambda f: lambda x: t.func.jvp(f, (x,), (t.ones_like(x),))[1],
            "vmap": lambda f: lambda x: t.func.vmap(f)(x),
        }[name](f)
    return f


def told(t, chain, requires):
    """What the function's tensors answer, in order."""
    seen = []
    factor = t.ones((), requires_grad=True)

    def tell(name, x):
        made = None if x.grad_fn is None else type(x.grad_fn).__name__
        seen.append((name, x.requires_grad, x.is_leaf, made))

    def f(x):
        y = x * 2
        for name, value in (
            ("argument", x),
            ("product", y),
            ("with a leaf of the user's", y * factor),
            ("detached", y.detach()),
            ("detached, with that leaf", y.detach() * factor),
            ("a view", y.view(y.shape)),
            ("new", x.new_zeros(x.shape)),
            ("whole numbers", x.int()),
            ("copied", y.clone()),
            ("a sum", y + x),
        ):
            tell(name, value)
        with t.no_grad():
            tell("unrecorded", x * 3)
        changed = x.clone()
        changed.mul_(y)
        tell("changed in place", changed)
        return (y * x).sum()

    x = t.ones([2] * (chain.count("vmap") + 1), requires_grad=requires)
    transformed(t, chain, f)(x)
    return seen


@pytest.mark.parametrize("requires", [False, True])
@pytest.mark.parametrize("chain", CHAINS, ids="-".join)
def test_samples_answer_as_the_oracles(chain, requires):
    """As torch's innermost wrapper does. Nodes are those of the ops on whole batches."""
    assert told(ours, chain, requires) == told(torch, chain, requires)
