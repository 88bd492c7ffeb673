"""``autograd.Function`` under ``vmap``: rules, generated ones, and gradients through them."""

from __future__ import annotations

from tests.contract.function_cases import suite

CASES, case, test_function_does_what_torchs_does = suite()


def ruled(s, **more):
    return s.fn(
        lambda a: a * 2, lambda ctx, g: g * 2, setup_context=lambda c, i, output: None, **more
    )


def vmapped(s, **more):
    return s.torch.vmap(ruled(s, **more).apply)(s.x)


CASES.update(
    vmap_without_setup=lambda s: s.torch.vmap(s.fn(lambda c, a: a * 2).apply)(s.x),
    vmap_without_rule=vmapped,
    vmap_two_rules=lambda s: vmapped(s, generate_vmap_rule=True, vmap=lambda i, d, a: (a, 0)),
    vmap_one_result=lambda s: vmapped(s, vmap=lambda i, d, a: a),
    vmap_three_results=lambda s: vmapped(s, vmap=lambda i, d, a: (a, 0, 0)),
    vmap_dims_misfit=lambda s: vmapped(s, vmap=lambda i, d, a: (a, (0, 0))),
    vmap_own=lambda s: vmapped(s, vmap=lambda i, d, a: (s.note(i, d, a), (a * 3, 0))[1]),
    vmap_generated=lambda s: vmapped(s, generate_vmap_rule=True),
    vmap_nested=lambda s: s.torch.vmap(
        s.torch.vmap(ruled(s, generate_vmap_rule=True).apply), randomness="same"
    )(s.torch.ones(2, 3)),
)


def product(s, rule):
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.k = 2
        s.note(ctx.needs_input_grad, inputs[0].shape, output.shape)

    def backward(ctx, g):
        a, b, out = ctx.saved_tensors
        s.note(a.shape, b.shape, out.shape, g.shape, ctx.k)
        return g * b, g * a

    more = {"generate_vmap_rule": True}
    if rule:
        made = []
        more = {"vmap": lambda info, dims, a, b: (made[0].apply(a, b), 0)}
    function = s.fn(lambda a, b: a * b, backward, setup_context=setup_context, **more)
    if rule:
        made.append(function)
    return function


def differentiated(rule, dims):
    def run(s):
        a = s.torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
        b = s.y if dims[1] is None else (a.detach() + 1).requires_grad_()
        y = s.torch.vmap(product(s, rule).apply, dims)(a, b)
        s.note(y)
        first = s.torch.autograd.grad(y.sum(), (a, b), create_graph=True)
        second = s.torch.autograd.grad(first[0].sum(), b)
        return [g.detach() for g in (*first, *second)]

    return run


for _rule in (True, False):
    for _dims in ((0, None), (0, 0), (1, 1)):
        if not (_rule and _dims == (1, 1)):
            CASES[f"vmap_gradient_{_rule}_{_dims}"] = differentiated(_rule, _dims)
