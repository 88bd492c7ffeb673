"""A program's own attributes of tensors, under names that a tensor's parts could have, too."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from .both_frameworks import agree

pytestmark = pytest.mark.oracle

NAMES = ["_meta", "_state", "_sig", "_edge", "_content", "_host", "_to", "_settle", "note"]


def _plain(t: Any) -> Any:
    return t.arange(4.0)


def _leaf(t: Any) -> Any:
    return t.arange(4.0, requires_grad=True)


def _parameter(t: Any) -> Any:
    return t.nn.Parameter(t.arange(4.0))


def _subclass(t: Any) -> Any:
    return t.arange(4.0).as_subclass(type("Own", (t.Tensor,), {}))


def _view(t: Any) -> Any:
    return t.arange(8.0)[::2]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [_plain, _leaf, _parameter, _subclass, _view])
def test_an_attribute_of_a_program_is_kept_and_changes_nothing(make: Any, name: str) -> None:
    def run(t: Any) -> Any:
        x = make(t)
        before = hasattr(x, name)
        setattr(x, name, {"kept": 1})
        found = [before, name in vars(x)]
        y = (x * x)[1:].clone()
        found += [y.detach(), hasattr(y, name), x.reshape(2, 2).detach(), x.is_leaf, x._version]
        if x.requires_grad:
            y.sum().backward()
            found.append(x.grad)
            x.requires_grad_(False)
        x.add_(1)
        found += [x.mul_(2).detach(), x._version, getattr(x, name)]
        delattr(x, name)
        return [*found, hasattr(x, name), x.detach() + 1]

    agree(run)


#: Where torch keeps the classes that programs derive their own from.
SPACES = (
    "nn optim optim.lr_scheduler optim.swa_utils utils.data utils.hooks amp autograd.function "
    "distributions distributions.constraints distributions.transforms fx nn.parallel "
    "nn.utils.parametrize nn.utils.prune profiler ao.nn.quantized distributed.fsdp"
).split()


def _pairs(space: str) -> Iterator[tuple[type, type]]:
    """Give the classes of one namespace, torch's and ours."""
    theirs = importlib.import_module(f"torch.{space}")
    ours = importlib.import_module(f"mindtorch.{space}")
    for name in dir(theirs):
        one, other = getattr(theirs, name), getattr(ours, name, None)
        if isinstance(one, type) and isinstance(other, type) and one is not other:
            yield one, other


#: What public pages say of a tensor, why a class is refused, and what torch's layers and
#: nodes of Functions get when they are made.
SAID = {"_pending", "_refuses", "_flat_weights", "_flat_weights_names", "_forward_cls"}


@pytest.mark.parametrize("space", SPACES)
def test_private_names_of_classes_stand_in_no_programs_way(space: str) -> None:
    """Private names that torch's classes lack end in an underscore, as no program's do."""
    import mindtorch
    import torch

    pairs = [*_pairs(space), (torch.Tensor, mindtorch.Tensor)]
    of_torch = {name for theirs, _ in pairs for name in dir(theirs)} | SAID
    found = {
        f"{ours.__qualname__}.{name}"
        for _, ours in pairs
        for name in set(dir(ours)) - of_torch
        if name.startswith("_") and not name.endswith("_")
    }
    assert len(pairs) > 1 and found == set()


#: What programs keep on a context, under names that a node's parts could have, too.
CONTEXT = "_saved _edges _key _extra _only _versions _argument_facts _quick saved key".split()


@pytest.mark.parametrize("name", CONTEXT)
def test_an_attribute_of_a_context_is_kept_and_changes_nothing(name: str) -> None:
    def run(t: Any) -> Any:
        class Cube(t.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any, scale: float) -> Any:
                setattr(ctx, name, {"scale": scale})
                ctx.save_for_backward(x)
                return scale * x**3

            @staticmethod
            def backward(ctx: Any, grad: Any) -> Any:
                (x,) = ctx.saved_tensors
                return grad * 3 * x**2 * getattr(ctx, name)["scale"], None

        x = t.arange(4.0, requires_grad=True)
        y = Cube.apply(x * 2, 0.5)
        (first,) = t.autograd.grad(y.sum(), x, retain_graph=True)
        y.sum().backward()
        return [first, x.grad, getattr(y.grad_fn, name)]

    agree(run)
