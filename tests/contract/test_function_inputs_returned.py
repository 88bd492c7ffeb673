"""A ``Function`` that returns an argument as it is, and saves it."""

import itertools

import pytest

from tests.contract.both_frameworks import same

SAVED = ("argument", "result", "other", "for forward", "nothing")
RETURNED = ("alone", "in a tuple", "with a fresh one")


def _function(t, saved, returned, dirty, constant, separate):
    def computed(a):
        if dirty:
            a.mul_(1)
        return {"alone": a, "in a tuple": (a,), "with a fresh one": (a * 1, a)}[returned]

    def noted(ctx, a, b, out):
        result = out[-1] if isinstance(out, tuple) else out
        if dirty:
            ctx.mark_dirty(a)
        if constant:
            ctx.mark_non_differentiable(result)
        if saved == "for forward":
            ctx.save_for_forward(a)
        elif saved != "nothing":
            ctx.save_for_backward({"argument": a, "result": result, "other": b}[saved], None)

    class Returns(t.autograd.Function):
        if separate:

            @staticmethod
            def forward(a, b):
                return computed(a)

            @staticmethod
            def setup_context(ctx, inputs, out):
                noted(ctx, *inputs, out)

        else:

            @staticmethod
            def forward(ctx, a, b):
                out = computed(a)
                noted(ctx, a, b, out)
                return out

        @staticmethod
        def backward(ctx, *grads):
            return grads[-1], grads[0]

    return Returns


@pytest.mark.parametrize("saved", SAVED)
@pytest.mark.parametrize("returned", RETURNED)
@pytest.mark.parametrize("separate", [True, False])
def test_what_is_saved_of_an_argument_that_is_returned(saved, returned, separate):
    for dirty, constant, leaf, graph in itertools.product((False, True), repeat=4):

        def program(t, dirty=dirty, constant=constant, leaf=leaf, graph=graph):
            function = _function(t, saved, returned, dirty, constant, separate)
            a = t.ones(2, requires_grad=not leaf)
            a = a if leaf else a * 1
            with t.set_grad_enabled(graph):
                out = function.apply(a, t.ones(2, requires_grad=True))
            out = out[-1] if isinstance(out, tuple) else out
            return out is a, out.requires_grad, out._is_view()

        same(program)
