"""``autograd.Function`` with a generated rule, whose arguments broadcast in each sample."""

from __future__ import annotations

import pytest

from .both_frameworks import part, same

SHAPES = (
    ((3, 4), (4,)),
    ((4,), (3, 4)),
    ((), (3,)),
    ((1, 4), (3, 1)),
    ((3,), (3,)),
)
#: What ``backward`` gives where that fits no argument.
MISFITS = {
    "longer": lambda g: g.new_ones(7),
    "of more dimensions": lambda g: g.new_ones(2, 7),
    "of fewer": lambda g: g[0],
}


def product_function(t, misfit=None):
    class Product(t.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y if misfit is None else misfit(g), g * x

    return Product.apply


def numbers(t, shape):
    return t.arange(1.0, 1 + t.Size(shape).numel()).reshape(shape)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("dims", [(0, 0), (0, None), (None, 0)], ids=str)
def test_gradients_have_the_shapes_of_the_samples_arguments(shapes, dims):
    """Whether the derivative is taken of each sample or of the whole batch."""

    def run(t, inside):
        function = product_function(t)
        x, y = (
            numbers(t, shape if dim is None else (2, *shape))
            for shape, dim in zip(shapes, dims, strict=True)
        )
        if inside:

            def pulled(x, y):
                made, back = part(t, "func").vjp(function, x, y)
                return back(t.ones_like(made))

            return t.vmap(pulled, in_dims=dims)(x, y)
        leaves = x.requires_grad_(), y.requires_grad_()
        return t.autograd.grad(t.vmap(function, in_dims=dims)(*leaves).sum(), leaves)

    for inside in (True, False):
        same(lambda t: run(t, inside))


@pytest.mark.parametrize("name", MISFITS)
def test_a_gradient_that_fits_no_sample_is_refused(name):
    """In the words of ``sum_to_size``."""

    def run(t):
        x = numbers(t, (2, 3)).requires_grad_()
        function = product_function(t, MISFITS[name])
        return t.autograd.grad(t.vmap(function)(x, numbers(t, (2, 3))).sum(), x)

    same(run)


def test_nested_batches_fit_their_gradients():
    def run(t):
        x, y = numbers(t, (2, 3, 4)).requires_grad_(), numbers(t, (2, 3)).requires_grad_()
        made = t.vmap(t.vmap(product_function(t)))(x, y)
        return t.autograd.grad(made.sum(), (x, y))

    same(run)
