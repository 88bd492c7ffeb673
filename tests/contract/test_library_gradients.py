"""Gradients of ops from ``torch.library``: ctx, results of formulas and ops, hooks, views."""

from __future__ import annotations

import warnings

from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


def made(torch, ns, name, body, schema, **options):
    """``ns::name`` of this schema."""
    return torch.library.custom_op(f"{ns}::{name}", body, mutates_args=(), schema=schema, **options)


def scaled_product(torch, ns):
    return made(
        torch, ns, "f", lambda x, y, s: x * y * s, "(Tensor x, Tensor y, float s) -> Tensor"
    )


def doubled(torch, ns, name="f"):
    return made(torch, ns, name, lambda x: x * 2, "(Tensor x) -> Tensor")


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


@program
def the_ctx_is_the_node(torch, ns, note):
    seen = []
    op = scaled_product(torch, ns)

    def setup(ctx, inputs, output):
        note([ctx.needs_input_grad, [type(i).__name__ for i in inputs]])
        note([torch.is_grad_enabled(), output.requires_grad])
        ctx.save_for_backward(*inputs[:2])
        ctx.s = inputs[2]
        seen.append(ctx)

    def backward(ctx, g):
        note([ctx.needs_input_grad, torch.is_grad_enabled()])
        x, y = ctx.saved_tensors
        return g * y * ctx.s, g * x * ctx.s, None

    op.register_autograd(backward, setup_context=setup)
    x, y = leaf(torch), torch.tensor([3.0, 4.0])
    z = op(x, y, 2.0)
    node = z.grad_fn
    note([z, node.name(), type(node).__name__, node is seen[0]])
    note([following is None for following, _ in node.next_functions])
    note(lambda: node.saved_tensors)
    z.sum().backward()
    note(x.grad)
    note(lambda: node.saved_tensors)
    note(lambda: z.sum().backward())
    (first,) = torch.autograd.grad(op(x, y, 2.0).sum(), x, create_graph=True)
    note(first)
    both = y.clone().requires_grad_()
    gx, gy = torch.autograd.grad(op(x, both, 3.0).sum(), (x, both), create_graph=True)
    note([gx, gy, torch.autograd.grad(gx.sum(), both)])
    with torch.no_grad():
        note(op(x, y, 1.0))
    with torch.inference_mode():
        note(lambda: op(x, y, 1.0).requires_grad)


RETURNED = {
    "one": lambda g: g,
    "two": lambda g: (g, g),
    "three": lambda g: (g, None, None),
    "four": lambda g: (g, None, None, None),
    "of_a_wrong_shape": lambda g: (g.sum(), None, None),
    "in_a_list": lambda g: [g, None, None],
    "a_number": lambda g: (1.0, None, None),
    "for_a_number": lambda g: (g, None, 5.0),
    "none": lambda g: None,
    "nones": lambda g: (None, None, None),
}


def returning(name, value):
    def function(torch, ns, note):
        op = scaled_product(torch, ns)
        op.register_autograd(lambda ctx, g: value(g))
        x, y = leaf(torch), torch.tensor([3.0, 4.0])
        note(lambda: torch.autograd.grad(op(x, y, 2.0).sum(), x, allow_unused=True))

    function.__name__ = f"a_formula_returns_{name}"
    return function


for _name, _value in RETURNED.items():
    program(returning(_name, _value))


@program
def several_results(torch, ns, note):
    x = leaf(torch)
    op = made(torch, ns, "two", lambda x: (x * 1, x * 2), "(Tensor x) -> (Tensor, Tensor)")
    op.register_autograd(lambda ctx, a, b: (note([a, b]), a + b)[1])
    a, b = op(x)
    note([a, b])
    b.sum().backward()
    note(x.grad)
    op = made(torch, ns, "ints", lambda x: (x.int(), x * 2), "(Tensor x) -> (Tensor, Tensor)")
    op.register_autograd(lambda ctx, a, b: (note([a, b]), b)[1])
    a, b = op(x)
    note([a, b])
    b.sum().backward()

    def setup(ctx, inputs, output):
        ctx.mark_non_differentiable(output[0])
        ctx.set_materialize_grads(False)

    op.register_autograd(lambda ctx, a, b: (note([a is None, b]), b)[1], setup_context=setup)
    a, b = op(x)
    note([a, b])
    b.sum().backward()
    note(x.grad)
    op = made(torch, ns, "list", lambda x: [x * 1, x * 2], "(Tensor x) -> Tensor[]")
    op.register_autograd(lambda ctx, gs: (note([type(gs).__name__, gs]), gs[0])[1])
    listed = op(x)
    note(listed)
    listed[1].sum().backward()
    op = made(torch, ns, "mixed", lambda x: (x * 2, 5), "(Tensor x) -> (Tensor, int)")
    op.register_autograd(lambda ctx, *gs: (note(gs), gs[0])[1])
    mixed = op(x)
    note(mixed)
    mixed[0].sum().backward()
    note(lambda: made(torch, ns, "n", lambda x: None, "(Tensor x) -> ()")(x))


@program
def marks_in_setup_context(torch, ns, note):
    x = leaf(torch)
    op = doubled(torch, ns)
    for setup in (
        lambda ctx, inputs, output: ctx.mark_non_differentiable(output),
        lambda ctx, inputs, output: ctx.mark_dirty(inputs[0]),
        lambda ctx, inputs, output: ctx.save_for_backward(5),
        lambda ctx, inputs, output: 1 / 0,
    ):
        op.register_autograd(lambda ctx, g: g, setup_context=setup)
        note(lambda: op(x))
    op.register_autograd(
        lambda ctx, g: g, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output)
    )
    note(lambda: op(x).grad_fn.saved_tensors)
    note(lambda: op(x))


@program
def optional_arguments(torch, ns, note):
    def body(x, y, z):
        return x * 2 if y is None else x * y

    op = made(torch, ns, "opt", body, "(Tensor x, Tensor? y, Tensor? z) -> Tensor")

    def setup(ctx, inputs, output):
        note([ctx.needs_input_grad, [i is None for i in inputs]])

    def backward(ctx, g):
        note(ctx.needs_input_grad)
        return g, g if ctx.needs_input_grad[1] else None, None

    op.register_autograd(backward, setup_context=setup)
    x, y = leaf(torch), torch.tensor([3.0, 4.0], requires_grad=True)
    for other in (None, y, y.detach()):
        z = op(x, other, None)
        note([z, len(z.grad_fn.next_functions)])
        z.sum().backward()
    note([x.grad, y.grad])
    note(lambda: op(x.detach(), y, None))


@program
def arguments_that_are_left_out(torch, ns, note):
    op = made(
        torch,
        ns,
        "f",
        lambda x, y=None, k=3, *, s=2.0: x * k * s,
        "(Tensor x, Tensor? y=None, int k=3, *, float s=2.0) -> Tensor",
    )

    def setup(ctx, inputs, keyword_only_inputs, output):
        note([ctx.needs_input_grad, inputs, keyword_only_inputs])

    op.register_autograd(
        lambda ctx, g: (note(ctx.needs_input_grad), (g, None, None))[1], setup_context=setup
    )
    x, y = leaf(torch), torch.tensor([3.0, 4.0])
    for call in (
        lambda: op(x),
        lambda: op(x, y),
        lambda: op(x, k=5),
        lambda: op(x, None, 3, s=4.0),
        lambda: op(x, y, 4),
    ):
        z = call()
        note([z, len(z.grad_fn.next_functions)])
        note(lambda z=z: z.sum().backward())


@program
def formulas_by_name_and_results_that_are_arguments(torch, ns, note):
    lib = torch.library.Library(ns, "DEF")
    x = leaf(torch)
    ops = getattr(torch.ops, ns)
    lib.define("f(Tensor x, float s=2.0) -> Tensor")
    lib.impl("f", lambda x, s=2.0: x * s, "CompositeExplicitAutograd")
    note(ops.f(x))

    def setup(ctx, inputs, output):
        note([inputs, ctx.needs_input_grad])
        ctx.s = inputs[1]

    torch.library.register_autograd(
        f"{ns}::f", lambda ctx, g: (g * ctx.s, None), setup_context=setup, lib=lib
    )
    for y in (ops.f(x), ops.f(x, 3.0)):
        note(y)
        y.sum().backward()
        note(x.grad)
    note(lambda: torch.library.register_autograd(f"{ns}::f", lambda ctx, g: g, lib=lib))
    for name, body in (("same", lambda x: x), ("part", lambda x: x[:1])):
        lib.define(f"{name}(Tensor x) -> Tensor")
        lib.impl(name, body, "CompositeExplicitAutograd")
        torch.library.register_autograd(
            f"{ns}::{name}", lambda ctx, g: torch.cat([g, g])[:2], lib=lib
        )
        y = getattr(ops, name)(x)
        note([y, y is x, y._is_view(), torch.autograd.grad(y.sum(), x)])
        note(lambda y=y: y.add_(1))
    lib._destroy()


@program
def hooks_on_tensors_nodes_and_saved_values(torch, ns, note):
    op = doubled(torch, ns)
    op.register_autograd(
        lambda ctx, g: g * ctx.saved_tensors[0],
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0], output),
    )
    x = leaf(torch)

    def pack(t):
        note(["pack", t])
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: (note(["unpack", t]), t)[1]):
        y = op(x)
    y.sum().backward()
    note(x.grad)
    y = op(x)
    y.grad_fn.register_hook(lambda i, o: note([i, o]) and None)
    y.register_hook(lambda g: (note(g), g * 2)[1])
    y.grad_fn.register_prehook(lambda o: (o[0] * 2,))
    y.sum().backward()
    note(x.grad)
    y = op(x)
    with torch.no_grad():
        x.add_(1)
    note(lambda: y.sum().backward())
    op.register_autograd(lambda ctx, g: g * float("nan"))
    with torch.autograd.set_detect_anomaly(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = op(x)
        try:
            y.sum().backward()
        except RuntimeError as error:
            note(str(error))


@program
def arguments_of_every_kind(torch, ns, note):
    op = doubled(torch, ns)
    op.register_autograd(lambda ctx, g: g * 3)
    x = leaf(torch)
    changed = x * 1
    view = changed[:1]
    changed.add_(1)
    with torch.no_grad():
        untracked = x[:1]
    for argument in (
        (x * 1)[:1],
        view,
        untracked,
        torch.nn.Parameter(torch.ones(2)),
        torch.ones(2, 3).t().requires_grad_(),
        torch.ones(0, 3, requires_grad=True),
        torch.tensor(3.0, requires_grad=True),
        torch.ones(2, dtype=torch.float64, requires_grad=True),
        torch.ones(2, dtype=torch.complex64, requires_grad=True),
        torch.ones(2, dtype=torch.bfloat16, requires_grad=True),
        torch.tensor([1, 2]),
    ):
        y = op(argument)
        note([y, y.requires_grad and y.grad_fn.next_functions[0][0] is None])
        if y.requires_grad and argument is not untracked:
            note(torch.autograd.grad(y.sum().abs(), argument))


@program
def forward_mode_passes_ops_by(torch, ns, note):
    forward_ad = torch.autograd.forward_ad
    plain, op = doubled(torch, ns, "plain"), doubled(torch, ns)
    op.register_autograd(lambda ctx, g: g)
    with forward_ad.dual_level():
        for wanted in (False, True):
            x = torch.ones(2, requires_grad=wanted)
            for called in (plain, op):
                dual = forward_ad.make_dual(x, torch.ones(2))
                note(lambda called=called, dual=dual: forward_ad.unpack_dual(called(dual)).tangent)
