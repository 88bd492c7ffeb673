"""``autograd.Function`` in detail: what ``backward`` gets, gives and finds saved."""

from __future__ import annotations

import gc
import weakref

from tests.contract.programs import made, ones, suite

program, test_same_program_same_notes = suite(digits=4)


@program
def wrong_results_of_backward(torch, ns, note):
    a, b = ones(torch), ones(torch)
    for r in (
        lambda g: None,
        lambda g: (g, g),
        lambda g: (g, None),
        lambda g: (None, None),
        lambda g: 3,
        lambda g: "a",
        lambda g: [g],
        lambda g: (),
        lambda g: torch.ones(3),
        lambda g: torch.ones(2, 2),
        lambda g: torch.ones(()),
        lambda g: torch.ones(1),
        lambda g: g.double(),
        lambda g: g.to(torch.complex64),
        lambda g: g.long(),
        lambda g: torch.ones(2, device="meta"),
        lambda g: torch.ones(3, 2),
        lambda g: torch.ones(2, 1),
        lambda g: (g, 3),
        lambda g: (g, None, None),
    ):
        a = ones(torch)
        F = made(torch, lambda ctx, x: x * 1, lambda ctx, g, r=r: r(g))
        note(lambda: F.apply(a).sum().backward())
        note(a.grad)
    for r in (
        lambda g: g,
        lambda g: (g, g),
        lambda g: (g, None, g),
        lambda g: (g, g, g),
        lambda g: (g, g, None),
        lambda g: (g, None),
    ):
        F = made(torch, lambda ctx, x, n, y: x * n * y, lambda ctx, g, r=r: r(g))
        note(lambda: F.apply(a, 2, b).sum().backward())
    F = made(torch, lambda ctx, x, y: x * y.float(), lambda ctx, g: (g, g))
    note(lambda: F.apply(a, torch.ones(2, dtype=torch.int64)).sum().backward())
    F = made(torch, lambda ctx, x, y: x * y, lambda ctx, g: (g, torch.ones(5)))
    note(lambda: F.apply(a, torch.ones(2)).sum().backward())
    F = made(torch, lambda ctx, x: x * 1j, lambda ctx, g: g)
    note(lambda: F.apply(a).abs().sum().backward())
    note(a.grad)


@program
def needs_input_grad(torch, ns, note):
    def backward(ctx, g):
        note(ctx.needs_input_grad)
        return g, (g if ctx.needs_input_grad[1] else None), None

    F = made(torch, lambda ctx, x, y, z: x * y, backward)
    a, b = ones(torch), ones(torch)
    F.apply(a, b, 3).sum().backward()
    F.apply(a, torch.ones(2), None).sum().backward()
    y = F.apply(a, b, 3)
    torch.autograd.grad(y.sum(), a)
    y = F.apply(a * 1, b * 1, 3)
    torch.autograd.grad(y.sum(), b)
    y = F.apply(a, b, 3)
    y.sum().backward(inputs=[b])

    def fw(ctx, x, y, z):
        note(ctx.needs_input_grad)
        return x * y

    F = made(torch, fw, backward)
    with torch.no_grad():
        F.apply(a, b, 3)
    F.apply(torch.ones(2), b, "s")
    F.apply(torch.ones(2), torch.ones(2), "s")

    def setup(ctx, i, o):
        note(ctx.needs_input_grad)

    made(torch, lambda x: x * 1, setup_context=setup).apply(a)


@program
def materialized_gradients(torch, ns, note):
    def backward(ctx, *g):
        note(g)
        return g[0]

    def fw(ctx, x):
        return x * 1, x * 2, 3, x.long()

    a = ones(torch)
    made(torch, fw, backward).apply(a)[1].sum().backward()

    def fw2(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 1, x * 2, 3, x.long()

    made(torch, fw2, backward).apply(a)[1].sum().backward()

    def fw3(ctx, x):
        o = x * 2
        ctx.mark_non_differentiable(o)
        return x * 1, o

    made(torch, fw3, backward).apply(a)[0].sum().backward()

    def fw4(ctx, x):
        o = x * 2
        ctx._materialize_non_diff_grads = (
            False if hasattr(ctx, "_materialize_non_diff_grads") else None
        )
        ctx.mark_non_differentiable(o)
        return x * 1, o

    made(torch, fw4, backward).apply(a)[0].sum().backward()

    def fw5(ctx, x):
        note(lambda: ctx.set_materialize_grads(3))
        note(lambda: ctx.set_materialize_grads("a"))
        return x * 1

    made(torch, fw5).apply(a)

    def bad(ctx, x):
        ctx.materialize_grads = False
        return x * 1, x * 2

    made(torch, bad, backward).apply(a)[1].sum().backward()


@program
def once_differentiable(torch, ns, note):
    od = torch.autograd.function.once_differentiable

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @od
        def backward(ctx, g):
            note((torch.is_grad_enabled(), g.requires_grad))
            (x,) = ctx.saved_tensors
            return g * x * 2

    a = ones(torch)
    F.apply(a).sum().backward()
    note(a.grad)
    (g,) = torch.autograd.grad(F.apply(a).sum(), a, create_graph=True)
    note(g)
    note(lambda: g.sum().backward())
    note(F.backward.__name__)

    class Several(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        @od
        def backward(ctx, g):
            return g, None

    b = ones(torch)
    g = torch.autograd.grad(Several.apply(a, b).sum(), [a, b], create_graph=True, allow_unused=True)
    note(g)
    g = torch.autograd.grad(
        (Several.apply(a, b) * a).sum(), [a], create_graph=True, allow_unused=True
    )
    note(lambda: g[0].sum().backward())


@program
def saved_tensors_of_functions(torch, ns, note):
    a = ones(torch)

    def fw(ctx, x):
        y = x * 2
        z = x * 3
        ctx.save_for_backward(x, y, z, None)
        return y

    def bw(ctx, g):
        x, y, z, n = ctx.saved_tensors
        note(
            [
                x.requires_grad,
                x.is_leaf,
                y.requires_grad,
                y.grad_fn is not None,
                z.requires_grad,
                n,
                x is a,
            ]
        )
        return g

    F = made(torch, fw, bw)
    y = F.apply(a)
    note(y.grad_fn.saved_tensors[1] is y)
    note(y.grad_fn.saved_tensors[1].grad_fn is y.grad_fn)
    y.sum().backward()
    note(lambda: y.grad_fn.saved_tensors)
    note(lambda: y.sum().backward())
    note(lambda: y.grad_fn._raw_saved_tensors)
    F = made(torch, fw, lambda ctx, g: g)
    y = F.apply(a)
    y.sum().backward()
    note(lambda: y.sum().backward())
    y = F.apply(a)
    y.mul_(2)
    note(lambda: y.grad_fn.next_functions[0][0].saved_tensors)
    note(lambda: y.sum().backward())
    b = a * 1
    y = F.apply(b)
    b.mul_(2)
    note(lambda: y.grad_fn.saved_tensors)
    F2 = made(torch, fw, bw)
    y = F2.apply(b)
    b.mul_(2)
    note(lambda: y.sum().backward())

    def late(ctx, x):
        ctx.keep = x
        return x * 2

    def latebw(ctx, g):
        ctx.save_for_backward(g)
        note(lambda: ctx.saved_tensors)
        return g

    made(torch, late, latebw).apply(a).sum().backward()

    def twice(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_backward(x, x)
        return x * 2

    note(len(made(torch, twice).apply(a).grad_fn.saved_tensors))

    def inside(ctx, x):
        ctx.save_for_backward(x)
        note(lambda: ctx.saved_tensors)
        note(lambda: ctx.needs_input_grad)
        return x * 2

    made(torch, inside).apply(a)
    with torch.no_grad():
        made(torch, inside).apply(a)


@program
def clearing_saved_tensors(torch, ns, note):
    a = ones(torch)

    def fw(ctx, x):
        ctx.save_for_backward(x, x * 2)
        return x * 2

    def bw(ctx, g):
        note(len(ctx.saved_tensors))
        note(lambda: ctx.saved_tensors)
        return g

    F = made(torch, fw, bw, clear_saved_tensors_on_access=True)
    y = F.apply(a)
    note(lambda: y.sum().backward(retain_graph=True))
    note(lambda: y.sum().backward())

    def bw2(ctx, g):
        note(len(ctx.saved_tensors))
        ctx.maybe_clear_saved_tensors()
        note(lambda: len(ctx.saved_tensors))
        return g

    F = made(torch, fw, bw2)
    y = F.apply(a)
    note(lambda: y.sum().backward(retain_graph=True))
    note(lambda: y.sum().backward())
    note(lambda: y.sum().backward())


@program
def boxed_gradients(torch, ns, note):
    a = ones(torch)

    def bw(ctx, grads):
        note(grads)
        note(type(grads).__name__)
        return grads[0]

    F = made(torch, lambda ctx, x: (x * 1, x * 2), bw, boxed_grads_call=True)
    note(lambda: F.apply(a)[0].sum().backward())


@program
def double_backward(torch, ns, note):
    def fw(ctx, x):
        y = x**3
        ctx.save_for_backward(x, y)
        return y

    def bw(ctx, g):
        x, y = ctx.saved_tensors
        return g * 3 * x**2 + 0 * y

    F = made(torch, fw, bw)
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    (g,) = torch.autograd.grad(F.apply(a).sum(), a, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), a, create_graph=True)
    (k,) = torch.autograd.grad(h.sum(), a)
    note([g, h, k])

    def fwc(ctx, x):
        with torch.enable_grad():
            xx = x.detach().requires_grad_()
            ctx.y = xx.exp()
            ctx.x = xx
        return ctx.y.detach()

    def bwc(ctx, g):
        return torch.autograd.grad(ctx.y, ctx.x, g)[0]

    F = made(torch, fwc, bwc)
    note(torch.autograd.grad(F.apply(a * 0).sum(), a))


@program
def ctx_outlives_and_cycles(torch, ns, note):
    class Obj:
        pass

    def run(keep):
        o = Obj()

        def fw(ctx, x):
            ctx.o = o
            y = x * 2
            if keep:
                ctx.y = y
            return y

        y = made(torch, fw).apply(ones(torch))
        y.sum().backward()
        return weakref.ref(o)

    gc.collect(1)
    note(run(False)() is None)
    r = run(True)
    gc.collect()
    note(r() is None)
    ctxs = []

    def stash(ctx, x):
        ctxs.append(ctx)
        ctx.save_for_backward(x)
        return x * 2

    y = made(torch, stash).apply(ones(torch))
    del y
    gc.collect(1)
    note(lambda: ctxs[0].saved_tensors)
    note(lambda: ctxs[0].next_functions[0][0].name())
    note(lambda: ctxs[0].metadata)
    note(lambda: ctxs[0].name())

    try:
        made(torch, lambda ctx, x: (ctxs.append(ctx), 1 / 0)[0]).apply(ones(torch))
    except ZeroDivisionError:
        pass
    note(lambda: ctxs[-1].saved_tensors)


@program
def hooks_of_function_nodes(torch, ns, note):
    log = []
    F = made(
        torch,
        lambda ctx, x, y: (x * y, x + y),
        lambda ctx, g, h: (log.append([g.tolist(), h.tolist()]), (g + h, g))[1],
    )
    a, b = ones(torch), ones(torch)
    u, v = F.apply(a, b)
    u.grad_fn.register_prehook(
        lambda o: (
            log.append([None if x is None else x.tolist() for x in o]),
            (o[0], torch.ones(2) * 7) if False else None,
        )[1]
    )
    u.grad_fn.register_hook(lambda i, o: (log.append([len(i), len(o)]), (i[0] * 2, i[1]))[1])
    u.sum().backward()
    note(log)
    note([a.grad, b.grad])
    note(u.grad_fn is v.grad_fn)
    note(lambda: u.grad_fn.register_hook(lambda *x: None).remove())
