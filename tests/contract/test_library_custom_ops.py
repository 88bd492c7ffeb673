"""``torch.library.custom_op``: kernels, gradients, changes, and what is refused."""

from __future__ import annotations

from tests.contract.custom_ops import annotated, doubling
from tests.contract.programs import suite

program, test_same_program_same_notes = suite()


@program
def a_custom_op_shows_itself(torch, ns, note):
    op = doubling(torch, ns)
    note([op, op._opoverload, op._opoverload._schema, op._opoverload.tags])
    note(lambda: op(torch.ones(2)))
    note(lambda: op(x=torch.ones(2)))
    note(lambda: getattr(torch.ops, ns).f(torch.ones(2)))
    note(lambda: op())
    note(lambda: op(1))
    note(lambda: op(torch.ones(2), 2))


@program
def results_must_have_memory_of_their_own(torch, ns, note):
    T, L = torch.Tensor, list[torch.Tensor]
    x = torch.ones(3)
    cases = {
        "same": ({"x": T, "return": T}, lambda x: x, x),
        "view": ({"x": T, "return": T}, lambda x: x.view(-1), x),
        "twice": ({"x": T, "return": tuple[T, T]}, lambda x: (x.clone(),) * 2, x),
        "listed": ({"x": L, "return": L}, lambda x: [x[0], x[0] + 1], [x, x + 1]),
        "inner": ({"x": L, "return": T}, lambda x: x[1][:1], [x, x + 1]),
        "fine": ({"x": L, "return": L}, lambda x: [x[0] + 1], [x, x]),
    }
    for name, (kinds, body, argument) in cases.items():

        def fn(x, body=body):
            return body(x)

        schema = torch.library.infer_schema(annotated(torch, **kinds)(lambda x: x), mutates_args=())
        op = torch.library.custom_op(f"{ns}::{name}", fn, mutates_args=(), schema=schema)
        note(lambda op=op, a=argument: op(a))
    given = torch.library.custom_op(
        f"{ns}::g", lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    note(lambda: given(x.requires_grad_()))


@program
def changes_are_counted(torch, ns, note):
    T = torch.Tensor

    @annotated(torch, x=T, y=T, **{"return": None})
    def change(x, y):
        x.add_(y)

    op = torch.library.custom_op(f"{ns}::change", change, mutates_args={"x"})
    note(op._opoverload._schema)
    one = torch.ones(3)
    x = torch.ones(3)
    note(lambda: op(x, one))
    note([x, x._version])
    leaf = torch.ones(3, requires_grad=True)
    note(lambda: op(leaf, one))
    note(leaf)
    h = leaf * 2
    before = h._version
    note(lambda: op(h, one))
    note([h, h._version - before])
    note(lambda: h.sum().backward())
    note(leaf.grad)
    saved = leaf.exp()
    op(saved, one)
    note(lambda: saved.sum().backward())
    note(lambda: op.register_autograd(lambda ctx, g: g))
    note(lambda: op(torch.ones(3, device="meta"), torch.ones(3, device="meta")))
    listed = torch.library.custom_op(
        f"{ns}::listed", lambda xs: [x.mul_(2) for x in xs] and None,
        mutates_args={"xs"}, schema="(Tensor(a!)[] xs) -> ()",
    )  # fmt: skip
    y = torch.ones(1)
    note(lambda: listed([x, y]))
    note([x, y, y._version])


@program
def an_op_without_formula_says_so_upon_backward(torch, ns, note):
    op = doubling(torch, ns)
    x = torch.ones(3, requires_grad=True)
    y = op(x)
    note(y)
    note(type(y.grad_fn).__name__)
    note(lambda: y.sum().backward())
    with torch.no_grad():
        note(op(x))


@program
def a_formula_with_context(torch, ns, note):
    op = doubling(torch, ns)

    def setup(ctx, inputs, output):
        note([len(inputs), ctx.needs_input_grad, output.requires_grad])
        ctx.k = 3
        ctx.save_for_backward(*inputs, output)

    def backward(ctx, g):
        note([ctx.needs_input_grad, *ctx.saved_tensors])
        return g * ctx.k

    op.register_autograd(backward, setup_context=setup)
    x = torch.ones(3, requires_grad=True)
    y = op(x)
    note(y)
    y.sum().backward()
    note(x.grad)
    z = op(op(x * 2))
    note(lambda: z.sum().backward())
    note(x.grad)
    note(lambda: z.sum().backward())


@program
def formulas_with_keywords_and_defaults(torch, ns, note):
    op = torch.library.custom_op(
        f"{ns}::f", lambda x, n=2, *, m=1.5, flag=False: x * n * m, mutates_args=(),
        schema="(Tensor x, int n=2, *, float m=1.5, bool flag=False) -> Tensor",
    )  # fmt: skip

    def setup(ctx, inputs, keyword_only_inputs, output):
        note([inputs[1:], keyword_only_inputs])
        ctx.factor = inputs[1] * keyword_only_inputs["m"]

    x = torch.ones(3, requires_grad=True)
    for backward in (
        lambda ctx, g: (g * ctx.factor, None),
        lambda ctx, g: g * ctx.factor,
        lambda ctx, g: (g * ctx.factor, None, None, None),
        lambda ctx, g: (g * ctx.factor, g),
        lambda ctx, g: (None, None),
    ):
        op.register_autograd(backward, setup_context=setup)
        note(lambda: op(x).sum().backward())
        note(lambda: op(x, 5, m=2.0).sum().backward())
        note(lambda: op(x, n=2, flag=True).sum().backward())
        note(x.grad)

    def without_keywords(ctx, inputs, output):
        pass

    op.register_autograd(lambda ctx, g: (g, None), setup_context=without_keywords)
    note(lambda: op(x))


@program
def formulas_over_lists(torch, ns, note):
    op = torch.library.custom_op(
        f"{ns}::f", lambda xs, y, k: ([x * 2 for x in xs], y * 3), mutates_args=(),
        schema="(Tensor[] xs, Tensor y, int[] k) -> (Tensor[], Tensor)",
    )  # fmt: skip

    def setup(ctx, inputs, output):
        note([[type(i).__name__ for i in (*inputs, *output)], ctx.needs_input_grad])

    a, b = (torch.ones(2, requires_grad=True) for _ in range(2))
    c = torch.ones(2)
    for backward in (
        lambda ctx, gs, gy: (note([ctx.needs_input_grad, gs, gy]), [g * 2 for g in gs], gy, None)[
            1:
        ],
        lambda ctx, gs, gy: (gs[0], gy, None),
        lambda ctx, gs, gy: ([gs[0]], gy, None),
        lambda ctx, gs, gy: ([gs[0], None], gy, None),
        lambda ctx, gs, gy: ([gs[0], None], gy),
        lambda ctx, gs, gy: gy,
    ):
        op.register_autograd(backward, setup_context=setup)
        listed, single = op([a, c], b, [1, 2])
        note([listed, single])
        note(lambda: (listed[0].sum() + single.sum()).backward())
        note([a.grad, b.grad])
    gap = torch.library.custom_op(
        f"{ns}::gap", lambda xs: xs[1] * 2, mutates_args=(), schema="(Tensor?[] xs) -> Tensor"
    )
    note(lambda: gap([None, a]))
    gap.register_autograd(lambda ctx, g: g)
    note(lambda: gap([None, a]).sum().backward())
    note(lambda: gap([c, a]))


@program
def results_that_have_no_gradient(torch, ns, note):
    op = torch.library.custom_op(
        f"{ns}::f", lambda x: (x * 2, (x * 2).long(), 4), mutates_args=(),
        schema="(Tensor x) -> (Tensor, Tensor, int)",
    )  # fmt: skip
    op.register_autograd(lambda ctx, g, integers, number: (note([integers, number]), g * 2)[1])
    x = torch.ones(2, requires_grad=True)
    out = op(x)
    note(out)
    note(lambda: out[0].sum().backward())
    note(x.grad)


@program
def kernels_of_several_devices(torch, ns, note):
    op = doubling(torch, ns, device_types="cuda")
    x = torch.ones(2)
    note(lambda: op(x))
    note(op.register_kernel("cpu")(lambda x: x + 2)(1))
    note(lambda: op(x))
    note(op.register_kernel(["cpu", "meta"], lambda x: x + 3)(1))
    note(lambda: op(x))
    note(lambda: op(torch.ones(2, device="meta")))
    note(lambda: op.register_kernel("xyz")(lambda x: x))


@program
def ops_without_tensors(torch, ns, note):
    make = torch.library.custom_op
    op = make(
        f"{ns}::f", lambda n, device: torch.ones(n, device=device), mutates_args=(),
        device_types="cpu", schema="(SymInt n, Device device) -> Tensor",
    )  # fmt: skip
    note(lambda: op(3, torch.device("cpu")))
    note(lambda: op(3, torch.device("meta")))
    note(lambda: op(3, "cpu"))
    note(lambda: make(f"{ns}::g", lambda n: torch.ones(n), mutates_args=(), device_types="cpu",
                      schema="(SymInt n) -> Tensor"))  # fmt: skip
    op = make(f"{ns}::h", lambda n: torch.ones(n), mutates_args=(), schema="(SymInt n) -> Tensor")
    note(lambda: op(2))
    note(lambda: op(n=2))
    note(lambda: op("a"))
    note(lambda: op())
    note(lambda: op(1, 2))
    note(lambda: op(1, q=2))


@program
def schemas_and_annotations_must_agree(torch, ns, note):
    make = torch.library.custom_op

    @annotated(torch, x=torch.Tensor, **{"return": torch.Tensor})
    def f(x):
        return x + 1

    x = torch.ones(2)
    note(lambda: make(f"{ns}::a", f, mutates_args=())(x))
    note(lambda: make(ns, f, mutates_args=()))
    note(lambda: make(f"{ns}::b", f, mutates_args="unknown")._opoverload._schema)
    note(lambda: make(f"{ns}::c", f, mutates_args="unk"))
    note(lambda: make(f"{ns}::d", f, mutates_args=(), schema="(Tensor(a!) x) -> Tensor"))
    note(lambda: make(f"{ns}::e", f, mutates_args=(), schema="(Tensor x, *, Tensor y) -> Tensor"))
    note(lambda: make(f"{ns}::g", f, mutates_args=(), schema="(Tensor x -> Tensor"))
    note(lambda: getattr(torch.ops, ns).a(x))
    note(
        lambda: make(f"{ns}::a", lambda x: x + 5, mutates_args=(), schema="(Tensor x) -> Tensor")(x)
    )
    note(lambda: getattr(torch.ops, ns).a(x))


@program
def kernels_switched_off(torch, ns, note):
    op = doubling(torch, ns)
    x = torch.ones(2)
    op.register_kernel("cpu")(lambda x: x * 100)
    note(op(x))
    with op.set_kernel_enabled("cpu", enabled=False):
        note(op(x))
        with op.set_kernel_enabled("cpu"):
            note(op(x))
        note(op(x))
    note(op(x))
    with op.set_kernel_enabled("cuda", enabled=False):
        note(op(x))
