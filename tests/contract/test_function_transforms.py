"""Functions under several transforms at once: forward over reverse, vmap over both."""

from __future__ import annotations

import warnings

import pytest

from tests.contract.programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function, digits=4)


def numbers(found):
    """The numbers of results; how zeros lie in memory is not compared."""
    return [numbers(t) for t in found] if isinstance(found, tuple) else found.tolist()


def functions(torch, generated):
    """A product, and a cube that gives its slope as a second result and keeps that."""
    with warnings.catch_warnings():  # torch warns of itself at the first tangent of a process
        warnings.simplefilter("ignore")
        torch.func.jvp(torch.sin, (torch.ones(1),), (torch.ones(1),))

    class Product(torch.autograd.Function):
        generate_vmap_rule = generated

        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return Product.apply(g, y), Product.apply(g, x)

        @staticmethod
        def jvp(ctx, a, b):
            x, y = ctx.saved_tensors
            return a * y + b * x

        if not generated:

            @staticmethod
            def vmap(info, dims, x, y):
                x = x if dims[0] is None else x.movedim(dims[0], -1)
                y = y if dims[1] is None else y.movedim(dims[1], -1)
                x = x.unsqueeze(-1) if dims[0] is None else x
                y = y.unsqueeze(-1) if dims[1] is None else y
                return Product.apply(x, y), -1

    class Cube(torch.autograd.Function):
        generate_vmap_rule = generated

        @staticmethod
        def forward(x):
            return x**3, 3 * x**2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0], output[1])
            ctx.save_for_forward(inputs[0], output[1])

        @staticmethod
        def backward(ctx, g, h):
            x, slope = ctx.saved_tensors
            return Product.apply(g, slope) + 6 * Product.apply(h, x)

        @staticmethod
        def jvp(ctx, t):
            x, slope = ctx.saved_tensors
            return Product.apply(t, slope), 6 * Product.apply(t, x)

        if not generated:

            @staticmethod
            def vmap(info, dims, x):
                return Cube.apply(x), (dims[0], dims[0])

    y = torch.tensor([0.5, 0.25, 2.0])
    return (
        lambda x: Cube.apply(x)[0],
        lambda x: Cube.apply(x)[1],
        lambda x: Product.apply(x, y),
        lambda x: Product.apply(x, x),
    )


def transformed(torch, function):
    """Calls of *function* under one transform or several."""
    func = torch.func
    x, v = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2.0, 0.5, 1.0])
    rows = torch.arange(6.0).view(2, 3)

    def total(t):
        return function(t).sum()

    return (
        lambda: func.grad(total)(x),
        lambda: func.grad(lambda t: func.grad(total)(t).sum())(x),
        lambda: func.jvp(function, (x,), (v,)),
        lambda: func.jvp(func.grad(total), (x,), (v,)),
        lambda: func.jacrev(function)(x),
        lambda: func.jacfwd(function)(x),
        lambda: func.hessian(total)(x),
        lambda: func.vmap(function)(rows),
        lambda: func.vmap(func.grad(total))(rows),
        lambda: func.vmap(function, in_dims=1)(rows.t()),
        lambda: func.jvp(func.vmap(function), (rows,), (rows + 1,)),
    )


@program
def with_rules_of_their_own(torch, ns, note):
    for function in functions(torch, False):
        for call in transformed(torch, function):
            note(lambda call=call: numbers(call()))


@program
def with_generated_rules(torch, ns, note):
    for function in functions(torch, True):
        for call in transformed(torch, function):
            note(lambda call=call: numbers(call()))


@program
def with_a_ctx_in_forward(torch, ns, note):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(3)
    for transform in (torch.func.grad, torch.func.vmap, torch.func.jacrev):
        note(lambda transform=transform: transform(lambda t: Doubled.apply(t).sum())(x))
        note(lambda transform=transform: transform(lambda t: Doubled.apply(x).sum() + t.sum())(x))
    note(lambda: torch.func.jvp(Doubled.apply, (x,), (x,)))
    leaf = torch.ones(3, requires_grad=True)
    note(torch.autograd.grad(Doubled.apply(leaf), leaf, torch.eye(3), is_grads_batched=True))
