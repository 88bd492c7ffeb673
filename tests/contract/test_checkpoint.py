"""``torch.utils.checkpoint``: both ways, nested, stopped early, selective; and what is refused."""

from __future__ import annotations

from tests.contract.programs import submodule, suite

program, test_same_program_same_notes = suite()


def module(torch):
    return submodule(torch, "utils.checkpoint")


def first_line(fn):
    try:
        fn()
    except Exception as e:
        return type(e).__name__, str(e).strip().splitlines()[:4]
    return "no error"


@program
def both_ways(torch, ns, note):
    ck = module(torch)
    for reentrant in (True, False):
        x = torch.ones(3, requires_grad=True)
        w = torch.full((3,), 2.0, requires_grad=True)
        runs = []

        def f(a, k, *rest):
            runs.append((torch.is_grad_enabled(), a.requires_grad))
            return a * w * k, (a + 1).relu()

        y, z = ck.checkpoint(f, x, 3, use_reentrant=reentrant)
        note((y.grad_fn.name(), y.requires_grad, z.requires_grad))
        (y * 2 + z).sum().backward()
        note((x.grad, w.grad, runs))
        note(lambda: (y * 2 + z).sum().backward())
    note(sorted(ck.__all__))


@program
def refusals(torch, ns, note):
    ck = module(torch)
    x = torch.ones(3, requires_grad=True)
    note(lambda: ck.checkpoint(lambda a: a * 2, x).sum())
    note(lambda: ck.checkpoint(lambda a: a * 2, x, use_reentrant=True, foo=3))
    note(lambda: ck.checkpoint(lambda a, foo: a * foo, x, use_reentrant=False, foo=3))
    note(lambda: ck.checkpoint(lambda a: a * 2, x, use_reentrant=True, debug=True))
    note(lambda: ck.checkpoint(lambda a: a * 2, x, use_reentrant=True, context_fn=lambda: None))
    note(lambda: ck.checkpoint(lambda a: a, x, use_reentrant=False, determinism_check="some"))
    note(lambda: ck.checkpoint(lambda a: a * 2, torch.ones(3), use_reentrant=True).requires_grad)
    note(lambda: ck.checkpoint(lambda a: a * 2, torch.ones(3), use_reentrant=False).requires_grad)
    y = ck.checkpoint(lambda a: a * 2, x, use_reentrant=True)
    note(lambda: torch.autograd.grad(y.sum(), x))
    y = ck.checkpoint(lambda a: a * 2, x, use_reentrant=True)
    note(lambda: y.sum().backward(inputs=[x]))
    y = ck.checkpoint(lambda a: a.detach() * 2, x, use_reentrant=True)
    note(lambda: y.sum().backward())
    note(lambda: ck.detach_variable([x]))
    note(lambda: ck.detach_variable((x, 3)))
    note(lambda: ck.check_backward_validity([torch.ones(2)]))
    note(lambda: ck.checkpoint_sequential([torch.relu], 1, x))
    note(lambda: ck.checkpoint_sequential([torch.relu], 1, x, use_reentrant=False, a=3))

    def boom(a):
        raise ValueError("boom")

    for r in (True, False):
        note(lambda: ck.checkpoint(boom, x, use_reentrant=r))
    note((x * 2).grad_fn.name())


@program
def grad_and_twice(torch, ns, note):
    ck = module(torch)
    x = torch.full((3,), 2.0, requires_grad=True)
    y = ck.checkpoint(lambda a: (a * a).relu() * a, x, use_reentrant=False)
    note(torch.autograd.grad(y.sum(), x, retain_graph=True))
    note(torch.autograd.grad(y.sum(), x, retain_graph=True))
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    note(g)
    note(torch.autograd.grad(g.sum(), x))
    note(lambda: torch.autograd.grad(y.sum(), x))
    with torch.no_grad():
        note(ck.checkpoint(lambda a: a * 2, x, use_reentrant=False))
        note(ck.checkpoint(lambda a: a * 2, x, use_reentrant=True))


@program
def stops_early(torch, ns, note):
    ck = module(torch)
    for early in (True, False):
        x = torch.ones(2, requires_grad=True)
        ran = []

        def f(a):
            b = a * a
            ran.append("b")
            c = b * b
            ran.append("c")
            d = c + 1
            ran.append("d")
            return d

        ck.checkpoint(f, x, use_reentrant=False, early_stop=early).sum().backward()
        note((ran, x.grad))
        ran.clear()
        with ck.set_checkpoint_early_stop(not early):
            y = ck.checkpoint(f, x, use_reentrant=False, early_stop=early)
        y.sum().backward()
        note(ran)


@program
def nested(torch, ns, note):
    ck = module(torch)
    for reentrant in (True, False):
        x = torch.full((2,), 2.0, requires_grad=True)
        ran = []

        def inner(a):
            ran.append("inner")
            return a * a * a

        def outer(a):
            ran.append("outer")
            b = ck.checkpoint(inner, a * 2, use_reentrant=reentrant)
            return b * b

        y = ck.checkpoint(outer, x, use_reentrant=reentrant)
        z = ck.checkpoint(
            lambda a: ck.checkpoint(outer, a, use_reentrant=reentrant), y, use_reentrant=reentrant
        )
        z.sum().backward()
        note((ran, x.grad))


@program
def random_numbers(torch, ns, note):
    ck = module(torch)
    for reentrant in (True, False):
        for keep in (True, False):
            torch.manual_seed(0)
            x = torch.ones(20, requires_grad=True)
            y = ck.checkpoint(
                lambda a: torch.nn.functional.dropout(a * 1, 0.5) * a,
                x, use_reentrant=reentrant, preserve_rng_state=keep,
            )  # fmt: skip
            after = torch.rand(2)
            y.sum().backward()
            if keep:
                note(bool((x.grad == y.detach() * 2).all()))
            note(after)
            note(torch.rand(2))


@program
def runs_that_differ(torch, ns, note):
    ck = module(torch)

    def differing(first, second, **options):
        x = torch.ones(4, requires_grad=True)
        count = [0]

        def f(a):
            count[0] += 1
            return (first if count[0] == 1 else second)(a)

        y = ck.checkpoint(f, x, use_reentrant=False, **options)
        y.sum().backward()
        return x.grad

    def long(a):
        return a.relu() * a * a

    def short(a):
        return a * a

    def wide(a):
        return (a.double() * a.double()).float()

    def front(a):
        return a[:2] * a[:2]

    def back(a):
        return a[1:] * a[1:]

    for options in ({}, {"early_stop": False}, {"determinism_check": "none"}):
        note(first_line(lambda: differing(long, short, **options)))
        note(first_line(lambda: differing(short, long, **options)))
        note(first_line(lambda: differing(short, wide, **options)))
        note(first_line(lambda: differing(front, back, **options)))
    note(first_line(lambda: differing(long, short, debug=True))[1][0])
    with ck.set_checkpoint_debug_enabled(True):
        note(first_line(lambda: differing(long, short))[1][0])
        note(first_line(lambda: differing(long, short, context_fn=lambda: None)))


@program
def saved_twice(torch, ns, note):
    ck = module(torch)

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * 2

        @staticmethod
        def backward(ctx, g):
            (a,) = ctx.saved_tensors
            (a,) = ctx.saved_tensors
            return g * a

    x = torch.ones(2, requires_grad=True)
    y = ck.checkpoint(lambda a: Twice.apply(a * 2), x, use_reentrant=False)
    note(first_line(lambda: y.sum().backward()))
    y = ck.checkpoint(lambda a: a * a, x, use_reentrant=False)
    note(y.grad_fn._saved_self)
    note(y.grad_fn._saved_self)


@program
def groups(torch, ns, note):
    ck = module(torch)
    x = torch.ones(2, requires_grad=True)
    ran = []

    def f(a):
        ran.append(1)
        b = a * a
        return b, b.relu() * 3

    with ck.GraphExecGroup():
        y, z = ck.checkpoint(f, x, use_reentrant=False)
        y.sum().backward(retain_graph=True)
        note(first_line(lambda: y.sum().backward()))
        note(len(ran))
        note(lambda: ck.GraphExecGroup().__enter__() is None)


@program
def sequential(torch, ns, note):
    ck = module(torch)
    for reentrant in (True, False):
        for segments in (1, 2, 3):
            x = torch.full((2,), 2.0, requires_grad=True)
            ran = []

            def step(i, ran=ran):
                def run(a):
                    ran.append((i, torch.is_grad_enabled()))
                    return a * a

                return run

            y = ck.checkpoint_sequential(
                [step(i) for i in range(4)], segments, x, use_reentrant=reentrant
            )
            y.sum().backward()
            note((ran, x.grad))
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    x = torch.ones(1, 2, requires_grad=True)
    ck.checkpoint_sequential(net, 2, x, use_reentrant=False).sum().backward()
    note([p.grad is not None for p in net.parameters()])


@program
def contexts(torch, ns, note):
    ck = module(torch)
    seen = []

    class Noting:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            seen.append(f"enter {self.name}")

        def __exit__(self, *error):
            seen.append(f"exit {self.name}")

    x = torch.ones(2, requires_grad=True)
    y = ck.checkpoint(
        lambda a: a * a, x, use_reentrant=False,
        context_fn=lambda: (Noting("first"), Noting("again")),
    )  # fmt: skip
    note(seen)
    y.sum().backward()
    note(seen)


@program
def selective(torch, ns, note):
    ck = module(torch)
    make = ck.create_selective_checkpoint_contexts
    ops = torch.ops.aten
    asked = []

    def policy(ctx, op, *args, **kwargs):
        asked.append((ctx.is_recompute, str(op), ctx.op_output is not None))
        return (
            ck.CheckpointPolicy.MUST_SAVE
            if op is ops.mm.default
            else ck.CheckpointPolicy.PREFER_RECOMPUTE
        )

    for kind in (policy, [ops.mm.default], lambda ctx, op, *a, **k: op is ops.mm.default):
        x = torch.full((2, 2), 2.0, requires_grad=True)

        def f(a):
            return (a.mm(a).relu().mm(a) * a).sum()

        y = ck.checkpoint(f, x, use_reentrant=False, context_fn=lambda: make(kind))
        y.backward()
        note(x.grad)
    note(asked)
    note(lambda: make(3))
    note(lambda: make([3]))
    note(lambda: make([ops.mm]))
    y = ck.checkpoint(f, x, use_reentrant=False, context_fn=lambda: make([ops.mm.default]))
    y.backward(retain_graph=True)
    note(lambda: y.backward())

    def changing(a):
        b = a.mm(a)
        c = b.relu()
        b.add_(1)
        return (c * a).sum()

    y = ck.checkpoint(changing, x, use_reentrant=False, context_fn=lambda: make([ops.mm.default]))
    note(lambda: y.backward())
    y = ck.checkpoint(
        changing,
        x,
        use_reentrant=False,
        context_fn=lambda: make([ops.mm.default], allow_cache_entry_mutation=True),
    )
    note(lambda: y.backward())
    note([p.name for p in ck.CheckpointPolicy])


@program
def with_autocast(torch, ns, note):
    ck = module(torch)
    for reentrant in (True, False):
        x = torch.ones(2, 2, requires_grad=True)
        kinds = []

        def f(a):
            b = a @ a
            kinds.append(str(b.dtype))
            return b.float() * a

        with torch.amp.autocast("cpu", dtype=torch.bfloat16):
            y = ck.checkpoint(f, x, use_reentrant=reentrant)
        y.sum().backward()
        note((kinds, x.grad))


@program
def backward_inside(torch, ns, note):
    ck = module(torch)
    for early in (True, False):
        x = torch.full((2,), 2.0, requires_grad=True)

        def f(a):
            b = a * a
            with torch.enable_grad():
                (g,) = torch.autograd.grad(b.sum(), a, create_graph=True)
            return b * g

        y = ck.checkpoint(f, x, use_reentrant=False, early_stop=early)
        y.sum().backward()
        note(x.grad)
