"""``torch.autograd.grad(is_grads_batched=True)``: one backward for a batch of gradients."""

from __future__ import annotations

import mindtorch
import pytest
import torch


def graph(t):
    """Two leaves; a result of one and a result of both."""
    x, u = t.ones(3, requires_grad=True), t.ones(2, requires_grad=True)
    return x, u, x * x * 2, x * x * x * u.sum()


def all_outputs(t, grad):
    x, u, y, z = graph(t)
    return grad((y, z), (x, u), (t.eye(3), t.eye(3) * 2))


def batches_of_a_scalar(t, grad):
    x, _, y, _ = graph(t)
    return grad(y.sum(), x, t.arange(4.0))


def unused(t, grad):
    x, u, y, _ = graph(t)
    return grad(y, (x, u), t.eye(3), allow_unused=True)


def nothing_used(t, grad):
    _, u, y, _ = graph(t)
    return grad(y, u, t.eye(3), allow_unused=True)


def zeros_for_unused(t, grad):
    x, u, y, _ = graph(t)
    return grad(y, (x, u), t.eye(3), materialize_grads=True)


def twice(t, grad):
    x, _, y, _ = graph(t)
    (first,) = grad(y, x, t.eye(3), create_graph=True)
    return (first, *t.autograd.grad(first.sum(), x))


def refused_unused(t, grad):
    x, u, y, _ = graph(t)
    return grad(y, (x, u), t.eye(3))


def refused_shape(t, grad):
    x, _, y, _ = graph(t)
    return grad(y, x, t.ones(3))


def refused_sizes(t, grad):
    x, _, y, z = graph(t)
    return grad((y, z), x, (t.eye(3), t.ones(2, 3)))


PROGRAMS = [
    all_outputs,
    batches_of_a_scalar,
    unused,
    nothing_used,
    zeros_for_unused,
    twice,
    refused_unused,
    refused_shape,
    refused_sizes,
]


def outcome(program, t):
    def grad(*args, **kwargs):
        return t.autograd.grad(*args, is_grads_batched=True, **kwargs)

    try:
        made = program(t, grad)
    except Exception as error:
        return type(error).__name__, str(error)
    return [
        None if g is None else (g.tolist(), tuple(g.shape), g.requires_grad, str(g.dtype))
        for g in made
    ]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_a_batch_of_gradients_is_torchs(program):
    """The same gradients with the batch in front, None where torch gives None, the same errors."""
    want = outcome(program, torch)
    assert isinstance(want, tuple) == program.__name__.startswith("refused")
    assert outcome(program, mindtorch) == want
