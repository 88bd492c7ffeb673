"""``autograd.Function``: what ``backward`` returns, is given, and finds saved."""

from __future__ import annotations

import contextlib

from tests.contract.function_cases import keeping, suite, times

CASES, case, test_function_does_what_torchs_does = suite()


RETURNED = {
    "fits": lambda t: t.ones(2),
    "too_many": lambda t: (t.ones(2), t.ones(2)),
    "one_none": lambda t: None,
    "nones_behind": lambda t: (t.ones(2), None, None),
    "list": lambda t: [t.ones(2)],
    "text": lambda t: "a",
    "number": lambda t: 1.0,
    "nothing": lambda t: (),
    "longer": lambda t: t.ones(3),
    "shorter": lambda t: t.ones(1),
    "scalar": lambda t: t.ones(()),
    "more_dims": lambda t: t.ones(2, 2),
    "dims_of_one": lambda t: t.ones(1, 2),
    "double": lambda t: t.ones(2, dtype=t.float64),
    "integers": lambda t: t.ones(2, dtype=t.int32),
    "complex": lambda t: t.ones(2) + 1j,
    "meta": lambda t: t.ones(2, device="meta"),
}


def returns(value, **more):
    def run(s):
        given = value(s.torch)
        y = s.fn(lambda ctx, a: a * 2, lambda ctx, g: given, **more).apply(s.x)
        (grad,) = s.torch.autograd.grad(y.sum(), s.x, allow_unused=True)
        return grad

    return run


for _name, _value in RETURNED.items():
    CASES[f"backward_returns_{_name}"] = returns(_value)

CASES.update(
    for_a_number=lambda s: s.fn(times, lambda ctx, g: (g, g)).apply(s.x, 3).sum().backward(),
    for_a_constant=lambda s: (
        s.fn(times, lambda ctx, g: (g, s.torch.ones(7))).apply(s.x, s.c).sum().backward()
    ),
    no_backward=lambda s: s.fn(times).apply(s.x).sum().backward(),
    backward_and_vjp=lambda s: (
        s.fn(times, lambda c, g: g, vjp=lambda c, g: g).apply(s.x).sum().backward()
    ),
    vjp_only=lambda s: s.torch.autograd.grad(
        s.fn(times, vjp=lambda c, g: g * 3).apply(s.x).sum(), s.x
    ),
    save_number=lambda s: s.fn(lambda c, a: (c.save_for_backward(a, 5), a * 2)[1]).apply(s.x),
    save_number_unrecorded=lambda s: s.fn(lambda c, a: (c.save_for_backward(a, 5), a * 2)[1]).apply(
        s.c
    ),
    save_for_forward_number=lambda s: s.fn(lambda c, a: (c.save_for_forward(a, 5), a * 2)[1]).apply(
        s.x
    ),
    to_save_tuple=lambda s: (
        s.fn(lambda c, a: (setattr(c, "to_save", (a,)), a * 2)[1]).apply(s.x).grad_fn.saved_tensors
    ),
    to_save_list=lambda s: s.fn(lambda c, a: (setattr(c, "to_save", [a]), a * 2)[1]).apply(s.x),
    shared_storage=lambda s: s.fn(lambda c, a: (c.mark_shared_storage((a, a)), a * 2)[1]).apply(
        s.x
    ),
    materialize_number=lambda s: s.fn(lambda c, a: (c.set_materialize_grads(3), a)[1]).apply(s.x),
    materialize_attribute=lambda s: s.fn(
        lambda c, a: (setattr(c, "materialize_grads", None), a)[1]
    ).apply(s.x),
    materialize_read=lambda s: s.fn(lambda c, a: c.materialize_grads).apply(s.x),
    instance=lambda s: s.torch.autograd.Function(),
    instance_called=lambda s: s.fn(times)(1)(s.x),
    unknown_attribute=lambda s: s.fn(lambda ctx, a: ctx.nothing).apply(s.x),
    saved_variables=lambda s: (
        s.fn(lambda c, a: (c.save_for_backward(a), a * 2)[1]).apply(s.x).grad_fn.saved_variables
    ),
)


@case
def saved_tensors_are_freed(s):
    y = s.fn(keeping(), lambda ctx, g: g).apply(s.x)
    y.sum().backward()
    with contextlib.suppress(RuntimeError):
        s.note(y.grad_fn._raw_saved_tensors)
    return y.grad_fn.saved_tensors


@case
def backward_again_without_saved_tensors(s):
    y = s.fn(keeping(), lambda ctx, g: g).apply(s.x)
    y.backward(s.c)
    y.backward(s.c)
    return s.x.grad


@case
def backward_again_with_saved_tensors(s):
    y = s.fn(keeping(), lambda ctx, g: g * ctx.saved_tensors[0]).apply(s.x)
    y.backward(s.c, retain_graph=True)
    y.backward(s.c)
    s.note(s.x.grad)
    y.backward(s.c)


def freeing(s):
    def backward(ctx, g):
        s.note(ctx.saved_tensors)
        ctx.maybe_clear_saved_tensors()
        s.note(ctx.saved_tensors)
        return g

    return backward


CASES.update(
    maybe_clear=lambda s: s.fn(keeping(), freeing(s)).apply(s.x).backward(s.c),
    maybe_clear_retained=lambda s: (
        s.fn(keeping(), freeing(s)).apply(s.x).backward(s.c, retain_graph=True)
    ),
    clear_on_access=lambda s: (
        s.fn(
            keeping(),
            lambda c, g: c.saved_tensors + c.saved_tensors,
            clear_saved_tensors_on_access=True,
        )
        .apply(s.x)
        .backward(s.c)
    ),
    clear_on_access_once=lambda s: s.torch.autograd.grad(
        s.fn(keeping(), lambda c, g: c.saved_tensors[0], clear_saved_tensors_on_access=True)
        .apply(s.x)
        .sum(),
        s.x,
    ),
    clear_on_access_retained=lambda s: (
        s.fn(
            keeping(),
            lambda c, g: c.saved_tensors + c.saved_tensors,
            clear_saved_tensors_on_access=True,
        )
        .apply(s.x)
        .backward(s.c, retain_graph=True)
    ),
    boxed=lambda s: s.torch.autograd.grad(
        s.fn(lambda c, a: (a * 2, a * 3), lambda c, g: (s.note(g), g[0])[1], boxed_grads_call=True)
        .apply(s.x)[0]
        .sum(),
        s.x,
    ),
)


@case
def results_inputs_and_what_is_between_are_saved(s):
    def forward(ctx, a, b):
        between = a * 3
        out = between * b
        ctx.save_for_backward(a, None, between, out, b)
        return out

    def backward(ctx, g):
        s.note(ctx.saved_tensors)
        s.note([t is not None and t.grad_fn is node for t in ctx.saved_tensors])
        s.note(ctx.saved_tensors[0] is s.x, ctx.saved_tensors[3] is y)
        return g, None

    y = s.fn(forward, backward).apply(s.x, s.c)
    node = y.grad_fn
    s.note(len(node._raw_saved_tensors))
    y.sum().backward(retain_graph=True)
    s.torch.autograd.grad(y.sum(), s.x, create_graph=True)


def change_of(which):
    def run(s):
        def forward(ctx, a):
            between = a * 3
            out = between * 1
            ctx.save_for_backward(a, between, out)
            s.between = between
            return out

        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

        mid = s.mid()
        y = s.fn(forward, backward).apply(mid)
        with s.torch.no_grad():
            {"argument": mid, "between": s.between, "result": y}[which].add_(1)
        y.sum().backward()

    return run


for _which in ("argument", "between", "result"):
    CASES[f"change_of_saved_{_which}"] = change_of(_which)


@case
def saved_tensors_go_through_hooks(s):
    def pack(t):
        s.note("pack", t)
        return t * 2

    def unpack(t):
        s.note("unpack", t)
        return t / 2

    def forward(ctx, a):
        out = a * 3
        ctx.save_for_backward(a, out)
        return out

    def backward(ctx, g):
        s.note(ctx.saved_tensors)
        return g

    with s.torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = s.fn(forward, backward).apply(s.x)
    y.sum().backward()


@case
def hooks_on_raw_saved_tensors(s):
    y = s.fn(keeping(), lambda ctx, g: g * ctx.saved_tensors[0]).apply(s.x)
    y.grad_fn._raw_saved_tensors[0].register_hooks(lambda t: t * 5, lambda t: t + 1)
    y.sum().backward()
    return s.x.grad


def pair(s, materialize, marks=False):
    def forward(ctx, a):
        ctx.set_materialize_grads(materialize)
        constant = a * 3
        if marks:
            ctx.mark_non_differentiable(constant)
        return a * 1, a * 2, constant

    def backward(ctx, *grads):
        s.note(grads)
        return next((g for g in grads if g is not None), None)

    return s.fn(forward, backward)


for _m in (True, False):
    for _k in (True, False):
        CASES[f"materialized_{_m}_{_k}"] = lambda s, m=_m, k=_k: s.torch.autograd.grad(
            pair(s, m, k).apply(s.x)[1].sum(), s.x
        )


@case
def an_undefined_gradient_arrives(s):
    nothing = s.fn(lambda ctx, a: a * 2, lambda ctx, g: None)

    def seeing(ctx, g):
        s.note(g)
        return g

    def absent(ctx, a):
        ctx.set_materialize_grads(False)
        return a * 2

    nothing.apply(s.fn(lambda ctx, a: a * 2, seeing).apply(s.x)).sum().backward()
    nothing.apply(s.fn(absent, seeing).apply(s.y)).sum().backward()
    return s.x.grad, s.y.grad
